## The door

sign-in-title = The lights are on.
sign-in-lead = Everyone kept an eye on things while you were out.
sign-in-submit = Come in
setup-title = Welcome home.
setup-lead = This house runs on your own server. Let’s begin with the person who keeps the keys.
setup-step = You, first
setup-submit = Continue
unreachable-title = The house does not answer.
unreachable-lead = Kinstead could not be reached from here. Check the network, or that the server is running.
broken-title = This browser could not open the house.
broken-lead = Kinstead needs a background worker and storage. A private window may forbid them.
not-found-title = Nothing at this address.
not-found-lead = The Kin may have moved out, or the link is incomplete.
not-found-home = Go home
sign-in-locked = What you wrote here is safe. Your password opens it.
sign-in-revoked = This device was signed out from elsewhere, or its account is gone. What it kept has been removed.
sign-in-here-last = Last here on this device
sign-in-other = Not you?
sign-in-forgot = Use the recovery code
recover-title = Back in with the code.
recover-lead = Enter your recovery code and choose a new password.
recover-submit = Set the password and come in
recover-back = I know my password
field-recovery = Recovery code
field-recovery-hint = Seven groups of four. Upper or lower case, with or without hyphens.
field-password-new = New password
setup-portrait = Your portrait
setup-portrait-of = { $number ->
    [1] Portrait, dark hair to the chin
    [2] Portrait, brown hair in a bun and glasses
    [3] Portrait, white curls
    [4] Portrait, a red beard
   *[other] Portrait { $number }
}
recovery-title = Your spare key.
recovery-lead = Nobody can read your password, not even this server. If you forget it, this code lets you back in. It is shown only now.
recovery-file-title = Kinstead recovery code. Keep it where you keep important papers.
recovery-save = Save as a file
recovery-safe = I have it safe
