"""What can be proven about a round is told beside the table, on the television and on the score sheet."""

import json
from dataclasses import replace

import pytest
from kept_matches import UNTIMED, journal_with, just_ended, one_under_way, page, shown_to_the_camera, table
from played import short

from referee.game.match.events import Corrected
from referee.game.match.machine import apply
from referee.i18n import LANGUAGES

LINES = [
    "Ann laid all 14 tiles in a single turn.",
    "Of the 14 tiles that Ben still held, 12 could have been laid on the table at the end.",
]


@pytest.fixture
def there(tmp_path):
    """A page beside a journal with a match of one round, which is over and still at the table."""
    steps = shown_to_the_camera(short(UNTIMED))
    with page(journal_with(tmp_path / "state", steps)) as made:
        made.steps = steps
        yield made


def at_the_table(there):
    """The page follows a table at which that match has just ended."""
    there.server.follower.follows(("button-1", "button-2"), touchable=True)
    there.server.follower.on_update(just_ended(there.steps))


def told(there, path="/api/comments/1/1"):
    return json.loads(there.read(path))["rounds"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_player_has_one_line_in_every_language(there, language):
    (found,) = told(there, f"/api/comments/1/1?lang={language}")
    assert found["round"] == 1
    assert len(found["lines"]) == 2
    assert "Ann" in found["lines"][0]
    assert "12" in found["lines"][1]


def test_rounds_that_do_not_exist_have_no_lines(there):
    assert told(there, "/api/comments/1") == told(there)
    assert told(there, "/api/comments/1/2") == told(there, "/api/comments/9") == told(there, "/api/comments/x") == []


def test_without_a_journal_nothing_is_told():
    with page(None) as made:
        assert told(made) == []


def test_a_correction_takes_back_what_it_contradicts(there, tmp_path):
    """If the points of a hand were corrected, the hand was not what the camera had read."""
    assert told(there)[0]["lines"] == LINES
    last = there.steps[-1]
    event = Corrected(1, (0, 95), last.event.t, winner=0, who="Eve", why="counted twice")
    corrected = [*there.steps, replace(last, event=event, state=apply(last.state, event)[0])]
    with page(journal_with(tmp_path / "corrected", corrected)) as made:
        assert told(made)[0]["lines"] == [
            "Ann laid the most tiles in one turn: 14.",
            "Ben laid no tiles in this round.",
        ]


@pytest.mark.parametrize(("path", "size"), [("/", (390, 844)), ("/display", (1920, 1080))])
def test_the_lines_stand_beside_the_table_and_on_the_television(there, screen, path, size):
    at_the_table(there)
    screen.resize(*size)
    screen.open(f"{there.address}{path}?lang=en")
    screen.wait(lambda: [one.text for one in screen.all("#comments li")] == LINES, "what can be proven")
    assert screen.find("#comments").is_displayed()
    assert (screen.violations(), screen.sideways(), screen.complaints()) == ([], 0, [])


def test_the_lines_go_when_the_next_match_is_set_up(there, screen):
    at_the_table(there)
    screen.open(f"{there.address}/?lang=en")
    screen.wait(lambda: screen.all("#comments li"), "what can be proven")
    scene = there.server.follower.facts.scene
    there.server.follower.on_update(replace(scene, state=UNTIMED.state(), place=None))
    hidden = "return document.getElementById('comments').hidden"
    screen.wait(lambda: screen.run(hidden), "nothing of the former match")


def test_a_score_sheet_has_the_lines_of_each_round(there, screen):
    screen.open(f"{there.address}/scores/1?lang=en")
    screen.wait(lambda: [one.text for one in screen.all("ul.comments li")] == LINES, "what can be proven")
    assert (screen.violations(), screen.sideways(), screen.complaints()) == ([], 0, [])


def test_a_table_that_goes_on_tells_its_page_which_match_it_is(tmp_path, screen):
    with table(one_under_way(tmp_path / "state")) as there:
        screen.open(f"{there.page.address}/?lang=en")
        lines = ["Ann laid all 14 tiles in a single turn.", "Ben laid no tiles in this round."]
        screen.wait(lambda: [one.text for one in screen.all("#comments li")] == lines, "what can be proven")
        assert screen.run("return Referee.parts.match.number") == 2
