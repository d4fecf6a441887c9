"""Puzzles: a table to build and a hand to lay, with a proven measure of difficulty. Begin with `making`.

`checking` compares what lies on a real table with a puzzle, and `stages` says what the table looks like after each
step of the solution.
"""
