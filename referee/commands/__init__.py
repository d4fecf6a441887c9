"""The verbs of the command line, one module each, loaded when they are called.

What a verb needs besides lies beside it.
"""
