"""While it is chosen who begins, headline, buttons and start say so, in the lobby and between two rounds."""

import pytest
from match_driver import OPENING, Game

from referee.devices.panel.lights import Glow, Lights
from referee.devices.wiring.pins import EVERYONE, PAUSE
from referee.game.match.machine import new_match
from referee.i18n.wording import Wording
from referee.pages.table.parts import PARTS
from referee.table.output.audience import Choosing, DisplayState, Way
from referee.table.output.follower import Facts
from referee.table.session import Players

PLAYERS = Players(("Ann", "Ben", "Cleo"), (0, 1))
BLINKING = {0: Glow.BLINK, 1: Glow.BLINK}


def between():
    return Game(rounds=2).opened().hands(6, 3).turn(OPENING).told("R1 R2 R3").state


STATES = [pytest.param(new_match(Game().state.rules), id="lobby"), pytest.param(between(), id="between rounds")]


def page(state, choosing, contacts=("player-1", "player-2", "player-3", PAUSE), language="en"):
    scene = DisplayState(state, Lights(()), PLAYERS, frozenset({0, 1}), 0.0, choosing=choosing)
    facts = Facts(scene=scene, contacts=contacts, touchable=True)
    words = Wording(language)
    parts = {name: PARTS[name].render(facts, words) for name in ("live", "buttons")}
    sources = {name: PARTS[name].source(facts) for name in parts}
    says = {button["button"]: button["says"] for button in parts["buttons"]["buttons"]}
    return parts["live"]["text"], says, parts["buttons"], sources


@pytest.mark.parametrize("state", STATES)
def test_whoever_begins_presses_and_start_cancels(state):
    text, says, buttons, _ = page(state, Choosing(Way.PRESS, BLINKING))
    assert text == "Who goes first? That player presses first."
    assert (says["player-1"], says["player-2"], says.get("player-3", "")) == ("I go first", "I go first", "")
    assert (buttons["start"]["says"], buttons["start"]["now"]) == ("Cancel", True)


@pytest.mark.parametrize("state", STATES)
def test_while_the_lot_is_drawn_no_button_does_anything(state):
    text, says, buttons, _ = page(state, Choosing(Way.LOT, {1: Glow.ON}))
    assert text == "The referee draws lots to decide who begins."
    assert set(says.values()) == {""}
    assert buttons["start"]["now"] is False


@pytest.mark.parametrize(
    ("held", "contacts", "text", "says"),
    [
        (False, (EVERYONE, PAUSE), "Does Ben begin? Press for yes, or press start for the next one.", "Yes"),
        (True, (EVERYONE,), "Does Ben begin? Hold for yes, or tap for the next one.", "Next player"),
    ],
    ids=["with start", "without"],
)
def test_one_button_for_all_asks_about_one_after_the_other(held, contacts, text, says):
    choosing = Choosing(Way.ASK, {1: Glow.BLINK}, "Ben", held)
    shown, buttons_say, buttons, _ = page(new_match(Game().state.rules), choosing, contacts)
    assert (shown, buttons_say[EVERYONE]) == (text, says)
    assert buttons["hold"].startswith("Hold: yes") is held
    assert (buttons["start"] is None) is held


def test_screens_are_told_when_the_choice_begins_and_ends():
    state = new_match(Game().state.rules)
    *_, before = page(state, None)
    *_, while_choosing = page(state, Choosing(Way.PRESS, BLINKING))
    assert all(before[name] != while_choosing[name] for name in before)


def test_no_page_offers_to_start_a_match_that_is_being_begun():
    def setup(choosing):
        state = new_match(Game().state.rules)
        facts = Facts(scene=DisplayState(state, Lights(()), PLAYERS, frozenset(), 0.0, choosing=choosing))
        return PARTS["setup"].render(facts, Wording("en")), PARTS["setup"].source(facts)

    (before, source), (choosing, then) = setup(None), setup(Choosing(Way.PRESS, BLINKING))
    assert [before["lobby"], before["choosing"], choosing["lobby"], choosing["choosing"]] == [True, False, True, True]
    assert source != then


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_it_is_said_in_every_language(language):
    text, says, buttons, _ = page(new_match(Game().state.rules), Choosing(Way.PRESS, BLINKING), language=language)
    assert all([text, says["player-1"], buttons["start"]["says"]])
