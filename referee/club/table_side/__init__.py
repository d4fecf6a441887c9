"""A table in a club: what it sends to the broker, and the commands that it accepts.

Start reading with `club`. The hall is in `club/hall`; tables do not load it.
"""

from referee.club.table_side.club import Club, broker_probe, club_of, endpoint_of

__all__ = ["Club", "broker_probe", "club_of", "endpoint_of"]
