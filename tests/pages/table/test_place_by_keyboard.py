"""The place of a tile that was not found, told with the keyboard alone: arrow keys in the picture, then Enter."""

import time

import pytest
from live_page import live
from page import Stream

from referee.game.match.events import About, Settled
from referee.game.notation import parse_table

OPENING = "R10 R11 R12 | B10 B11 B12"
STEP = 0.01


@pytest.fixture
def table():
    with live() as made:
        made.start()
        made.eyes.blind = {"red-11"}
        made.turn(OPENING, "turn")
        yield made


def keys(screen, *typed):
    """Type where the focus is."""
    from selenium.webdriver import ActionChains

    chain = ActionChains(screen.driver, duration=0)
    for key in typed:
        chain.send_keys(key)
    chain.perform()


def focus(screen, selector):
    """Move on with Tab until there; nobody needs more of them than the page has buttons."""
    from selenium.webdriver.common.keys import Keys

    for _ in range(80):
        if screen.run("return document.activeElement.matches(arguments[0])", selector):
            return
        keys(screen, Keys.TAB)
    raise AssertionError(f"expected to reach {selector} with Tab")


def spot(screen):
    """Where the place is marked, in parts of the picture; None where it is not."""
    return screen.run(
        "const spot = document.querySelector('#picture .spot');"
        "return spot && [parseFloat(spot.style.left) / 100, parseFloat(spot.style.top) / 100];"
    )


def placing(table, screen):
    """The picture has the focus and waits for a place."""
    from selenium.webdriver.common.keys import Keys

    screen.open(table.address)
    focus(screen, "#wrong")
    keys(screen, Keys.ENTER)
    screen.until("#tell", "A tile is missing here")
    focus(screen, "#tell .choices button:nth-child(2)")
    time.sleep(0.5)  # a page takes nothing in the first moments of a new question
    keys(screen, Keys.ENTER)
    screen.until(".place", "arrow keys")
    assert screen.run("return document.activeElement.id") == "picture"


def middle(tile):
    return [sum(corner[i] for corner in tile["outline"]) / 4 for i in (0, 1)]


def missing_place(table):
    """Halfway between the tiles on either side."""
    stream = Stream(table)
    tiles = stream.until(lambda parts: parts["picture"])["picture"]["tiles"]
    stream.close()
    at = {one["tile"]: middle(one) for one in tiles}
    return [(a + b) / 2 for a, b in zip(at["red-10"], at["red-12"], strict=True)]


def test_a_missing_tile_is_told_without_a_pointer(table, screen):
    from selenium.webdriver.common.keys import Keys

    placing(table, screen)
    assert spot(screen) is None
    x, y = (round((wanted - 0.5) / STEP) for wanted in missing_place(table))
    keys(screen, *[Keys.ARROW_RIGHT if x > 0 else Keys.ARROW_LEFT] * abs(x))
    keys(screen, *[Keys.ARROW_DOWN if y > 0 else Keys.ARROW_UP] * abs(y))
    assert spot(screen) == pytest.approx([0.5 + x * STEP, 0.5 + y * STEP], abs=1e-6)
    assert screen.run("return window.scrollX") == 0  # the keys move the place, not the page
    assert not any("Which tile is there?" in one.text for one in screen.all(".place"))
    keys(screen, Keys.ENTER)
    screen.until(".place", "Which tile is there?")
    assert screen.run("return document.activeElement.closest('.place') !== null")
    focus(screen, ".place .every button:has([aria-label='red 11'])")
    keys(screen, Keys.ENTER)
    screen.until("#live", "Ben's turn")
    (event,) = [event for event in table.events if isinstance(event, Settled)]
    assert (event.word.about, event.word.tile.name) == (About.UNSEEN, "red-11")
    assert set(table.state.table) == set(parse_table(OPENING))
    assert screen.complaints() == []


def test_the_place_stays_within_the_picture_and_can_be_given_up(table, screen):
    from selenium.webdriver.common.keys import Keys

    placing(table, screen)
    keys(screen, Keys.ENTER)  # without a place this says nothing
    assert spot(screen) is None
    keys(screen, *[Keys.ARROW_LEFT] * 60, *[Keys.ARROW_UP] * 60)
    assert spot(screen) == [0, 0]
    focus(screen, ".place .choices button")
    keys(screen, Keys.ENTER)
    screen.wait(lambda: spot(screen) is None, "no place")
    keys(screen, Keys.ARROW_RIGHT)
    assert spot(screen) is None
    assert not any(isinstance(event, Settled) for event in table.events)
