"""Jokers in the judge: what they stand for as they lie, what sets them free, and how they go back when time is up.

`values` and `places` look at one set, `ways` and `moved` at all jokers from one table to another, `back` at time up.
"""
