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
