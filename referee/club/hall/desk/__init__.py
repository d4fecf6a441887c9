"""The director's desk of a hall: the time of the round, calls of tables, announcements.

`state.py` has the rules, without input or output. `keeper.py` stores every change before it takes effect.
`telling.py` decides what each table must be told.
"""
