"""The hall: many tables over one MQTT broker, read along, kept, and shown on one page.

`intake` decides what a message of a table means, `store` keeps what happened, `reader` listens to the broker.
"""

from referee.club.hall.reader import HallFacts, HallReader
from referee.club.hall.store import HallStore

__all__ = ["HallFacts", "HallReader", "HallStore"]
