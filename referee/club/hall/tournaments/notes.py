"""Stores the events of tournaments in the hall's file: each change as one transaction, on disk before it is shown.

It uses a connection of its own with full synchronisation. Events of tables, which the other connection stores, may be
lost in a power cut, because the tables send them again; what a director enters comes only once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from referee.club.hall.file import connect_for_notes, transaction
from referee.club.hall.tournaments.leagues import LeagueStep
from referee.club.hall.tournaments.state import Hosted, HostedEvent, event_from_text, event_to_text, replay_tournament
from referee.club.tournament.league import state as league_state
from referee.club.tournament.league.state import League, replay_league
from referee.errors import RefereeError

KIND, LEAGUE = "tournament", "league"
"""The kinds of the notes with the events of tournaments and of leagues."""
SECRET, SECRET_BYTES = "player-pages", 32
"""The kind of the note with the secret from which the addresses of the players' own pages are made, and its length."""
R = TypeVar("R")


class Notes:
    """The tournaments in a hall's file, which must exist; to be used in one thread. Methods raise sqlite3.Error."""

    def __init__(self, path: Path | str) -> None:
        self._db = connect_for_notes(path)

    def load_all(self) -> tuple[dict[str, Hosted], dict[str, str]]:
        """Return all tournaments by slug, in the order of opening, and by slug the error for each unreadable one."""
        return self._load(KIND, lambda slug, told: replay_tournament(slug, map(_event, told)))

    def load_leagues(self) -> tuple[dict[str, League], dict[str, str]]:
        """Return all leagues by slug, in the order of founding, and by slug the error for each unreadable one."""
        return self._load(LEAGUE, lambda slug, told: replay_league(slug, map(_league_event, told)))

    def _load(self, kind: str, replay: Callable[[str, list[str]], R]) -> tuple[dict[str, R], dict[str, str]]:
        bodies: dict[str, list[str]] = {}
        rows = self._db.execute("SELECT number, body FROM notes WHERE kind = ? ORDER BY number", (kind,))
        for number, body in rows:
            try:
                slug = str(json.loads(body)["of"])
            except (ValueError, TypeError, KeyError):
                slug = f"note-{number}"
            bodies.setdefault(slug, []).append(body)
        found, unreadable = dict[str, R](), dict[str, str]()
        for slug, told in bodies.items():
            try:
                found[slug] = replay(slug, told)
            except (RefereeError, ValueError, TypeError, KeyError, IndexError) as error:
                unreadable[slug] = str(error)
        return found, unreadable

    def player_secret(self, wall: str) -> bytes:
        """Return the secret for the addresses of the players' pages; it is made and stored when first asked for."""
        known = self.known_secret()
        if known:
            return known
        made = secrets.token_bytes(SECRET_BYTES)
        with transaction(self._db):
            body = json.dumps({"secret": made.hex()})
            self._db.execute("INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)", (SECRET, wall, body))
        return made

    def known_secret(self) -> bytes:
        """Return the secret for the addresses of the players' own pages; empty if none was made yet."""
        row = self._db.execute("SELECT body FROM notes WHERE kind = ? ORDER BY number LIMIT 1", (SECRET,)).fetchone()
        return b"" if row is None else bytes.fromhex(json.loads(row[0])["secret"])

    def events_of(self, slug: str) -> list[HostedEvent]:
        """Return all events of a tournament; raises RefereeError or ValueError if one of them cannot be read."""
        rows = self._db.execute("SELECT body FROM notes WHERE kind = ? ORDER BY number", (KIND,))
        return [_event(body) for (body,) in rows if json.loads(body).get("of") == slug]

    def keep(self, slug: str, events: Iterable[HostedEvent], wall: str, league: LeagueStep | None = None) -> None:
        """Store events of a tournament, and what they mean to a league, in one transaction."""
        rows = [(KIND, wall, _body(slug, event_to_text(event))) for event in events]
        self._insert([*rows, *(() if league is None else _league_rows(league, wall))])

    def keep_league(self, step: LeagueStep, wall: str) -> None:
        """Store events of a league in one transaction."""
        self._insert(_league_rows(step, wall))

    def _insert(self, rows: Iterable[tuple[str, str, str]]) -> None:
        with transaction(self._db):
            self._db.executemany("INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _body(slug: str, told: tuple[str, str]) -> str:
    kind, body = told
    return json.dumps({"of": slug, "event": kind, "body": json.loads(body)}, separators=(",", ":"))


def _league_rows(step: LeagueStep, wall: str) -> list[tuple[str, str, str]]:
    return [(LEAGUE, wall, _body(step.league, league_state.event_to_text(event))) for event in step.events]


def _event(body: str) -> HostedEvent:
    return event_from_text(*_told(body))


def _league_event(body: str) -> league_state.LeagueEvent:
    return league_state.event_from_text(*_told(body))


def _told(body: str) -> tuple[str, str]:
    """Return the kind of the event in a note, and its fields as JSON."""
    told: Mapping[str, object] = json.loads(body)
    return str(told["event"]), json.dumps(told["body"])
