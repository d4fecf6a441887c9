"""Cameras: the Raspberry Pi's, one on USB, one in the network, and folders of pictures in their place.

`camera` defines what all of them can do. Import each from its own module: a kind of camera needs libraries that the
others do without, and `picture_kinds` needs none.
"""
