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
face-or-own = or a picture of your own
face-draw = Draw
face-describe = Describe
face-wish = What to draw
face-wish-example = A blue teapot that smiles
face-draw-wish = Draw this
face-drawing = Drawing, this can take a minute…
face-draw-hint = Drawn by { $provider } ({ $model }) from name, role and character. Each drawing is billed.
field-hue = Colour
hue-pear = Pear green
hue-lamp = Lamp yellow
hue-sky = Sky blue
hue-acorn = Acorn brown
hue-ember = Ember orange
hue-iris = Iris violet
hue-moss = Moss green
hue-coral = Coral pink
hue-mint = Mint turquoise
hue-fox = Fox red
hue-dusk = Dusk blue
hue-brick = Brick red
first-kin-title = Who moves in first?
first-kin-lead = A Kin is family with a speciality. It remembers everything, and the whole house talks to it in one thread.
first-kin-name = Its name
first-kin-role = Its role
first-kin-character = Its character
first-kin-character-hint = Two or three sentences are enough. It will refine them with you.
begin-points = Starting points
begin-cooking = Cooking
begin-budget = Budget
begin-travel = Travel
begin-homework = Homework
begin-garden = Garden
begin-blank = Start from scratch
begin-cooking-name = Basile
begin-cooking-role = Meals and nutrition
begin-cooking-character = Loves food, patient, never preachy. Always offers a quick version and a Sunday version. On first-name terms with everyone.
begin-cooking-expertise = Weekly menus, shopping lists by aisle, leftovers to finish, balance over seven days. Asks about allergies, tastes and time before suggesting, and follows the seasons.
begin-budget-name = Noisette
begin-budget-role = Budget and paperwork
begin-budget-character = Steady, discreet, precise. Gives the figure first, then one sentence of explanation. Never judges an expense.
begin-budget-expertise = The month’s budget, subscriptions to review, bills and due dates, quotes to compare, official letters. Calculates step by step and says when an amount is missing.
begin-travel-name = Zephyr
begin-travel-role = Travel and outings
begin-travel-character = Curious, enthusiastic, feet on the ground. Prefers two or three well-chosen ideas to a long list.
begin-travel-expertise = Weekends and holidays, routes, packing lists, outings for rainy days. Asks for dates, everyone’s age, budget and travelling time, then builds a programme day by day.
begin-homework-name = Marlow
begin-homework-role = Homework and learning
begin-homework-character = Calm, encouraging, funny when it helps. Asks questions rather than give the answer, and praises the effort.
begin-homework-expertise = Explanations from primary to secondary school, revision sheets, dictations, problems step by step, talks. Adapts to the age and checks with a small exercise that it is understood.
begin-garden-name = Mousse
begin-garden-role = Garden and plants
begin-garden-character = Quiet, observant, optimistic even about a tired plant. Speaks plainly, without needless Latin.
begin-garden-expertise = Sowing, watering, pruning, house plants, balcony vegetables, a calendar month by month. Asks about the region, the light and the space before advising.
kin-welcome = Welcome this Kin
kin-welcome-name = Welcome { $name }
kin-settings = Settings
kin-settings-of = Settings of { $name }
kin-talk = Talk
kin-since = Since { $month }
kin-messages = { $count ->
    [one] { $shown } message
   *[other] { $shown } messages
}
text-length = { $count ->
    [one] { $count } character
   *[other] { $count } characters
}
kin-changed = Unsaved changes
discard-changes = Undo
kin-leaving = Put away or delete
kin-leaving-lead = Put away, { $name } leaves the lists and answers no more; the thread stays readable.
kin-archive = Put { $name } away
kin-delete-name = Delete { $name }
kin-archived-title = { $name } is put away.
kin-archived-lead = The thread stays readable, nothing gets through.
kin-archived-draft = Your draft waits.
kin-archived-state = Put away
kin-bring-back = Bring back
kin-bring-back-name = Bring back { $name }
kin-deleted-by = Deleted by { $name }, { $when }.
kin-deleted-state = Deleted, { $when }.
kin-deleted-days = { $count ->
    [0] Gone for good today.
    [one] { $count } day left to bring back.
   *[other] { $count } days left to bring back.
}
kins-away = { $count ->
    [one] { $count } Kin put away or deleted
   *[other] { $count } Kins put away or deleted
}
kins-order = Change the order
kins-order-lead = The order is the whole household’s. Drag a Kin, or use the arrows.
kins-order-said = { $name }, place { $place } of { $count }
kins-order-up = Move { $name } up
kins-order-down = Move { $name } down
kins-order-done = Done
kin-removed-title = This Kin is not here any more
kin-removed-lead = Somebody in the household has deleted it. For 30 days it can be brought back from the home screen.
kin-delete-what = { $count ->
    [one] { $shown } message since { $month }.
   *[other] { $shown } messages since { $month }.
}
kin-delete-undo = For 30 days anyone in the household can bring { $name } back. After that nothing will be left.
kin-delete = Delete this Kin
kin-delete-title = Delete { $name }
kin-delete-lead = The whole thread with { $name } goes too, for everyone in the household.
kin-delete-type = Type “{ $name }” to confirm
