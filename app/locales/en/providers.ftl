## Providers

providers = Providers
providers-lead = What your Kins think, remember and look things up with. Keys stay on your server.
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
step-of = Step { $step } of { $of }
providers-entry = What your Kins think with
provider-edit = Change the provider
provider-edit-of = Change { $name }
provider-change = Change
provider-test-again = Test again
provider-test-of = Test again: { $name }
provider-connected = Connected
provider-slow = Slow
provider-failing = Not answering
provider-latency = { $ms } ms
provider-kind-all-lead = Thinks, remembers and draws, with a key from your own account.
provider-kind-memory-lead = Long memory, with a key from your own account.
provider-kind-searxng-lead = Your own search engine, at home.
provider-delete-defaults = Nothing is chosen any more for: { $uses }.
providers-search = Web search
search-add = Add a search engine
search-empty-title = Nothing to look things up with
search-empty-lead = Without one your Kins know only what they learnt.
search-trial = Lille market on Sunday
search-trial-of = Trial: “{ $query }”
field-key-kept = The key that ends in { $last } stays unless you enter another.
coverage = What is covered
coverage-think = Think
coverage-think-none = Missing
coverage-remember = Remember
coverage-remember-none = Missing
coverage-draw = Draw
coverage-search = Look up
coverage-optional = Optional
coverage-down = { $name }, down
coverage-ready = { $count ->
    [one] { $count } ready
   *[other] { $count } ready
}
defaults = Used by default
defaults-lead = Where nobody chose otherwise.
default-chat = Kins’ answers
default-small = Small work
default-embedding = Memory
default-image = Pictures
default-search = Web search
default-none = Not chosen
default-model-of = Model for { $purpose }
continue = Continue
wizard-skip = Skip
wizard-add-another = Add another provider
wizard-providers-step = Something to think with
wizard-providers-title = Something to think and remember with
wizard-providers-lead = Your Kins need one model to think and another for memory. A single provider can be enough.
wizard-no-image = Without a provider that draws, your Kins make no pictures. You can add one later.
wizard-words-only = Continue with search by words only
wizard-words-only-lead = Nothing covers memory yet: your Kins would find what you told them by its exact words only, not by its meaning.
wizard-search-step = A window on the outside
wizard-search-title = A window on the outside
wizard-search-lead = With a search engine, your Kins read today’s weather, prices and opening hours. You can add it later.
wizard-search-privacy = Searches leave from your server. The engine sees the question, never the conversation.
wizard-kin-step = Someone at the door
wizard-found = { $name } runs on this machine
wizard-found-use = Add { $name }
