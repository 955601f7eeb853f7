## Kins

picture-upload = Upload
picture-hint = Or drop a picture here, or paste one.
picture-busy = Uploading…
picture-own = The chosen picture

kin-new = New Kin
kin-unnamed = Your new Kin
kin-identity = Identity
kin-texts = Character and expertise
kin-model = Model
model-choose = Choose a model
kin-model-none = Nothing to think with yet. Connect a provider, or try Demo.
kin-name-example = Basile
kin-role-example = Meals and nutrition
kin-character-example = Patient, never preachy. Always offers a quick version and a Sunday version.
kin-expertise-example = Weekly menus, shopping lists by aisle, everyone’s allergies.
face-of = Like { $name }
kin-welcome = Welcome this Kin
kin-welcome-name = Welcome { $name }
kin-settings = Settings
kin-settings-of = Settings of { $name }
kin-talk = Talk
kin-saved-texts = Character and expertise are saved, the rest is not. { $why }
kin-delete = Delete this Kin
kin-delete-title = Delete { $name }
kin-delete-lead = The whole thread with { $name } goes too, for everyone in the household.
kin-delete-type = Type “{ $name }” to confirm
