"""Limits on how much one table can burden the hall. A broken or hostile table spoils only its own row on the page.

Every limit is far above what a table needs, even if it sends the events of many years again. What exceeds a limit is
dropped, and the page says so. A client that can write under the names of many tables could still keep the hall busy.
The broker should prevent that with an access list by which each table can write to its own topics only (docs/club.md).
"""

from __future__ import annotations

from referee.bucket import Bucket
from referee.club.protocol import Kind
from referee.club.protocol.documents import MOST_RESULT_ROUNDS

MESSAGES, MESSAGES_S = 20_000.0, 200.0
"""The messages allowed at once, and per second in the long run. A table that sends missed events again sends thousands
at once. This and all other limits were chosen by hand, far above what a table needs."""
BYTES, BYTES_S = 20e6, 250e3
"""The bytes allowed at once, and per second in the long run. Reading a document takes longer the larger it is: one or
two milliseconds for 64 kB."""
PICTURES, PICTURES_S = 10.0, 1.0
"""The pictures allowed at once, and per second in the long run. A table sends at most one every two seconds. Their
bytes do not count, because the hall does not decode them."""
EPOCHS, EPOCHS_S = 20.0, 1 / 3600
"""The new epochs allowed at once, and per second in the long run. A table gets a new epoch only with a new journal."""
ASKS, ASKS_S = 10.0, 1.0
"""The requests for missing events allowed at once, and per second in the long run."""
CALLS, CALLS_S = 10.0, 1 / 6
"""The changes of its call for the director allowed at once, and per second in the long run: each is stored."""
KEPT_BYTES = 500_000_000
"""The most bytes of one table in the hall's file, enough for a thousand evenings or so."""
MATCHES, ROUNDS = 2000, MOST_RESULT_ROUNDS
"""The most matches of one table that the page and the files show (the newest ones), and the most rounds of a match.
The events of all matches are stored."""
LINES = 20
"""How many branches an epoch may have; further contradictions are not stored."""


class Allowance:
    """What one table has used of its limits; `t` is always the time by the hall's monotonic clock."""

    def __init__(self, t: float) -> None:
        self._messages, self._bytes = Bucket(MESSAGES, MESSAGES_S, t), Bucket(BYTES, BYTES_S, t)
        self._pictures = Bucket(PICTURES, PICTURES_S, t)
        self._epochs, self._asks = Bucket(EPOCHS, EPOCHS_S, t), Bucket(ASKS, ASKS_S, t)
        self._calls = Bucket(CALLS, CALLS_S, t)

    def message(self, kind: Kind, size: int, t: float) -> bool:
        """Count a message; return whether it is within the limits."""
        if kind is Kind.PICTURE:
            return not self._pictures.take(t)
        return not (self._messages.take(t) or self._bytes.take(t, size))

    def epoch(self, t: float) -> bool:
        """Count a new epoch; return whether it is within the limits."""
        return not self._epochs.take(t)

    def call(self, t: float) -> bool:
        """Count a message about a call for the director; return whether it is within the limits."""
        return not self._calls.take(t)

    def ask(self, t: float) -> bool:
        """Count a request for missing events; return whether it is within the limits."""
        return not self._asks.take(t)
