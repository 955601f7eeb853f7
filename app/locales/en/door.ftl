## The door

sign-in-title = The lights are on.
sign-in-lead = Everyone kept an eye on things while you were out.
sign-in-submit = Come in
setup-title = Welcome home.
setup-lead = This house runs on your own server. Let’s begin with the person who keeps the keys.
setup-step = You, first
setup-submit = Move in
unreachable-title = The house does not answer.
unreachable-lead = Kinstead could not be reached from here. Check the network, or that the server is running.
broken-title = This browser could not open the house.
broken-lead = Kinstead needs a background worker and storage. A private window may forbid them.
not-found-title = Nothing at this address.
not-found-lead = The Kin may have moved out, or the link is incomplete.
not-found-home = Go home
