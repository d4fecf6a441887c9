"""The two pages of the director: the menu leads to the right one, and each says what is on the other."""

from urllib.parse import urlsplit

import pytest
from browser import NARROW
from hall_pages import hall_pages, tournament

from referee.club.tournament.events import Ended
from referee.i18n import LANGUAGES

pytestmark = pytest.mark.page
DESK, TOURNAMENT = "/director", "/tournament/director"
MENU = "header li:nth-child(4) a"
WAYS = ".director-ways a"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def path_of(link):
    return urlsplit(link.get_attribute("href")).path


def test_the_menu_leads_to_the_tournament_while_one_is_open(pages, screen):
    hosting = tournament(8, "between")
    for facts, path in ((None, DESK), (hosting, TOURNAMENT)):
        pages.show(facts)
        screen.wait(lambda: path_of(screen.open(f"{pages.address}/?lang=en").find(MENU)) == path, path)  # noqa: B023
        screen.find(MENU).click()
        screen.wait(lambda: screen.find(MENU).get_attribute("aria-current") == "page", "the director's page")
        assert urlsplit(screen.driver.current_url).path == path
    hosting.do(Ended(11.0))
    pages.show(hosting)
    screen.wait(lambda: path_of(screen.open(f"{pages.address}/results?lang=en").find(MENU)) == DESK, "after the end")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [DESK, TOURNAMENT])
def test_both_pages_say_what_is_where(pages, screen, path, language):
    pages.show(tournament(8, "between"))
    for size in NARROW:
        screen.narrow(size)
        screen.open(f"{pages.address}{path}?lang={language}")
        screen.find(WAYS)
        ways = screen.all(WAYS)
        assert [path_of(one) for one in ways] == [TOURNAMENT, DESK]
        assert [one.get_attribute("aria-current") for one in ways] == [
            "page" if path_of(one) == path else None for one in ways
        ]
        assert all(one.find_element("css selector", "span").text for one in ways)
        assert (screen.sideways(), screen.cut_off()) == (0, []), size
    assert screen.complaints() == []
