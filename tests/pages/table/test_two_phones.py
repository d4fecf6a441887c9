"""Two phones at once: the same question answered, the same button pressed. It counts once, and the second is told."""

import time

import pytest
from live_page import live
from page import open_sheet
from page_loop import playing
from virtual_evening import OPENING

from referee.game.match.events import Agreed, Settled
from referee.game.match.phases import Phase

LAID = "R10 R11 R12 | B10 B11 B12"
LATE = "Your answer came too late"
START, ANNA = '[data-button="button-pause"]', '[data-button="button-1"]'
PRESSED = "pressed"


@pytest.fixture
def table():
    with live() as made:
        made.start()
        yield made


@pytest.fixture
def panels(screen, other):
    with playing() as made:
        for phone in (screen, other):
            phone.open(f"{made.address}/panel?lang=en")
            phone.find(START)
            phone.wait(lambda phone=phone: phone.run("return Referee.connected() && Referee.doubt() !== null"), "time")
        yield made


def hold_back(phone):
    """What this phone sends waits until `let_go`, as in a slow network."""
    phone.run(
        "const real = window.fetch; window.waiting = [];"
        "window.fetch = function (where, how) {"
        "  if (where !== '/api/command') { return real(where, how); }"
        "  return new Promise(function (go) { window.waiting.push(go); })"
        "    .then(function () { return real(where, how); });"
        "};"
    )


def let_go(phone):
    phone.wait(lambda: phone.run("return window.waiting.length"), "something that is sent")
    phone.run("window.waiting.splice(0).forEach(function (go) { go(); });")


def tap(phone, selector, text):
    found = phone.find(selector, lambda button: text in button.text)
    time.sleep(0.5)  # a page takes no tap in the first moments of a new question
    found.click()


def of_kind(table, kind):
    return [event for event in table.events if isinstance(event, kind)]


def both_asked(table, screen, other, doubts):
    table.eyes.doubts = doubts
    for phone in (screen, other):
        phone.open(table.address)
        phone.until("#live", "Anna's turn")
    hold_back(other)
    table.turn(LAID, "asking")
    for phone in (screen, other):
        phone.until("#question", "Which tile is this?")


def test_a_question_that_two_answer_at_once_is_answered_once(table, screen, other):
    both_asked(table, screen, other, {"red-10": ("red-1", "red-10")})
    tap(other, "#question .likely button", "red 1")
    tap(screen, "#question .likely button", "red 10")
    screen.until("#live", "Ben's turn")
    other.until("#live", "Ben's turn")
    let_go(other)
    other.until("#late", LATE)
    assert [event.word.tile.name for event in of_kind(table, Settled)] == ["red-10"]
    assert not screen.find("main").find_elements("css selector", "#late:not(:empty)")
    assert [line for line in other.complaints() if "409" not in line] == []


def test_a_late_answer_is_none_to_the_next_question(table, screen, other):
    both_asked(table, screen, other, {"red-10": ("red-1", "red-10"), "blue-12": ("blue-2", "blue-12")})
    first = screen.text("#question .sentence")
    right = "10" if "red" in first else "12"
    tap(other, "#question .likely button", right)
    tap(screen, "#question .likely button", right)
    other.wait(lambda: other.text("#question .sentence") != first, "the next question")
    let_go(other)
    other.until("#late", LATE)
    assert len(of_kind(table, Settled)) == 1
    assert table.state.phase is Phase.ASKING
    tap(screen, "#question .likely button", "12" if right == "10" else "10")
    screen.until("#live", "Ben's turn")
    assert len(of_kind(table, Settled)) == 2


def test_a_turn_that_two_let_count_counts_once(table, screen, other):
    for phone in (screen, other):
        phone.open(table.address)
    hold_back(other)
    table.turn("R1 R2 R3", "turn")
    open_sheet(screen)
    tap(screen, "#tell button", "Accept by agreement")
    for phone in (screen, other):
        phone.until("#tell", "Does everybody agree")
    tap(other, "#tell button", "Yes, all agree")
    tap(screen, "#tell button", "Yes, all agree")
    other.until("#live", "Ben's turn")
    let_go(other)
    other.until("#late", LATE)
    assert len(of_kind(table, Agreed)) == 1
    assert len(table.state.sheet.agreements) == 1


def test_two_who_start_the_match_start_it_and_do_not_pause_it(panels, screen, other):
    screen.find(START).click()
    panels.until(lambda: panels.state.phase is Phase.TURN, "the first turn")
    other.until(START, "Pause")
    press(other, START)  # meant to start
    other.until("#answer", "This button has just changed")
    assert panels.state.phase is Phase.TURN
    time.sleep(0.8)
    press(other, START)
    panels.until(lambda: panels.state.phase is Phase.PAUSED, "a pause")


def test_a_start_from_a_screen_that_does_not_know_yet_starts_nothing_and_pauses_nothing(panels, screen, other):
    hold_back(other)
    press(other, START)
    screen.find(START).click()
    panels.until(lambda: panels.state.phase is Phase.TURN, "the first turn")
    other.until(START, "Pause")
    let_go(other)
    other.until("#answer", "the game has moved on")
    assert panels.state.phase is Phase.TURN


def test_two_who_end_the_same_turn_end_it_once(panels, screen, other):
    screen.find(START).click()
    panels.until(lambda: panels.state.phase is Phase.TURN, "the first turn")
    for phone in (screen, other):
        phone.until(ANNA, "End turn")
    panels.sight.table = OPENING
    screen.find(ANNA).click()
    panels.until(lambda: panels.state.current == 1, "Ben's turn")
    time.sleep(0.3)  # a tap lasts a tenth of a second at least; until then both are one
    press(other, ANNA)
    other.until("#last-said", "It is Ben's turn")
    assert panels.state.current == 1
    assert panels.events.count(PRESSED) == 1


def test_a_button_that_two_hold_at_the_same_time_is_pressed_once(panels, screen, other):
    screen.find(START).click()
    panels.until(lambda: panels.state.phase is Phase.TURN, "the first turn")
    panels.sight.table = OPENING
    for phone in (screen, other):
        phone.until(ANNA, "End turn")
    for phone in (screen, other):
        pointer(phone, ANNA, "pointerdown")
    panels.until(lambda: panels.state.current == 1, "Ben's turn")
    for phone in (screen, other):
        pointer(phone, ANNA, "pointerup")
    time.sleep(0.3)
    assert panels.events.count(PRESSED) == 1


def pointer(phone, selector, what):
    phone.run(
        "document.querySelector(arguments[0]).dispatchEvent("
        "new PointerEvent(arguments[1], {bubbles: true, pointerId: 1, button: 0}));",
        selector, what,
    )  # fmt: skip


def press(phone, selector):
    """A tap that the driver does not delay."""
    pointer(phone, selector, "pointerdown")
    pointer(phone, selector, "pointerup")
