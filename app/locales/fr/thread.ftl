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
redact = Supprimer pour tous
redact-title = Supprimer ce message ?
redact-lead = Ses mots sont effacés de votre serveur et de tous les appareils, sans retour possible. On verra encore qu’il y avait un message. Les sauvegardes faites avant le gardent jusqu’à leur expiration.
message-redacted = Message supprimé
discard = Jeter
resend = Renvoyer

## Why a message was refused

refused-not-found = Non envoyé : ce fil n’existe plus pour vous
refused-forbidden = Non envoyé : vous ne pouvez pas écrire ici
refused-archived = Non envoyé : ce Kin est rangé, faites-le revenir d’abord
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
failure-redirects-title = Adresse qui redirige
failure-redirects = L’adresse de { $provider } mène ailleurs, ce qui n’est jamais suivi.
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

## Ce qu’on peut faire d’un message

you = Vous
reply = Répondre
react = Réagir
react-with = Réagir avec { $emoji }
react-more = Autres réactions
reactions = Réactions
share = Partager
pin = Épingler
unpin = Désépingler
unpin-of = Désépingler « { $words } »
pinned = Épinglés
pinned-count = { $count ->
    [one] { $count } message épinglé
   *[other] { $count } messages épinglés
}
pinned-none = Gardez un message sous la main : épinglez-le. Vous seul voyez vos épingles.
message-actions = Message
message-more = Plus
quote-jump = Aller au message cité :
quote-older = Un message plus ancien
replying-to = Réponse à { $name }
reply-not = Ne pas répondre

## À côté du fil

details = Détails
queue = En file
queue-next = Ensuite
queue-later = Après
who-is-here = Qui passe par ici
here-members = { $count ->
    [one] { $count } membre
   *[other] { $count } membres
}

## Quand quelque chose est hors d’atteinte

network-lost = Réseau perdu à { $time }. Tout ce qui précède reste lisible ici.
provider-down = { $count ->
    [one] { $names } utilise { $provider }, qui ne répond pas.
   *[other] { $names } utilisent { $provider }, qui ne répond pas.
}
provider-down-others = Les autres vont bien.
names-and = { $before } et { $last }
failure-to-kin = Le modèle du Kin
failure-to-providers = Fournisseurs
retrying-bar = Temps avant le prochain essai
side-unsent = { $count ->
    [one] { $count } message à envoyer
   *[other] { $count } messages à envoyer
}

## Recherche et commandes

search = Chercher
palette = Recherche et commandes
palette-field = Chercher ou lancer une commande
palette-do = Faire
palette-people = Kins et personnes
palette-said = Déjà dit
palette-go = Aller à
palette-none = Rien pour « { $words } ».
palette-choose = choisir
palette-open = ouvrir
palette-results = { $count ->
    [0] Aucun résultat
    [one] { $count } résultat
   *[other] { $count } résultats
}
do-invite = Inviter quelqu’un
do-theme-light = Thème clair
do-theme-dark = Thème sombre
do-theme-system = Thème de l’appareil
do-language = Speak English
do-keys = Raccourcis clavier
said-quote = « { $words } »
said-looking = Recherche dans ce qui a été dit…
said-none = Rien de dit sur « { $words } » sur cet appareil.
said-more = Montrer la suite ({ $count })

## Chercher des mots dans un fil

find = Chercher dans ce fil
find-in = Chercher dans le fil avec { $name }
find-older = Message plus ancien
find-newer = Message plus récent
find-close = Fermer la recherche
find-none = Rien trouvé
find-looking = Recherche…
find-at = { $at } sur { $count }

## Clavier

keys-title = Clavier
keys-everywhere = Partout
keys-in-thread = Dans un fil
keys-palette = Recherche et commandes
keys-composer = Écrire
keys-kins = Kin précédent, suivant
keys-home = Maison
keys-help = Cette liste
keys-find-steps = Pendant la recherche : message plus ancien, plus récent
keys-close = Arrêter, fermer ou quitter la saisie
keys-messages = Message suivant, précédent
keys-actions = Ce qu’on peut faire d’un message
keys-send = Envoyer
keys-line = Nouvelle ligne
keys-edit = Saisie vide : reprendre le dernier message non envoyé
keys-then = { $first } puis { $second }
