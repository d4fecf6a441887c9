"""Cameras: the Raspberry Pi's, one on USB, one in the network, and folders of pictures in their place.

`camera` tells what all of them can do.
"""
