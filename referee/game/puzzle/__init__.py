"""Puzzles: a table to build and a hand to lay, with a proven measure of difficulty. Begin with `making`.

`checking` compares what lies on a real table with a puzzle. The steps of the solution are told as those of the coach.
"""
