"""The page of the machine: whether it is in order, switching it off, date and time, and Wi-Fi.

What it shows and can do comes from `Care`, which only a table of `referee play` has. Other rooms call the tile box
"box"; here it is always the machine.
"""
