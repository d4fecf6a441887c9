"""Cards and result slips for the tables, and the page of a table to which their codes lead."""

import re

import pytest
from browser import NARROW
from guarded_hall import hall_house, with_another_end
from hall_evening import hall_evening
from hall_pages import SECRET, hall_pages, tournament
from hosting import Hosting
from test_tournament_evening import Director

from referee.club.tournament.events import Ended, Renamed, ResultReported
from referee.i18n import LANGUAGES
from referee.letters import NAME_LETTERS
from referee.pages.hall.table_cards import cards_needed, table_token

SHEETS = ("/tournament/table-cards", "/tournament/result-slips", "/tournament/table-code/1.svg")

WIFI = {  # it must not be broken at the hyphen
    "en": "in the hall's Wi\N{NON-BREAKING HYPHEN}Fi",
    "de": "im WLAN der Halle",
    "fr": "Wi\N{NON-BREAKING HYPHEN}Fi de la salle",
    "it": "Wi\N{NON-BREAKING HYPHEN}Fi della sala",
}


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def test_there_are_as_many_cards_as_tables():
    hosting = Hosting(13)
    assert cards_needed(hosting.now) == 4
    hosting.draw()
    assert cards_needed(hosting.now) == 4
    assert cards_needed(Hosting(0).now) == 0


def test_only_directors_print_them_and_everybody_with_the_code_sees_the_table(tmp_path):
    with hall_house(tmp_path, reading="pin") as house:
        keeper, session = house.tournaments, {"Cookie": house.cookie()}
        fields = {"command": "tournament-open", "id": "opens-a-tournament", "n": 0, "name": "Cup", "rounds": 3}
        assert house.post("/api/command", fields, **session)[0] == 200
        assert house.ask("/tournament/table-code/1.svg", **session)[0] == 404  # nobody plays yet
        enter = {"command": "tournament-enter", "id": "enters-players", "n": 0, "names": "Ann\nBen"}
        assert house.post("/api/command", enter, **session)[0] == 200
        for path in SHEETS:
            assert house.ask(path)[0] == 401
            assert house.ask(path, **session)[0] == 200
        assert house.ask("/tournament/table-code/129.svg", **session)[0] == 404
        token = table_token(keeper.facts.secret, keeper.facts.current, 1)
        status, _, body = house.ask(f"/at/{token}")
        assert (status, "Table 1" in body, "/player/" in body) == (200, True, False)
        for wrong in (with_another_end(token), "1"):
            assert house.ask(f"/at/{wrong}")[0] == 404, wrong
    with hall_house(tmp_path, reading="open") as house:
        assert house.ask(SHEETS[0])[0] == 403


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_table_says_who_sits_there_and_what_was_entered(pages, screen, language):
    hosting = tournament(7, "drawn")
    hosting.views = {}
    hosting.do(Renamed(1, "W" * NAME_LETTERS, 9.0))
    hosting.begin()
    steps = (
        lambda: None,
        lambda: hosting.do(ResultReported(1, (9, 0, -9), hosting.drawn.tables[0].players[0], 9.0)),
    )
    names = [hosting.now.tournament.players[one - 1].name for one in hosting.drawn.tables[0].players]
    for step in steps:
        step()
        pages.show_own_pages(hosting)
        for size in NARROW:
            screen.narrow(size)
            screen.open(f"{pages.address}/at/{table_token(SECRET, hosting.now, 1)}?lang={language}")
            assert [one.text.lstrip("▶ ") for one in screen.all(".at-table .who")] == names
            assert screen.violations_in_both_schemes() == []
            assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    assert " 0, " in screen.text(".my-state")
    assert screen.complaints() == []


@pytest.mark.page
def test_at_a_table_that_is_not_needed_nobody_sits(pages, screen):
    hosting = tournament(7, "between")
    pages.show_own_pages(hosting)
    screen.open(f"{pages.address}/at/{table_token(SECRET, hosting.now, 3)}?lang=en")
    screen.until(".my-state", "Nobody sits here at the moment.")
    hosting.do(Ended(9.0))
    pages.show_own_pages(hosting)
    screen.until(".my-state", "The tournament is over.")


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_slips_are_printed(tmp_path, screen, language):
    with hall_evening(tmp_path, 1) as evening:
        director = Director(evening, screen)
        director.opens("Ann\nBen\nCem\nDora\n" + "W" * NAME_LETTERS + "\nFay")
        director.all_here()
        director.draws()
        screen.narrow("320 px")
        for path, cards in zip(SHEETS[:2], (".table-card", ".result-slip"), strict=True):
            screen.open(f"{evening.address}{path}?lang={language}")
            assert len(screen.all(cards)) == 2
            assert len(screen.all(f"{cards} img")) == 2
            loaded = "return [].every.call(document.querySelectorAll('.slip img'), one => one.naturalWidth > 0)"
            screen.wait(lambda loaded=loaded: screen.run(loaded), "the codes")
            assert screen.violations_in_both_schemes() == []
            assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
            if cards == ".table-card":
                address = screen.all(".table-card .address")[0].text
                token = table_token(evening.keeper.facts.secret, evening.keeper.facts.current, 1)
                assert address == f"{evening.address}/at/{token}"
            assert WIFI[language] in screen.all(cards)[0].text
        screen.open(f"{evening.address}/tournament/slips?lang={language}")
        assert all(WIFI[language] in one.text for one in screen.all(".slip"))
        screen.open(f"{evening.address}{SHEETS[1]}?lang={language}")
        names = [one.text for one in screen.all(".result-slip tbody th")]
        assert sorted(names) == sorted(["Ann", "Ben", "Cem", "Dora", "W" * NAME_LETTERS, "Fay"])
        screen.prefers(media="print")
        assert screen.paper() == 1
        assert screen.complaints() == []
        assert re.fullmatch(r"/tournament/table-code/\d\.svg\?of=spring-cup-1", screen.find(
            ".result-slip img").get_attribute("src").removeprefix(evening.address))  # fmt: skip
