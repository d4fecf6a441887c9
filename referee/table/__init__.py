"""The running referee: one loop that brings camera, panel, clock, rules and journal together.

`event_loop` owns the state, `controller` has the path of every press and look, `requests` the table of all that may be
asked, and `running_match` applies events. The page and the verbs import the module they need, for the loop brings all
the others.
"""
