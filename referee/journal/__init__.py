"""The journal: everything that happened at the table is on the disk before anybody sees its effect.

`journal` is what the loop uses, `scores` what is read from it; damage and files have rooms of their own.
"""
