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
