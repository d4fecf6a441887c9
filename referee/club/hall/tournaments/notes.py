"""Stores the events of tournaments in the hall's file: each change as one transaction, on disk before it is shown.

It uses a connection of its own with full synchronisation. Events of tables, which the other connection stores, may be
lost in a power cut, because the tables send them again; what a director enters comes only once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from referee.club.hall.file import transaction
from referee.club.hall.tournaments.state import Hosted, HostedEvent, event_from_text, event_to_text, replay_tournament
from referee.errors import RefereeError

KIND = "tournament"
BUSY_S = 10.0
"""Seconds to wait while the other connection writes. Chosen by hand."""


class Notes:
    """The tournaments in a hall's file, which must exist; to be used in one thread. Methods raise sqlite3.Error."""

    def __init__(self, path: Path | str) -> None:
        self._db = sqlite3.connect(path, BUSY_S, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA synchronous = FULL")

    def load_all(self) -> tuple[dict[str, Hosted], dict[str, str]]:
        """Return all tournaments by slug, in the order of opening, and by slug the error for each unreadable one."""
        bodies: dict[str, list[str]] = {}
        rows = self._db.execute("SELECT number, body FROM notes WHERE kind = ? ORDER BY number", (KIND,))
        for number, body in rows:
            try:
                slug = str(json.loads(body)["of"])
            except (ValueError, TypeError, KeyError):
                slug = f"note-{number}"
            bodies.setdefault(slug, []).append(body)
        found, unreadable = dict[str, Hosted](), dict[str, str]()
        for slug, told in bodies.items():
            try:
                found[slug] = replay_tournament(slug, map(_event, told))
            except (RefereeError, ValueError, TypeError, KeyError, IndexError) as error:
                unreadable[slug] = str(error)
        return found, unreadable

    def keep(self, slug: str, events: Iterable[HostedEvent], wall: str) -> None:
        """Store events of a tournament in one transaction."""
        rows = [(KIND, wall, _body(slug, event)) for event in events]
        with transaction(self._db):
            self._db.executemany("INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _body(slug: str, event: HostedEvent) -> str:
    kind, body = event_to_text(event)
    return json.dumps({"of": slug, "event": kind, "body": json.loads(body)}, separators=(",", ":"))


def _event(body: str) -> HostedEvent:
    told: Mapping[str, object] = json.loads(body)
    return event_from_text(str(told["event"]), json.dumps(told["body"]))
