"""A phone or a cheap camera in the local network: its address, its login, its stream and its delay.

Begin with `camera`, which also has the settings. `address` needs no camera.
"""
