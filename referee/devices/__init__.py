"""Everything outside of the program, one module each, with a fake beside it that users can choose, too.

Cameras, panel and wiring have folders; networks, files, threads and the service manager are modules here.
Import each from its own module, such as `thread` or `whole_file`: nothing needs all of them.
"""
