"""The table in a real browser."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from browser import SIZES
from page import served

import referee
from referee.devices.panel.lights import Glow
from referee.game.match.machine import new_match
from referee.game.notice import Notice
from referee.i18n import LANGUAGES
from referee.i18n.dates import written_moment
from referee.pages.table import pictures
from referee.table.output.audience import Choosing, Way

OPENING = "R10 R11 R12 | B10 B11 B12"
WRONG = "R10 R11 R12 | B10 B11 K12"


@pytest.fixture
def table():
    with served() as made:
        yield made


def refused(table):
    table.press()
    table.see(WRONG)
    return table


def test_a_turn_is_seen_as_it_is_played(table, screen):
    screen.open(table.address)
    screen.until("#live", "Ann's turn")
    table.press()
    screen.until("#live", "looking")
    table.see(OPENING)
    screen.until("#live", "Ben's turn")
    screen.until("#verdict", "Accepted")
    screen.wait(lambda: len(screen.all("#drawn .set")) == 2, "two sets")
    screen.wait(lambda: len(screen.all("#picture polygon.outline")) == 6, "six tiles")
    screen.wait(lambda: screen.run("return document.querySelector('#picture img').naturalWidth") > 0, "the picture")
    assert screen.complaints() == []


def test_a_start_is_offered_until_it_is_being_chosen_who_begins(table, screen):
    scene = replace(table.follower.facts.scene, state=new_match(table.game.state.rules))
    table.follower.on_update(scene)
    screen.open(f"{table.address}/?lang=en")
    screen.find("#to-setup a", lambda link: link.text == "Start the match")
    table.follower.on_update(replace(scene, choosing=Choosing(Way.PRESS, {0: Glow.BLINK, 1: Glow.BLINK})))
    screen.until("#live", "Who goes first?")
    screen.wait(lambda: not any(link.is_displayed() for link in screen.all("#to-setup")), "no start")
    screen.open(f"{table.address}/setup/start?lang=en")
    screen.wait(lambda: screen.find("#start").get_attribute("disabled"), "no start until it is known who begins")


def test_a_refusal_says_why_and_marks_the_set(table, screen):
    screen.open(refused(table).address)
    screen.until("#verdict", "Refused: Ann")
    screen.until("#verdict .fault", "black 12")
    screen.wait(lambda: len(screen.all("#picture polygon.over.refused")) == 3, "three tiles of the set")


def test_a_picture_that_does_not_come_keeps_its_shape(table, screen, monkeypatch):
    # Taps in it mean places: with another shape they would mean other ones.
    monkeypatch.setattr(pictures, "rectify_look", lambda *_: None)
    screen.open(refused(table).address)
    screen.wait(lambda: len(screen.all("#picture img")) == 1, "the picture's place")
    screen.wait(lambda: screen.run("return document.querySelector('#picture img').complete"), "the answer")
    assert screen.run("return document.querySelector('#picture img').naturalWidth") == 0
    wide, high, drawn = screen.run(
        "const box = document.getElementById('picture').getBoundingClientRect();"
        "return [box.width, box.height, document.querySelector('#picture svg').getBoundingClientRect().height];"
    )
    assert abs(wide / high - 900 / 600) < 0.01
    assert abs(drawn - high) < 0.5


def test_a_page_that_is_loaded_anew_in_the_middle_of_a_turn_shows_the_same(table, screen):
    screen.open(refused(table).address)
    screen.until("#verdict", "Refused")
    before = screen.text("#verdict") + screen.text("#players")
    screen.driver.refresh()
    screen.until("#verdict", "Refused")
    screen.wait(lambda: screen.text("#verdict") + screen.text("#players") == before, "the same page")


def test_a_screen_that_is_cut_off_says_since_when(table, screen):
    screen.open(table.address)
    screen.until("#live", "Ann's turn")
    table.server.close()
    screen.until("#connection", "No news since")


@pytest.mark.parametrize("country", ["en-US", "de-AT", "fr-CA", "it-CH"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_and_times_are_written_as_the_referee_writes_them_whatever_the_country(table, screen, language, country):
    screen.open(f"{table.address}/?lang={language}")
    screen.run("Object.defineProperty(navigator, 'languages', {value: [arguments[0]]});", country)
    for month in range(1, 13):
        for day in (1, 27):
            at = "new Date(2026, arguments[0] - 1, arguments[1], 9, 5, 7)"
            told = screen.run(f"return [Referee.moment({at}), Referee.time({at}, true)];", month, day)
            moment = written_moment(f"2026-{month:02}-{day:02} 09:05", language)
            assert [one.replace("\N{NO-BREAK SPACE}", " ") for one in told] == [moment, "09:05:07"]


def test_no_script_writes_dates_or_times_in_a_way_of_its_own():
    scripts = [one for one in Path(referee.__file__).parent.rglob("static/*.js") if one.name != "page.js"]
    assert len(scripts) > 30
    own = re.compile(r"toLocale(?:Date|Time)String|toLocaleString\((?!language, \{ maximumFractionDigits)|\.format\(")
    assert [(one.name, own.findall(one.read_text())) for one in scripts if own.search(one.read_text())] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_is_chosen_on_the_page_and_kept(table, screen, language):
    screen.open(f"{table.address}/?lang={language}")
    screen.open(table.address)
    assert screen.run("return document.documentElement.lang") == language
    wanted = {"en": "Ann's turn", "de": "am Zug", "fr": "C'est", "it": "Tocca"}
    screen.until("#live", wanted[language])


def test_no_line_begins_with_a_french_colon(table, screen):
    screen.open(f"{refused(table).address}/?lang=fr")
    text = screen.find("#verdict").get_attribute("textContent")
    assert "Refus\u00e9\u00a0: Ann" in text
    assert "\u00a0:" in text.replace("Refus\u00e9\u00a0:", "")
    assert " :" not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_using_it(table, screen, language, scheme):
    refused(table)
    table.say(Notice("play.looking"))
    screen.prefers(scheme=scheme)
    screen.open(f"{table.address}/?lang={language}")
    screen.find("#verdict h2")
    assert screen.violations() == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("zoom", [1, 2])
def test_it_fits_every_screen(table, screen, size, zoom):
    width, height = SIZES[size]
    screen.resize(max(320, width // zoom), height // zoom)
    screen.open(refused(table).address)
    screen.find("#verdict h2")
    screen.find("#picture img")
    assert screen.sideways() == 0
