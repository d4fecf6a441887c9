"""A match as a pure state machine: an event and a state give the next state, and effects that others carry out.

`machine.apply` is where to begin; rounds, turns, calls and corrections follow, and `gin` has the course of Gin.
"""
