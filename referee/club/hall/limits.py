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
"""The messages allowed at once, and in every second after that: a table that sends missed events again sends thousands
at once. This and all other limits were chosen by hand, far above what a table needs."""
BYTES, BYTES_S = 20e6, 250e3
"""The bytes allowed, likewise: the time to read a document depends on its length, a millisecond or two for 64 kB."""
PICTURES, PICTURES_S = 10.0, 1.0
"""Pictures, likewise. A table sends one every two seconds. Their bytes do not count: the hall does not decode them."""
EPOCHS, EPOCHS_S = 20.0, 1 / 3600
"""New epochs, likewise: a table gets another one with a new journal, once in years."""
ASKS, ASKS_S = 10.0, 1.0
"""Requests for missing events, likewise."""
KEPT_BYTES = 500_000_000
"""The bytes of one table in the hall's file: some thousand evenings."""
MATCHES, ROUNDS = 2000, MOST_RESULT_ROUNDS
"""The matches of one table that the page and the files show, the newest ones, and the rounds of a match. The events of
all matches are stored."""
LINES = 20
"""How many branches an epoch may have; further contradictions are not stored."""


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
