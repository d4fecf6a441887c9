"""Makes documents from matches: the facts of an event from the states before and after it, and the snapshot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.club.protocol.documents import Clock, CommandRefused, Player, Snapshot, VerdictTold
from referee.club.protocol.facts import (
    Answered,
    Asked,
    Fact,
    FaultTold,
    HasPaused,
    HasResumed,
    MatchEnded,
    MatchStarted,
    Outcome,
    PutRightTold,
    RoundCorrected,
    RoundHasStarted,
    RoundOver,
    TakenBack,
    TimeRanOut,
    TurnJudged,
)
from referee.club.protocol.told import Told
from referee.game.judge.verdict import Verdict
from referee.game.match import events
from referee.game.match.events import Ask, DrawTile, Effect, MatchOver, PutRight, Say, ScoreRound, Show, Sound, Tone
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notation import format_set, format_table
from referee.game.notice import Notice


def facts_of(
    before: State,
    event: events.Event,
    after: State,
    effects: tuple[Effect, ...],
    *,
    names: bool = False,
    draw: str | None = None,
) -> tuple[Fact, ...]:
    """Return the facts of an event, in the order of its effects.

    `names`: whether the facts may contain the names of players. `draw`: the draw that the match belongs to.
    """
    maker = _Maker(before, event, after, effects, names, draw)
    return (*maker.of_event(), *maker.of_effects())


class _Maker:
    def __init__(
        self,
        before: State,
        event: events.Event,
        after: State,
        effects: tuple[Effect, ...],
        names: bool,
        draw: str | None,
    ) -> None:
        self._before, self._event, self._after, self._effects = before, event, after, effects
        self._names, self._draw = names, draw
        self._players = tuple(seat.name for seat in after.seats)

    def of_event(self) -> Iterator[Fact]:
        """Yield the facts that follow from the event itself."""
        before, after = self._before, self._after
        match self._event:
            case events.Started(players=players, rounds=rounds):
                named = players if self._names else (None,) * len(players)
                yield MatchStarted(after.rules.name, named, rounds, self._draw)
                yield RoundHasStarted(1, after.first)
            case events.RoundStarted():
                yield RoundHasStarted(len(after.sheet.rounds) + 1, after.first)
            case events.Withdrawn(player=player):
                yield TakenBack(player)
            case events.Settled(player=player, word=word):
                yield Answered(player, None if word.tile is None else word.tile.name)
            case events.Paused():
                yield HasPaused()
            case events.Resumed():
                yield HasResumed()
            case events.Corrected(round=number, who=who, why=why):
                yield self._correction_fact(number, who, why)
        if before.phase is Phase.TURN and after.phase is Phase.TIME_UP:
            yield TimeRanOut(before.current)

    def _correction_fact(self, number: int, who: str, why: str) -> RoundCorrected:
        sheet = self._after.sheet
        scores = self._before.sheet.rounds[number - 1].scores, sheet.rounds[number - 1].scores
        told = (who or None, why or None) if self._names else (None, None)
        return RoundCorrected(number, *scores, sheet.totals, self._after.phase is Phase.OVER, *told)

    def of_effects(self) -> Iterator[Fact]:
        """Yield the facts that follow from the effects."""
        yield from self._turns()
        for effect in self._effects:
            match effect:
                case Ask(doubts):
                    yield Asked(self._after.current, self._all(doubt.notice for doubt in doubts))
                case PutRight(player, _, steps):
                    yield PutRightTold(player, self._all(steps))
                case ScoreRound(score, number) if not isinstance(self._event, events.Corrected):
                    totals = self._after.sheet.totals
                    yield RoundOver(number, score.winner, score.scores, score.hands, score.ending.value, totals)
                case MatchOver(winners, totals):
                    yield MatchEnded(winners, totals)

    def _turns(self) -> Iterator[Fact]:
        before, after, seat = self._before, self._after, self._before.current
        shown = [effect.verdict for effect in self._effects if isinstance(effect, Show)]
        draws = sum(effect.count for effect in self._effects if isinstance(effect, DrawTile))
        for verdict in shown:
            laid, faults = format_set(verdict.laid), self._faults(verdict)
            taken = draws if verdict.accepted else 0
            yield TurnJudged(seat, self._outcome(verdict, draws), laid, verdict.points, taken, faults, after.current)
        sounds = [effect.sound for effect in self._effects if isinstance(effect, Tone)]
        if not shown and Sound.REFUSED in sounds:
            said = [effect.notice for effect in self._effects if isinstance(effect, Say)]
            faults = tuple(FaultTold(None, Told.from_notice(one, self._players, hide=not self._names)) for one in said)
            yield TurnJudged(seat, Outcome.REFUSED, faults=faults, current=after.current)
        elif not shown and Sound.ACCEPTED in sounds:
            yield TurnJudged(seat, Outcome.ACCEPTED, current=after.current)
        late = before.phase in (Phase.CHECKING, Phase.TIME_UP) and not after.phase.ends_turn
        open_still = after.phase in (Phase.CHECKING, Phase.TIME_UP, Phase.PUTTING_RIGHT)
        accepted = any(verdict.accepted for verdict in shown)
        if late and not open_still and not accepted and isinstance(self._event, events.Seen):
            yield TurnJudged(seat, Outcome.TIME_UP, draws=draws, current=after.current)

    def _outcome(self, verdict: Verdict, draws: int) -> Outcome:
        if isinstance(self._event, events.Agreed):
            return Outcome.AGREED
        if not verdict.accepted:
            return Outcome.REFUSED
        if verdict.laid:
            return Outcome.ACCEPTED
        return Outcome.DRAWN if draws else Outcome.PASSED

    def _faults(self, verdict: Verdict) -> tuple[FaultTold, ...]:
        hide = not self._names
        return tuple(
            FaultTold(fault.kind.value, Told.from_notice(fault.notice, self._players, hide=hide))
            for fault in verdict.faults
        )

    def _all(self, told: Iterable[Notice]) -> tuple[Told, ...]:
        return tuple(Told.from_notice(one, self._players, hide=not self._names) for one in told)


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a state in the outbox: after the event `seq` of `epoch`; the state belongs to `match`."""

    epoch: str
    seq: int = 0
    match: int | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The id of a refused command, and the reason; `players` are the names in the command, which `why` may contain."""

    id: str
    why: Notice
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """What a snapshot contains besides the state of the match."""

    cut: bool = False
    question: tuple[Notice, ...] = ()
    verdict: tuple[int, Verdict] | None = None
    """The seat whose turn was judged, and the verdict."""
    due: tuple[Notice, ...] = ()
    troubles: tuple[Notice, ...] = ()
    winners: tuple[int, ...] = ()
    draw: str | None = None
    refused: Refusal | None = None


NOTHING_AROUND = Around()


def snapshot_of(
    state: State, t: float, wall: str, where: Position, around: Around = NOTHING_AROUND, *, names: bool = False
) -> Snapshot:
    """Return the state at the match time `t` as a document.

    `wall`: the time of day at `t`. `names`: whether the document may contain the names of players.
    """
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
            Player(seat.name if names else None, points, seat.tiles_left, seat.opened)
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
    left = state.clock.seconds_left(t)
    return Clock(None if math.isinf(left) else round(left, 3), state.clock.is_running)


def _refusal_document(refusal: Refusal | None, players: tuple[str, ...], *, hide: bool) -> CommandRefused | None:
    if refusal is None:
        return None
    # The players of a refused draw have no seats here, so their names are kept as they are, or hidden.
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
