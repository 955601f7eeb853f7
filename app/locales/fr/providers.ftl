## Providers

providers = Fournisseurs
providers-lead = Ce avec quoi vos Kins réfléchissent, se souviennent et cherchent. Les clés restent sur votre serveur.
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
provider-edit = Modifier le fournisseur
provider-edit-of = Modifier { $name }
provider-change = Modifier
provider-test-again = Tester encore
provider-test-of = Tester encore : { $name }
provider-connected = Connecté
provider-slow = Lent
provider-failing = Ne répond pas
provider-latency = { $ms } ms
provider-kind-all-lead = Réfléchit, se souvient et dessine, avec une clé de votre propre compte.
provider-kind-memory-lead = Mémoire longue, avec une clé de votre propre compte.
provider-kind-searxng-lead = Votre propre moteur, à la maison.
provider-delete-defaults = Plus rien n’est choisi pour : { $uses }.
providers-search = Recherche web
search-add = Ajouter un moteur de recherche
search-empty-title = Rien pour chercher
search-empty-lead = Sans moteur, vos Kins ne savent que ce qu’ils ont appris.
search-trial = marché de Lille dimanche
search-trial-of = Essai : « { $query } »
field-key-kept = La clé qui finit par { $last } reste, sauf si vous en saisissez une autre.
coverage = Capacités couvertes
coverage-think = Réfléchir
coverage-think-none = Il en manque un
coverage-remember = Se souvenir
coverage-remember-none = Il en manque un
coverage-draw = Dessiner
coverage-search = Chercher
coverage-optional = Facultatif
coverage-down = { $name }, en panne
coverage-ready = { $count ->
    [one] { $count } prêt
   *[other] { $count } prêts
}
defaults = Utilisés par défaut
defaults-lead = Là où personne n’a choisi autre chose.
default-chat = Réponses des Kins
default-small = Petites tâches
default-embedding = Mémoire
default-image = Images
default-search = Recherche web
default-none = Non choisi
default-model-of = Modèle pour { $purpose }
continue = Continuer
wizard-skip = Passer
wizard-add-another = Ajouter un autre fournisseur
wizard-providers-step = De quoi penser
wizard-providers-title = De quoi penser, de quoi se souvenir
wizard-providers-lead = Vos Kins ont besoin d’un modèle pour réfléchir et d’un autre pour la mémoire. Un seul fournisseur peut suffire.
wizard-no-image = Sans fournisseur qui dessine, vos Kins ne font pas d’images. Vous pourrez en ajouter un plus tard.
wizard-words-only = Continuer avec la recherche par mots seulement
wizard-words-only-lead = Rien ne couvre encore la mémoire : vos Kins ne retrouveraient ce que vous leur avez dit que par ses mots exacts, pas par son sens.
wizard-search-step = Une fenêtre sur dehors
wizard-search-title = Une fenêtre sur dehors
wizard-search-lead = Avec un moteur de recherche, vos Kins lisent la météo, les prix et les horaires du jour. Vous pouvez l’ajouter plus tard.
wizard-search-privacy = Les recherches partent de votre serveur. Le moteur voit la question, jamais la conversation.
wizard-kin-step = Quelqu’un à la porte
wizard-found = { $name } tourne sur cette machine
wizard-found-use = Ajouter { $name }
