"""The page of the puzzle: drawn tiles, the check with the camera in two stages, hints, and the solution."""

import http.client
import json
from contextlib import closing
from datetime import date, timedelta

import pytest
from browser import NARROW, SIZES
from kept_matches import page, two_matches
from page_loop import playing
from virtual_evening import TABLE_MM

from referee.game.coach import told_steps
from referee.game.match.events import Started
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.game.table import in_order
from referee.game.tiles import Tile
from referee.i18n import ENGLISH, LANGUAGES
from referee.page.wording import PageWording
from referee.pages.table.puzzle.api import BEGINNING, SOLUTION
from referee.pages.table.puzzle.daily import puzzle_of

RUMMIKUB = ruleset("rummikub")
DAY = date(2026, 12, 24)
LATE = "That came too late: the game has moved on. Look at the page and try again."


@pytest.fixture(scope="module")
def puzzle():
    """The made-up puzzle of today, which a table without earlier matches has."""
    return puzzle_of(DAY, [], lambda _: [], RUMMIKUB).puzzle


@pytest.fixture
def table():
    """A table whose camera sees what `sight.table` says."""
    with playing(reads=lambda picture, box, _: made.sight.read(picture, box, TABLE_MM)) as made:
        made.server.app.state.puzzles.today = lambda: DAY
        yield made


def told(table, path="/api/puzzle", language="en", body=None):
    """The status and the answer to a question, or to a post if there is a body."""
    with closing(http.client.HTTPConnection("localhost", table.server.port, timeout=60)) as connection:
        headers = {} if body is None else {"Content-Type": "application/json", "Origin": table.address}
        sent = None if body is None else json.dumps(body)
        connection.request("GET" if body is None else "POST", f"{path}?lang={language}", sent, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def check(table, stage, name=None):
    """Have the table compared with the puzzle of this name, or that of today."""
    name = name or told(table)[1]["name"]
    return told(table, "/api/puzzle/check", body={"puzzle": name, "stage": stage})


def looked(table, stage, name=None):
    status, body = check(table, stage, name)
    assert (status, body["stage"]) == (200, stage)
    return body["right"], body["told"]


def tiles_of(faces):
    return in_order(Tile.from_name(face["tile"]) for face in faces)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_puzzle_is_told_in_every_language(table, puzzle, language):
    status, body = told(table, language=language)
    assert status == 200
    assert [tiles_of(faces) for faces in body["table"]] == [in_order(tiles) for tiles in puzzle.table]
    assert tiles_of(body["hand"]) == in_order(puzzle.hand)
    assert body["sets"] == puzzle.changed
    assert body["match"] is None
    assert body["steps"] == len(puzzle.steps)
    assert all(body[name] for name in ("origin", "task", "difficulty"))


def test_the_solution_is_told_only_as_far_as_somebody_asks(table, puzzle):
    name, expected = told(table)[1]["name"], told_steps(puzzle.table, puzzle.steps)
    for number in range(len(expected) + 2):
        status, body = told(table, f"/api/puzzle/{name}/steps/{number}")
        assert status == 200
        known = [[tiles_of(one["tiles"]) for one in step["after"]] for step in body["steps"]]
        assert known == [[in_order(one.tiles) for one in step.after] for step in expected[:number]]
    assert told(table, f"/api/puzzle/{name}/steps/all")[1] == {"steps": []}
    assert told(table, "/api/puzzle/another/steps/1") == (404, {"told": LATE})


def test_what_the_camera_reads_is_compared_in_two_stages(table, puzzle):
    table.sight.table = puzzle.table
    assert looked(table, BEGINNING) == (True, ["The table is right. Now lay the hand and check again."])
    right, lines = looked(table, SOLUTION)
    assert not right
    assert lines[0].startswith("Lay ")
    table.sight.table = puzzle.solution
    assert looked(table, SOLUTION) == (True, ["Solved! Every tile is in a valid set."])
    assert check(table, BEGINNING, "another") == (404, {"told": LATE})
    assert check(table, "cheating")[0] == 400
    assert told(table, "/api/puzzle/check", body=[])[0] == 400


def test_whoever_began_before_midnight_ends_the_puzzle_of_that_day(table, puzzle):
    name = told(table)[1]["name"]
    table.server.app.state.puzzles.today = lambda: DAY + timedelta(days=1)
    assert told(table)[1]["name"] != name
    table.sight.table = puzzle.table
    assert looked(table, BEGINNING, name)[0]
    for later in range(2, 5):
        table.server.app.state.puzzles.today = lambda later=later: DAY + timedelta(days=later)
        told(table)
    assert check(table, BEGINNING, name) == (404, {"told": LATE})


def test_a_match_knows_nothing_of_it(table, puzzle):
    table.sight.table = puzzle.table
    looked(table, BEGINNING)
    assert table.store.rows == []
    assert table.state.phase is Phase.LOBBY


def test_while_a_match_is_under_way_the_camera_is_busy(table):
    table.happen(Started(("Anna", "Ben"), table.loop.t))
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
    assert check(table, BEGINNING) == (409, {"told": "A match is under way and needs the camera."})
    assert told(table)[0] == 200


def test_without_a_picture_it_is_told_why(table):
    table.sight.lost = True
    for _ in range(3):
        status, body = check(table, BEGINNING)
        assert (status, list(body)) == (409, ["told"])
    assert ENGLISH(Notice("camera.well_again")) not in table.said  # it is still lost


def test_tiles_that_were_only_likely_count_if_all_is_right(table, puzzle):
    """It is known which tiles must lie there, so nothing is guessed."""
    first = puzzle.table[0][:1]
    table.sight.table, table.sight.doubtful = puzzle.table, 1
    assert looked(table, BEGINNING)[0]
    table.sight.table, table.sight.doubtful = puzzle.table[:-1], 1
    right, wrong = looked(table, BEGINNING)
    assert not right
    assert wrong[-1] == PageWording("en").sentence(Notice("puzzle.unsure", tiles=first))


def test_a_journal_without_a_fitting_table_has_a_made_up_puzzle(tmp_path):
    with page(two_matches(tmp_path / "state")) as there:
        assert json.loads(there.read("/api/puzzle"))["match"] is None


# In a browser


def opened(table, screen, language="en"):
    screen.open(f"{table.address}/puzzle?lang={language}")
    screen.run("sessionStorage.clear()")
    screen.open(f"{table.address}/puzzle?lang={language}")
    screen.wait(lambda: screen.run("return !document.getElementById('puzzle').hidden"), "the puzzle")
    screen.wait(lambda: not screen.run("return document.getElementById('check').disabled"), "a free camera")


def answer(screen, kind, text):
    screen.wait(lambda: text in screen.text(f"#answer.{kind}"), text)


def test_a_puzzle_is_built_solved_and_begun_anew(table, puzzle, screen):
    opened(table, screen)
    assert len(screen.all("#table .set")) == len(puzzle.table)
    assert len(screen.all("#hand .tile")) == len(puzzle.hand)
    table.sight.table = puzzle.table[1:]
    screen.find("#check").click()
    answer(screen, "wrong", "missing from the table")
    table.sight.table = puzzle.table
    screen.find("#check").click()
    answer(screen, "right", "The table is right.")
    assert screen.text("#stage") == "Now: lay the hand"
    screen.open(f"{table.address}/puzzle?lang=en")
    screen.until("#stage", "Now: lay the hand")
    table.sight.table = puzzle.solution
    screen.wait(lambda: not screen.run("return document.getElementById('check').disabled"), "a free camera")
    screen.find("#check").click()
    answer(screen, "right", "Solved!")
    screen.find("#again").click()
    screen.until("#stage", "First: build the table")
    assert screen.complaints() == []


def test_hints_come_one_at_a_time(table, puzzle, screen):
    opened(table, screen)
    steps = len(puzzle.steps)
    for number in range(1, steps + 1):
        screen.find("#hint").click()
        screen.until("#step-number", f"Step {number} of {steps}")
        assert screen.find("#step-next").get_attribute("disabled")
        assert screen.all("#step-after .new")
    assert screen.run("return document.getElementById('hint').hidden")
    screen.find("#step-back").click()
    screen.until("#step-number", f"Step {steps - 1} of {steps}")


def test_the_solution_is_gone_through_with_the_keyboard(table, puzzle, screen):
    opened(table, screen)
    screen.find("#solution").click()
    for number in range(1, len(puzzle.steps)):
        screen.until("#step-number", f"Step {number} of {len(puzzle.steps)}")
        screen.wait(lambda: screen.run("return document.activeElement.id") == "step-next", "the focus")
        screen.run("document.activeElement.click()")
    screen.until("#step-number", f"Step {len(puzzle.steps)} of {len(puzzle.steps)}")
    assert screen.run("return document.activeElement.id") == "step-back"
    last = [len(one.find_elements("css selector", ".tile")) for one in screen.all("#step-after .set")]
    assert sorted(last) == sorted(map(len, puzzle.solution))


def test_during_a_match_the_puzzle_can_be_looked_at_only(table, screen):
    opened(table, screen)
    table.happen(Started(("Anna", "Ben"), table.loop.t))
    answer(screen, "wrong", "A match is under way")
    assert screen.run("return document.getElementById('check').disabled")
    screen.find("#hint").click()
    screen.until("#step-number", "Step 1 of")


def test_the_more_page_leads_to_it(table, screen):
    screen.open(f"{table.address}/more?lang=en")
    screen.find("a[href='/puzzle']").click()
    screen.until("h1", "Puzzle of the day")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(table, screen, size, scheme):
    screen.prefers(scheme=scheme)
    screen.resize(*SIZES[size])
    opened(table, screen, "de")
    screen.find("#solution").click()
    screen.find("#check").click()
    answer(screen, "wrong", "Tisch")
    assert (screen.violations(), screen.sideways(), screen.cut_off(), screen.small()) == ([], 0, [], [])
    assert screen.complaints() == []


@pytest.mark.parametrize("size", NARROW)
def test_it_fits_a_narrow_screen_and_large_text(table, screen, size):
    screen.narrow(size)
    opened(table, screen, "fr")
    screen.find("#hint").click()
    screen.until("#step-number", "1")
    assert (screen.sideways(), screen.cut_off()) == (0, [])
