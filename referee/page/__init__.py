"""The page: what the referee saw and says, in a browser of the same house; taps of the players come back as events.

A server of its own thread reads what `follower` keeps of the loop; `server` is where to begin. It is imported from its
module: a table without a page, the club and the hall use others of this room and load no server for it.
"""
