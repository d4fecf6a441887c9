"""An event for any match in the journal, written while no referee runs; nothing that stands there is changed by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.errors import BadInput
from referee.game.events import Event
from referee.game.match import apply
from referee.game.state import Phase
from referee.journal.errors import JournalDamaged
from referee.journal.journal import Wall, stamp, utc_now
from referee.journal.opening import LockedStore
from referee.journal.resume import Kept, replay
from referee.journal.rows import broken_at


def amend(
    folder: Path, match: int | None, event_of: Callable[[Kept], Event], wall: Wall = utc_now
) -> tuple[int, tuple[str, ...]]:
    """Append what `event_of` makes of a match, the newest if none is named; over and given up matches take it, too.

    Returns the number of the match, and what was done about damage. Raises BadInput where there is no such match or
    the rules refuse the event, JournalInUse while a referee writes, JournalDamaged for a match that cannot be read in
    order, and JournalError where the disk takes no writes; nothing is written then.
    """
    store = LockedStore(folder, make=False)
    try:
        kept = _kept(store, match)
        event = event_of(kept)
        state, _ = apply(kept.state, event)
        tip = kept.tip.event(event, state, stamp(wall()))
        rows = [tip.row]
        # An old match that is open again can never go on: others have been played since.
        if kept.state.phase is Phase.OVER and state.phase is not Phase.OVER and kept.match != store.newest():
            rows.append(tip.given_up(stamp(wall())).row)
        store.put(rows)
        return kept.match, tuple(store.notices)
    finally:
        store.close()


def _kept(store: LockedStore, match: int | None) -> Kept:
    if match is None or (store.kept is not None and store.kept.match == match):
        if store.kept is None:
            raise BadInput("expected a match, found none that was played or is under way")
        return store.kept
    rows = store.rows(match)
    if not rows:
        raise BadInput(f"--match: expected the number of a match, at most {store.newest()}, found {match}")
    broken = broken_at(rows)
    if broken is not None:
        raise JournalDamaged(f"expected event {broken} of match {match} as it was written, found it changed")
    return replay(rows, store.last_beat(match))
