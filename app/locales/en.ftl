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
title-sign-in = Sign in · Kinstead
title-setup = Welcome home · Kinstead
title-unreachable = Not reachable · Kinstead
title-not-found = Nothing here · Kinstead

## The door

sign-in-title = The lights are on.
sign-in-lead = Everyone kept an eye on things while you were out.
sign-in-submit = Come in
setup-title = Welcome home.
setup-lead = This house runs on your own server. Let’s begin with the person who keeps the keys.
setup-step = You, first
setup-submit = Move in
unreachable-title = The house does not answer.
unreachable-lead = Kinstead could not be reached from here. Check the network, or that the server is running.
broken-title = This browser could not open the house.
broken-lead = Kinstead needs a background worker and storage. A private window may forbid them.
not-found-title = Nothing at this address.
not-found-lead = The Kin may have moved out, or the link is incomplete.
not-found-home = Go home

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

## Home

home-morning = Good morning, { $name }
home-afternoon = Good afternoon, { $name }
home-evening = Good evening, { $name }
home-lead = { $unread ->
    [0] { $today }. Nothing new, all is quiet.
    [one] { $today }. One new message for you.
   *[other] { $today }. { $unread } new messages for you.
}
home-kins = The Kins
stranded-title = Words that found no home
stranded-lead = Their Kin has moved out. Copy what you want to keep.
kins = Kins
brief-now = now
brief-minutes = { $count } min
brief-yesterday = yesterday
badge-unread = { $count ->
    [one] { $count } new message
   *[other] { $count } new messages
}
badge-waiting = { $count ->
    [one] { $count } message waiting
   *[other] { $count } messages waiting
}
start-provider-title = First, something to think with
start-provider-lead = Connect a provider, and your first Kin can move in.
start-provider = Connect a provider
start-provider-admin = An admin of the household has to connect a provider first.
start-kin-title = Someone is at the door
start-kin-lead = Give your first Kin a name, a face and something to be good at.
start-kin = Welcome your first Kin

## Kins

kin-new = New Kin
kin-unnamed = Your new Kin
kin-identity = Identity
kin-texts = Character and expertise
kin-model = Model
model-choose = Choose a model
kin-model-none = Nothing to think with yet. Connect a provider, or try Demo.
kin-name-example = Basile
kin-role-example = Meals and nutrition
kin-character-example = Patient, never preachy. Always offers a quick version and a Sunday version.
kin-expertise-example = Weekly menus, shopping lists by aisle, everyone’s allergies.
face-of = Like { $name }
kin-welcome = Welcome this Kin
kin-welcome-name = Welcome { $name }
kin-settings = Settings
kin-settings-of = Settings of { $name }
kin-talk = Talk
kin-saved-texts = Character and expertise are saved, the rest is not. { $why }
kin-delete = Delete this Kin
kin-delete-title = Delete { $name }
kin-delete-lead = The whole thread with { $name } goes too, for everyone in the household.
kin-delete-type = Type “{ $name }” to confirm

## Providers

providers = Providers
providers-lead = What your Kins think with. Keys stay on your server.
providers-ai = AI
providers-admin-only = Only an admin of the household adds or removes providers.
providers-empty-title = No provider yet
providers-empty-lead = Without one your Kins cannot answer.
provider-add = Add
provider-new = New provider
provider-kind = Kind of provider
provider-kind-compatible = Your own address
provider-kind-compatible-lead = Anything that speaks OpenAI’s format, at home or elsewhere.
provider-kind-key-lead = With a key from your own account.
provider-test = Test and keep
provider-testing = Testing
provider-unused = No Kin uses it
provider-used = { $count ->
    [one] { $names } uses it
   *[other] { $names } use it
}
provider-models = { $count ->
    [one] { $count } model
   *[other] { $count } models
}
provider-delete = Remove
provider-delete-of = Remove { $name }
provider-delete-title = Remove { $name }
provider-delete-unused = Its key is deleted from your server. No Kin uses it.
provider-delete-used = { $count ->
    [one] Its key is deleted from your server. { $names } loses its model and cannot answer until another is chosen.
   *[other] Its key is deleted from your server. { $names } lose their model and cannot answer until another is chosen.
}
provider-unnamed = The provider
capability-llm = chat
capability-embedding = memory
capability-image = images
capability-search = search
demo-add = Try Demo
demo-label = Script, not an AI
demo-lead = A built-in script that answers with set phrases. It is not an AI, needs no key and sends nothing anywhere.

## The thread

log-of = Conversation with { $name }
composer-of = Message { $name }
composer-too-long = { $over ->
    [one] This message is { $over } kB too long. Nothing was sent, and your text is still here.
   *[other] This message is { $over } kB too long. Nothing was sent, and your text is still here.
}
send = Send
stop = Stop
thread-empty-title = Say hello to { $name }
thread-empty-lead = One thread for the whole household, and it never ends.
older-offline = Older messages will come when you are back online.
day-today = Today
day-yesterday = Yesterday
unread = New
new-messages = New messages
you-at = You, { $time }
member-gone = Someone who has moved out
thinking = Thinking
activity-writing = Writing…
activity-retrying = Will try again
bar-waiting = { $count ->
    [one] { $count } message waiting
   *[other] { $count } messages waiting
}
bar-writing-waiting = { $count ->
    [one] Writing, { $count } message waiting
   *[other] Writing, { $count } messages waiting
}
answer-stopped = Stopped
own-leaving = Sending
own-offline = Leaves as soon as the network is back
own-waiting = { $place ->
    [one] Waiting, next in line
   *[other] Waiting, number { $place } in line
}
own-sent = Sent, { $time }
own-read = Read, { $time }
withdraw = Withdraw
discard = Discard
resend = Send again

## Why a message was refused

refused-not-found = Not sent: this thread no longer exists for you
refused-forbidden = Not sent: you may not write here
refused-closed = Not sent: this part of the thread has closed
refused-stale-generation = Not sent: the server has been restored meanwhile
refused-rebase = Not sent: the thread has changed meanwhile
refused-hash-mismatch = Not sent: this app and the server do not agree. Reload the page
refused-duplicate-id = Not sent: its number is already taken
refused-invalid = Not sent: the server cannot read this message
refused-too-large = Not sent: this message is too long
refused-unavailable = Not sent: the server could not store it

## Why an answer failed

failure-rate-limited-title = Too many requests
failure-rate-limited = { $provider } asks us to slow down. Your message is safe.
failure-overloaded-title = Provider overloaded
failure-overloaded = { $provider } is up but too busy to answer. Your message is safe.
failure-unreachable-title = Provider unreachable
failure-unreachable = { $provider } can’t be reached. Your message is safe.
failure-timed-out-title = No answer in time
failure-timed-out = { $provider } was silent for too long. Your message is safe.
failure-cut-short-title = The answer broke off
failure-cut-short = { $provider } hung up in the middle of the answer.
failure-malformed-title = Not understood
failure-malformed = { $provider } answered in a form we can’t read. Is its address right?
failure-unauthorized-title = Key refused
failure-unauthorized = { $provider } refuses the key. An admin can enter another under Providers.
failure-model-not-found-title = Model unknown
failure-model-not-found = { $provider } doesn’t know this model. Choose another in the Kin’s settings.
failure-context-too-long-title = Too much to think about
failure-context-too-long = This conversation no longer fits the model. { $provider } has others that hold more.
failure-refused-title = Provider refused
failure-refused = { $provider } refused the request.
failure-no-model-title = No model
failure-no-model = This Kin has nothing to think with. Choose a model in its settings.
failure-turn-too-long-title = Took too long
failure-turn-too-long = The answer took too long and was ended.
failure-internal-title = Trouble on our side
failure-internal = Something went wrong on your own server. Its log says what.
failure-rate-limited-until = { $provider } asks us to wait until { $time }. Your message is safe.
failure-details = What the provider said
retrying-seconds = { $count ->
    [one] { $name } goes on in { $count } second. Nothing is lost, and you can keep writing.
   *[other] { $name } goes on in { $count } seconds. Nothing is lost, and you can keep writing.
}
retrying-at = { $name } goes on at { $time }. Nothing is lost, and you can keep writing.
retrying-soon = { $name } goes on in a moment. Nothing is lost, and you can keep writing.

## What did not happen: problem-<code of the API or the replica>

problem-offline = The server can’t be reached right now. Nothing was changed.
problem-unreadable = The answer could not be understood. Reload the page, it may be older than the server.
problem-other = That did not work: { $detail }
problem-not-signed-in = You are no longer signed in. Reload the page to come back in.
problem-sign-in-failed = Email address and password don’t go together.
problem-too-many-attempts = Too many attempts. Wait a few minutes, then try again.
problem-setup-code-wrong = This is not the code of this start. The newest one is printed where Kinstead runs.
problem-setup-done = This house already has someone who keeps the keys.
problem-email-invalid = This is not an email address.
problem-email-taken = This email address already has an account.
problem-first-name-empty = The first name is missing.
problem-first-name-too-long = The first name is too long.
problem-last-name-empty = The last name is missing.
problem-last-name-too-long = The last name is too long.
problem-nickname-empty = The nickname is missing.
problem-nickname-too-long = The nickname is too long.
problem-language-unknown = This language is not known here.
problem-password-too-short = The password is too short.
problem-password-too-long = The password is too long.
problem-admin-only = Only an admin of the household may do that.
problem-other-origin = The request came from another site and was refused.
problem-not-found = That no longer exists.
problem-kin-not-found = This Kin no longer lives here.
problem-member-not-found = This member no longer lives here.
problem-provider-not-found = This provider has been removed. Choose another.
problem-changed-meanwhile = Someone changed this meanwhile. Look again, then save.
problem-name-empty = The name is missing.
problem-name-invalid = This name can’t be used. It has 1 to 60 characters.
problem-name-too-long = The name is too long.
problem-role-too-long = The role is too long.
problem-text-too-long = This text is too long. Nothing was changed.
problem-body-too-large = That is too much at once. Nothing was changed.
problem-body-too-slow = The network was too slow. Try again.
problem-body-cut-short = The connection broke off. Try again.
problem-json-invalid = The server did not understand this form. Reload the page.
problem-disk-full = Your server’s disk is full. Nothing was changed.
problem-stopping = The server is restarting. Try again in a moment.
problem-internal = Something went wrong on your own server. Its log says what.
problem-provider-unauthorized = The provider refuses this key.
problem-provider-unreachable = Nothing answers at this address.
problem-provider-timed-out = The address answers too slowly.
problem-provider-malformed = Something answers there, but it is not a provider we understand.
problem-address-missing = This provider needs an address.
problem-address-invalid = This is not an address we can use. It begins with http:// or https://.
problem-key-missing = This provider needs a key.
problem-key-invalid = This can’t be a key: it has no spaces and at most 500 characters.
problem-key-needed-again = For another address the key must be entered again.
problem-avatar-unknown = This face is not known here.
problem-hue-unknown = This colour is not known here.
problem-model-unknown = The provider doesn’t have this model. Choose another.
problem-turn-not-running = The Kin has already finished.
problem-not-retryable = This answer can’t be tried again: the thread has moved on.
problem-not-waiting = Too late: the Kin has already taken it up.
problem-not-yours = Only whoever wrote a message can withdraw it.
problem-unavailable = Your server could not do that just now. Try again in a moment.
problem-provider-rate-limited = The provider asks us to wait. Try again in a moment.
problem-provider-overloaded = The provider is too busy right now. Try again in a moment.
problem-provider-refused = The provider refused the request.
problem-provider-cut-short = The provider hung up in the middle.
problem-provider-model-not-found = The provider doesn’t know this model.
problem-provider-context-too-long = The provider found the test too long.
problem-provider-no-model = The provider offers no model.
problem-provider-turn-too-long = The test took too long.
problem-provider-internal = The test failed on your own server. Its log says why.
problem-message-too-large = This message is too long. Your text is still here.
problem-message-empty = There is nothing to send.
problem-storage-full = This device has no room left. Your text is still here.
problem-storage-unavailable = This browser keeps nothing once the page is closed. Send before you leave.
problem-not-ready = The house is still opening. Try again in a moment.
problem-edit-refused = The server refused this change to a Kin’s text.
problem-older-offline = Older messages will come when you are back online.
problem-replica-crashed = The app’s memory stumbled and is starting again. What was queued is safe.
problem-request-failed = That did not reach the app’s memory. Try again.
problem-wipe-failed = This device could not be wiped. Clear this site’s data in the browser’s settings.
