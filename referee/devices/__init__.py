"""Everything outside of the program, one module each, with a fake beside it that a user can choose, too.

Cameras, panel, wiring and the broker have rooms; here lie the networks, files, threads and the service manager. Each
is imported from its own module, as `thread` or `whole_file`: nobody needs them all.
"""
