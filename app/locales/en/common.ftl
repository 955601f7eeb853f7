# The words of the app, English. Whole sentences; plurals are left to Fluent.

## Everywhere

opening = Opening the house
loading = Loading
skip = Skip to the main part
navigation = Navigation
home = Home
back = Back
close = Close
cancel = Cancel
keep = Keep
stay = Stay
save = Save
saved = Saved
copy = Copy
copied = Copied
retry = Try again
try-again = Try again
code = Code
table = Table
task-item = Task

## Tab titles

title-home = Home · Kinstead
title-thread = { $name } · Kinstead
title-kin-new = New Kin · Kinstead
title-kin-settings = { $name }, settings · Kinstead
title-providers = Providers · Kinstead
title-household = Household · Kinstead
title-members = Members · Kinstead
title-my-account = My account · Kinstead
title-sign-in = Sign in · Kinstead
title-setup = Welcome home · Kinstead
title-unreachable = Not reachable · Kinstead
title-not-found = Nothing here · Kinstead

## Fields

field-first-name = First name
field-last-name = Last name
field-nickname = Nickname
field-nickname-hint = This is what your Kins will call you.
field-email = Email address
field-language = Language
field-password = Password
field-password-again = Once more
password-show = Show the password
password-hide = Hide the password
password-same = Both are the same.
field-code = Setup code
field-code-hint = Printed where Kinstead was started.
field-name = Name
field-role = Role
field-face = Face
field-character = Character
field-expertise = What they know and do
field-provider = Provider
field-model = Model
field-address = Address
field-address-hint = Up to and including the version, usually /v1/. Ollama, llama.cpp, LM Studio, Mistral and others.
field-key = Key
field-key-optional = Key, if one is needed
field-key-hint = Kept encrypted on your server, and never shown again.
strength-none = Long is better than complicated.
strength-weak = Easy to guess
strength-fair = Fair
strength-strong = Strong

## Mistakes in fields

mistake-empty = Something is missing here.
mistake-too-long = At most { $most } characters, please.
mistake-text-too-long = This text is too long. Shorten it a little.
mistake-email = This is not an email address.
mistake-password-short = At least { $least } characters, please.
mistake-password-again = The two passwords differ.
mistake-code-empty = Enter the code that was printed at the start.
mistake-address = An address begins with http:// or https://.
mistake-key = This provider needs a key.
mistake-model = Choose a model to think with.
mistake-name-differs = That is not the name. Type “{ $name }”.

## Sync

sync-up-to-date = Up to date
sync-syncing = Syncing
sync-offline = Offline
sync-offline-waiting = { $count ->
    [one] Offline, { $count } to send
   *[other] Offline, { $count } to send
}
sync-waiting = { $count ->
    [one] { $count } to send
   *[other] { $count } to send
}
sync-refused = { $count ->
    [one] { $count } refused
   *[other] { $count } refused
}
offline-title = You’re offline.
offline-lead = Keep writing, it will all go out later.

# A new build of the app
update-ready = A new version of Kinstead is ready.
update-moved = Another tab uses a newer version of Kinstead by now. This one waits: load it again once you have copied or finished what you are writing.
update-gone = Your server has a newer version of Kinstead.
update-reload = Reload
update-later = Later
