"""Everything outside the program: cameras, panel, networks, files, threads and the service manager.

Cameras, panel and wiring are packages of their own; the others are modules here. Beside the real devices there are
fakes, which users can choose as well. Import from the modules directly, such as `thread` or `whole_file`, since
nothing needs all of them.
"""
