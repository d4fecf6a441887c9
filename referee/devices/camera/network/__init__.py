"""A phone or a cheap camera in the local network: its address, its password, its stream, how old a picture is.

`camera` is where to begin and `setup` what it is made from; `address` is read without a camera, too.
"""
