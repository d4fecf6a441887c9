"""A table in a club: what it tells over a broker, and what others may ask of it.

`club` is where to begin. The hall, which a table does not load, is in `club/hall`.
"""

from referee.club.table_side.club import Club, club_of, endpoint_of, probing

__all__ = ["Club", "club_of", "endpoint_of", "probing"]
