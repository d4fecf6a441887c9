"""The form that opens a tournament: what is left to the rules is told with its number."""

import pytest
from hall_evening import hall_evening
from test_tournament_evening import Director

TEXT = "return document.getElementById(arguments[0]).options[0].textContent"


@pytest.fixture
def director(tmp_path, screen):
    with hall_evening(tmp_path, tables=0) as evening:
        yield Director(evening, screen)


def choose(screen, name, value):
    screen.run(
        "const box = document.getElementById(arguments[0]); box.value = arguments[1];"
        "box.dispatchEvent(new Event('change', {bubbles: true}));",
        name, value,
    )  # fmt: skip


def test_what_the_rules_say_is_told_with_its_number_and_follows_what_is_chosen(director):
    screen = director.screen
    screen.find("#open summary").click()
    assert screen.run(TEXT, "open-least") == "as the rules say: 2"
    assert screen.run(TEXT, "open-most") == "as the rules say: 4"
    screen.until("#open-counting-now", "With the choices above, that is: Tournament points.")
    choose(screen, "open-drawing", "swiss")
    screen.until("#open-counting-now", "With the choices above, that is: Tournament points and strength of opponents.")
    choose(screen, "open-book", "gin")
    assert screen.run(TEXT, "open-most") == "as the rules say: 2"
    screen.until("#open-counting-now", "With the choices above, that is: Tournament points.")
    choose(screen, "open-book", "")
    choose(screen, "open-most", "2")
    screen.until("#open-counting-now", "With the choices above, that is: Tournament points.")
    director.opens("Ann\nBen\nCem\nDora")
    assert director.evening.keeper.facts.current.tournament.rules.counting.value == "points"
