"""Makes the document of the table's state from what the loop has shown last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.club.protocol import Snapshot, snapshot_of
from referee.club.protocol.making import Around, Position, Refusal
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.journal.outbox import position
from referee.table.looking.doubts import notices_of
from referee.table.output.audience import DisplayState
from referee.table.output.follower import Facts


def snapshot(
    facts: Facts,
    scene: DisplayState,
    now: float,
    wall: str,
    epoch: str,
    path: Path,
    refused: Refusal | None = None,
    *,
    names: bool,
) -> Snapshot:
    """Return the state of the table as a document; raises JournalError if the journal cannot be read.

    `facts`: what the loop has shown: doubts, verdict, winners, troubles.
    `scene`: what the panel shows, and the state of the match.
    `now`: the present time by the clock of the loop, in seconds.
    `wall`: the same time in UTC, in ISO 8601 format.
    `epoch`: the epoch of the outbox.
    `path`: the file of the journal, whose outbox says which event came last.
    `refused`: the last command that was refused, and why; None if none was.
    `names`: whether the document may contain the names of players.
    """
    match, number = (None, 0) if scene.place is None else scene.place
    where = Position(epoch, position(path, match, number), match)
    around = replace(_surroundings(facts, scene), refused=refused)
    return snapshot_of(scene.state, now - scene.zero, wall, where, around, names=names)


def source(facts: Facts, refused: Refusal | None = None) -> object:
    """Return everything that a snapshot is made of, except the time. A snapshot is due only if this has changed."""
    scene = facts.scene
    if scene is None:
        return None
    state = scene.state
    table = state.phase, state.seats, state.current, state.table, state.stock, state.sheet, state.clock, state.rules
    where = scene.cut, scene.place, scene.draw
    return table, where, refused, facts.doubts, facts.judged, facts.due, facts.winners, _troubles(facts)


def runs_down(state: State) -> bool:
    """Return whether the clock of a turn is running down."""
    return state.phase.has_clock and state.clock.deadline is not None


def _surroundings(facts: Facts, scene: DisplayState) -> Around:
    judged, due = facts.judged, facts.due
    return Around(
        cut=scene.cut,
        question=notices_of(facts.doubts),
        verdict=None if judged is None or not scene.state.seats else (judged.player, judged.verdict),
        due=() if due is None else due.steps,
        troubles=_troubles(facts),
        winners=facts.winners,
        draw=scene.draw,
    )


def _troubles(facts: Facts) -> tuple[Notice, ...]:
    """Return the troubles of the table, except those with the connection to the broker."""
    return tuple(told for told in facts.troubles if not told.key.startswith("club."))
