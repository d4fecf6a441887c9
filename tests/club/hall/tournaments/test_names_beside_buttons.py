"""The director's list of players: the buttons of a player leave the name its room, at every width."""

import pytest
from browser import SIZES
from hall_pages import hall_pages
from hosting import Hosting

from referee.club.tournament.events import CheckedIn, Described, Entered
from referee.i18n import LANGUAGES

WIDTHS = {"phone": SIZES["phone"], "laptop": (1280, 900), "television": SIZES["television"]}
NAMES = ("Maximiliane-Katharina von Hohenstein", "Çelik")
SQUEEZED = """
return [].map.call(document.querySelectorAll("#players > li"), function (line) {
  var who = line.querySelector(".who"), state = line.querySelector(".state");
  var room = line.getBoundingClientRect().width - state.getBoundingClientRect().width;
  return [who.textContent, Math.round(100 * who.getBoundingClientRect().width / room)];
}).filter(function (one) { return one[1] < 75; });
"""
"""Names that have less than three quarters of the line, with the percentage that they have."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_buttons_of_a_player_do_not_squeeze_the_name(screen, width, language):
    hosting = Hosting(0)
    for number in range(1, 9):
        hosting.do(Entered(f"{NAMES[number % 2]} {number}", 1.0), CheckedIn(number, 1.0))
        hosting.do(Described(number, 1.5, "", 1850))
    with hall_pages() as pages:
        pages.show(hosting)
        screen.resize(*WIDTHS[width])
        screen.open(f"{pages.address}/tournament/director?lang={language}")
        screen.find("#players .who")
        assert screen.run(SQUEEZED) == []
        assert (screen.sideways(), screen.cut_off()) == (0, [])
