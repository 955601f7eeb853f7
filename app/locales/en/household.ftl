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
house-name = Name of the household
house-default = The { $family }
house-name-hint = As it stands in everybody’s sidebar, and on invitations.
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
member-you-french = You, in French
member-you-english = You, in English
member-french = In French
member-english = In English
member-seen = { $language }, seen { $when }
member-disabled = May not come in
member-devices = { $count ->
    [one] { $count } device
   *[other] { $count } devices
}
member-make-admin = Give them the keys too
member-make-member = Take the keys back
member-disable = Do not let in any more
member-enable = Let in again
member-reset = Link to a new password
member-reset-lead = Give this link to { $name }. It sets a new password, works once and for 24 hours, and signs all their devices out.
member-reset-link = Link to a new password
member-delete = Delete the account
member-delete-title = Delete { $name }’s account
member-delete-lead = { $name } is signed out everywhere and every device is wiped. Their settings and everything that is theirs alone are deleted for good. What they wrote to the Kins stays, under “former member”.
member-delete-type = Type “{ $name }” to go on
hand-over = Hand the keys over
hand-over-title = Hand the keys to { $name }
hand-over-lead = { $name } will manage members, providers and the server. You become a member like the others.
last-admin-lead = You keep the keys alone. Give them to somebody before you step down.
role-member = Member
role-admin = Keeps the keys
role-admin-lead = May manage members, providers and the server, like you.

## Inviting

invite-title = Invite somebody
invite-lead = To be scanned with their phone. Works once, for 24 hours.
invite-role = What they may do
invite-write = Make a code
invite-again = New code
invite-copy = Copy the link
invite-link = Link of the invitation
invite-code = Code of the invitation, for a phone’s camera
invitations-open = Not used yet
invitation-until = Until { $when }
invitation-withdraw = Withdraw

## Devices

devices-title = Your devices
devices-lead = Signing a device out also wipes its offline copy, as soon as it is back on the network.
devices-others = Sign all others out
device-this = This one
device-here = Here
device-unnamed = A device
device-sign-out = Sign out
device-sign-out-of = Sign out { $name }
seen-at = Seen { $when }

## My account

my-profile = About you
my-data = Your data
password-lead = Your other devices are locked until the new one is given there.
password-old = Password until now
password-new = New password
password-change = Change the password
mistake-password-wrong = This is not your password.
export = Export
export-lead = Your account, your settings and every message you wrote, as one file.
delete-me = Delete my account
delete-me-title = Delete your account
delete-me-lead = You are signed out everywhere and every device is wiped. What you wrote to the Kins stays, under “former member”. This cannot be undone.
tokens-title = Access for scripts
tokens-lead = A token lets a program speak for you, within what you may do.
token-name = What is it for?
token-add = Make a token
token-made = Copy it now: it is not shown again.
token-secret = The token
token-revoke = Take back
token-revoke-of = Take back { $name }
scope-read = Read
scope-talk = Write to Kins
scope-manage = Manage the household

## Coming in by a link

title-welcome = Welcome · Kinstead
accept-title = { $inviter } invites you in.
accept-title-house = { $inviter } invites you to join “{ $house }”.
accept-lead = This house runs on its own server. Say who you are, and choose a password that only you know.
reset-title = Welcome back, { $name }.
reset-lead = Choose a new password. Your devices from before are signed out.
reset-submit = Come in
link-used-title = This link has been used.
link-expired-title = This link has run out.
link-invalid-title = This link leads nowhere.
link-problem-title = The house does not answer.
link-other-title = You are signed in here
link-other-lead = This link is meant for somebody new, or for another password, and this browser belongs to { $name }. Open it on the other person’s device, or sign out here and go on.
link-other-sign-out = Sign out and go on
link-sign-in = To the door
