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
