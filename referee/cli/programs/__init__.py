"""Whole programs made of the parts: the table of `referee play`, the virtual table, the checks of the doctor.

The verbs start them, each by importing the module it needs: `one_table` for `play`, `live_demo` and `demo_match` for
`demo`, `checkup` and `first_evening` for `doctor`.
"""
