"""Cameras: the Raspberry Pi's, one on USB, one in the network, and folders of pictures in their place.

`camera` tells what all of them can do. Each is imported from its own module: a kind of camera brings libraries that
the others do without, and `picture_kinds` needs none.
"""
