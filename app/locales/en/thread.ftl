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
redact = Remove for everyone
redact-title = Remove this message?
redact-lead = Its words are deleted from your server and from everybody’s devices, and cannot be brought back. That there was a message stays visible. Backups made before keep it until they expire.
message-redacted = Message removed
discard = Discard
resend = Send again

## Why a message was refused

refused-not-found = Not sent: this thread no longer exists for you
refused-forbidden = Not sent: you may not write here
refused-archived = Not sent: this Kin is put away, bring it back first
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
failure-redirects-title = Address that redirects
failure-redirects = The address of { $provider } leads elsewhere, which is never followed.
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

## What can be done with a message

you = You
reply = Reply
react = React
react-with = React with { $emoji }
react-more = More reactions
reactions = Reactions
share = Share
pin = Pin
unpin = Unpin
unpin-of = Unpin “{ $words }”
pinned = Pinned
pinned-count = { $count ->
    [one] { $count } pinned message
   *[other] { $count } pinned messages
}
pinned-none = Keep a message at hand: pin it. Only you see your pins.
message-actions = Message
message-more = More
quote-jump = Go to the quoted message:
quote-older = An earlier message
replying-to = Replying to { $name }
reply-not = Do not reply

## Beside the thread

details = Details
queue = In the queue
queue-next = Next
queue-later = After that
who-is-here = Who comes by
here-members = { $count ->
    [one] { $count } member
   *[other] { $count } members
}

## When something is out of reach

network-lost = Network lost at { $time }. Everything above can still be read here.
provider-down = { $count ->
    [one] { $names } uses { $provider }, which is down.
   *[other] { $names } use { $provider }, which is down.
}
provider-down-others = The others are fine.
names-and = { $before } and { $last }
failure-to-kin = The Kin’s model
failure-to-providers = Providers
retrying-bar = Time until the next try
side-unsent = { $count ->
    [one] { $count } message to send
   *[other] { $count } messages to send
}

## Search and commands

search = Search
palette = Search and commands
palette-field = Search or run a command
palette-do = Do
palette-people = Kins and people
palette-said = Said before
palette-go = Go to
palette-none = Nothing found for “{ $words }”.
palette-choose = choose
palette-open = open
palette-results = { $count ->
    [0] Nothing found
    [one] { $count } result
   *[other] { $count } results
}
do-invite = Invite someone
do-theme-light = Light theme
do-theme-dark = Dark theme
do-theme-system = Theme of this device
do-language = Parler français
do-keys = Keyboard shortcuts
said-quote = “{ $words }”
said-looking = Looking through what was said…
said-none = Nothing said about “{ $words }” on this device.
said-more = Show more ({ $count })

## Looking for words in a thread

find = Search this thread
find-in = Search the thread with { $name }
find-older = Older message
find-newer = Newer message
find-close = Close the search
find-none = Nothing found
find-looking = Searching…
find-at = { $at } of { $count }

## Keyboard

keys-title = Keyboard
keys-everywhere = Everywhere
keys-in-thread = In a thread
keys-palette = Search and commands
keys-composer = Write
keys-kins = Previous, next Kin
keys-home = Home
keys-help = This list
keys-find-steps = While searching: older, newer message
keys-close = Stop, close, or leave the composer
keys-messages = Next, previous message
keys-actions = What can be done with a message
keys-send = Send
keys-line = New line
keys-edit = In an empty composer: edit the last unsent message
keys-then = { $first } then { $second }
