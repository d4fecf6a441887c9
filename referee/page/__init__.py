"""What the page of a table and the page of a hall have in common: access, commands, stream and the server's thread.

`broadcast` keeps the state that browsers are shown, `endpoint` takes their commands, and `thread` runs the server.
Nothing is imported here: a program that needs only one of these modules does not load the server.
"""
