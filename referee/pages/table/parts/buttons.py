"""The panel's buttons, with what a press of each would do now, and the tune that the panel plays."""

from __future__ import annotations

from typing import Any

from referee.devices.wiring.pins import EVERYONE, PAUSE
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.output.audience import Choosing, DisplayState, Way
from referee.table.output.follower import Facts

_SAYS = {
    Phase.TURN: "buttons.end_turn",
    Phase.ASKING: "buttons.look_again",
    Phase.PUTTING_RIGHT: "buttons.put_right",
    Phase.SHOWING: "buttons.hand_shown",
}
"""What the button of the player whose turn it is does, by phase."""
_START_CHOOSES = {Way.LOT: None, Way.PRESS: "buttons.cancel", Way.ASK: "buttons.next_player"}
"""What start does while it is being decided who begins."""
_START_SAYS = {
    Phase.LOBBY: "buttons.start",
    Phase.BETWEEN: "buttons.next_round",
    Phase.TURN: "buttons.pause",
    Phase.PAUSED: "buttons.go_on",
    Phase.OVER: "buttons.next_match",
}


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    if scene is None:
        return facts.contacts, facts.touchable, _why_off(facts)
    state = scene.state
    seats = tuple(seat.name for seat in state.seats)
    told = state.phase, state.current, seats, state.rules.knocking is None, scene.joined, scene.players, scene.choosing
    return facts.contacts, facts.touchable, _why_off(facts), told


def render(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return every button with its name, what a press does and its lamp, and whether the page may press them."""
    scene = facts.scene
    if scene is None:
        return {"touch": False, "off": words(_why_off(facts)), "buttons": [], "start": None, "hold": ""}
    state = scene.state
    players = [name for name in facts.contacts if name != PAUSE]
    known = [_button(name, number, scene, words) for number, name in enumerate(players)]
    starts = _START_SAYS.get(state.phase) if scene.choosing is None else _START_CHOOSES[scene.choosing.way]
    hold = "buttons.hold" if state.rules.knocking is None else "buttons.hold_gin"
    if scene.choosing is not None and scene.choosing.held:
        hold = "buttons.hold_begins"
    return {
        "touch": facts.touchable,
        "off": words(_why_off(facts)),
        "buttons": [button for button in known if button is not None],
        "start": None
        if PAUSE not in facts.contacts
        else {"button": PAUSE, "says": words(Notice(starts or "buttons.start_later")), "now": starts is not None},
        "hold": words(Notice(hold)),
    }


def _why_off(facts: Facts) -> Notice:
    """Return why the buttons may not be pressed on the page, if that is so."""
    virtual = facts.setup.values.get("camera.kind") == "virtual"
    return Notice("buttons.virtual" if virtual else "buttons.switched_off")


def _button(contact: str, number: int, scene: DisplayState, words: Wording) -> dict[str, Any] | None:
    """Return one button; None if it belongs to no player."""
    state, names = scene.state, scene.players.names
    if contact == EVERYONE:
        seat, button = state.current if state.seats else None, scene.players.buttons[state.current : state.current + 1]
        name, lamp = words(Notice("buttons.everybody")), f"player-{button[0] + 1}" if button else ""
    elif number < len(names):
        seat, name, lamp = scene.players.seat(number), names[number], f"player-{number + 1}"
    else:
        return None
    if scene.choosing is not None:
        says = _says_while_choosing(scene.choosing, contact, number)
    elif state.phase is Phase.LOBBY:
        says = "buttons.sits" if number in scene.joined else "buttons.sit_down"
        says = "" if contact == EVERYONE else says
    elif seat is None and state.phase is not Phase.BETWEEN:
        return None
    else:
        says = _SAYS.get(state.phase, "") if seat == state.current else ""
    turn = seat is not None and seat == state.current and state.phase.in_round
    return {
        "button": contact,
        "name": name,
        "who": state.seats[state.current].name if contact == EVERYONE and turn else "",
        "says": words(Notice(says)) if says else "",
        "lamp": lamp,
        "turn": turn,
    }


def _says_while_choosing(choosing: Choosing, contact: str, number: int) -> str:
    """Return the key of what a button does while it is being decided who begins; empty if it does nothing."""
    match choosing.way:
        case Way.PRESS:
            return "buttons.begin" if number in choosing.glows else ""
        case Way.ASK if contact == EVERYONE:
            return "buttons.next_player" if choosing.held else "buttons.yes"
        case _:
            return ""


def tune_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.sounded


def tune(facts: Facts, _: Wording) -> dict[str, Any] | None:
    """Return the last tune: its notes in hertz (null for silence) and seconds, and its start by the server's clock."""
    played = facts.sounded
    if played is None:
        return None
    return {"n": played.number, "at": round(played.t, 3), "notes": [list(note) for note in played.tune]}
