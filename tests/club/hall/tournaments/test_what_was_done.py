"""What the director is told of a command that was done: every command has its own sentence."""

import re
from pathlib import Path

import pytest
from hosting import Hosting

from referee.club.tournament.events import CheckedIn, Entered, Left
from referee.i18n import ENGLISH
from referee.pages.hall import desk_commands, league_commands, ruling_commands, tournament_commands
from referee.pages.hall.seatless import told_of_gone, told_of_seats

TEMPLATES = Path(tournament_commands.__file__).parent / "templates"
COMMANDS = [
    *tournament_commands.COMMANDS,
    *ruling_commands.COMMANDS,
    *desk_commands.COMMANDS,
    *league_commands.COMMANDS,
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_own_answer(command):
    text = (TEMPLATES / "answer_line.html").read_text(encoding="utf-8")
    found = re.findall(rf'data-{command}="\{{\{{ t\(.([a-z_.]+)', text)
    assert len(found) == 1, command


def drawn(players=8, **rules):
    """A tournament whose last player but one came too late for the draw of round 1."""
    hosting = Hosting(players, **rules)
    hosting.do(Entered("Sven", 1.0))
    hosting.draw()
    return hosting


def sentences(told):
    return [ENGLISH(one) for one in told]


def test_whoever_checks_in_after_the_draw_is_said_to_have_no_seat():
    hosting = drawn()
    assert sentences(told_of_seats(hosting.now.tournament, [9])) == [
        "Sven has no seat in round 1, because it is drawn already: undo the draw and draw again, "
        "or swap Sven with somebody who has a seat."
    ]


def test_a_bye_and_the_seat_of_somebody_who_has_left_are_offered():
    hosting = drawn(5, smallest=2, largest=2)
    bye = hosting.now.tournament.players[hosting.drawn.byes[0] - 1].name
    left = hosting.drawn.tables[0].players[0]
    hosting.do(Left(left, 3.0))
    assert sentences(told_of_seats(hosting.now.tournament, [6]))[1:] == [
        f"{bye} has a bye; whoever swaps there gets it.",
        f"Player {left} is not here and still has a seat: swap there.",
    ]


def test_whoever_comes_back_to_their_seat_has_one():
    hosting = drawn()
    hosting.do(Left(1, 3.0))
    assert sentences(told_of_gone(hosting.now.tournament, 1)) == [
        "Player 1 still has a seat in round 1: undo the draw and draw again, or swap."
    ]
    assert told_of_seats(hosting.now.tournament, [1]) == ()


def test_once_the_round_has_begun_the_next_draw_seats_them():
    hosting = drawn()
    hosting.begin()
    assert sentences(told_of_seats(hosting.now.tournament, [9])) == [
        "Round 1 is under way: Sven gets a seat in the next draw."
    ]
    assert told_of_gone(hosting.now.tournament, 1) == ()


def test_before_any_draw_nothing_more_is_told():
    hosting = Hosting(4)
    hosting.do(Entered("Sven", 1.0))
    assert told_of_seats(hosting.now.tournament, [5]) == ()
    hosting.do(CheckedIn(5, 1.0))
    assert told_of_gone(hosting.now.tournament, 5) == ()
