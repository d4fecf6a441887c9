"""What the verbs share at a terminal: exit codes, consoles, options, tables, and streams that close or overflow.

Settings and boxes are found here as the command line names them.
"""
