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
my-account = My account
my-account-lead = How the household knows you, and how Kinstead looks to you.
my-account-entry = Your name, language, theme
my-screens = Screens

## The household

household = Household
members = Members
members-title = Members and devices
members-lead = Everyone talks to the same Kins. Each keeps their own name, language and settings.
members-entry = Who lives here
keeps-the-keys = Keeps the keys
member-you = You
