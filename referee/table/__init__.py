"""The running referee: one event loop that connects camera, panel, clock, rules and journal.

`event_loop` owns the state, `controller` has the path of every press and look, `requests` has the dispatch table of
all requests, and `running_match` applies events. Callers import the module they need, since importing the loop imports
all the others.
"""
