"""A phone or a cheap camera in the local network: its address, its password, its stream, how old a picture is."""
