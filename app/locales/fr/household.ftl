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
