"""One real box of tiles: learnt from pictures of all its tiles, and sharpened by what an evening shows.

`enrol` is where to begin.
"""
