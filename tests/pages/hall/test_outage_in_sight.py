"""That nothing comes any more is said where somebody looks, on a phone that is scrolled down, and covers no focus."""

import pytest
from browser import NARROW
from hall_day_states import without_referees
from hall_pages import SECRET, HallPages

from referee.club.hall.tournaments.player_tokens import token_of
from referee.i18n import LANGUAGES

CHOSEN = """const at = document.querySelector(arguments[0]), top = at.getBoundingClientRect().top + scrollY;
at.focus({preventScroll: true});
scrollTo(0, top - 4);
return document.activeElement === at && scrollY > 100;"""
"""Chooses something at the upper edge of a page that is scrolled."""
IN_SIGHT = """const line = document.getElementById('connection').getBoundingClientRect();
const at = document.activeElement.getBoundingClientRect();
return line.height > 0 && line.top >= -1 && line.bottom <= innerHeight
  && (at.top >= line.bottom - 1 || at.bottom <= line.top + 1) && at.bottom <= innerHeight;"""


@pytest.fixture(name="hall")
def _hall():
    made = HallPages()
    hosting = without_referees()
    made.show_own_pages(hosting)
    made.player = f"/player/{token_of(SECRET, hosting.now.slug, hosting.drawn.tables[1].players[0])}"
    yield made
    if made.player is not None:
        made.close()


def dies(hall):
    hall.player = None
    hall.close()


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("whose", ["player", "director"])
def test_an_outage_stays_in_sight_on_a_scrolled_phone(hall, screen, whose, language):
    path, selector = (
        (hall.player, "#player-call summary")
        if whose == "player"
        else ("/tournament/director", "#round-section summary")
    )
    screen.narrow(next(iter(NARROW)))
    screen.open(f"{hall.address}{path}?lang={language}")
    screen.find(selector)
    screen.wait(lambda: screen.run(CHOSEN, selector), "something is chosen far down")
    dies(hall)
    screen.wait(lambda: screen.run("return !document.getElementById('connection').hidden"), "the outage is told")
    screen.wait(lambda: screen.run(IN_SIGHT), "the line is in sight and covers nothing that is chosen")
    assert screen.sideways() == 0
