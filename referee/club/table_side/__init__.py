"""A table in a club: what it sends to the broker, and what others may ask of it.

`club` is where to begin. The hall, which a table does not load, is in `club/hall`.
"""

from referee.club.table_side.club import Club, broker_probe, club_of, endpoint_of

__all__ = ["Club", "broker_probe", "club_of", "endpoint_of"]
