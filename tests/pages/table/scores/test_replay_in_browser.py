"""The replay in a real browser: keys and swipes without loading pages, copying, and pages for everybody."""

import pytest
from browser import NARROW, SIZES
from kept_matches import page, two_matches
from pictured_match import write_pictured_match

from referee.i18n import LANGUAGES

TURN_OF = "Turn {} of"


@pytest.fixture
def there(tmp_path):
    with page(two_matches(tmp_path / "state")) as served:
        yield served


@pytest.fixture(scope="module")
def pictured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictured")
    write_pictured_match(folder, 12)
    with page(folder) as served:
        yield served


def opened(screen, served, address="/scores/2/replay?turn=1"):
    screen.open(f"{served.address}{address}")
    screen.find("#turn h1")
    screen.run("window.stays = true")


def shows(screen, number):
    screen.until(".where", TURN_OF.format(number))
    screen.wait(lambda: screen.run("return location.search") == f"?turn={number}", "the address")
    assert screen.run("return window.stays") is True  # the page was not loaded anew
    current = screen.run("return document.querySelector('.strip [aria-current]').getAttribute('href')")
    assert current.endswith(f"?turn={number}")


def swipe(screen, x, to, y=0):
    """One finger, across the middle of the turn's heading."""
    box = screen.run(
        "const b = document.querySelector('#turn h1').getBoundingClientRect(); return [b.left, b.top + 5]"
    )

    def touch(kind, *points):
        told = [{"x": box[0] + one, "y": box[1] + down} for one, down in points]
        screen.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    touch("touchStart", (x, 0))
    touch("touchMove", ((x + to) / 2, y / 2))
    touch("touchMove", (to, y))
    touch("touchEnd")


def test_keys_links_and_the_strip_show_another_turn_in_the_same_page(there, screen):
    opened(screen, there)
    screen.find("body").send_keys("\ue014")
    shows(screen, 2)
    screen.find("a[rel=next]").click()
    shows(screen, 3)
    assert screen.run("return document.activeElement.rel") == "next"
    screen.find(".strip a[href$='turn=1']").click()
    shows(screen, 1)
    screen.driver.back()
    shows(screen, 3)
    assert screen.text("#turn h1")
    assert "Turn 3 of 4" in screen.run("return document.getElementById('turned').textContent")
    assert screen.complaints() == []


def test_at_the_last_turn_the_key_does_nothing_and_the_focus_stays(there, screen):
    opened(screen, there, "/scores/2/replay?turn=3")
    screen.find("a[rel=next]").click()
    shows(screen, 4)
    assert screen.run("return document.activeElement.tagName") == "H1"
    screen.find("body").send_keys("\ue014")
    shows(screen, 4)


def test_a_swipe_leads_on_and_back_and_a_scroll_does_not(there, screen):
    screen.resize(390, 844)
    opened(screen, there)
    swipe(screen, 250, 60)
    shows(screen, 2)
    swipe(screen, 60, 250)
    shows(screen, 1)
    swipe(screen, 120, 90)
    swipe(screen, 120, 60, -200)
    screen.find("body").send_keys("\ue014")
    shows(screen, 2)


def test_keys_in_a_field_move_its_cursor(there, screen):
    opened(screen, there)
    screen.run("document.querySelector('.share').open = true")
    screen.find("#link").send_keys("\ue014")
    shows(screen, 1)


def test_the_link_and_the_text_are_copied(there, screen):
    opened(screen, there)
    screen.find(".share summary").click()
    screen.find("[data-copy=link]").click()
    screen.until("#copied", "Copied.")
    screen.find("[data-copy=text]").click()
    screen.wait(lambda: screen.run("return document.getElementById('copied').textContent") == "Copied.", "copied")
    screen.find("body").send_keys("\ue014")
    shows(screen, 2)
    assert screen.run("return document.querySelector('.share').open") is True
    assert screen.run("return document.getElementById('link').value").endswith("/scores/2/replay?turn=2")
    assert screen.find("[data-copy=link]")


def test_a_page_without_a_clipboard_copies_nevertheless_or_says_how(there, screen):
    opened(screen, there)
    screen.run("Object.defineProperty(window, 'isSecureContext', {value: false})")
    screen.find(".share summary").click()
    screen.find("[data-copy=link]").click()
    screen.until("#copied", "Copied.")
    screen.run("document.execCommand = () => false")
    screen.find("[data-copy=text]").click()
    screen.until("#copied", "It is selected")
    assert screen.run("return document.activeElement.id") == "text"


def test_a_turn_goes_to_other_programs_where_the_browser_can_pass_it_on(there, screen):
    opened(screen, there)
    assert screen.run("return document.querySelector('[data-share]').hidden") is (
        not screen.run("return Boolean(navigator.share)")
    )
    screen.run("navigator.share = what => { window.passed = what.text; return Promise.resolve(); }")
    screen.find("a[rel=next]").click()
    shows(screen, 2)
    screen.find(".share summary").click()
    screen.find("[data-share]").click()
    assert "/scores/2/replay?turn=2" in screen.run("return window.passed")


def test_the_outlines_lie_on_the_picture(pictured, screen):
    screen.open(f"{pictured.address}/scores/1/replay?turn=1")
    screen.find(".view polygon.is-new")
    outside = screen.run(
        "const b = document.querySelector('.view img').getBoundingClientRect();"
        "return [...document.querySelectorAll('.view:first-child polygon')].filter(one => {"
        "  const c = one.getBoundingClientRect();"
        "  return c.left < b.left || c.right > b.right || c.top < b.top || c.bottom > b.bottom || c.width < 5;"
        "}).length"
    )
    assert outside == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_seeing_a_turn_again(pictured, screen, language, scheme):
    screen.prefers(scheme=scheme)
    screen.open(f"{pictured.address}/scores/1/replay?turn=3&lang={language}")
    screen.find("#turn h1")
    screen.run("document.querySelector('.share').open = true")
    assert (screen.violations(), screen.small(), screen.complaints()) == ([], [], [])


@pytest.mark.parametrize("size", [*SIZES, *NARROW])
def test_it_fits_every_screen_with_all_that_can_be_opened(pictured, screen, size):
    screen.resize(*SIZES[size]) if size in SIZES else screen.narrow(size)
    for path in ("/scores/1/replay?turn=3&lang=de", "/scores/1/replay?turn=1&lang=fr"):
        screen.open(f"{pictured.address}{path}")
        screen.find("#turn h1")
        screen.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert screen.sideways() == 0, path


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_strip_and_picture_are_seen_without_scrolling(pictured, screen, size):
    screen.resize(*size)
    screen.open(f"{pictured.address}/scores/1/replay?turn=3")
    screen.find(".view img")
    screen.wait(lambda: screen.run("return document.querySelector('.view img').complete"), "the picture")
    strip, picture, tabs = (
        screen.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", one)
        for one in (".strip", ".view img", ".tabs")
    )
    assert strip["bottom"] <= picture["top"]
    assert picture["bottom"] <= tabs["top"]
