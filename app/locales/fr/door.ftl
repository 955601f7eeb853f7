## The door

sign-in-title = Les lumières sont allumées.
sign-in-lead = Tout le monde a veillé sur la maison pendant votre absence.
sign-in-submit = Entrer
setup-title = Bienvenue chez vous.
setup-lead = Cette maison tourne sur votre propre serveur. Commençons par la personne qui en garde les clés.
setup-step = Vous, d’abord
setup-submit = Continuer
unreachable-title = La maison ne répond pas.
unreachable-lead = Kinstead est injoignable d’ici. Vérifiez le réseau, ou que le serveur est en marche.
broken-title = Ce navigateur n’a pas pu ouvrir la maison.
broken-lead = Kinstead a besoin d’un processus d’arrière-plan et de stockage. Une fenêtre privée peut les interdire.
not-found-title = Rien à cette adresse.
not-found-lead = Le Kin a peut-être déménagé, ou le lien est incomplet.
not-found-home = Rentrer à la maison
sign-in-locked = Ce que vous avez écrit ici est en sûreté. Votre mot de passe l’ouvre.
sign-in-revoked = Cet appareil a été déconnecté depuis ailleurs, ou son compte n’existe plus. Ce qu’il gardait a été effacé.
sign-in-here-last = Dernière visite sur cet appareil
sign-in-other = Pas vous ?
sign-in-forgot = Utiliser le code de secours
recover-title = Retour avec le code.
recover-lead = Saisissez votre code de secours et choisissez un nouveau mot de passe.
recover-submit = Changer le mot de passe et entrer
recover-back = Je connais mon mot de passe
field-recovery = Code de secours
field-recovery-hint = Sept groupes de quatre. Majuscules ou minuscules, avec ou sans tirets.
field-password-new = Nouveau mot de passe
setup-portrait = Votre portrait
setup-portrait-of = { $number ->
    [1] Portrait, cheveux bruns au carré
    [2] Portrait, chignon brun et lunettes
    [3] Portrait, boucles blanches
    [4] Portrait, barbe rousse
   *[other] Portrait { $number }
}
recovery-title = Votre double des clés.
recovery-lead = Personne ne peut lire votre mot de passe, pas même ce serveur. Si vous l’oubliez, ce code vous fait rentrer. Il n’est montré que maintenant.
recovery-file-title = Code de secours Kinstead. Gardez-le avec vos papiers importants.
recovery-save = Enregistrer un fichier
recovery-safe = Il est en lieu sûr
