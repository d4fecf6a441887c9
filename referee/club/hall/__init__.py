"""The hall: follows many tables over one MQTT broker, stores their events and results, and shows them on one page.

`reader` receives the messages, `intake` interprets those of one table, and `store` keeps events and results.
"""

from referee.club.hall.reader import HallFacts, HallReader
from referee.club.hall.store import HallStore

__all__ = ["HallFacts", "HallReader", "HallStore"]
