## Providers

providers = Fournisseurs
providers-lead = Ce avec quoi vos Kins réfléchissent. Les clés restent sur votre serveur.
providers-ai = IA
providers-admin-only = Seul un admin du foyer ajoute ou retire des fournisseurs.
providers-empty-title = Aucun fournisseur encore
providers-empty-lead = Sans lui, vos Kins ne peuvent pas répondre.
provider-add = Ajouter
provider-new = Nouveau fournisseur
provider-kind = Sorte de fournisseur
provider-kind-compatible = Votre propre adresse
provider-kind-compatible-lead = Tout ce qui parle le format d’OpenAI, chez vous ou ailleurs.
provider-kind-key-lead = Avec une clé de votre propre compte.
provider-test = Tester et garder
provider-testing = Test en cours
provider-unused = Aucun Kin ne l’utilise
provider-used = { $count ->
    [one] { $names } l’utilise
   *[other] { $names } l’utilisent
}
provider-models = { $count ->
    [one] { $count } modèle
   *[other] { $count } modèles
}
provider-delete = Retirer
provider-delete-of = Retirer { $name }
provider-delete-title = Retirer { $name }
provider-delete-unused = Sa clé est effacée de votre serveur. Aucun Kin ne l’utilise.
provider-delete-used = { $count ->
    [one] Sa clé est effacée de votre serveur. { $names } perd son modèle et ne pourra répondre qu’une fois un autre choisi.
   *[other] Sa clé est effacée de votre serveur. { $names } perdent leur modèle et ne pourront répondre qu’une fois un autre choisi.
}
provider-unnamed = Le fournisseur
capability-llm = discussion
capability-embedding = mémoire
capability-image = images
capability-search = recherche
demo-add = Essayer Demo
demo-label = Script, pas une IA
demo-lead = Un script intégré qui répond par des phrases toutes faites. Ce n’est pas une IA ; il ne demande aucune clé et n’envoie rien nulle part.
step-of = Étape { $step } sur { $of }
providers-entry = Avec quoi vos Kins pensent
