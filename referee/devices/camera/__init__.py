"""Cameras: the Raspberry Pi's, USB cameras, network cameras, and files in place of a camera.

`camera` defines what all of them can do. Import each kind from its own module, because it needs libraries that the
other kinds do without. `picture_kinds` needs none.
"""
