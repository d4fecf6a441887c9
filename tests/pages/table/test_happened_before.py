"""What happened before a press, as a strip of small pictures: a real loop, a rendered camera, a browser."""

import pytest
from browser import browser
from live_page import live
from page import Stream, looked_at, open_sheet, pictures_before, served
from page_states import REFUSED, SIZES, arrived, in_state
from selenium.webdriver.common.keys import Keys

CURRENT = """
var strip = document.querySelector(".strip"), middle = strip.getBoundingClientRect().left + strip.clientWidth / 2;
return [].findIndex.call(strip.children, function (one) {
  var box = one.getBoundingClientRect();
  return box.left <= middle && middle <= box.right;
});
"""
"""The number of the picture in the middle of the strip."""
LOADED = "return [].every.call(document.querySelectorAll('.shot img'), one => one.complete && one.naturalWidth > 300)"
FOCUSED = (
    "return document.activeElement.id || document.activeElement.tagName + ' ' + document.activeElement.textContent"
)
COVERED = """
var tabs = document.querySelector(".tabs").getBoundingClientRect();
return [].every.call(document.querySelectorAll(".tabs a"), function (one) {
  var box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
}) && document.querySelector(arguments[0]).getBoundingClientRect().bottom <= tabs.top + 1;
"""
"""Whether every tab can be tapped, and a sheet ends above them."""
CUT = """
var wide = document.documentElement.clientWidth;
return [].filter.call(document.querySelectorAll("#before-sheet > :not(.strip), #before-sheet button"), function (one) {
  return one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > wide + 1;
}).map(function (one) { return one.textContent; });
"""
"""What of the sheet is wider than there is room for; the strip scrolls."""
OVER_PICTURE = """
var frame = document.getElementById("frame").getBoundingClientRect();
return [].filter.call(document.querySelectorAll(".looks button:not([hidden])"), function (one) {
  var box = one.getBoundingClientRect();
  return box.top < frame.bottom && box.bottom > frame.top;
}).length;
"""


@pytest.fixture
def table():
    with in_state("seen-before") as made:
        yield made


def opened(table, screen, size="phone", language="en"):
    screen.resize(*SIZES[size])
    screen.open(f"{table.address}/?lang={language}")
    arrived(screen)
    screen.find("#before").click()
    screen.wait(lambda: screen.run(LOADED), "the pictures")


def at(screen, number):
    screen.wait(lambda: screen.run(CURRENT) == number, f"picture {number}")


def test_the_last_change_is_shown_first_and_outlined(table, screen):
    opened(table, screen)
    at(screen, 3)
    assert "4 seconds before the press" in screen.all(".strip figcaption")[3].text
    assert [len(one.find_elements("css selector", "rect.over")) for one in screen.all(".shot")] == [0, 1, 1, 1, 0]
    assert screen.all(".strip img")[4].get_attribute("alt") == "2 seconds before the press: nothing changed"
    assert "in memory only" in screen.text("#before-sheet")
    assert screen.complaints() == []


def test_keys_and_buttons_move_along_the_strip(table, screen):
    opened(table, screen)
    at(screen, 3)
    earlier, later = screen.all("#before-sheet .choices button")[:2]
    later.click()
    at(screen, 4)
    screen.wait(lambda: not later.is_enabled(), "nothing later")
    strip = screen.all(".strip")[0]
    strip.send_keys(Keys.HOME)
    at(screen, 0)
    screen.wait(lambda: later.is_enabled() and not earlier.is_enabled(), "nothing earlier")
    strip.send_keys(Keys.ARROW_RIGHT)
    at(screen, 1)
    strip.send_keys(Keys.ARROW_LEFT)
    at(screen, 0)
    strip.send_keys(Keys.END)
    at(screen, 4)


def test_the_sheet_about_a_refusal_leads_there_and_back(table, screen):
    screen.resize(*SIZES["phone"])
    screen.open(f"{table.address}/?lang=en")
    arrived(screen)
    open_sheet(screen)
    screen.find("#tell button", lambda one: one.text == "What happened before?").click()
    screen.find("#before-sheet .strip")
    assert screen.all("#tell:not([hidden])") == []
    assert screen.run(FOCUSED) == "H2 What happened before?"
    screen.all("#before-sheet .strip")[0].send_keys(Keys.ESCAPE)
    screen.wait(lambda: screen.run(FOCUSED) == "wrong", "the focus where it was")
    assert screen.all("#before-sheet:not([hidden])") == []


@pytest.mark.parametrize("size", ["phone", "phone-small"])
@pytest.mark.parametrize(("button", "sheet"), [("#wrong", "#tell"), ("#before", "#before-sheet")])
def test_a_sheet_ends_above_the_tabs(table, screen, size, button, sheet):
    screen.resize(*SIZES[size])
    screen.open(f"{table.address}/?lang=en")
    arrived(screen)
    screen.find(button).click()
    screen.find(f"{sheet} button")
    arrived(screen)  # it has come to rest
    screen.wait(lambda: screen.run(COVERED, sheet), "the tabs beside the sheet")


@pytest.mark.parametrize("size", ["phone", "phone-small", "tablet", "television"])
def test_the_tools_hide_nothing_of_the_picture(table, screen, size):
    screen.resize(*SIZES[size])
    screen.open(f"{table.address}/?lang=en")
    arrived(screen)
    assert len(screen.all(".looks button:not([hidden])")) == 3
    assert screen.run(OVER_PICTURE) == 0


def test_after_the_next_press_nothing_is_left_of_them(table, screen):
    opened(table, screen)
    look = table.follower.facts.before.number
    status, headers, data = table.get(f"/before/{look}/0.jpg")
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "image/jpeg", "no-store")
    assert data[:2] == b"\xff\xd8"
    for path in (f"/before/{look}/5.jpg", f"/before/{look + 1}/0.jpg", "/before/x/0.jpg", f"/before/{look}/-1.jpg"):
        assert table.get(path)[0] == 404
    table.press()
    screen.wait(lambda: not screen.all("#before-sheet:not([hidden])"), "no sheet")
    screen.wait(lambda: not screen.all("#before:not([hidden])"), "no button")
    assert screen.all(".strip") == []
    assert table.get(f"/before/{look}/0.jpg")[0] == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_from_the_strip(table, screen, scheme):
    screen.prefers(scheme=scheme)
    opened(table, screen)
    assert (screen.violations(), screen.complaints(), screen.small(), screen.sideways()) == ([], [], [], 0)


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_it_can_be_read_with_large_text_in_every_language(table, language):
    with browser(language, text_px=32) as screen:
        screen.resize(*SIZES["phone"])
        screen.open(f"{table.address}/?lang={language}")
        arrived(screen)
        screen.find("#before").click()
        screen.wait(lambda: screen.run(LOADED), "the pictures")
        assert (screen.sideways(), screen.run(CUT)) == (0, [])


def test_a_question_has_them_too():
    with served(players=2) as made:
        made.press()
        made.follow(looked_at(REFUSED))
        made.follower.on_before(pictures_before(("", REFUSED)))
        stream = Stream(made)
        assert len(stream.until(lambda told: told["before"])["before"]["pictures"]) == 2
        stream.close()


def test_a_real_loop_keeps_them_and_writes_none():
    with live() as made:
        made.start()
        made.lay("R10 R11")
        made.turn("R10 R11 K12", "turn")
        before = lambda: made.server.follower.facts.before  # noqa: E731 - a name for what is waited for
        # The first look tells where the table lies; there is no picture from before it.
        made.wait(lambda: (before() is not None and before().pictures) or made.press(1), "pictures")
        pictures = before().pictures
        assert all(one.jpeg[:2] == b"\xff\xd8" for one in pictures)
        assert made.loop.controller.match.seen.before == ()
        told = [row.body if isinstance(row.body, bytes) else row.body.encode() for row in made.store.rows[1:]]
        assert not any(b"\xff\xd8" in body or b"before" in body for body in told)
        made.press(1)
        made.wait(lambda: made.server.follower.facts.before is None or
                  made.server.follower.facts.before.pictures is not pictures, "other pictures, or none")  # fmt: skip
