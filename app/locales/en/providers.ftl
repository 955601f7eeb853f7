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
step-of = Step { $step } of { $of }
providers-entry = What your Kins think with
