"""After a press was taken back, nothing that it had led to stays in sight."""

import pytest
from match_driver import OPENING, Game
from page import looked_at
from test_what_stays_in_sight import Watched

from referee.game.match.events import Withdrawn


def turn(table, laid, look=None):
    """A turn as the loop tells it, step by step."""
    table.game.press()
    table.tell()
    table.follower.on_look(looked_at(look or laid or OPENING))
    table.game.see(laid)
    return table.tell()


def take_back(table, player=0):
    table.game.do(Withdrawn(player, table.game.t + 1.0))
    table.follower.on_taken_back()
    return table.tell()


@pytest.mark.parametrize("laid", ["", OPENING], ids=["a draw", "tiles that were laid"])
def test_a_turn_that_was_taken_back_leaves_no_verdict_and_no_draw(laid):
    table = turn(Watched(Game()), laid)
    assert table.part("verdict")["accepted"]
    assert bool(table.part("match")["draws_text"]) is (laid == "")
    take_back(table)
    assert table.part("verdict") is None
    told = table.part("match")
    assert (told["draws_text"], [player["draws"] for player in told["players"]]) == ("", [0, 0])
    assert {one["state"] for one in table.part("picture")["sets"]} == {"plain"}


def test_the_table_that_holds_again_is_the_one_before_the_turn():
    table = turn(Watched(Game()), OPENING)
    first = table.follower.facts.accepted.number
    turn(table, OPENING + " | K11 K12 K13 | Y2 Y3 Y4")
    turn(table, OPENING + " | K11 K12 K13 | Y2 Y3 Y4 | K1 K2 K3")
    assert table.follower.facts.accepted.number == first + 2
    take_back(table)
    assert table.follower.facts.accepted.number == first + 1


def test_a_press_taken_back_while_the_referee_looks_leaves_the_table_as_confirmed():
    table = turn(Watched(Game()), OPENING)
    accepted = table.follower.facts.accepted.number
    table.game.press()
    table.tell()
    take_back(table, player=1)
    assert table.follower.facts.accepted.number == accepted
