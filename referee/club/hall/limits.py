"""How much one table may cost the hall: a broken or hostile one harms its own line of the page, and no other.

Every limit is far above what a table needs even if it sends the events of many years again. What exceeds a limit is
left out, and the page says so. Whoever may write in many names can still keep the hall busy: see to that at the
broker, by an access list that lets each table write its own topics only (docs/club.md).
"""

from __future__ import annotations

from referee.bucket import Bucket
from referee.club.protocol import Kind
from referee.club.protocol.documents import MOST_RESULT_ROUNDS

MESSAGES, MESSAGES_S = 20_000.0, 200.0
"""At once, and every second after: a table that sends missed events again sends thousands at once."""
BYTES, BYTES_S = 20e6, 250e3
"""To read a document costs by its length; 64 kB of JSON keep the hall busy for a millisecond or two."""
PICTURES, PICTURES_S = 10.0, 1.0
"""A table sends one every two seconds; nobody takes them apart here, so that their bytes do not count."""
EPOCHS, EPOCHS_S = 20.0, 1 / 3600
"""Epochs that nothing is kept of: a table has another one when its journal is new, once in years."""
ASKS, ASKS_S = 10.0, 1.0
"""Questions for missing events."""
KEPT_BYTES = 500_000_000
"""Of one table in the hall's file: some thousand evenings."""
MATCHES, ROUNDS = 2000, MOST_RESULT_ROUNDS
"""Of one table at hand for page and files, the newest ones, and of a match; the events of all of them are kept."""
LINES = 20
"""So often an epoch may contradict itself before nothing more is taken of it that does."""


class Allowance:
    """What one table has used of it; times are the hall's monotonic clock."""

    def __init__(self, t: float) -> None:
        self._messages, self._bytes = Bucket(MESSAGES, MESSAGES_S, t), Bucket(BYTES, BYTES_S, t)
        self._pictures = Bucket(PICTURES, PICTURES_S, t)
        self._epochs, self._asks = Bucket(EPOCHS, EPOCHS_S, t), Bucket(ASKS, ASKS_S, t)

    def message(self, kind: Kind, size: int, t: float) -> bool:
        """Whether one more message may come."""
        if kind is Kind.PICTURE:
            return not self._pictures.take(t)
        return not (self._messages.take(t) or self._bytes.take(t, size))

    def epoch(self, t: float) -> bool:
        """Whether it may begin to count in an epoch that nothing is kept of."""
        return not self._epochs.take(t)

    def ask(self, t: float) -> bool:
        """Whether it may be asked for missing events."""
        return not self._asks.take(t)
