"""Whole programs made of the parts: the table of `referee play`, the virtual table, the checks of the doctor.

Each verb imports only the module that it needs: `play` uses `one_table`, `demo` uses `live_demo` and `demo_match`,
`doctor` uses `checkup` and `first_evening`.
"""
