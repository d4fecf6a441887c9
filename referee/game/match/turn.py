"""The outcome of a look after a turn: accepted, refused, in question, or to be put right when time is up.

What players have said about single tiles (`Word`) is kept in the state, one word for each place, until the round ends.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from referee.errors import BadInput
from referee.game.judge.jokers.values import change_by
from referee.game.judge.judge import judge
from referee.game.judge.time_up import Consequence, consequence, steps_to
from referee.game.judge.verdict import Verdict
from referee.game.match.events import (
    About,
    Effect,
    Insisted,
    Lamp,
    Light,
    OutOfOrder,
    Pressed,
    PutRight,
    Say,
    Seen,
    Settled,
    Show,
    Sound,
    TakeLook,
    Tone,
    Word,
)
from referee.game.match.phases import Phase
from referee.game.match.round import draw_and_go_on, finish_turn, may_go_on
from referee.game.match.rummy_call import as_called, ask_about
from referee.game.match.state import State, Transition, without_aside
from referee.game.notice import Notice
from referee.game.table import Change, Table, in_order
from referee.game.tiles import Tile

PLACE_MM = 10.0
"""Two words about places nearer than this are about the same tile, and the later one holds. Tiles are 26 mm wide, so
two tiles cannot be so close; places are read to a few millimetres."""


def settle(state: State, event: Settled) -> Transition:
    """Keep what a player has said that a tile is; raises OutOfOrder if no round is under way."""
    if not state.phase.in_round:
        raise OutOfOrder(f"expected a round under way, got Settled (phase {state.phase})")
    if event.player is not None and not 0 <= event.player < len(state.seats):
        raise BadInput(f"expected a seat at the table, got {event.player}")
    others = tuple(word for word in state.words if not same_place(word, event.word))
    return replace(state, words=(*others, event.word)), (Say(_settled_notice(state, event)),)


def _settled_notice(state: State, event: Settled) -> Notice:
    tile = event.word.tile
    if event.player is None:
        return _anonymous_notice(event.word)
    name = state.seats[event.player].name
    if tile is None:
        return Notice("match.told_nothing" if event.by == "page" else "match.told_face_down", player=name)
    unseen = event.word.about is About.UNSEEN
    return Notice("match.told_unseen" if unseen else "match.told_tile", player=name, tile=tile)


def _anonymous_notice(word: Word) -> Notice:
    """Return the notice if it is not known who said it, which is possible on the page only."""
    if word.tile is None:
        return Notice("match.told_nothing_on_page")
    key = "match.told_unseen_on_page" if word.about is About.UNSEEN else "match.told_tile_on_page"
    return Notice(key, tile=word.tile)


def same_place(word: Word, other: Word) -> bool:
    """Return whether two words are about the same place."""
    return math.hypot(word.x_mm - other.x_mm, word.y_mm - other.y_mm) < PLACE_MM


def judge_look(state: State, event: Seen) -> Transition:
    """Handle the look after a press: the turn ends, or continues with the clock where it stopped."""
    if state.called and as_called(state, event.table) is not None:
        return ask_about(state, event.table)
    return _apply_verdict(state, event, judge(state.table, event.table, state.turn, state.rules))


def end_turn_despite_call(state: State, event: Pressed) -> Transition:
    """End a turn in which "Rummy!" was called like any other: the player accepts that by the count, tiles are left."""
    table = state.in_question or ()
    return _apply_verdict(state, Seen(table, event.t), judge(state.table, table, state.turn, state.rules))


def insist(state: State, event: Insisted) -> Transition:
    """Believe the player against the count; raises OutOfOrder if no tiles of that player are in question."""
    if state.in_question is None or event.player != state.current:
        raise OutOfOrder(f"expected the player whose tiles are in question, got Insisted (phase {state.phase})")
    if state.phase is Phase.SHOWING:
        # Look again, since tiles that were laid down meanwhile count as well.
        looking = replace(state, phase=Phase.COUNTING, called=True, in_question=None)
        return looking, (Lamp(event.player, Light.LOOKING), TakeLook())
    told, seen = as_called(state, state.in_question) or state, Seen(state.in_question, event.t)
    return _apply_verdict(told, seen, judge(told.table, seen.table, told.turn, told.rules))


def judge_after_time_up(state: State, event: Seen) -> Transition:
    """Handle the look after time was up: a legal table still counts; otherwise something must be put right."""
    verdict = judge(state.table, event.table, state.turn, state.rules)
    if verdict.accepted:
        return _accept(state, event, verdict)
    due = consequence(state.table, event.table, state.turn, state.rules)
    due, state = replace(due, seen=without_aside(state, event.table)), replace(state, refused=True)
    if due.missing:
        # The player must know about tiles that are missing, and confirm with a press.
        put_right = PutRight(state.current, due.target, due.steps)
        state = replace(state, due=due, phase=Phase.PUTTING_RIGHT)
        return state, (*_refusal(state, verdict), put_right)
    state, effects = check_after_time_up(replace(state, due=due), event)
    return state, (*_refusal(state, verdict), *effects)


def check_after_time_up(state: State, event: Seen) -> Transition:
    """Check whether the table lies as required after time was up; only then the next turn begins."""
    due = state.due
    if due is None:
        raise OutOfOrder(f"expected something to put right, got Seen (phase {state.phase})")
    table = without_aside(state, event.table)
    if _is_put_back(due, table):
        return judge_after_time_up(replace(state, phase=Phase.TIME_UP, due=None), event)
    if not change_by(state.rules, table, due.target).nothing:
        steps = steps_to(table, due.target, due.aside if table == event.table else None, state.rules)
        put_right = PutRight(state.current, due.target, steps)
        return replace(state, phase=Phase.PUTTING_RIGHT), (put_right,)
    # A tile drawn earlier in this turn counts as the one drawn for laying nothing.
    return finish_turn(state, table, event.t, draws=max(0, due.draws - state.drew), opens=due.opens)


def _is_put_back(due: Consequence, table: Table) -> bool:
    """Return whether tiles that were missing when time was up have been put back, and nothing else has changed."""
    change, found = Change.between(due.seen, table), Counter[Tile]()
    rest = []
    for _, tiles in change.new:
        kept = Counter(tiles) - (change.laid - found)
        found += Counter(tiles) - kept
        rest.append(in_order(kept.elements()))
    put_back = bool(found) and found <= Counter(due.missing)
    return put_back and Counter(filter(None, rest)) == Counter(map(in_order, change.old))


def _apply_verdict(state: State, event: Seen, verdict: Verdict) -> Transition:
    if not verdict.accepted:
        effects = (*_refusal(state, verdict), *(Say(fault.notice) for fault in verdict.told_faults))
        clock = state.clock.start(event.t)
        state = replace(state, phase=Phase.TURN, clock=clock, called=False, in_question=None, refused=True)
        return state, effects
    if verdict.laid or not may_go_on(state):
        return _accept(state, event, verdict)
    after, effects = draw_and_go_on(replace(state, called=False), event.table, event.t)
    return after, (*_acceptance(state, verdict), *effects)


def _accept(state: State, event: Seen, verdict: Verdict) -> Transition:
    draws = 0 if verdict.laid or state.drew else 1
    after, effects = finish_turn(state, event.table, event.t, draws=draws, opens=verdict.opens)
    return after, (*_acceptance(state, verdict), *effects)


def _acceptance(state: State, verdict: Verdict) -> tuple[Effect, ...]:
    return Lamp(state.current, Light.ACCEPTED), Tone(Sound.ACCEPTED), Show(verdict)


def _refusal(state: State, verdict: Verdict) -> tuple[Effect, ...]:
    return Lamp(state.current, Light.REFUSED), Tone(Sound.REFUSED), Show(verdict)
