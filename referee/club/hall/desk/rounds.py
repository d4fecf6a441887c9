"""The clock of the round and the rounds of the tournament. Pure.

1. If every round has the same time, the clock is set anew when a round is drawn, and starts when it begins.
2. Otherwise a clock that is over is removed when the next round is drawn: its time was that of the round before.
3. Once all tables of the round have a result, a clock that was started is removed: it was that of this round.
4. If a draw is undone, the clock that was set with it is removed, unless it was started.
5. At the end of the tournament the clock is removed, and the next one has no time before the director sets it.
6. What the director did to the clock stays: a clock that was removed does not start with the round, and one that was
   started early is not started again.
"""

from __future__ import annotations

from dataclasses import replace

from referee.club.hall.desk.state import DeskState, RoundNow, set_clock, start_clock
from referee.club.hall.tournaments.round_results import TournamentFacts


def round_now(facts: TournamentFacts) -> RoundNow | None:
    """Return how far the current tournament is; None if there is none."""
    hosted = facts.current
    if hosted is None:
        return None
    begun = hosted.last_round is not None and hosted.last_round.begun
    over = begun and all(table.points is not None for table in hosted.tournament.rounds[-1].tables)
    return RoundNow(hosted.slug, len(hosted.rounds), hosted.withdrawals, begun, hosted.tournament.ended, over)


def follow_round(state: DeskState, now: RoundNow | None, t: float) -> DeskState:
    """Return the state once the clock has followed the tournament; `t` is a moment of the monotonic clock."""
    before = state.round
    if now == before or now is None:
        return state
    state = replace(state, round=now)
    if before is None:  # the hall has just learnt of a tournament, which may have been under way for long
        return state
    if now.ended:
        return state if before.ended else replace(state, clock=None, every_round=0.0, every_warn=0.0)
    same = now.tournament == before.tournament
    if same and now.round < before.round:  # the draw is undone; the round before it does not begin again
        waits = state.clock is not None and not state.clock.started
        return replace(state, clock=None) if state.every_round and waits else state
    is_drawn = now.round > (before.round if same else 0)
    if is_drawn:
        state = _reset_clock(state, t)
    if same and now.round == before.round and now.over and not before.over:
        return replace(state, clock=None) if state.clock is not None and state.clock.started else state
    begins = now.begun and (is_drawn or not before.begun)
    return _start_with_round(state, t) if begins else state


def _reset_clock(state: DeskState, t: float) -> DeskState:
    if state.every_round:
        return set_clock(state.every_round, state.every_warn, each=True)(state, t)
    clock = state.clock
    return replace(state, clock=None) if clock is not None and clock.left_at(t) <= 0 else state


def _start_with_round(state: DeskState, t: float) -> DeskState:
    clock = state.clock
    if not state.every_round or clock is None or clock.started:
        return state
    return start_clock(state, t)
