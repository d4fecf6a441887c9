"""The whole state of a table as a document."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from referee.club.protocol.documents import Clock, CommandRefused, Player, Snapshot, VerdictTold
from referee.club.protocol.facts import FaultTold
from referee.club.protocol.told import Told
from referee.game.judge.verdict import Verdict
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import format_set, format_table
from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Position:
    """Where a state stands in the outbox: after the event `seq` of `epoch`, which belongs to `match`."""

    epoch: str
    seq: int = 0
    match: int | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was refused; `players` are those that it named, who may stand in the notice."""

    id: str
    why: Notice
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of a match beside its state."""

    cut: bool = False
    question: tuple[Notice, ...] = ()
    verdict: tuple[int, Verdict] | None = None
    """With the seat whose turn was judged."""
    due: tuple[Notice, ...] = ()
    troubles: tuple[Notice, ...] = ()
    winners: tuple[int, ...] = ()
    draw: str | None = None
    refused: Refusal | None = None


NOTHING_AROUND = Around()


def snapshot_of(
    state: State, t: float, wall: str, where: Position, around: Around = NOTHING_AROUND, *, names: bool = False
) -> Snapshot:
    """The state at the match time `t`, which is `wall` by the clock; `names`: whether players may be named."""
    players = tuple(seat.name for seat in state.seats)

    def hide_names(notices: Iterable[Notice]) -> tuple[Told, ...]:
        return tuple(Told.from_notice(one, players, hide=not names) for one in notices)

    phase, totals = state.phase, state.sheet.totals if state.sheet.players else (0,) * len(state.seats)
    rules = state.rules
    return Snapshot(
        epoch=where.epoch,
        seq=where.seq,
        match=where.match,
        wall=wall,
        phase=phase,
        cut=around.cut,
        rules=rules.name,
        title=rules.title,
        round=len(state.sheet.rounds) + (phase.in_round or phase in (Phase.LOBBY, Phase.BETWEEN)),
        rounds=state.rounds,
        players=tuple(
            Player(seat.name if names else None, points, seat.hand, seat.opened)
            for seat, points in zip(state.seats, totals, strict=True)
        ),
        current=state.current if phase.in_round else None,
        stock=state.stock if phase.in_round else None,
        table=format_table(state.table),
        clock=_clock(state, t),
        scores=tuple(line.scores for line in state.sheet.rounds),
        question=hide_names(around.question),
        verdict=_verdict(around, players, hide=not names),
        due=hide_names(around.due),
        troubles=hide_names(around.troubles),
        winners=around.winners,
        draw=around.draw,
        refused=_refusal_document(around.refused, players, hide=not names),
    )


def _clock(state: State, t: float) -> Clock | None:
    if not state.phase.has_clock:
        return None
    left = state.clock.remaining(t)
    return Clock(None if math.isinf(left) else round(left, 3), state.clock.running)


def _refusal_document(refusal: Refusal | None, players: tuple[str, ...], *, hide: bool) -> CommandRefused | None:
    if refusal is None:
        return None
    # Those who were to play sit at no seat: their names stand there as they are, or not at all.
    return CommandRefused(
        refusal.id, Told.from_notice(refusal.why, (refusal.players or players) if hide else (), hide=hide)
    )


def _verdict(around: Around, players: tuple[str, ...], *, hide: bool) -> VerdictTold | None:
    if around.verdict is None:
        return None
    seat, verdict = around.verdict
    faults = tuple(
        FaultTold(fault.kind.value, Told.from_notice(fault.notice, players, hide=hide)) for fault in verdict.faults
    )
    return VerdictTold(seat, verdict.accepted, format_set(verdict.laid), verdict.points, faults)
