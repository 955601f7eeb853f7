## Kins

picture-upload = Importer
picture-hint = Ou déposez une image ici, ou collez-la.
picture-busy = Import en cours…
picture-own = L’image choisie

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
face-or-own = ou une image à vous
face-draw = Dessiner
face-describe = Décrire
face-wish = Ce qu’il faut dessiner
face-wish-example = Une théière bleue qui sourit
face-draw-wish = Dessiner ceci
face-drawing = Le dessin se fait, cela peut prendre une minute…
face-draw-hint = Dessiné par { $provider } ({ $model }), d’après le nom, le rôle et le caractère. Chaque dessin est facturé.
field-hue = Couleur
hue-pear = Vert poire
hue-lamp = Jaune lampe
hue-sky = Bleu ciel
hue-acorn = Brun noisette
hue-ember = Orange braise
hue-iris = Violet iris
hue-moss = Vert mousse
hue-coral = Rose corail
hue-mint = Turquoise menthe
hue-fox = Roux renard
hue-dusk = Bleu crépuscule
hue-brick = Rouge brique
first-kin-title = Qui emménage en premier ?
first-kin-lead = Un Kin est un proche spécialisé. Il se souvient de tout, et toute la maison lui parle dans le même fil.
first-kin-name = Son nom
first-kin-role = Son rôle
first-kin-character = Son caractère
first-kin-character-hint = Deux ou trois phrases suffisent. Il affinera avec vous.
begin-points = Points de départ
begin-cooking = Cuisine
begin-budget = Budget
begin-travel = Voyages
begin-homework = Devoirs
begin-garden = Jardin
begin-blank = Partir de zéro
begin-cooking-name = Basile
begin-cooking-role = Nutrition et repas
begin-cooking-character = Gourmand, patient, jamais moralisateur. Propose toujours une version rapide et une version du dimanche. Tutoie tout le monde.
begin-cooking-expertise = Menus de la semaine, listes de courses par rayon, restes à finir, équilibre sur sept jours. Demande les allergies, les goûts et le temps disponible avant de proposer, et suit les saisons.
begin-budget-name = Noisette
begin-budget-role = Budget et papiers
begin-budget-character = Posée, discrète, précise. Donne d’abord le chiffre, puis l’explication en une phrase. Ne juge jamais une dépense.
begin-budget-expertise = Budget du mois, abonnements à revoir, factures et échéances, devis à comparer, courriers administratifs. Calcule pas à pas et dit quand il lui manque un montant.
begin-travel-name = Zéphyr
begin-travel-role = Voyages et sorties
begin-travel-character = Curieux, enthousiaste, les pieds sur terre. Préfère deux ou trois idées bien choisies à une longue liste.
begin-travel-expertise = Week-ends et vacances, itinéraires, valises, sorties quand il pleut. Demande les dates, l’âge de chacun, le budget et le temps de trajet, puis bâtit un programme jour par jour.
begin-homework-name = Marlow
begin-homework-role = Devoirs et apprentissages
begin-homework-character = Calme, encourageant, drôle quand il le faut. Pose des questions plutôt que de donner la réponse, et félicite l’effort.
begin-homework-expertise = Explications du primaire au lycée, fiches de révision, dictées, problèmes pas à pas, exposés. S’adapte à l’âge et vérifie par un petit exercice que c’est compris.
begin-garden-name = Mousse
begin-garden-role = Jardin et plantes
begin-garden-character = Tranquille, observateur, optimiste même devant une plante fatiguée. Parle simplement, sans latin inutile.
begin-garden-expertise = Semis, arrosage, taille, plantes d’intérieur, potager de balcon, calendrier mois par mois. Demande la région, l’exposition et la place avant de conseiller.
kin-welcome = Accueillir ce Kin
kin-welcome-name = Accueillir { $name }
kin-settings = Réglages
kin-settings-of = Réglages de { $name }
kin-talk = Parler
kin-since = Depuis { $month }
kin-messages = { $count ->
    [one] { $shown } message
   *[other] { $shown } messages
}
text-length = { $count ->
    [one] { $count } signe
   *[other] { $count } signes
}
kin-changed = Modifications non enregistrées
discard-changes = Annuler
kin-leaving = Ranger ou supprimer
kin-leaving-lead = Rangé, { $name } quitte les listes et ne répond plus ; son fil reste lisible.
kin-archive = Ranger { $name }
kin-delete-name = Supprimer { $name }
kin-archived-title = { $name } est rangé.
kin-archived-lead = Son fil reste lisible, rien ne lui parvient.
kin-archived-draft = Votre brouillon l’attend.
kin-archived-state = Rangé
kin-bring-back = Faire revenir
kin-bring-back-name = Faire revenir { $name }
kin-deleted-by = Supprimé par { $name }, { $when }.
kin-deleted-state = Supprimé, { $when }.
kin-deleted-days = { $count ->
    [0] Disparaît aujourd’hui.
    [one] Encore { $count } jour pour revenir.
   *[other] Encore { $count } jours pour revenir.
}
kins-away = { $count ->
    [one] { $count } Kin rangé ou supprimé
   *[other] { $count } Kins rangés ou supprimés
}
kins-order = Changer l’ordre
kins-order-lead = L’ordre vaut pour tout le foyer. Glissez un Kin, ou servez-vous des flèches.
kins-order-said = { $name }, place { $place } sur { $count }
kins-order-up = Monter { $name }
kins-order-down = Descendre { $name }
kins-order-done = Terminé
kin-removed-title = Ce Kin n’est plus là
kin-removed-lead = Quelqu’un du foyer l’a supprimé. Pendant 30 jours, l’accueil permet de le faire revenir.
kin-delete-what = { $count ->
    [one] { $shown } message depuis { $month }.
   *[other] { $shown } messages depuis { $month }.
}
kin-delete-undo = Pendant 30 jours, n’importe qui dans le foyer peut faire revenir { $name }. Ensuite, il n’en restera rien.
kin-delete = Supprimer ce Kin
kin-delete-title = Supprimer { $name }
kin-delete-lead = Tout le fil avec { $name } disparaît aussi, pour tout le foyer.
kin-delete-type = Écrivez « { $name } » pour confirmer
