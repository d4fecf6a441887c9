"""The page "What can be laid?" in a browser: pictures and taps, doubts, steps by button, key and swipe."""

from dataclasses import replace

import cv2
import pytest
from browser import NARROW
from page import rendered, served
from page_loop import playing
from selenium.webdriver.common.keys import Keys

from referee.cli.parts.readers import build_reader
from referee.game.notation import parse_table
from referee.game.tiles import Tile

TABLE_MM = (900.0, 600.0)
TABLE, HAND = "R4 R5 R6 | B9 K9 R9 O9", "R3 R7 B8 B7 K1"
SWIPE = """
const box = document.getElementById("answer"), [from, to] = arguments;
const touch = (x) => new Touch({ identifier: 1, target: box, clientX: x, clientY: 50 });
box.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], bubbles: true }));
box.dispatchEvent(new TouchEvent("touchend", { changedTouches: [touch(to)], bubbles: true }));
"""


class Eyes:
    """Reads pictures, and is in doubt about some tiles."""

    def __init__(self):
        self._reader = build_reader()
        self.doubts = {}

    def __call__(self, picture, box, _):
        seen = self._reader.read(picture, box, TABLE_MM)
        return replace(seen, reads=tuple(map(self._erred, seen.reads)))

    def _erred(self, read):
        if read.name not in self.doubts:
            return read
        other = Tile.from_name(self.doubts[read.name])
        return replace(read, tile=other, confidence=0.5, doubtful=True, alternatives=((read.name, 0.4),))


@pytest.fixture
def eyes():
    return Eyes()


@pytest.fixture
def files(tmp_path):
    """A photo of the table and one of the rack."""
    found = {}
    for name, tiles in (("table", TABLE), ("hand", HAND)):
        found[name] = tmp_path / f"{name}.jpg"
        assert cv2.imwrite(str(found[name]), rendered(tiles)[0])
    return found


def opened(table, screen, language="en"):
    screen.open(f"{table.address}/coach?lang={language}")
    screen.wait(lambda: screen.run("return 'coach' in Referee.parts"), "the parts of the page")


def photo(screen, side, path, number):
    """Choose a photo, and wait until so many tiles were read in it."""
    screen.all(f"#{side}-photo")[0].send_keys(str(path))
    where = "#table-sets" if side == "table" else "#hand-tiles"
    screen.wait(lambda: len(screen.all(f"{where} .tile-button")) == number, f"{number} tiles")


def seen_pixels(screen, name):
    """The height of a picture with what is drawn over it, as far as its frame shows it."""
    script = """
    const frame = document.getElementById(arguments[0] + "-picture").getBoundingClientRect();
    const image = document.querySelector("#" + arguments[0] + "-picture image").getBoundingClientRect();
    return Math.min(frame.bottom, image.bottom) - Math.max(frame.top, image.top);
    """
    return screen.run(script, name)


def names(screen, selector):
    return [one.get_attribute("aria-label") for one in screen.all(f"{selector} .tile")]


def find(screen):
    screen.find("#find").click()
    screen.find("#answer")


def tap(screen, tile):
    """Tap a tile on the keypad, after its colour where only one colour is shown."""
    colour = tile.partition("-")[0]
    for label in screen.all(f".colours label[data-colour={colour}]"):
        if label.is_displayed():
            screen.find(f".colours label[data-colour={colour}]").click()
    screen.find(f".tile-key[data-tile={tile}]").click()


def test_two_photos_lead_to_the_best_turn_step_by_step_on_the_picture(screen, eyes, files):
    with playing(reads=eyes) as table:
        screen.resize(390, 844)
        opened(table, screen)
        photo(screen, "table", files["table"], 7)
        photo(screen, "hand", files["hand"], 5)
        assert seen_pixels(screen, "table") > 100
        assert seen_pixels(screen, "hand") > 20
        assert screen.run("return document.querySelector('[name=opened][value=yes]').checked")
        find(screen)
        assert screen.text("#answer-title") == "Lay 4 of your 5 tiles (25 points)."
        assert screen.text("#step-number") == "Step 1 of 2"
        assert seen_pixels(screen, "step") > 100
        drawn = "return getComputedStyle(document.querySelector('#step-picture .hand-tile rect')).fill"
        assert screen.run(drawn) == "rgb(251, 244, 226)"  # ivory, so that the number on it can be read
        first = screen.text("#step-told")
        steps = {first: screen.run("return document.querySelectorAll('#step-picture .arrow').length")}
        screen.find("#step-next").click()
        screen.until("#step-number", "Step 2 of 2")
        steps[screen.text("#step-told")] = screen.run(
            "return document.querySelectorAll('#step-picture .comes').length"
        )
        assert "Make a new set: blue 7 8 9." in steps
        assert steps["Make a new set: blue 7 8 9."] == 1  # the blue 9 is outlined where it lies
        assert screen.run("return document.activeElement.id") == "step-back"
        screen.run("document.activeElement.blur()")
        screen.find("body").send_keys(Keys.ARROW_LEFT)
        screen.until("#step-number", "Step 1 of 2")
        screen.run(SWIPE, 300, 100)
        screen.until("#step-number", "Step 2 of 2")
        screen.run(SWIPE, 100, 300)
        screen.until("#step-told", first)
        assert screen.complaints() == []


def test_a_tile_in_doubt_is_asked_about_before_anything_is_looked_for(screen, eyes, files):
    eyes.doubts = {"blue-9": "blue-6"}
    with playing(reads=eyes) as table:
        screen.resize(390, 844)
        opened(table, screen)
        photo(screen, "table", files["table"], 7)
        tap(screen, "red-7")
        screen.find("#find").click()
        screen.until("#problem", "1 tile is unclear: first say what it is.")
        assert not screen.all("#answer")[0].is_displayed()
        height = "return document.getElementById('doubt-crop').getBoundingClientRect().height"
        assert screen.run(height) > 50
        screen.find("#doubt .pick", lambda one: one.find_elements("css selector", "[aria-label='blue 9']")).click()
        screen.wait(lambda: not screen.all("#doubt")[0].is_displayed(), "no question")
        assert "blue 9" in names(screen, "#table-sets .tile-button")
        assert "blue 6" not in names(screen, "#table-sets .tile-button")
        find(screen)
        assert screen.text("#answer-title") == "Lay your last tile (7 points): you go out!"


def test_tiles_are_tapped_corrected_and_removed_without_any_picture(screen):
    with playing() as table:
        screen.resize(390, 844)
        opened(table, screen)
        for tile in ("red-10", "red-11", "red-12", "blue-1", "joker"):
            tap(screen, tile)
        assert screen.text("#hand-count") == "(5)"
        screen.find("#hand-tiles .tile-button [aria-label='red 12']").click()
        tap(screen, "red-13")
        assert names(screen, "#hand-tiles .tile-button") == ["blue 1", "red 10", "red 11", "red 13", "joker"]
        screen.find("#hand-tiles .tile-button [aria-label='blue 1']").click()
        screen.find("#remove").click()
        assert screen.text("#hand-count") == "(4)"
        screen.find(".new-set").click()
        for tile in ("black-4", "red-4", "blue-4"):
            tap(screen, tile)
        assert names(screen, "#table-sets .tile-button") == ["black 4", "red 4", "blue 4"]
        find(screen)
        assert screen.text("#answer-title") == "Lay all 4 tiles (34 points): you go out!"
        assert not screen.all("#step-picture")[0].is_displayed()
        assert len(screen.all("#step-after .touched .tile.new")) == 4
        screen.find("#clear-hand").click()
        screen.wait(lambda: not screen.all("#answer")[0].is_displayed(), "no answer to another question")
        tap(screen, "orange-1")
        find(screen)
        assert screen.text("#answer-title") == "None of your tiles can be laid."
        assert not screen.all("#steps")[0].is_displayed()


def test_a_large_file_that_the_browser_cannot_read_is_said_to_be_no_picture(screen, tmp_path):
    with playing() as table:
        opened(table, screen)
        large = tmp_path / "photo.jpg"
        large.write_bytes(b"no picture " * 1_000_000)
        screen.all("#hand-photo")[0].send_keys(str(large))
        screen.until("#problem", "This file cannot be read as a picture")
        assert not screen.find("#find").get_attribute("disabled")


def test_everything_is_done_with_the_keyboard_and_said_in_the_language_of_the_page(screen):
    with playing() as table:
        screen.resize(1280, 900)
        opened(table, screen, "it")
        for tile in ("red-11", "red-12", "red-13"):
            screen.run(f"document.querySelector('.tile-key[data-tile={tile}]').focus()")
            screen.driver.switch_to.active_element.send_keys(Keys.ENTER)
        screen.run("document.getElementById('find').focus()")
        screen.driver.switch_to.active_element.send_keys(Keys.SPACE)
        screen.find("#answer")
        assert screen.text("#answer-title") == "Cala tutte le 3 tessere (36 punti): chiudi!"
        assert screen.run("return document.activeElement.id") == "answer-title"


def test_in_a_match_the_page_says_why_it_is_closed_and_opens_after_an_agreement(screen):
    with playing() as table:
        opened(table, screen)
        screen.find("#find")
        table.press("button-pause")
        screen.until("#why", "Nobody may ask the coach during this match")
        screen.find("#elsewhere a[href='/puzzle']")  # the page is no dead end
        assert not screen.all("#ask")[0].is_displayed()
    with playing(coach=True) as table:
        opened(table, screen)
        table.press("button-pause")
        screen.until("#agreed", "Everybody has agreed that players may ask the coach.")
        tap(screen, "red-1")
        find(screen)
        for page, selector in (("/", "#coach"), ("/display", "#facts")):
            screen.open(f"{table.address}{page}?lang=en")
            screen.until(selector, "Coach asked once")


def test_during_a_match_the_page_begins_with_the_confirmed_table_on_the_camera_picture(screen):
    with served(coach=True) as table:
        table.game.opened()
        table.press()
        table.see(TABLE)
        screen.resize(390, 844)
        opened(table, screen, "de")
        screen.wait(lambda: len(screen.all("#table-sets .tile-button")) == 7, "the table")
        shown = ["blaue 9", "orange 9", "rote 4", "rote 5", "rote 6", "rote 9", "schwarze 9"]
        assert sorted(names(screen, "#table-sets .tile-button")) == shown
        assert len(screen.all("#table-picture .on.read")) == 7
        source = screen.run("return document.querySelector('#table-picture image').getAttribute('href')")
        assert source.startswith("/picture/")
        assert not screen.all("#rules-field")[0].is_displayed()


def test_during_a_match_it_is_known_whether_the_first_meld_was_laid_whatever_lies_on_the_table(screen):
    """Whoever has not opened must not be advised to add to the sets of others: that turn would be refused."""
    with served(coach=True) as table:
        table.game.fields(table=parse_table("R4 R5 R6"))
        table.follow()
        opened(table, screen)
        screen.wait(lambda: len(screen.all("#table-sets .tile-button")) == 3, "the table")
        chosen = "return document.getElementById('ask').elements.opened.value"
        tap(screen, "red-7")
        assert screen.run(chosen) == "no"
        table.game.opened()
        table.follow()
        screen.wait(lambda: screen.run(chosen) == "yes", "the first meld")
        screen.find("[name=opened][value=no]").click()
        tap(screen, "red-8")
        assert screen.run(chosen) == "no"


@pytest.mark.parametrize("where", NARROW)
def test_nothing_is_cut_off_or_too_small_to_tap(screen, eyes, files, where):
    with playing(reads=eyes) as table:
        screen.narrow(where)
        opened(table, screen, "de")
        photo(screen, "table", files["table"], 7)
        photo(screen, "hand", files["hand"], 5)
        find(screen)
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])


def test_a_screen_reader_finds_nothing_to_complain_about(screen, eyes, files):
    eyes.doubts = {"blue-9": "blue-6"}
    with playing(reads=eyes) as table:
        opened(table, screen)
        photo(screen, "table", files["table"], 7)
        photo(screen, "hand", files["hand"], 5)
        assert screen.violations() == []
        screen.find("#doubt .pick").click()
        screen.find("#clear-table").click()
        find(screen)
        assert screen.violations() == []
