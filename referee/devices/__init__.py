"""Everything outside of the program, one module each, with a fake beside it that a user can choose, too.

Cameras, panel and wiring have rooms; here lie the networks, files, threads and the service manager.
"""
