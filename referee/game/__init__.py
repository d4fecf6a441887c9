"""The rules of the game as pure values and functions: no input or output, no clock, no randomness.

Tiles, sets, tables, notation, scoring and the turn clock lie here; books, solver, judge, Gin and match stand on them.
"""
