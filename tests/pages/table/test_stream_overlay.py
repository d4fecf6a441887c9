"""The overlay for streams: cards over a video that come and go with the match."""

import pytest
from page import served

from referee.game.match.events import MatchOver, Started
from referee.game.match.machine import new_match
from referee.game.match.phases import Phase
from referee.game.notation import parse_table

OPENING = "R10 R11 R12 | B10 B11 B12"
FULL = (
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10 | O1 O2 O3 | K6 K7 ** K9 | "
    "R1 R2 R3 R4 R5 R6 R7 R8 R9 | B5 B6 B7 B8 B9 B10 B11 B12 B13 | K1 K2 K3 K4 K5 K6 | O10 O11 O12 O13 | R7 B7 K7 | "
    "O4 O5 O6 O7 O8 | K11 K12 K13 | K8 O8 R8 | R12 K12 O12 | R13 K13 O13 | B1 K1 O1 | R2 B2 K2 O2 | R6 B6 **"
)
NAMES = ("Wolfeschlegelsteinhausenbergerdorffmwalt", "Maximiliane-Katharina-Wilhelmine Mustern", "W" * 40, "Anna")
CARDS = ("clock", "turn", "scores", "verdict", "board")
SIZES = [(1920, 1080), (1280, 720), (800, 600)]


@pytest.fixture
def table():
    with served() as made:
        yield made


def opened(table, screen, query="", size=(1920, 1080)):
    screen.resize(*size)
    screen.open(f"{table.address}/overlay?lang=en{query}")
    screen.wait(lambda: screen.run("return 'clock' in Referee.parts"), "the parts of the page")
    return screen


def cards(screen):
    """The names of the cards that are seen."""
    return [one.get_attribute("data-part") for one in screen.all("[data-part]") if one.is_displayed()]


def cut_off(screen):
    """Cards that hold more than is seen, or that reach beyond the screen."""
    return screen.run(
        "return [...document.querySelectorAll('[data-part]:not([hidden])')].filter(card => {"
        "const box = card.getBoundingClientRect();"
        "return card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1 ||"
        "box.right > innerWidth || box.bottom > innerHeight}).map(card => card.dataset.part)"
    )


def test_the_video_is_seen_between_the_cards(table, screen):
    opened(table, screen)
    colours = screen.run(
        "return [document.documentElement, document.body, document.querySelector('main')]"
        ".map(one => getComputedStyle(one).backgroundColor)"
    )
    assert colours == ["rgba(0, 0, 0, 0)"] * 3
    assert not screen.all("header, nav")
    card = screen.run(
        "const card = getComputedStyle(document.getElementById('turn')); return [card.backgroundColor, card.color]"
    )
    assert card == ["rgb(15, 74, 62)", "rgb(255, 255, 255)"]


def test_a_turn_is_followed_card_by_card(table, screen):
    opened(table, screen)
    screen.until("#live", "It is Ann's turn.")
    assert cards(screen) == ["clock", "turn", "scores"]  # nothing was judged, and nothing lies there
    assert screen.text("#clock").startswith(("0:", "1:"))
    assert screen.text("#scores .turn .name") == "Ann"
    table.press()
    table.see(OPENING)
    screen.until("#verdict", "✓ Accepted: Ann")
    screen.wait(lambda: len(screen.all("#board .set")) == 2, "both sets")
    assert cards(screen) == list(CARDS)
    assert [one.get_attribute("aria-label") for one in screen.all("#board .tile")][:2] == ["red 10", "red 11"]
    screen.until("#scores .turn", "Ben")
    table.press()
    table.see(f"{OPENING} | K3 K4")
    screen.until("#verdict", "✗ Refused: Ben")
    line = screen.run(
        "const line = document.querySelector('#verdict p'); return [line.textContent, line.clientHeight]"
    )
    assert "Black 3 4" in line[0]
    assert line[1] < 60  # one line
    assert screen.complaints() == []


@pytest.mark.parametrize(
    ("query", "seen"),
    [
        ("&parts=clock,scores", ["clock", "scores"]),
        ("&parts=board", ["board"]),
        ("&parts=verdict,nothing", ["verdict"]),
        ("&parts=", list(CARDS)),
    ],
)
def test_the_address_chooses_the_cards(table, screen, query, seen):
    table.press()
    table.see(OPENING)
    opened(table, screen, query)
    assert cards(screen) == seen
    table.press()
    table.see(f"{OPENING} | K3 K4")
    screen.wait(lambda: screen.run("return Referee.parts.verdict && !Referee.parts.verdict.accepted"), "a refusal")
    assert cards(screen) == seen


@pytest.mark.parametrize("size", SIZES)
def test_all_tiles_and_long_names_fit(screen, size):
    with served(players=4) as table:
        table.game.state = new_match(table.game.state.rules)
        table.game.do(Started(NAMES, 0.0)).opened().fields(table=parse_table(FULL))
        table.press()
        table.see("R10 R11 K12 | B10 B11 K13")
        opened(table, screen, size=size)
        screen.wait(lambda: len(screen.all("#board .set")) == 21, "all sets")
        screen.until("#verdict", "Refused")
        screen.wait(lambda: cut_off(screen) == [], "room for all")
        upper = screen.run("return document.querySelector('.upper').getBoundingClientRect().bottom")
        lower = screen.run("return document.querySelector('.lower').getBoundingClientRect().top")
        assert upper <= lower
        assert screen.sideways() == 0


def test_no_clock_is_shown_where_none_runs_and_the_winner_has_a_star(table, screen):
    table.game.fields(phase=Phase.OVER)
    table.game.effects = (MatchOver((1,), (-10, 10)),)
    table.follow()
    opened(table, screen)
    screen.until("#live", "The match is over.")
    assert "clock" not in cards(screen)
    assert screen.text("#scores .won .name") == "Ben"


def test_the_more_page_leads_to_the_overlay(table, screen):
    screen.open(f"{table.address}/more?lang=en")
    screen.find("a[href='/overlay']").click()
    screen.until("#live", "It is Ann's turn.")
