"""The ratings on the hall's page: the list, the history of each player, files; in all languages and sizes."""

import csv
import io
import json
from dataclasses import replace

import pytest
from browser import NARROW
from guarded_hall import hall_house
from hall_pages import hall_pages, tournament
from hosting import Hosting
from tournaments import Log

from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.saved import save_tournament
from referee.club.tournament.events import Described, Renamed, ResultCorrected
from referee.i18n import LANGUAGES
from referee.letters import NAME_LETTERS
from referee.pages.hall.tournament_saving import RESTORE

BYTES = {"Content_Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def show(pages, *hostings):
    facts = hostings[-1].facts
    pages.tell(replace(facts, tournaments=TournamentFacts(tuple(one.now for one in hostings))))


def two_cups():
    early, late = tournament(7, "between"), tournament(13, "between")
    late.now = replace(late.now, slug="autumn-cup-2", t=400 * 86400.0)
    late.do(Described(1, 9.0, "North", 1850))
    return early, late


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_and_a_history_can_be_read_by_everybody(pages, screen, language):
    early, late = two_cups()
    late.do(Renamed(2, "W" * NAME_LETTERS, 9.0))
    show(pages, early, late)
    screen.open(f"{pages.address}/ratings?lang={language}")
    assert len(screen.all("tbody tr")) == 13
    assert screen.violations_in_both_schemes() == []
    for size in NARROW:
        screen.narrow(size)
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    screen.find("tbody th a", lambda one: one.text == "Ann").click()
    screen.until("h1", "Ann")
    assert len(screen.all("tbody tr")) == 2
    assert screen.violations_in_both_schemes() == []
    for size in NARROW:
        screen.narrow(size)
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    assert screen.complaints() == []


@pytest.mark.page
def test_a_correction_is_seen_at_once_and_without_results_there_is_a_sentence(pages, screen):
    early, late = two_cups()
    show(pages, early, late)

    def rated():
        screen.open(f"{pages.address}/ratings?lang=en")
        return [one.text for one in screen.all("tbody tr")]

    before = rated()
    table = early.drawn.tables[0]
    early.do(ResultCorrected(2, 1, tuple(-50 * one - 1 for one in table.points), 9.0, "Eve", "other way round"))
    show(pages, early, late)
    assert rated() != before
    show(pages, Hosting(4))
    assert rated() == []
    screen.until("main", "There is no result yet.")


def test_the_files_have_everything_and_an_unknown_player_is_not_found(tmp_path):
    log = Log()
    for name in ('=HYPERLINK("x")', "Zoë & <Ben>", "Cleo"):
        log.enter(name)
    log.play()
    with hall_house(tmp_path) as house:
        session = {"Cookie": house.cookie()}
        assert json.loads(house.ask("/ratings.json")[2]) == {"version": 1, "players": []}
        assert house.ask(RESTORE, "POST", save_tournament("cup-1", "Cup", log.events), **BYTES, **session)[0] == 200
        rows = list(
            csv.DictReader(io.StringIO(house.ask("/ratings.csv")[2].removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")))
        )
        assert [row["player"] for row in rows] == ['\'=HYPERLINK("x")', "Zoë & <Ben>", "Cleo"]
        assert [row["place"] for row in rows] == ["1", "2", "3"]
        told = json.loads(house.ask("/ratings.json")[2])["players"]
        assert [one["rating"] for one in told] == [int(row["rating"]) for row in rows]
        assert [one["history"][0]["after"] for one in told] == [one["rating"] for one in told]
        status, _, body = house.ask("/ratings/player?name=zo%C3%AB%20%26%20%3Cben%3E")
        assert (status, "Zoë &amp; &lt;Ben&gt;" in body) == (200, True)
        for path in ("/ratings/player", "/ratings/player?name=nobody", "/ratings.xml"):
            assert house.ask(path)[0] == 404
