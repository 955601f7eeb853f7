# The words of the app, French. Whole sentences; plurals are left to Fluent.

## Everywhere

opening = La maison s’ouvre
loading = Chargement
skip = Aller au contenu
navigation = Navigation
home = Maison
back = Retour
close = Fermer
cancel = Annuler
keep = Garder
stay = Rester
save = Enregistrer
saved = Enregistré
copy = Copier
copied = Copié
retry = Réessayer
try-again = Réessayer
code = Code
table = Tableau
task-item = Tâche

## Tab titles

title-home = Maison · Kinstead
title-thread = { $name } · Kinstead
title-kin-new = Nouveau Kin · Kinstead
title-kin-settings = { $name }, réglages · Kinstead
title-providers = Fournisseurs · Kinstead
title-household = Foyer · Kinstead
title-members = Membres · Kinstead
title-my-account = Mon compte · Kinstead
title-sign-in = Connexion · Kinstead
title-setup = Bienvenue · Kinstead
title-unreachable = Injoignable · Kinstead
title-not-found = Rien ici · Kinstead

## Fields

field-first-name = Prénom
field-last-name = Nom de famille
field-nickname = Pseudonyme
field-nickname-hint = C’est ainsi que vos Kins vous appelleront.
field-email = Adresse e-mail
field-language = Langue
field-password = Mot de passe
field-password-again = Encore une fois
password-show = Afficher le mot de passe
password-hide = Masquer le mot de passe
password-same = Les deux se ressemblent bien.
field-code = Code d’installation
field-code-hint = Affiché là où Kinstead a été démarré.
field-name = Nom
field-role = Rôle
field-face = Visage
field-character = Caractère
field-expertise = Ce qu’il sait faire
field-provider = Fournisseur
field-model = Modèle
field-address = Adresse
field-address-hint = Jusqu’à la version comprise, le plus souvent /v1/. Ollama, llama.cpp, LM Studio, Mistral et d’autres.
field-key = Clé
field-key-optional = Clé, s’il en faut une
field-key-hint = Gardée chiffrée sur votre serveur, et plus jamais montrée.
strength-none = Long vaut mieux que compliqué.
strength-weak = Facile à deviner
strength-fair = Correct
strength-strong = Solide

## Mistakes in fields

mistake-empty = Il manque quelque chose ici.
mistake-too-long = Au plus { $most } signes.
mistake-text-too-long = Ce texte est trop long. Raccourcissez-le un peu.
mistake-email = Ce n’est pas une adresse e-mail.
mistake-password-short = Au moins { $least } signes.
mistake-password-again = Les deux mots de passe diffèrent.
mistake-code-empty = Saisissez le code affiché au démarrage.
mistake-address = Une adresse commence par http:// ou https://.
mistake-key = Ce fournisseur demande une clé.
mistake-model = Choisissez un modèle pour réfléchir.
mistake-name-differs = Ce n’est pas le nom. Écrivez « { $name } ».

## Sync

sync-up-to-date = À jour
sync-syncing = Synchronisation
sync-offline = Hors ligne
sync-offline-waiting = { $count ->
    [one] Hors ligne, { $count } à envoyer
   *[other] Hors ligne, { $count } à envoyer
}
sync-waiting = { $count ->
    [one] { $count } à envoyer
   *[other] { $count } à envoyer
}
sync-refused = { $count ->
    [one] { $count } refusé
   *[other] { $count } refusés
}
offline-title = Vous êtes hors ligne.
offline-lead = Écrivez, tout partira au retour du réseau.

# Une nouvelle version de l’application
update-ready = Une nouvelle version de Kinstead est prête.
update-moved = Un autre onglet utilise déjà une version plus récente de Kinstead. Celui-ci attend : rechargez-le quand vous aurez copié ou terminé ce que vous écrivez.
update-gone = Votre serveur a une version plus récente de Kinstead.
update-reload = Recharger
update-later = Plus tard
