"""Whenever a match is ended, every part of the page can be shown, and none shows what was of that match."""

import json
from dataclasses import replace

import pytest
from match_driver import OPENING, Game
from page import looked_at

from referee.devices.panel.lights import Glow, Lights
from referee.game.doubt import Doubt, ReadRecord
from referee.game.match.events import Paused, Pressed
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.i18n.wording import Wording
from referee.page.broadcast import Broadcast
from referee.pages.table.parts import PARTS
from referee.table.output.audience import DisplayState
from referee.table.output.follower import Follower
from referee.table.session import Players

PLAYERS = Players(("Ann", "Ben"), (0, 1))


def shown(state):
    return DisplayState(state, Lights((Glow.ON, Glow.OFF)), PLAYERS, frozenset(), 0.0)


def steps(game):
    """Drive a match by one event a step, so that each of its effects is told."""
    yield game
    yield game.press()  # looking
    yield game.see("")  # drawn
    yield game.do(Paused(game.t))
    game = Game()
    yield game.press()
    yield game.see("R1 R2 | B3")  # refused
    yield game.press()
    yield game.see("R1 R2 R3", (Doubt("R3? (or R8)", ReadRecord(0, "red-3")),))  # asking
    game = Game(rules="rummikub")
    yield game.do(Pressed(0, 1.0)).see(OPENING)
    yield game.turn(f"{OPENING} | R1")
    game.t = game.state.clock.deadline
    yield game.time_up(f"{OPENING} | R1 R2")  # to be put right
    yield game.press()  # checking
    game = Game().opened().hands(6, 3)
    yield game.turn(OPENING)  # out, the other one shows a hand
    yield game.press()  # counting
    yield Game().opened().hands(6, 3).turn(OPENING).told("R1 R2 R3")  # over
    game = Game(rounds=2).opened().hands(6, 3)
    yield game.turn(OPENING).told("R1 R2 R3")  # between two rounds


class Ended:
    """As a game that was ended."""

    state, effects = new_match(Game().state.rules), ()


def told(follower, game):
    """What the loop tells of a step."""
    state = game.state
    follower.on_event(tuple(game.effects), state)
    follower.on_update(shown(state))
    return follower


def everything(follower):
    return {name: part.render(follower.facts, Wording("en")) for name, part in PARTS.items()}


def test_every_phase_is_reached():
    assert {game.state.phase for game in steps(Game())} >= {
        Phase.TURN, Phase.LOOKING, Phase.PAUSED, Phase.ASKING, Phase.PUTTING_RIGHT, Phase.CHECKING, Phase.SHOWING,
        Phase.COUNTING, Phase.BETWEEN, Phase.OVER,
    }  # fmt: skip


@pytest.mark.parametrize("looked", [False, True], ids=["without a picture", "after a look"])
def test_a_match_that_is_ended_in_any_phase_leaves_a_page_that_can_be_shown(looked):
    follower = Follower(lambda: None)
    fresh = everything(told(Follower(lambda: None), Ended()))
    for game in steps(Game()):
        told(follower, game)
        everything(follower)
        if looked:
            follower.on_look(looked_at("R1 R2 R3"))
        before = follower.facts
        follower.on_update(shown(new_match(game.state.rules)))
        parts = everything(follower)
        assert parts["match"]["draws_text"] == ""
        assert (parts["verdict"], parts["due"], parts["question"]) == (
            fresh["verdict"], fresh["due"], fresh["question"])  # fmt: skip
        follower.facts = before


def test_a_draw_told_before_the_players_are_known_breaks_nothing():
    follower = told(Follower(lambda: None), Game().press().see(""))
    assert follower.facts.draws is not None
    facts = replace(follower.facts, scene=shown(new_match(Game().state.rules)))
    assert PARTS["match"].render(facts, Wording("en"))["draws_text"] == ""


class Broken:
    """A part that fails: in its source, or while it is rendered."""

    def __init__(self, where):
        self.where, self.broken = where, True

    def source(self, facts):
        if self.broken and self.where == "source":
            raise IndexError("tuple index out of range")
        return facts.moves

    def render(self, facts, _words):
        if self.broken:
            raise IndexError("tuple index out of range")
        return {"moves": facts.moves}


@pytest.mark.parametrize("where", ["source", "render"])
def test_a_part_that_fails_says_so_and_the_others_go_on(where, capsys):
    part = Broken(where)
    follower = Follower(lambda: None)
    broadcast = Broadcast("start", lambda: 0.0, parts=lambda _: {**PARTS, "broken": part}, facts=follower.facts)
    for moves in (True, False):
        follower.show_movement(moves)
        broadcast.publish(follower.facts)
        sent = json.loads(broadcast.message(0, "de").split("data: ")[1])["parts"]
        assert sent["broken"] == {"failed": "Ein Teil dieser Seite kann nicht angezeigt werden. Das Spiel geht "
                                            "weiter; lade die Seite neu."}  # fmt: skip
        assert sent["live"]["moves"] is False
    assert capsys.readouterr().err.count("Traceback") == 1
    part.broken = False
    follower.show_movement(True)
    broadcast.publish(follower.facts)
    assert json.loads(broadcast.message(0, "de").split("data: ")[1])["parts"]["broken"] == {"moves": True}
