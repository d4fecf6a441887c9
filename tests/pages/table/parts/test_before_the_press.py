"""Which pictures from before a press the page keeps, what it tells of them, and when it deletes them."""

from dataclasses import replace

import pytest
from match_driver import OPENING, Game
from page import looked_at, pictures_before
from test_what_stays_in_sight import Watched

from referee.game.match.events import Withdrawn
from referee.i18n import LANGUAGES, Wording
from referee.pages.table.parts import before

REFUSED = "R10 R11 K12"


@pytest.fixture(scope="module")
def pictures():
    return pictures_before(("", REFUSED, REFUSED))


def look(follower, pictures, table=REFUSED):
    follower.on_look(looked_at(table))
    follower.on_before(pictures)


@pytest.fixture
def table(pictures):
    """A refused turn."""
    made = Watched(Game())
    made.game.press()
    made.tell()
    look(made.follower, pictures)
    made.game.see(REFUSED)
    return made.tell()


def test_each_picture_tells_when_it_was_taken_and_what_had_changed(table):
    told = table.part("before")
    assert told["look"] == table.follower.facts.seen.number
    assert [one["when"] for one in told["pictures"]] == [
        "6 seconds before the press", "4 seconds before the press", "2 seconds before the press",
    ]  # fmt: skip
    assert [one["changed"] for one in told["pictures"]] == ["", "something changed in 1 place", "nothing changed"]
    assert [len(one["areas"]) for one in told["pictures"]] == [0, 1, 0]
    assert all(0 <= part <= 1 for part in told["pictures"][1]["areas"][0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_of_the_last_moment_is_one_second_old(pictures, language):
    last = replace(pictures[0], seconds=0.2)
    follower = Watched(Game()).follower
    look(follower, (last,))
    (told,) = before.render(follower.facts, Wording(language))["pictures"]
    assert told["when"].startswith("1 ")


def test_of_several_looks_for_one_press_the_first_has_them(table, pictures):
    first = table.follower.facts.before
    look(table.follower, pictures[:1])
    assert table.follower.facts.before is first


def test_the_next_press_deletes_them(table):
    table.game.press()
    assert table.tell().part("before") is None


def test_an_accepted_turn_has_them_until_the_next_press(pictures):
    table = Watched(Game())
    table.game.press()
    table.tell()
    look(table.follower, pictures, OPENING)
    table.game.see(OPENING)
    table.tell()
    assert len(table.part("before")["pictures"]) == 3
    table.game.press()
    assert table.tell().part("before") is None


def test_they_go_when_the_press_is_taken_back(pictures):
    table = Watched(Game())
    table.game.press()
    table.tell()
    look(table.follower, pictures, OPENING)
    table.game.see(OPENING)
    table.tell()
    table.game.do(Withdrawn(0, table.game.t + 1.0))
    table.follower.on_taken_back()
    assert table.tell().part("before") is None
