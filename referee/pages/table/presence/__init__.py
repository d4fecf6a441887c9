"""What only people at the table may allow where no PIN was entered: asked for on a page, allowed by a press of start.

Where nobody needs the PIN, everybody in the network may set up the referee. What gives away passwords, or could take
the machine away from the family, must then be allowed by a real button, if the table has one.
"""
