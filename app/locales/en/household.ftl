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

## The server

server = Server
title-server = Server · Kinstead
server-lead = The machine your household lives on, and who reaches it.
server-entry = Address, certificate, disk
server-loading = Asking the server…
server-reach = From other machines
reach-https = Reachable, and encrypted
reach-https-lead = Kinstead encrypts by itself. Whoever comes without is sent on to https.
reach-proxy = Reachable through a proxy that encrypts
reach-proxy-lead = Kinstead believes the proxies named in trusted_proxies, and nobody else.
reach-until-admin = Only this machine, until there is an admin
reach-until-admin-lead = Then it opens up by itself.
reach-this-machine = Only from the machine itself
reach-this-machine-lead = Phones and other computers cannot open it. Set listen together with a certificate (tls_cert, or acme_domain), or put a proxy that encrypts in front.
reach-unencrypted = Others find it, but cannot use it
reach-unencrypted-lead = The connection would not be encrypted, so browsers refuse what the app needs. Set tls_cert and tls_key, or acme_domain, or name your proxy in trusted_proxies and your address in public_url.
reach-failed = It could not open up
reach-unknown-proxy = A proxy is in front that Kinstead does not believe
reach-unknown-proxy-lead = Everyone seems to come from one address. If it is yours, name it in trusted_proxies.
server-address-lead = Links and codes are made of this address. The setting public_url changes it.
server-interface = Network { $name }
certificate = Certificate
certificate-none = None yet
certificate-none-lead = Nobody can come in over https until there is one.
certificate-until = Ends: { $day }
certificate-until-by = Given by { $issuer }. Ends: { $day }
certificate-ended = No longer valid. Ended: { $day }
certificate-failed = The last attempt failed
certificate-next = Next attempt: { $at }
certificate-next-lead = Renewed by itself when a third of its life is left.
certificate-files = Read from files
certificate-files-lead = Changed files are read by themselves.
server-machine = This machine
server-data = { $size } of data
server-free = { $size } free on the disk
server-version = Kinstead { $version }
server-started = Started: { $at }
trouble-disk-full = The disk is full
trouble-disk-low = The disk is nearly full
trouble-writes-fail = The disk does not take what is written
trouble-lead = Reading goes on. What cannot be written is refused, and nothing is lost that was accepted.
server-settings = Settings in force
server-settings-lead = Changed in kinstead.toml in the data folder, by environment or by flag; they count from the next start.
setting-empty = empty
setting-flag = by flag
setting-environment = by environment
setting-default = default
setting-file = from { $file }
size-mb = { $count } MB
size-gb = { $count } GB
