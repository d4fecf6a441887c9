"""A phone or a cheap camera in the local network: its address, its password, its stream, its delay.

Begin with `camera` and `setup`, which has its settings; `address` needs no camera.
"""
