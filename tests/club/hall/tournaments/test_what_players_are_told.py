"""What the pages of players and tables say, sentence by sentence: what decides a place, who starts, what was sent."""

import html
import http.client
import re
from contextlib import closing
from dataclasses import replace

import pytest
from browser import NARROW
from hall_pages import hall_pages, tournament
from hosting import Hosting

from referee.club.hall.tournaments.player_tokens import token_of
from referee.club.tournament import standings
from referee.club.tournament.events import ResultTold
from referee.club.tournament.rules import Counting, Drawing
from referee.i18n import LANGUAGES
from referee.pages.hall.table_cards import table_token

SECRET = b"0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def show(pages, hosting):
    facts = hosting.facts
    pages.tell(replace(facts, tournaments=replace(facts.tournaments, secret=SECRET)))


def fetch(pages, path, language="en"):
    """The text of a page, without its tags."""
    with closing(http.client.HTTPConnection(pages.address.removeprefix("http://"), timeout=60)) as connection:
        connection.request("GET", f"{path}?lang={language}")
        body = connection.getresponse().read().decode()
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


def phone(pages, hosting, number, language="en"):
    show(pages, hosting)
    return fetch(pages, f"/player/{token_of(SECRET, 'spring-cup-1', number)}", language)


def card(pages, hosting, table, language="en"):
    show(pages, hosting)
    return fetch(pages, f"/at/{table_token(SECRET, hosting.now, table)}", language)


def finish(hosting, *tables):
    """Let tables of the round come to a result: whoever sits later has more."""
    for table in tables:
        hosting.do(ResultTold(table, tuple(range(len(hosting.drawn.tables[table - 1].players))), 4.0))


def swiss(players=8, **rules):
    """A tournament by the standings after two rounds, in which the strength of the opponents counts."""
    hosting = Hosting(players, drawing=Drawing.SWISS, counting=Counting.STRENGTH, **rules)
    for _ in range(2):
        hosting.draw()
        hosting.begin()
        for table, one in enumerate(hosting.drawn.tables, 1):
            hosting.do(ResultTold(table, tuple(-player for player in one.players), 4.0))
    return hosting


# What decides a place ------------------------------------------------------------------------------------------------

HEAD = "return document.getElementById('standings').textContent"
DECIDES = "The ranking score decides the place: tournament points plus the strength of the opponents"


def test_where_the_strength_of_opponents_counts_a_place_is_shown_with_the_score_that_decides_it(pages):
    hosting = swiss()
    lines = standings(hosting.now.tournament)
    assert any(line.strength for line in lines)
    for line in lines:
        text = phone(pages, hosting, line.player)
        assert f"Place {line.place} of 8" in text
        assert f"Ranking score: {float(round(line.score, 2)):.8g}" in text
        assert f"Tournament points: {line.points} · strength of opponents: " in text
        assert DECIDES in text
    certificates = fetch(pages, "/tournament/certificates")
    assert certificates.count("Ranking score: ") == certificates.count(DECIDES) == 8
    assert "Tournament points: 24, in 2 rounds · strength of opponents: " in certificates


def test_where_points_alone_count_nothing_is_said_of_a_score(pages):
    hosting = tournament(7, "between")
    for text in (phone(pages, hosting, 1), fetch(pages, "/tournament/certificates")):
        assert "Tournament points: " in text
        assert "core" not in text


def test_the_page_for_a_club_explains_the_score(pages):
    show(pages, swiss())
    assert DECIDES in fetch(pages, "/tournament.html")
    show(pages, tournament(7, "between"))
    assert DECIDES not in fetch(pages, "/tournament.html")


@pytest.mark.page
def test_the_standings_explain_the_score(pages, screen):
    for hosting, explained in ((swiss(), True), (tournament(7, "between"), False)):
        show(pages, hosting)
        screen.open(f"{pages.address}/tournament?lang=en")
        screen.wait(lambda: "Tournament points" in screen.run(HEAD), "the standings")
        assert screen.all("#score-text")[0].is_displayed() is explained


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_can_be_read_on_any_phone_and_on_paper(pages, screen, language):
    hosting = swiss()
    show(pages, hosting)
    paths = (f"/player/{token_of(SECRET, 'spring-cup-1', 1)}", "/tournament/certificates", "/tournament")
    for path in paths:
        for size in NARROW:
            screen.narrow(size)
            screen.open(f"{pages.address}{path}?lang={language}")
            screen.wait(lambda: screen.all(".my-place, .certificate, #standings tbody tr"), "a place")
            assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), (path, size)
        assert screen.violations_in_both_schemes() == []
    assert screen.complaints() == []


# Who starts ----------------------------------------------------------------------------------------------------------


def test_everybody_at_a_table_is_told_who_starts(pages):
    hosting = Hosting(7)
    hosting.draw()
    for number, table in enumerate(hosting.drawn.tables, 1):
        names = hosting.names(number)
        assert "▶ You start" in phone(pages, hosting, table.players[0])
        for player in table.players[1:]:
            assert f"▶ {names[0]} starts" in phone(pages, hosting, player)
        assert f"▶ {names[0]} starts" in card(pages, hosting, number)
    hosting.begin()
    assert "▶ Player" in phone(pages, hosting, hosting.drawn.tables[0].players[1], "de")
    assert "beginnt" in phone(pages, hosting, hosting.drawn.tables[0].players[1], "de")
    finish(hosting, 1)
    assert "starts" not in card(pages, hosting, 1)
