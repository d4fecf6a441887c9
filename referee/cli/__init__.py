"""The command line: `main` starts it, `verbs` has a module for each verb, `programs` has the longer-running programs.

`parts` makes camera, reader, lens and match from the settings, `page` serves the page of a table, and `terminal` has
what verbs share: options, exit codes and tables.
"""
