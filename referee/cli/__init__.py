"""The command line: `main` starts it, `verbs` has a module for each verb, `programs` has what goes on for longer.

`parts` makes camera, reader, lens and match out of settings, `page` serves the page of a table, and `terminal` has
what verbs share: options, exit codes and tables.
"""
