"""The running referee: one loop that brings camera, panel, clock, rules and journal together.

`event_loop` owns the state, `controller` says what every press and every look means to the match, and `starting`
begins it. The page and the verbs import the module they need, for the loop brings all the others.
"""
