"""The page of the puzzle: drawn tiles, the check with the camera in two stages, hints, and the solution."""

import http.client
import json
from datetime import date

import pytest
from browser import NARROW, SIZES
from kept_matches import page, two_matches
from page_loop import playing

from referee.game.match.events import Started
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.game.table import in_order
from referee.game.tiles import Tile
from referee.i18n import LANGUAGES
from referee.pages.table.puzzle.daily import puzzle_of
from referee.pages.table.puzzle.routes import BEGINNING, SOLUTION, compare
from referee.table.preparation.table_read import TableRead, read_table

RUMMIKUB = ruleset("rummikub")
DAY = date(2026, 12, 24)
LATE = "That was meant for a moment that is over; look at the page and try again."


@pytest.fixture(scope="module")
def puzzle():
    """The made-up puzzle of today, which a table without earlier matches has."""
    return puzzle_of(DAY, [], lambda _: [], RUMMIKUB).puzzle


@pytest.fixture
def table():
    with playing() as made:
        made.server.app.state.puzzles.today = lambda: DAY
        yield made


def told(table, path="/api/puzzle", language="en"):
    connection = http.client.HTTPConnection("localhost", table.server.port, timeout=60)
    try:
        connection.request("GET", f"{path}?lang={language}")
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


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
    assert len(body["steps"]) == len(puzzle.steps)
    assert all(step["text"] for step in body["steps"])
    assert all(body[name] for name in ("origin", "task", "difficulty"))


def test_what_the_camera_reads_is_compared_in_two_stages(table, puzzle):
    assert told(table, "/api/puzzle/beginning/1") == (404, {"told": LATE})
    table.sight.table = puzzle.table
    assert looked(table, 1, BEGINNING) == (True, ["The table lies right. Now lay the hand and check again."])
    right, lines = looked(table, 2, SOLUTION)
    assert not right
    assert lines[0].startswith("Lay ")
    table.sight.table = puzzle.solution
    assert looked(table, 3, SOLUTION) == (True, ["Solved! Everything lies in sets."])
    assert told(table, "/api/puzzle/beginning/2")[0] == told(table, "/api/puzzle/cheating/3")[0] == 404


def looked(table, number, stage):
    """Have the camera look for the so many-th time, and return what comes of it."""
    assert table.post(command="read_table", n=0)[0] == 200
    facts = lambda: table.server.follower.facts.prepared.table  # noqa: E731 - a name for what is waited for
    table.until(lambda: facts() is not None and facts().number == number, "what the camera reads")
    status, body = told(table, f"/api/puzzle/{stage}/{number}")
    assert (status, body["stage"]) == (200, stage)
    return body["right"], body["told"]


def test_a_match_knows_nothing_of_it(table, puzzle):
    table.sight.table = puzzle.table
    looked(table, 1, BEGINNING)
    assert table.store.rows == []
    assert table.state.phase is Phase.LOBBY


def test_while_a_match_is_under_way_the_camera_is_busy(table):
    table.happen(Started(("Anna", "Ben"), table.loop.t))
    table.until(lambda: table.state.phase is Phase.TURN, "the first turn")
    status, body = table.post(command="read_table", n=0)
    assert (status, body["told"]) == (409, "A match is under way and needs the camera.")
    assert told(table)[0] == 200


def test_without_a_picture_it_is_told_why(table):
    table.sight.lost = True
    right, lines = looked(table, 1, BEGINNING)
    assert not right
    assert len(lines) == 1


def test_any_error_of_a_reader_is_told():
    def fails():
        raise ZeroDivisionError("no tiles")

    assert read_table(fails).trouble == Notice("play.stumbled_over", error="ZeroDivisionError: no tiles")


def test_tiles_that_were_only_likely_count_if_all_is_right(puzzle):
    """It is known which tiles must lie there, so nothing is guessed."""
    first = puzzle.table[0][:1]
    assert compare(puzzle, TableRead(puzzle.table, unsure=first), BEGINNING) == (True, (Notice("puzzle.begins"),))
    right, wrong = compare(puzzle, TableRead(puzzle.table[1:], unsure=first), BEGINNING)
    assert not right
    assert wrong[-1] == Notice("puzzle.unsure", tiles=first)


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
    answer(screen, "wrong", "missing on the table")
    table.sight.table = puzzle.table
    screen.find("#check").click()
    answer(screen, "right", "The table lies right.")
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
        screen.until("#steps h3", f"Step {number} of {steps}")
        assert screen.find("#steps [data-way='next']").get_attribute("disabled")
        assert screen.all("#steps .moved")
    assert screen.run("return document.getElementById('hint').hidden")
    screen.find("#steps [data-way='previous']").click()
    screen.until("#steps h3", f"Step {steps - 1} of {steps}")


def test_the_solution_is_gone_through_with_the_keyboard(table, puzzle, screen):
    opened(table, screen)
    screen.find("#solution").click()
    for number in range(1, len(puzzle.steps)):
        screen.until("#steps h3", f"Step {number} of {len(puzzle.steps)}")
        assert screen.run("return document.activeElement.dataset.way") == "next"
        screen.run("document.activeElement.click()")
    screen.until("#steps h3", f"Step {len(puzzle.steps)} of {len(puzzle.steps)}")
    assert screen.run("return document.activeElement.dataset.way") == "previous"
    last = [len(one.find_elements("css selector", ".tile")) for one in screen.all("#steps .set")]
    assert sorted(last) == sorted(map(len, puzzle.solution))


def test_during_a_match_the_puzzle_can_be_looked_at_only(table, screen):
    opened(table, screen)
    table.happen(Started(("Anna", "Ben"), table.loop.t))
    answer(screen, "wrong", "A match is under way")
    assert screen.run("return document.getElementById('check').disabled")
    screen.find("#hint").click()
    screen.until("#steps h3", "Step 1 of")


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
    screen.find("#steps h3")
    assert (screen.sideways(), screen.cut_off()) == (0, [])
