"""Whole programs made of the parts: the table of `referee play`, the virtual table, the checks of the doctor.

The verbs start them.
"""
