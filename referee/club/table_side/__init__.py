"""The club: what the table tells over a broker, and what others may ask of it.

`club` is where to begin. `hall` is the program of `referee hall`, which a table does not load.
"""

from referee.club.table_side.club import Club, club_of, endpoint_of, probing

__all__ = ["Club", "club_of", "endpoint_of", "probing"]
