"""The television: everything that matters is seen at once, whatever lies on the table and whatever is said."""

from dataclasses import replace

import pytest
from page import looked_at, served

from referee.game.doubt import Doubt
from referee.game.match.events import TimeUp
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.table.looking.look import Look
from referee.table.preparation.values import SetUp
from referee.vision.asked import asked_about

SIZES = [(1920, 1080), (1280, 720), (1024, 768)]
OPENING = "R10 R11 R12 | B10 B11 B12"
FULL = (
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10 | O1 O2 O3 | K6 K7 ** K9 | "
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 | B5 B6 B7 B8 B9 B10 B11 B12 B13 | K1 K2 K3 K4 K5 K6 | O10 O11 O12 O13 | R7 B7 K7 | "
    "O4 O5 O6 O7 O8 | K11 K12 K13 | K8 O8 R8 | R12 K12 O12 | R13 K13 O13 | B1 K1 O1 | R2 B2 K2 O2 | R6 B6 **"
)
WRONG = "R10 R11 K12 | B10 B11 K13 | O1 O2 O4 | K3 K4 K6 | R1 R2"


@pytest.fixture
def table():
    with served() as made:
        yield made


def opened(table, screen, size=(1920, 1080)):
    screen.resize(*size)
    screen.open(f"{table.address}/display?lang=de")
    screen.find("#live")
    # A part that arrives later would replace what a test puts there.
    screen.wait(lambda: screen.run("return 'clock' in Referee.parts"), "the parts of the page")
    return screen


def cut_off(screen):
    """What does not fit: boxes that hold more than is seen, and what lies outside of the screen."""
    return screen.run(
        "return [...document.querySelectorAll('.beside, .seen, .foot, .players, .now')].filter(box => "
        "box.offsetHeight && (box.scrollHeight > box.clientHeight + 1 || "
        "box.getBoundingClientRect().bottom > innerHeight + 1)).map(box => box.className)"
    )


def fits(screen):
    screen.wait(lambda: cut_off(screen) == [], "room for all")


@pytest.mark.parametrize("size", SIZES)
def test_a_table_with_all_tiles_on_it_is_seen_whole(table, screen, size):
    table.game.opened().fields(table=parse_table(FULL))
    table.follow()
    opened(table, screen, size)
    screen.wait(lambda: len(screen.all("#drawn .set")) == 21, "all sets")
    fits(screen)


@pytest.mark.parametrize("size", SIZES)
def test_many_faults_are_read_whole_and_the_drawn_table_makes_room(table, screen, size):
    table.game.opened().fields(table=parse_table(OPENING))
    table.press()
    table.see(WRONG)
    opened(table, screen, size)
    screen.until("#verdict", "Abgelehnt")
    fits(screen)
    assert not screen.all(".confirmed")[0].is_displayed()


def test_what_must_be_put_right_stands_alone(table, screen):
    table.game.opened().fields(table=parse_table(OPENING))
    table.game.t = table.game.state.clock.deadline
    table.game.do(TimeUp(table.game.t))
    table.follow()
    table.see(f"{OPENING} | K3 K4")
    opened(table, screen)
    screen.until("#due", "Nimm")
    assert not screen.all("#verdict")[0].is_displayed()
    fits(screen)


def test_a_refusal_is_seen_where_only_the_picture_was_wanted(table, screen):
    table.press()
    table.see(OPENING)
    opened(table, screen)
    screen.run("localStorage.setItem('referee-display', 'picture')")
    opened(table, screen)
    screen.wait(lambda: screen.all("body.view-picture.quiet"), "the picture alone")
    assert not screen.all("#verdict")[0].is_displayed()
    table.press()
    table.see(f"{OPENING} | K3 K4")
    screen.until("#verdict", "Abgelehnt")
    screen.run("localStorage.clear()")


def test_the_likeliest_tiles_are_named_in_a_question(table, screen):
    look = looked_at(OPENING)
    place = next(number for number, read in enumerate(look.sighting.reads) if read.name == "red-12")
    reads = list(look.sighting.reads)
    reads[place] = replace(reads[place], confidence=0.6, doubtful=True, alternatives=(("red-2", 0.3),))
    look = replace(look, sighting=replace(look.sighting, reads=tuple(reads)))
    table.press()
    table.see(OPENING, tuple(asked_about(look.sighting)), look)
    opened(table, screen)
    screen.until("#question", "rote 12")
    screen.until("#question .likely", "rote 2")
    assert screen.text("#question .sentence")[0].isupper()
    fits(screen)


@pytest.mark.parametrize("path", ["/", "/display"])
def test_who_draws_is_told(table, screen, path):
    screen.open(f"{table.address}{path}?lang=de")
    table.press()
    table.see("")
    screen.until("#news", "Ann zieht 1 Stein.")
    table.press()
    screen.wait(lambda: not screen.all("#news")[0].is_displayed(), "no news")


@pytest.mark.parametrize("path", ["/", "/display"])
def test_a_hand_over_the_table_leaves_the_last_picture_dimmed_with_its_age(table, screen, path):
    screen.open(f"{table.address}{path}?lang=de")
    table.press()
    table.see(OPENING)
    screen.find("#picture")
    assert not screen.all(".age")[0].is_displayed()
    table.press()
    table.see("", (Doubt(Notice("play.nothing_at_all")),), Look(None, None, trouble=Notice("play.hands")))
    screen.until(".age", "Bild von vor")
    assert float(screen.run("return getComputedStyle(document.querySelector('#picture img')).opacity")) < 1
    assert not screen.all("#no-picture")[0].is_displayed()
    table.press()
    table.see(OPENING)
    screen.wait(lambda: not screen.all(".age")[0].is_displayed(), "a picture of now")
    assert screen.complaints() == []


@pytest.mark.parametrize("path", ["/", "/display"])
def test_who_only_drew_is_not_said_to_be_accepted(table, screen, path):
    screen.open(f"{table.address}{path}?lang=de")
    table.press()
    table.see("")
    screen.until("#verdict", "Ann zieht")
    assert "Angenommen" not in screen.text("#verdict")


def test_everybody_can_open_the_page_before_the_first_picture(table, screen):
    table.follower.sets_up(SetUp(where=lambda: "http://192.168.1.7:8080/"), (900.0, 600.0))
    table.follow()
    opened(table, screen)
    screen.until("#join", "http://192.168.1.7:8080/")
    screen.wait(lambda: screen.run("return document.querySelector('#join img').naturalWidth") > 0, "the code")
    table.press()
    table.see(OPENING)
    screen.wait(lambda: not screen.all("#join")[0].is_displayed(), "the picture instead")
    assert screen.complaints() == []


def test_no_time_is_told_before_the_clock_is_known(table, screen):
    screen.driver.execute_cdp_cmd("Network.enable", {})
    screen.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/now"]})
    try:
        opened(table, screen)
        screen.until("#clock", "\u2013:\u2013\u2013")
    finally:
        screen.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    opened(table, screen)
    screen.find("#clock", lambda clock: clock.text[:1].isdigit())


WARNED = "return document.getElementById('clock-warning').textContent"
CLOCK = "Referee.parts.clock = {limit: 60, running: %s, ends_at: null, left: %s, warnings: [30, 10]}"
"""A clock as the server tells it; without an end its time stays as it is, so that the test need not hurry."""


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(CLOCK % ("false", 10), id="the clock is stopped"),
        pytest.param(CLOCK % ("true", 60), id="the next turn"),
        pytest.param("Referee.parts.clock = null", id="no match any more"),
        pytest.param("Object.assign(Referee.parts.clock, {limit: null})", id="a clock without a limit"),
    ],
)
def test_seconds_told_to_screen_readers_go_once_no_such_clock_runs(table, screen, then):
    opened(table, screen)
    screen.run(CLOCK % ("true", 10))
    screen.wait(lambda: "10" in screen.run(WARNED), "the warning")
    screen.run(then)
    screen.wait(lambda: screen.run(WARNED) == "", "no warning")


def test_that_time_is_up_is_still_told_while_the_clock_stands_at_nothing(table, screen):
    opened(table, screen)
    screen.run(CLOCK % ("true", 0))
    screen.wait(lambda: screen.run(WARNED) != "", "the end of the time")
    text = screen.run(WARNED)
    screen.run(CLOCK % ("false", 0))
    screen.wait(lambda: screen.run("return document.querySelector('#clock.stands') !== null"), "a clock that stands")
    assert screen.run(WARNED) == text


@pytest.mark.parametrize("language", ["de", "en", "fr", "it"])
def test_on_a_phone_the_button_of_the_voice_breaks_no_word(table, screen, language):
    screen.resize(360, 740)
    screen.open(f"{table.address}/display?lang={language}")
    screen.find("#round", lambda line: line.text)
    lines = screen.run(
        "var button = document.getElementById('voice'), text = button.firstChild, words = /\\S+/g, found, most = 0;"
        "button.hidden = false;"
        "while (found = words.exec(text.data)) {"
        "  var range = document.createRange(), tops = {}; range.setStart(text, found.index);"
        "  range.setEnd(text, found.index + found[0].length);"
        "  [...range.getClientRects()].forEach(box => { tops[Math.round(box.top)] = 1; });"
        "  most = Math.max(most, Object.keys(tops).length);"
        "} return most"
    )
    assert lines == 1


def test_points_and_what_was_not_laid_yet_stand_apart(table, screen):
    opened(table, screen)
    screen.find(".players .opened")
    gap = screen.run(
        "var boxes = ['.total', '.opened'].map(name => document.querySelector('.players ' + name)"
        ".getBoundingClientRect()); return boxes[0].top === boxes[1].top || "
        "Math.abs(boxes[0].bottom - boxes[1].bottom) < 9 ? boxes[1].left - boxes[0].right : null"
    )
    assert gap > 5
