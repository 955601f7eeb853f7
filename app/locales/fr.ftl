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
title-sign-in = Connexion · Kinstead
title-setup = Bienvenue · Kinstead
title-unreachable = Injoignable · Kinstead
title-not-found = Rien ici · Kinstead

## The door

sign-in-title = Les lumières sont allumées.
sign-in-lead = Tout le monde a veillé sur la maison pendant votre absence.
sign-in-submit = Entrer
setup-title = Bienvenue chez vous.
setup-lead = Cette maison tourne sur votre propre serveur. Commençons par la personne qui en garde les clés.
setup-step = Vous, d’abord
setup-submit = Emménager
unreachable-title = La maison ne répond pas.
unreachable-lead = Kinstead est injoignable d’ici. Vérifiez le réseau, ou que le serveur est en marche.
broken-title = Ce navigateur n’a pas pu ouvrir la maison.
broken-lead = Kinstead a besoin d’un processus d’arrière-plan et de stockage. Une fenêtre privée peut les interdire.
not-found-title = Rien à cette adresse.
not-found-lead = Le Kin a peut-être déménagé, ou le lien est incomplet.
not-found-home = Rentrer à la maison

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

## Me

account-of = Compte de { $name }
account-menu = Mes réglages
theme = Thème
theme-system = Système
theme-light = Clair
theme-dark = Sombre
theme-to-light = Passer au thème clair
theme-to-dark = Passer au thème sombre
sign-out = Se déconnecter
sign-out-title = Se déconnecter de cet appareil
sign-out-lead = Ce que cet appareil garde de vos fils est effacé. Tout reste sur votre serveur.
sign-out-unsent = { $count ->
    [one] { $count } message n’a pas quitté cet appareil. La déconnexion l’efface.
   *[other] { $count } messages n’ont pas quitté cet appareil. La déconnexion les efface.
}

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

## Home

home-morning = Bonjour { $name }
home-afternoon = Bonjour { $name }
home-evening = Bonsoir { $name }
home-lead = { $unread ->
    [0] { $today }. Rien de nouveau, tout est calme.
    [one] { $today }. Un nouveau message pour vous.
   *[other] { $today }. { $unread } nouveaux messages pour vous.
}
home-kins = Les Kins
stranded-title = Des mots restés sans toit
stranded-lead = Leur Kin a déménagé. Copiez ce que vous voulez garder.
kins = Kins
brief-now = à l’instant
brief-minutes = { $count } min
brief-yesterday = hier
badge-unread = { $count ->
    [one] { $count } nouveau message
   *[other] { $count } nouveaux messages
}
badge-waiting = { $count ->
    [one] { $count } message en file
   *[other] { $count } messages en file
}
start-provider-title = D’abord, de quoi réfléchir
start-provider-lead = Reliez un fournisseur, et votre premier Kin pourra emménager.
start-provider = Relier un fournisseur
start-provider-admin = Un admin du foyer doit d’abord relier un fournisseur.
start-kin-title = Quelqu’un à la porte
start-kin-lead = Donnez à votre premier Kin un nom, un visage et un talent.
start-kin = Accueillir votre premier Kin

## Kins

kin-new = Nouveau Kin
kin-unnamed = Votre nouveau Kin
kin-identity = Identité
kin-texts = Caractère et expertise
kin-model = Modèle
model-choose = Choisissez un modèle
kin-model-none = Rien pour réfléchir encore. Reliez un fournisseur, ou essayez Demo.
kin-name-example = Basile
kin-role-example = Nutrition et repas
kin-character-example = Patient, jamais moralisateur. Propose toujours une version rapide et une version du dimanche.
kin-expertise-example = Menus de la semaine, listes de courses par rayon, allergies de chacun.
face-of = Comme { $name }
kin-welcome = Accueillir ce Kin
kin-welcome-name = Accueillir { $name }
kin-settings = Réglages
kin-settings-of = Réglages de { $name }
kin-talk = Parler
kin-saved-texts = Caractère et expertise sont enregistrés, pas le reste. { $why }
kin-delete = Supprimer ce Kin
kin-delete-title = Supprimer { $name }
kin-delete-lead = Tout le fil avec { $name } disparaît aussi, pour tout le foyer.
kin-delete-type = Écrivez « { $name } » pour confirmer

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

## The thread

log-of = Conversation avec { $name }
composer-of = Écrire à { $name }
composer-too-long = { $over ->
    [one] Ce message est trop long de { $over } ko. Rien n’est parti, et votre texte est toujours là.
   *[other] Ce message est trop long de { $over } ko. Rien n’est parti, et votre texte est toujours là.
}
send = Envoyer
stop = Arrêter
thread-empty-title = Dites bonjour à { $name }
thread-empty-lead = Un seul fil pour tout le foyer, et il ne finit jamais.
older-offline = Les messages plus anciens viendront au retour du réseau.
day-today = Aujourd’hui
day-yesterday = Hier
unread = Nouveau
new-messages = Nouveaux messages
you-at = Vous, { $time }
member-gone = Quelqu’un qui a déménagé
thinking = Réfléchit
activity-writing = Écrit…
activity-retrying = Va réessayer
bar-waiting = { $count ->
    [one] { $count } message en file
   *[other] { $count } messages en file
}
bar-writing-waiting = { $count ->
    [one] Écrit, { $count } message en file
   *[other] Écrit, { $count } messages en file
}
answer-stopped = Arrêté
own-leaving = Envoi en cours
own-offline = Partira dès que le réseau revient
own-waiting = { $place ->
    [one] En attente, le prochain
   *[other] En attente, numéro { $place } de la file
}
own-sent = Envoyé, { $time }
own-read = Lu, { $time }
withdraw = Retirer
discard = Jeter
resend = Renvoyer

## Why a message was refused

refused-not-found = Non envoyé : ce fil n’existe plus pour vous
refused-forbidden = Non envoyé : vous ne pouvez pas écrire ici
refused-closed = Non envoyé : cette partie du fil est close
refused-stale-generation = Non envoyé : le serveur a été restauré entre-temps
refused-rebase = Non envoyé : le fil a changé entre-temps
refused-hash-mismatch = Non envoyé : l’app et le serveur ne s’entendent pas. Rechargez la page
refused-duplicate-id = Non envoyé : son numéro est déjà pris
refused-invalid = Non envoyé : le serveur ne peut pas lire ce message
refused-too-large = Non envoyé : ce message est trop long
refused-unavailable = Non envoyé : le serveur n’a pas pu le ranger

## Why an answer failed

failure-rate-limited-title = Trop de demandes
failure-rate-limited = { $provider } demande de ralentir. Votre message est à l’abri.
failure-overloaded-title = Fournisseur débordé
failure-overloaded = { $provider } fonctionne mais a trop à faire. Votre message est à l’abri.
failure-unreachable-title = Fournisseur injoignable
failure-unreachable = { $provider } est injoignable. Votre message est à l’abri.
failure-timed-out-title = Pas de réponse à temps
failure-timed-out = { $provider } est resté muet trop longtemps. Votre message est à l’abri.
failure-cut-short-title = La réponse s’est interrompue
failure-cut-short = { $provider } a raccroché au milieu de la réponse.
failure-malformed-title = Réponse incompréhensible
failure-malformed = { $provider } a répondu sous une forme illisible. Son adresse est-elle la bonne ?
failure-unauthorized-title = Clé refusée
failure-unauthorized = { $provider } refuse la clé. Un admin peut en saisir une autre sous Fournisseurs.
failure-model-not-found-title = Modèle inconnu
failure-model-not-found = { $provider } ne connaît pas ce modèle. Choisissez-en un autre dans les réglages du Kin.
failure-context-too-long-title = Trop à garder en tête
failure-context-too-long = Cette conversation ne tient plus dans le modèle. { $provider } en a d’autres, plus grands.
failure-refused-title = Fournisseur réticent
failure-refused = { $provider } a refusé la demande.
failure-no-model-title = Pas de modèle
failure-no-model = Ce Kin n’a rien pour réfléchir. Choisissez un modèle dans ses réglages.
failure-turn-too-long-title = Trop long
failure-turn-too-long = La réponse a pris trop de temps et a été arrêtée.
failure-internal-title = Souci chez nous
failure-internal = Quelque chose a mal tourné sur votre propre serveur. Son journal dit quoi.
failure-rate-limited-until = { $provider } demande d’attendre jusqu’à { $time }. Votre message est à l’abri.
failure-details = Ce que le fournisseur a dit
retrying-seconds = { $count ->
    [one] { $name } reprend dans { $count } seconde. Rien n’est perdu, et vous pouvez continuer à écrire.
   *[other] { $name } reprend dans { $count } secondes. Rien n’est perdu, et vous pouvez continuer à écrire.
}
retrying-at = { $name } reprend à { $time }. Rien n’est perdu, et vous pouvez continuer à écrire.
retrying-soon = { $name } reprend dans un instant. Rien n’est perdu, et vous pouvez continuer à écrire.

## What did not happen: problem-<code of the API or the replica>

problem-offline = Le serveur est injoignable pour l’instant. Rien n’a changé.
problem-unreadable = La réponse est incompréhensible. Rechargez la page, elle est peut-être plus ancienne que le serveur.
problem-other = Cela n’a pas marché : { $detail }
problem-not-signed-in = Vous n’êtes plus connecté. Rechargez la page pour revenir.
problem-sign-in-failed = L’adresse e-mail et le mot de passe ne vont pas ensemble.
problem-too-many-attempts = Trop d’essais. Attendez quelques minutes, puis réessayez.
problem-setup-code-wrong = Ce n’est pas le code de ce démarrage. Le plus récent est affiché là où Kinstead tourne.
problem-setup-done = Cette maison a déjà quelqu’un qui en garde les clés.
problem-email-invalid = Ce n’est pas une adresse e-mail.
problem-email-taken = Cette adresse e-mail a déjà un compte.
problem-first-name-empty = Il manque le prénom.
problem-first-name-too-long = Le prénom est trop long.
problem-last-name-empty = Il manque le nom de famille.
problem-last-name-too-long = Le nom de famille est trop long.
problem-nickname-empty = Il manque le pseudonyme.
problem-nickname-too-long = Le pseudonyme est trop long.
problem-language-unknown = Cette langue est inconnue ici.
problem-password-too-short = Le mot de passe est trop court.
problem-password-too-long = Le mot de passe est trop long.
problem-admin-only = Seul un admin du foyer peut faire cela.
problem-other-origin = La demande venait d’un autre site et a été refusée.
problem-not-found = Cela n’existe plus.
problem-kin-not-found = Ce Kin n’habite plus ici.
problem-member-not-found = Ce membre n’habite plus ici.
problem-provider-not-found = Ce fournisseur a été retiré. Choisissez-en un autre.
problem-changed-meanwhile = Quelqu’un a changé cela entre-temps. Regardez de nouveau, puis enregistrez.
problem-name-empty = Il manque le nom.
problem-name-invalid = Ce nom ne convient pas. Il a 1 à 60 signes.
problem-name-too-long = Le nom est trop long.
problem-role-too-long = Le rôle est trop long.
problem-text-too-long = Ce texte est trop long. Rien n’a changé.
problem-body-too-large = C’est trop d’un coup. Rien n’a changé.
problem-body-too-slow = Le réseau était trop lent. Réessayez.
problem-body-cut-short = La connexion s’est interrompue. Réessayez.
problem-json-invalid = Le serveur n’a pas compris ce formulaire. Rechargez la page.
problem-disk-full = Le disque de votre serveur est plein. Rien n’a changé.
problem-stopping = Le serveur redémarre. Réessayez dans un instant.
problem-internal = Quelque chose a mal tourné sur votre propre serveur. Son journal dit quoi.
problem-provider-unauthorized = Le fournisseur refuse cette clé.
problem-provider-unreachable = Rien ne répond à cette adresse.
problem-provider-timed-out = L’adresse répond trop lentement.
problem-provider-malformed = Quelque chose répond là, mais ce n’est pas un fournisseur que nous comprenons.
problem-address-missing = Ce fournisseur demande une adresse.
problem-address-invalid = Cette adresse ne convient pas. Elle commence par http:// ou https://.
problem-key-missing = Ce fournisseur demande une clé.
problem-key-invalid = Ce ne peut être une clé : elle n’a pas d’espaces et au plus 500 signes.
problem-key-needed-again = Pour une autre adresse, la clé doit être saisie à nouveau.
problem-avatar-unknown = Ce visage est inconnu ici.
problem-hue-unknown = Cette couleur est inconnue ici.
problem-model-unknown = Le fournisseur n’a pas ce modèle. Choisissez-en un autre.
problem-turn-not-running = Le Kin a déjà fini.
problem-not-retryable = Cette réponse ne peut être retentée : le fil a continué.
problem-not-waiting = Trop tard : le Kin s’en occupe déjà.
problem-not-yours = Seul son auteur peut retirer un message.
problem-unavailable = Votre serveur n’a pas pu le faire à l’instant. Réessayez dans un instant.
problem-provider-rate-limited = Le fournisseur demande d’attendre. Réessayez dans un instant.
problem-provider-overloaded = Le fournisseur a trop à faire. Réessayez dans un instant.
problem-provider-refused = Le fournisseur a refusé la demande.
problem-provider-cut-short = Le fournisseur a raccroché en cours de route.
problem-provider-model-not-found = Le fournisseur ne connaît pas ce modèle.
problem-provider-context-too-long = Le fournisseur a trouvé le test trop long.
problem-provider-no-model = Le fournisseur ne propose aucun modèle.
problem-provider-turn-too-long = Le test a pris trop de temps.
problem-provider-internal = Le test a échoué sur votre propre serveur. Son journal dit pourquoi.
problem-message-too-large = Ce message est trop long. Votre texte est toujours là.
problem-message-empty = Il n’y a rien à envoyer.
problem-storage-full = Cet appareil n’a plus de place. Votre texte est toujours là.
problem-storage-unavailable = Ce navigateur ne garde rien une fois la page fermée. Envoyez avant de partir.
problem-not-ready = La maison s’ouvre encore. Réessayez dans un instant.
problem-edit-refused = Le serveur a refusé cette modification du texte d’un Kin.
problem-older-offline = Les messages plus anciens viendront au retour du réseau.
problem-replica-crashed = La mémoire de l’app a trébuché et redémarre. Ce qui attendait est à l’abri.
problem-request-failed = Cela n’a pas atteint la mémoire de l’app. Réessayez.
problem-wipe-failed = Cet appareil n’a pas pu être effacé. Effacez les données de ce site dans les réglages du navigateur.
