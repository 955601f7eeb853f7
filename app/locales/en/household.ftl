## Me

account-of = Account of { $name }
account-menu = My settings
theme = Theme
theme-system = System
theme-light = Light
theme-dark = Dark
theme-to-light = Use the light theme
theme-to-dark = Use the dark theme
sign-out = Sign out
sign-out-title = Sign out of this device
sign-out-lead = What this device holds of your threads is wiped. Everything stays on your server.
sign-out-unsent = { $count ->
    [one] { $count } message has not left this device. Signing out wipes it.
   *[other] { $count } messages have not left this device. Signing out wipes them.
}
