"""The match: who plays, whose turn it is, the hands, the lamps and the turn clock.

The clock is sent only when it changes; each screen counts down by itself.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

from referee.devices.panel.lights import Glow
from referee.game.clock import WARNINGS
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.pages.table.parts.brief import brief
from referee.table.output.follower import Facts


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    if scene is None:
        return None
    state = scene.state
    told = (
        state.phase,
        state.seats,
        state.current,
        state.stock,
        state.sheet,
        state.rules,
        state.rounds,
        state.aside,
        state.closing,
    )
    return told, scene.players, scene.joined, scene.cut, facts.draws, facts.winners, _match_number(facts)


def render(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return the match: phase, book, players in the order of the seats, stock, rounds."""
    scene = facts.scene
    if scene is None:
        return {"phase": "starting", "players": [], "buttons": [], "text": "", "facts": [], "leader_text": "",
                "leaders_text": ""}  # fmt: skip
    state = scene.state
    totals = state.sheet.totals if state.sheet.players else (0,) * len(state.seats)
    buttons = scene.players.buttons
    draws = dict([facts.draws]) if facts.draws is not None else {}
    places = _places(totals, highest_wins=state.rules.scoring.highest_wins)
    players = [
        {
            "name": seat.name,
            "button": buttons[number] if number < len(buttons) else number,
            "hand": seat.tiles_left,
            "hand_text": words(Notice("page.hand", tiles=seat.tiles_left)),
            "total_text": words(Notice("page.points", points=totals[number] if number < len(totals) else 0)),
            "opened": seat.opened,
            "bank_text": _bank_text(state, number, words),
            "total": totals[number] if number < len(totals) else 0,
            "turn": number == state.current and state.phase.in_round,
            "draws": draws.get(number, 0),
            "won": number in facts.winners,
            "place": places[number],
        }
        for number, seat in enumerate(state.seats)
    ]
    rounds = len(state.sheet.rounds)
    return {
        "phase": state.phase.value,
        "cut": scene.cut,
        "book": state.rules.title,
        "rules": state.rules.name,
        "gin": state.rules.knocking is not None,
        "players": players,
        "buttons": [
            {"name": name, "button": button, "joined": button in scene.joined}
            for button, name in enumerate(scene.players.names)
        ],
        "stock": state.stock if state.phase.in_round else None,
        "text": _text(state, words),
        "facts": [words(told) for told in _round_and_stock(state)],
        "leader_text": _leader_text(state, words),
        "leaders_text": _leaders_text(state, words),
        "won_text": _won_text(facts, state, words),
        "brief": [words(told) for told in brief(state.rules, len(scene.joined))] if state.phase is Phase.LOBBY else [],
        "draws_text": _draws_text(facts, state, words),
        "round": rounds + (state.phase.in_round or state.phase is Phase.LOBBY),
        "rounds": state.rounds,
        "sheet": [list(line.scores) for line in state.sheet.rounds],
        "turn": turn_of(facts),
        "number": _match_number(facts),
    }


def _bank_text(state: State, number: int, words: Wording) -> str:
    """Return what is left of a player's time for the round; empty without, and while the clock itself shows it."""
    bank = state.seats[number].bank
    if bank is None or not state.phase.in_round or (number == state.current and state.phase.has_clock):
        return ""
    seconds = math.ceil(bank - 0.001)
    return words(Notice("page.time_left", seconds=f"{seconds // 60}:{seconds % 60:02d}"))


def _match_number(facts: Facts) -> int | None:
    """Return the number of the match in the journal; None if it is not kept there, or not yet."""
    place = None if facts.scene is None else facts.scene.place
    return None if place is None else place[0]


def _text(state: State, words: Wording) -> str:
    """Return book, round and stock in one line."""
    return " · ".join([state.rules.title, *(words(told) for told in _round_and_stock(state))])


def _round_and_stock(state: State) -> Iterator[Notice]:
    """Yield which round it is, and how many tiles are in the stock, as far as there are any."""
    if state.phase.in_match and state.rules.knocking is None:
        number = len(state.sheet.rounds) + state.phase.in_round
        yield Notice("page.round_of", number=number, rounds=state.rounds)
        if state.rules.match_minutes is not None:
            minutes = state.rules.match_minutes
            yield Notice("page.last_round") if state.closing else Notice("page.match_time", minutes=minutes)
    if state.phase.in_round:
        yield Notice("page.stock", tiles=state.stock)


def _places(totals: Sequence[int], *, highest_wins: bool) -> list[int]:
    """Return the place of each player, from 1; players with equal points share one."""
    better = operator.gt if highest_wins else operator.lt
    return [1 + sum(better(other, total) for other in totals) for total in totals]


def _leader_text(state: State, words: Wording) -> str:
    """Return who is in the lead; an empty text if nobody is."""
    leaders = _leaders(state)
    names = tuple(state.seats[seat].name for seat in leaders)
    return words(Notice("page.in_the_lead", players=names, points=state.sheet.totals[leaders[0]])) if names else ""


def _leaders_text(state: State, words: Wording) -> str:
    """Return how many share the lead, for where there is no room for their names; an empty text unless several do."""
    leaders = _leaders(state)
    if len(leaders) < 2:
        return ""
    return words(Notice("page.share_the_lead", players=len(leaders), points=state.sheet.totals[leaders[0]]))


def _leaders(state: State) -> tuple[int, ...]:
    """Return the seats in the lead; none before the first round is scored, and while all have equal points."""
    sheet = state.sheet
    if not state.phase.in_match or not sheet.rounds or len(set(sheet.totals)) == 1:
        return ()
    return tuple(sheet.leaders(state.rules))


def _won_text(facts: Facts, state: State, words: Wording) -> str:
    """Return who has won the match; an empty text if nobody has."""
    names = tuple(seat.name for number, seat in enumerate(state.seats) if number in facts.winners)
    return words(Notice("page.wins", players=names)) if names else ""


def _draws_text(facts: Facts, state: State, words: Wording) -> str:
    """Return who draws and how many tiles; an empty text if nobody draws."""
    if facts.draws is None:
        return ""
    player, number = facts.draws
    if player >= len(state.seats):  # of another match, whose players are not in this scene
        return ""
    return words(Notice("play.draws", player=state.seats[player].name, number=number))


def turn_of(facts: Facts) -> str:
    """Return a text that distinguishes a turn from others, so that stale commands are recognised."""
    scene = facts.scene
    if scene is None:
        return ""
    state = scene.state
    return f"{len(state.sheet.rounds)}.{state.current}.{state.phase.value}"


def lamps_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return None if facts.scene is None else tuple(facts.scene.lights.by_name())


def lamps(facts: Facts, _: Wording) -> dict[str, str]:
    """Return how each lamp glows, without those that are off; the lamps of players are named by button."""
    if facts.scene is None:
        return {}
    return {name: glow.value for name, glow in facts.scene.lights.by_name() if glow is not Glow.OFF}


def clock_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    return None if scene is None else (scene.state.clock, scene.state.phase.has_clock, scene.zero)


def clock(facts: Facts, _: Wording) -> dict[str, Any] | None:
    """Return the clock; `ends_at` is a time of the server's clock in seconds, None while the turn clock is stopped."""
    scene = facts.scene
    if scene is None or not scene.state.phase.has_clock:
        return None
    turn = scene.state.clock
    left = turn.seconds_left(turn.since if turn.since is not None else 0.0)
    if math.isinf(left):
        return {"limit": None, "left": None, "ends_at": None, "running": turn.is_running, "warnings": []}
    ends = turn.deadline
    return {
        "limit": (turn.seconds or 0.0) + turn.free,
        "left": round(left, 3),
        "ends_at": None if ends is None else round(ends + scene.zero, 3),
        "running": turn.is_running,
        "warnings": list(WARNINGS),
    }
