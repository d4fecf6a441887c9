"""The camera's picture on a small screen, enlarged, and the names in it as large as fits on every screen."""

import time

import pytest
from live_page import live
from page import Stream, open_sheet

from referee.game.match.events import About, Settled
from referee.game.notation import parse_table

OPENING = "R10 R11 R12 | B10 B11 B12"
LETTERS = """
return [].map.call(document.querySelectorAll("#picture g.label"), function (name) {
  var drawn = document.querySelector("#picture svg").getBoundingClientRect().width / 1000;
  return getComputedStyle(name).display === "none" ? 0 : drawn * name.getAttribute("font-size");
});
"""
"""How many pixels high the letters of each name are; 0 where it is not shown."""
AT = """
var frame = document.getElementById("frame"), box = document.getElementById("picture"), at = arguments;
frame.scrollIntoView({block: "center"});
frame.scrollLeft = at[0] * box.clientWidth - frame.clientWidth / 2;
frame.scrollTop = at[1] * box.clientHeight - frame.clientHeight / 2;
box = box.getBoundingClientRect();
return [box.left + at[0] * box.width, box.top + at[1] * box.height];
"""


@pytest.fixture
def table():
    with live() as made:
        made.start()
        made.eyes.blind = {"red-11"}
        made.turn(OPENING, "turn")
        yield made


def tiles(table):
    stream = Stream(table)
    try:
        return {one["tile"]: one["outline"] for one in stream.until(lambda told: told["picture"])["picture"]["tiles"]}
    finally:
        stream.close()


def middle(*outlines):
    corners = [corner for outline in outlines for corner in outline]
    return [sum(corner[i] for corner in corners) / len(corners) for i in (0, 1)]


def tap_at(screen, x, y):
    """Pan there, and tap."""
    from selenium.webdriver import ActionChains

    chain = ActionChains(screen.driver)
    chain.w3c_actions.pointer_action.move_to_location(*(round(one) for one in screen.run(AT, x, y))).click()
    chain.perform()


def phone(screen, table, width=375):
    screen.resize(width, 812)
    screen.open(f"{table.address}/?lang=en")
    screen.find("#wrong")
    screen.wait(lambda: screen.run("return document.querySelectorAll('#picture g.label').length") == 5, "the names")


@pytest.mark.parametrize("width", [320, 375])
def test_names_are_read_on_a_phone_in_an_enlarged_picture(table, screen, width):
    phone(screen, table, width)
    screen.find("#enlarge").click()
    assert min(screen.run(LETTERS)) >= 12
    frame, shown = screen.find("#frame"), screen.find("#picture")
    assert shown.size["width"] >= 2 * frame.size["width"]
    assert screen.run("return document.querySelector('#frame').scrollLeft") > 0  # the tiles are in sight
    assert (screen.sideways(), screen.violations(), screen.complaints()) == (0, [], [])
    screen.find("#enlarge").click()
    assert shown.size["width"] <= 2.5 * width


def test_a_place_is_tapped_in_an_enlarged_picture(table, screen):
    phone(screen, table)
    screen.find("#enlarge").click()
    open_sheet(screen)
    screen.find("#tell button", lambda button: "A tile is missing here" in button.text).click()
    seen = tiles(table)
    tap_at(screen, *middle(seen["red-10"], seen["red-12"]))
    screen.until(".place", "Which tile is there?")
    time.sleep(0.5)
    screen.find(".place .every button:has([aria-label='red 11'])").click()
    table.wait(lambda: table.state.current == 1, "Ben's turn")
    told = next(event for event in table.events if isinstance(event, Settled))
    assert (told.word.about, set(table.state.table)) == (About.UNSEEN, set(parse_table(OPENING)))


def test_a_misread_tile_is_tapped_in_an_enlarged_picture(table, screen):
    phone(screen, table)
    screen.find("#enlarge").click()
    open_sheet(screen)
    screen.find("#tell button", lambda button: "You misread a tile" in button.text).click()
    tap_at(screen, *middle(tiles(table)["blue-12"]))
    screen.until("#tell", "What is it really?")
    assert (
        screen.run("return document.querySelector('#tell .crop').src")
        .split("/")[-1]
        .startswith(str(list(tiles(table)).index("blue-12")))
    )


def test_with_the_keyboard_it_is_panned_and_a_place_stays_in_sight(table, screen):
    from selenium.webdriver.common.keys import Keys

    phone(screen, table)
    screen.find("#enlarge").send_keys(Keys.ENTER)
    before = screen.run("return document.getElementById('frame').scrollLeft")
    screen.find("#frame[tabindex='0']").send_keys(Keys.ARROW_RIGHT * 3)
    screen.wait(lambda: screen.run("return document.getElementById('frame').scrollLeft") != before, "another part")
    open_sheet(screen)
    screen.find("#tell button", lambda button: "A tile is missing here" in button.text).click()
    screen.find("#picture.picking").send_keys(Keys.ARROW_LEFT * 40)
    assert screen.run(
        "const spot = document.querySelector('.spot').getBoundingClientRect(),"
        "frame = document.getElementById('frame').getBoundingClientRect();"
        "return spot.right > frame.left && spot.left < frame.right;"
    )


def test_names_on_a_television_are_large(table, screen):
    screen.resize(1920, 1080)
    screen.open(f"{table.address}/display?lang=en")
    screen.wait(lambda: len(screen.run(LETTERS)) == 5, "the names")
    assert min(screen.run(LETTERS)) >= 15
