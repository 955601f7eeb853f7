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
my-account = Mon compte
my-account-lead = Comment le foyer vous connaît, et comment Kinstead se présente à vous.
my-account-entry = Votre nom, votre langue, votre thème
my-screens = Affichage

## Le foyer

household = Foyer
house-name = Nom du foyer
house-default = Chez { $family }
house-name-hint = Tel qu’il figure dans le menu de chacun, et sur les invitations.
members = Membres
members-title = Membres et appareils
members-lead = Tout le monde parle aux mêmes Kins. Chacun garde son nom, sa langue et ses réglages.
members-entry = Qui habite ici
keeps-the-keys = Garde les clés
member-you = Vous

## Le serveur

server = Serveur
title-server = Serveur · Kinstead
server-lead = La machine où vit votre foyer, et qui peut l’atteindre.
server-entry = Adresse, certificat, disque
server-loading = Question au serveur…
server-reach = Depuis d’autres machines
reach-https = Accessible, et chiffré
reach-https-lead = Kinstead chiffre lui-même. Qui arrive sans chiffrement est renvoyé vers https.
reach-proxy = Accessible par un proxy qui chiffre
reach-proxy-lead = Kinstead croit les proxys nommés dans trusted_proxies, et personne d’autre.
reach-until-admin = Cette machine seulement, jusqu’au premier compte
reach-until-admin-lead = Ensuite il s’ouvre tout seul.
reach-this-machine = Depuis la machine elle-même seulement
reach-this-machine-lead = Téléphones et autres ordinateurs ne peuvent pas l’ouvrir. Réglez listen avec un certificat (tls_cert, ou acme_domain), ou mettez devant un proxy qui chiffre.
reach-unencrypted = D’autres le trouvent, mais ne peuvent pas s’en servir
reach-unencrypted-lead = La connexion ne serait pas chiffrée, et les navigateurs refusent alors ce dont l’application a besoin. Réglez tls_cert et tls_key, ou acme_domain, ou nommez votre proxy dans trusted_proxies et votre adresse dans public_url.
reach-failed = Il n’a pas pu s’ouvrir
reach-unknown-proxy = Un proxy est devant, que Kinstead ne croit pas
reach-unknown-proxy-lead = Tout le monde semble venir d’une seule adresse. Si elle est à vous, nommez-la dans trusted_proxies.
server-address-lead = Liens et codes sont faits de cette adresse. Le réglage public_url la change.
server-interface = Réseau { $name }
certificate = Certificat
certificate-none = Pas encore
certificate-none-lead = Personne ne peut entrer en https tant qu’il n’y en a pas.
certificate-until = Fin : { $day }
certificate-until-by = Donné par { $issuer }. Fin : { $day }
certificate-ended = Plus valable. Fin : { $day }
certificate-failed = Le dernier essai a échoué
certificate-next = Prochain essai : { $at }
certificate-next-lead = Renouvelé tout seul quand il reste un tiers de sa durée.
certificate-files = Lu dans des fichiers
certificate-files-lead = Les fichiers modifiés sont relus tout seuls.
server-machine = Cette machine
server-data = { $size } de données
server-free = { $size } libres sur le disque
server-version = Kinstead { $version }
server-started = Démarré : { $at }
trouble-disk-full = Le disque est plein
trouble-disk-low = Le disque est presque plein
trouble-writes-fail = Le disque ne prend pas ce qui est écrit
trouble-lead = La lecture continue. Ce qui ne peut pas être écrit est refusé, et rien d’accepté n’est perdu.
server-settings = Réglages en vigueur
server-settings-lead = Ils se changent dans kinstead.toml dans le dossier des données, par l’environnement ou par option ; ils comptent au prochain démarrage.
setting-empty = vide
setting-flag = par option
setting-environment = par l’environnement
setting-default = par défaut
setting-file = de { $file }
size-mb = { $count } Mo
size-gb = { $count } Go
member-you-french = Vous, en français
member-you-english = Vous, en anglais
member-french = En français
member-english = En anglais
member-seen = { $language }, vu { $when }
member-disabled = N’entre plus
member-devices = { $count ->
    [one] { $count } appareil
   *[other] { $count } appareils
}
member-make-admin = Lui confier aussi les clés
member-make-member = Reprendre les clés
member-disable = Ne plus laisser entrer
member-enable = Laisser entrer à nouveau
member-reset = Lien vers un nouveau mot de passe
member-reset-lead = Donnez ce lien à { $name }. Il choisit un nouveau mot de passe, vaut une fois, pendant 24 heures, et déconnecte tous ses appareils.
member-reset-link = Lien vers un nouveau mot de passe
member-delete = Supprimer le compte
member-delete-title = Supprimer le compte de { $name }
member-delete-lead = { $name } est déconnecté partout et chaque appareil est effacé. Ses réglages et tout ce qui n’est qu’à lui sont supprimés pour de bon. Ce qui a été écrit aux Kins reste, sous « ancien membre ».
member-delete-type = Tapez « { $name } » pour continuer
hand-over = Transmettre les clés
hand-over-title = Transmettre les clés à { $name }
hand-over-lead = { $name } gérera les membres, les fournisseurs et le serveur. Vous devenez membre comme les autres.
last-admin-lead = Vous gardez seul les clés. Confiez-les à quelqu’un avant de les rendre.
role-member = Membre
role-admin = Garde les clés
role-admin-lead = Pourra gérer les membres, les fournisseurs et le serveur, comme vous.

## Inviter

invite-title = Inviter quelqu’un
invite-lead = À scanner avec son téléphone. Valable une fois, pendant 24 heures.
invite-role = Ce que la personne pourra faire
invite-write = Créer un code
invite-again = Nouveau code
invite-copy = Copier le lien
invite-link = Lien de l’invitation
invite-code = Code de l’invitation, pour l’appareil photo d’un téléphone
invitations-open = Pas encore utilisées
invitation-until = Jusqu’à { $when }
invitation-withdraw = Retirer

## Appareils

devices-title = Vos appareils
devices-lead = Déconnecter un appareil efface aussi sa copie hors ligne, dès qu’il retrouve le réseau.
devices-others = Déconnecter tous les autres
device-this = Celui-ci
device-here = Ici
device-unnamed = Un appareil
device-sign-out = Déconnecter
device-sign-out-of = Déconnecter { $name }
seen-at = Vu { $when }

## Mon compte

my-profile = Vous
my-data = Vos données
password-lead = Vos autres appareils restent verrouillés jusqu’à ce que le nouveau y soit donné.
password-old = Mot de passe actuel
password-new = Nouveau mot de passe
password-change = Changer le mot de passe
mistake-password-wrong = Ce n’est pas votre mot de passe.
export = Exporter
export-lead = Votre compte, vos réglages et chaque message que vous avez écrit, en un fichier.
delete-me = Supprimer mon compte
delete-me-title = Supprimer votre compte
delete-me-lead = Vous êtes déconnecté partout et chaque appareil est effacé. Ce que vous avez écrit aux Kins reste, sous « ancien membre ». C’est sans retour.
tokens-title = Accès pour des scripts
tokens-lead = Un jeton laisse un programme parler pour vous, dans la limite de ce que vous pouvez faire.
token-name = À quoi sert-il ?
token-add = Créer un jeton
token-made = Copiez-le maintenant : il n’est plus montré ensuite.
token-secret = Le jeton
token-revoke = Reprendre
token-revoke-of = Reprendre { $name }
scope-read = Lire
scope-talk = Écrire aux Kins
scope-manage = Gérer le foyer

## Entrer par un lien

title-welcome = Bienvenue · Kinstead
accept-title = { $inviter } vous invite à entrer.
accept-title-house = { $inviter } vous invite à rejoindre « { $house } ».
accept-lead = Cette maison tourne sur son propre serveur. Dites qui vous êtes, et choisissez un mot de passe que vous seul connaissez.
reset-title = Heureux de vous revoir, { $name }.
reset-lead = Choisissez un nouveau mot de passe. Vos appareils d’avant sont déconnectés.
reset-submit = Entrer
link-used-title = Ce lien a déjà servi.
link-expired-title = Ce lien n’est plus valable.
link-invalid-title = Ce lien ne mène nulle part.
link-problem-title = La maison ne répond pas.
link-other-title = Ce navigateur a déjà quelqu’un
link-other-lead = Ce lien est fait pour une nouvelle personne, ou pour un autre mot de passe, et ce navigateur est celui de { $name }. Ouvrez-le sur l’appareil de l’autre personne, ou déconnectez-vous ici pour continuer.
link-other-sign-out = Se déconnecter et continuer
link-sign-in = Vers la porte
