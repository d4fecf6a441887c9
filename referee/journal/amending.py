"""Appends an event to any match in the journal that is not being played. Existing rows are not changed.

If no referee is running, the event is written at once. While one is running, the rows are made here, and the referee's
own journal stores them.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from referee.errors import BadInput
from referee.game.match.events import Event
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.journal.errors import DiskFull, JournalClosedToUs, JournalDamaged, ReadOnlyDisk, without_a_game
from referee.journal.journal import Wall, stamp, utc_now
from referee.journal.opening import LockedStore
from referee.journal.reading import rows_of
from referee.journal.replay import Kept, replay
from referee.journal.rows import Row, broken_at


@dataclass(frozen=True, slots=True)
class Amended:
    """What was done: for which match, whether anything was written, and notices about repaired damage."""

    match: int
    written: bool
    notices: tuple[Notice, ...] = ()


def amend(folder: Path, match: int | None, event_of: Callable[[Kept], Event | None], wall: Wall = utc_now) -> Amended:
    """Append the event that `event_of` makes of a match, by default of the newest.

    The match may be over or given up. If `event_of` returns None, nothing is written.

    Raises BadInput if there is no such match or the rules refuse the event, JournalInUse while a referee writes,
    JournalDamaged for a match whose rows are not in order, and JournalError if the disk does not accept writes. In all
    these cases nothing is written.
    """
    with _open_locked(folder) as store:
        kept = _find_match(store, match)
        event = event_of(kept)
        if event is None:
            return Amended(kept.match, False, tuple(store.notices))
        store.put(rows_behind(kept, event, store.newest(), wall))
        return Amended(kept.match, True, tuple(store.notices))


def rows_behind(kept: Kept, event: Event, newest: int, wall: Wall = utc_now) -> tuple[Row, ...]:
    """Return the rows that an event adds to a match; raises BadInput if the rules refuse the event.

    `newest` is the number of the newest match.
    """
    state, _ = apply(kept.state, event)
    tip = kept.tip.event(event, state, stamp(wall()))
    # An old match that is open again cannot be continued, because others have been played since.
    if kept.state.phase is Phase.OVER and state.phase is not Phase.OVER and kept.match != newest:
        return tip.row, tip.given_up(stamp(wall())).row
    return (tip.row,)


def kept_in(path: Path, match: int) -> tuple[Kept, int]:
    """Return a match of the journal as it is now, and the number of the newest match. A referee may be running.

    Raises BadInput if there is no such match, JournalDamaged if its rows are not in order, and JournalError.
    """
    rows, newest = rows_of(path, match)
    return _whole(rows, match, newest), newest


def end(folder: Path, match: int, wall: Wall = utc_now) -> Amended:
    """End a match that nobody wants to continue: it stays on the score sheet as given up.

    A match that has already ended is left as it is. Raises the same errors as `amend`.
    """
    with _open_locked(folder) as store:
        kept = _find_match(store, match, "--end")
        if not kept.is_over:
            store.put([kept.tip.given_up(stamp(wall())).row])
        return Amended(kept.match, not kept.is_over, tuple(store.notices))


@contextmanager
def _open_locked(folder: Path) -> Iterator[LockedStore]:
    """Return a context manager for the locked store; its errors are worded for somebody who is not playing a match."""
    try:
        store = LockedStore(folder, make=False)
        try:
            yield store
        finally:
            store.close()
    except (DiskFull, ReadOnlyDisk) as error:
        raise without_a_game(error) from error
    except JournalClosedToUs as error:
        if not isinstance(error.__cause__, PermissionError):
            raise
        raise JournalClosedToUs(
            f"expected a journal that may be written, found: {error.__cause__.strerror} "
            f"({error.__cause__.filename or folder}); {_who(folder)}; nothing was changed"
        ) from error


def _who(folder: Path) -> str:
    """Return advice that says who may write to the folder."""
    try:
        owner = folder.stat().st_uid
        name = pwd.getpwuid(owner).pw_name
    except (OSError, KeyError):
        return "do it as the owner of that folder"
    if owner == os.geteuid():
        return f"allow yourself to write there (chmod u+w {folder})"
    return f"do it as the owner of that folder, with sudo -u {name}"


def _find_match(store: LockedStore, match: int | None, option: str = "--match") -> Kept:
    newest = store.newest()
    number = newest if match is None else match
    if store.kept is not None and store.kept.match == number:
        return store.kept
    if match is None and not number:
        raise BadInput("expected a match, found none that was played or is under way")
    # SQLite is not asked about other numbers: it raises OverflowError for numbers that are too large for it.
    rows = store.rows(number) if 0 < number <= newest else []
    return _whole(rows, number, newest, store.last_beat(number) if rows else None, option)


def _whole(rows: Sequence[Row], match: int, newest: int, beat: float | None = None, option: str = "match") -> Kept:
    if not rows:
        raise BadInput(f"{option}: expected the number of a match, at most {newest}, found {match}")
    broken = broken_at(rows)
    if broken is not None:
        raise JournalDamaged(Notice("journal.altered", event=broken, match=match))
    return replay(rows, beat)
