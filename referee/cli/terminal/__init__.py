"""What the verbs share at a terminal: exit codes, consoles, options, tables, and streams that close or overflow.

Settings and boxes are found here as the command line names them. `stopping` must be loaded before all else, and alone;
so each module is imported by itself.
"""
