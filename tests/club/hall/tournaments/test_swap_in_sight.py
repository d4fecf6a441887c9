"""Swapping two players: one button, a form that stays in sight, what to press next, and a way back."""

import pytest
from hall_pages import hall_pages, tournament

pytestmark = pytest.mark.page
PICKS = "return document.querySelectorAll('[data-pick]').length"
IN_SIGHT = """
var box = document.querySelector(arguments[0]).getBoundingClientRect();
return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
"""


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)])
@pytest.mark.parametrize("stage", ["drawn", "playing"])
def test_the_form_stays_in_sight_and_says_what_comes_next(pages, screen, size, stage):
    hosting = tournament(40, stage)
    pages.show(hosting)
    screen.resize(*size)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#swap-start")
    assert screen.run(PICKS) == 0  # a name that can't be pressed is no button
    screen.find("#swap-start").click()
    screen.until("#picked", "Press the name of the first player.")
    one, other = hosting.drawn.tables[0].players[0], hosting.drawn.tables[-2].players[-1]
    names = [player.name for player in hosting.now.tournament.players]
    screen.find(f"#pick-{one}").click()
    screen.until("#picked", f"{names[one - 1]} and …: now press the name of the second player.")
    screen.run("arguments[0].scrollIntoView({block: 'center'})", screen.all(f"#pick-{other}")[0])
    assert screen.run(IN_SIGHT, "#picked")
    screen.find(f"#pick-{other}").click()
    screen.until("#picked", "change places.")
    assert screen.run(IN_SIGHT, "#swap-do")
    assert screen.run(IN_SIGHT, "#swap-cancel")
    assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    assert screen.violations() == []
    screen.find("#swap-cancel").click()
    screen.wait(lambda: screen.run("return document.activeElement.id") == "swap-start", "the focus")
    assert screen.run(PICKS) == 0
    assert screen.complaints() == []


def test_once_all_tables_have_a_result_nobody_can_be_swapped(pages, screen):
    pages.show(tournament(20, "between"))
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#finished")
    assert not screen.all("#swap-start")[0].is_displayed()
    assert screen.run(PICKS) == 0
