"""What the pages of players and tables say, sentence by sentence: what decides a place, who starts, what was sent."""

import csv
import html
import http.client
import io
import re
from contextlib import closing
from dataclasses import replace

import pytest
from browser import NARROW
from hall_pages import SECRET, hall_pages, tournament
from hosting import Hosting

from referee.club.hall.tournaments.player_tokens import token_of
from referee.club.hall.tournaments.state import Placed
from referee.club.tournament import export, standings
from referee.club.tournament.events import (
    CUT,
    CheckedIn,
    DrawWithdrawn,
    Ended,
    Left,
    ReportConfirmed,
    ReportDecided,
    ReportDisputed,
    ReportRejected,
    ResultReported,
    ResultTold,
    RulingMade,
    TeamGiven,
)
from referee.club.tournament.league.state import League, RulesChange, Worth
from referee.club.tournament.reports import has_negative_totals
from referee.club.tournament.rules import Counting, Drawing, GroupStage, TieBreak
from referee.game.rulebooks import RULESETS
from referee.i18n import ENGLISH, LANGUAGES
from referee.pages.hall.group_part import groups, teams
from referee.pages.hall.table_cards import table_token
from referee.pages.hall.traces import trace


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def fetch(pages, path, language="en"):
    """The text of a page, without its tags."""
    with closing(http.client.HTTPConnection(pages.address.removeprefix("http://"), timeout=60)) as connection:
        connection.request("GET", f"{path}?lang={language}")
        body = connection.getresponse().read().decode()
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))


def phone(pages, hosting, number, language="en"):
    pages.show_own_pages(hosting)
    return fetch(pages, f"/player/{token_of(SECRET, 'spring-cup-1', number)}", language)


def card(pages, hosting, table, language="en"):
    pages.show_own_pages(hosting)
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
NAMES = {"en": "Tournament points", "de": "Turnierpunkte", "fr": "Points de tournoi", "it": "Punti torneo"}
NOBODY_KNOWS = "\N{EN DASH}"
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
    pages.show_own_pages(swiss())
    assert DECIDES in fetch(pages, "/tournament.html")
    pages.show_own_pages(tournament(7, "between"))
    assert DECIDES not in fetch(pages, "/tournament.html")


@pytest.mark.page
def test_the_standings_explain_the_score(pages, screen):
    for hosting, explained in ((swiss(), True), (tournament(7, "between"), False)):
        pages.show_own_pages(hosting)
        screen.open(f"{pages.address}/tournament?lang=en")
        screen.wait(lambda: "Tournament points" in screen.run(HEAD), "the standings")
        assert screen.all("#score-text")[0].is_displayed() is explained


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_can_be_read_on_any_phone_and_on_paper(pages, screen, language):
    hosting = swiss()
    pages.show_own_pages(hosting)
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


# Who has not played yet ----------------------------------------------------------------------------------------------


def test_whoever_left_without_having_played_is_not_told_of_points(pages):
    hosting = Hosting(7)
    hosting.do(Left(7, 1.5))
    assert "You are not checked in." in phone(pages, hosting, 7)
    hosting.draw()
    hosting.do(Left(2, 1.6), DrawWithdrawn(1.7))
    assert "You are not taking part at the moment." in phone(pages, hosting, 2)
    hosting.do(CheckedIn(2, 1.8))
    hosting.draw()
    hosting.begin()
    finish(hosting, 1, 2)
    hosting.do(Left(1, 4.5))
    assert "your tournament points stay in the standings" in phone(pages, hosting, 1)
    hosting.do(CheckedIn(7, 4.6), Left(7, 4.7, CUT))
    assert "only the first in the standings play on." in phone(pages, hosting, 7)
    assert "points stay" not in phone(pages, hosting, 7)
    hosting.do(CheckedIn(1, 4.8), Left(1, 4.9, CUT))
    assert "Your tournament points stay." in phone(pages, hosting, 1)


def test_whoever_has_no_result_has_no_place_yet_and_is_behind_everybody_who_has_one(pages):
    hosting = Hosting(8)
    hosting.draw()
    hosting.begin()
    assert "Standings" not in phone(pages, hosting, 1)
    finish(hosting, 1)
    played = hosting.drawn.tables[0].players
    waits = hosting.drawn.tables[1].players
    for player in played:
        assert re.search("Place [1-4] of 8", phone(pages, hosting, player))
    for player in waits:
        text = phone(pages, hosting, player)
        assert "You have no result yet. Your place will be shown here after your first one." in text
        assert not re.search("Place [0-9]|Tournament points", text)
    assert fetch(pages, "/tournament/certificates").count("Place ") == 4
    assert fetch(pages, "/tournament.html").partition("Rounds played")[0].count(f" {NOBODY_KNOWS} Player") == 4


def test_a_place_that_nobody_has_yet_is_in_no_file():
    hosting = Hosting(8)
    hosting.draw()
    hosting.begin()
    hosting.do(TeamGiven(hosting.drawn.tables[1].players[0], "Foxes", 3.5))
    told = export.as_json(hosting.now.tournament)
    assert {line["place"] for line in (*told["standings"], *told["teams"])} == {None}
    finish(hosting, 1)
    told = export.as_json(hosting.now.tournament)
    assert [line["place"] for line in told["standings"]] == [1, 2, 3, 4, None, None, None, None]
    rows = csv.DictReader(io.StringIO(export.standings_csv(hosting.now.tournament)))
    assert [row["place"] for row in rows] == ["1", "2", "3", "4", "", "", "", ""]
    finish(hosting, 2)
    assert export.as_json(hosting.now.tournament)["teams"][0]["place"] == 1


def test_groups_and_teams_have_no_places_before_anybody_has_played():
    hosting = Hosting(8, largest=2, drawing=Drawing.GROUPS, groups=GroupStage(4, 2))
    hosting.do(TeamGiven(1, "Foxes", 1.5))
    hosting.draw()
    tournament_now = hosting.now.tournament
    assert {line["place"] for group in groups(tournament_now, ENGLISH) for line in group["lines"]} == {None}
    assert [line["place"] for line in teams(tournament_now)] == [None]


@pytest.mark.page
def test_nobody_without_a_result_is_among_the_first_or_has_points(pages, screen):
    hosting = Hosting(8, drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    hosting.draw()
    hosting.begin()
    finish(hosting, 1)
    pages.show_own_pages(hosting)
    screen.open(f"{pages.address}/tournament?lang=en")
    cells = "return [].map.call(document.querySelectorAll('#standings tbody td:first-child'), one => one.textContent)"
    screen.wait(lambda: screen.run(cells) == ["1", "2", "3", "4", *4 * [NOBODY_KNOWS]], "the places")
    values = """
return [].map.call(document.querySelectorAll('#standings tbody tr'), function (row) {
  return [].map.call(row.querySelectorAll('td.number:not(:first-child)'), cell => cell.textContent);
});
"""
    first, *_, last = screen.run(values)
    assert NOBODY_KNOWS not in first
    assert set(last) == {NOBODY_KNOWS, "0"}  # they have played no round
    assert last.count("0") == 1
    scores = "return [].map.call(document.querySelectorAll(arguments[0]), row => row.cells[2].textContent)"
    for view, rows in (("/tournament/wall", "#columns tbody tr"), ("/tournament/director", "#standings tbody tr")):
        screen.open(f"{pages.address}{view}?lang=en#standings")
        screen.wait(lambda rows=rows: screen.run(scores, rows)[4:] == 4 * [NOBODY_KNOWS], view)
    site = fetch(pages, "/tournament.html").partition("Rounds played")[0]
    assert re.search(f"{NOBODY_KNOWS} Player [0-9] {NOBODY_KNOWS} {NOBODY_KNOWS} 0 {NOBODY_KNOWS}", site)
    assert screen.complaints() == []


@pytest.mark.page
def test_where_scores_are_equal_every_page_says_what_decided_the_place(pages, screen):
    hosting = Hosting(8, tie_breaks=(TieBreak.WINS, TieBreak.MARGIN, TieBreak.LOTS))
    hosting.draw()
    hosting.begin()
    hosting.do(ResultTold(1, (30, -5, -10, -15), 4.0), ResultTold(2, (36, -6, -12, -18), 4.0))
    pages.show_own_pages(hosting)
    told = "Where players are equal, the place was decided by: total margin."
    for path in ("/tournament/wall#standings", "/tournament", "/tournament/director"):
        address, _, view = path.partition("#")
        screen.open(f"{pages.address}{address}?lang=en#{view}")
        screen.wait(lambda: screen.run("return document.getElementById('decided').textContent") == told, path)
    assert told in fetch(pages, "/tournament.html")
    assert screen.complaints() == []


# Who disputes a result -----------------------------------------------------------------------------------------------


def test_whoever_disputes_a_result_sees_their_own_version_beside_the_other(pages):
    hosting = Hosting(4)
    hosting.views = {}
    hosting.draw()
    hosting.begin()
    one, other, third, _ = hosting.drawn.tables[0].players
    first, second, *_ = hosting.names(1)
    hosting.do(ResultReported(1, (9, 1, -4, -6), one, 4.0))
    assert "version" not in phone(pages, hosting, other)
    hosting.do(ReportDisputed(1, other, 5.0))
    assert "version" not in phone(pages, hosting, other)
    assert "It is right" in phone(pages, hosting, other)
    hosting.do(ReportDisputed(1, other, 6.0, (9, 3, -5, -7)))

    def versions(player):
        """Whose version is in which column, and the totals of the second player there."""
        text = phone(pages, hosting, player)
        heads = re.findall(r"((?:Your|Player \d's) version) (?!is)", text)
        return list(zip(heads, re.search(r"Player \d \+9 \+9 Player \d \+(\d) \+(\d) ", text).groups(), strict=True))

    assert f"{first}'s version is right" in phone(pages, hosting, other)
    assert "It is right" not in phone(pages, hosting, other)
    assert versions(other) == [(f"{first}'s version", "1"), ("Your version", "3")]
    assert versions(one) == [("Your version", "1"), (f"{second}'s version", "3")]
    assert versions(third) == [(f"{first}'s version", "1"), (f"{second}'s version", "3")]


@pytest.mark.parametrize(
    "decides",
    [
        ReportConfirmed(1, 7.0, None, "Eve"),
        ReportDecided(1, (9, 0, -4, -5), 7.0, "Eve"),
        ReportRejected(1, 7.0, "Eve", "Count again"),
    ],
)
def test_what_was_changed_names_the_version_of_the_disputer_too(decides):
    hosting = Hosting(4)
    hosting.draw()
    hosting.begin()
    one, other, *_ = hosting.drawn.tables[0].players
    first, second, *_ = hosting.names(1)
    hosting.do(ResultReported(1, (9, 1, -4, -6), one, 4.0), ReportDisputed(1, other, 6.0, (9, 3, -5, -7)), decides)
    told = ENGLISH.all(trace(hosting.now.tournament, hosting.now.tournament.traces[-1]))
    assert f"{first} had entered: {first} +9, {second} +1" in told
    assert f"{second} had entered: {first} +9, {second} +3" in told
    assert "By: Eve." in told


# Which points --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_of_a_match_and_of_the_tournament_have_different_names(pages, language):
    hosting = tournament(7, "playing")
    hosting.do(RulingMade(1, -3, 5.0, "Eve", "Came late"))
    hosting.do(RulingMade(hosting.drawn.tables[1].players[0], -3, 5.0, "Eve", "Came late"))
    name = NAMES[language]
    text = phone(pages, hosting, hosting.drawn.tables[1].players[0], language)
    others = re.findall(r"(?i)(\w+ )?\b(points?|punkte|punti)\b( \w+)?( \w+)?", text)
    assert len(others) == 0 or all(name.lower() in "".join(one).lower() for one in others), others
    assert text.count(name) >= 2


def test_slips_say_how_a_total_below_0_is_written_where_there_can_be_one(pages):
    for minus in (True, False):
        book = next(name for name, one in RULESETS.items() if has_negative_totals(one) is minus)
        hosting = Hosting(7, book=book)
        hosting.draw()
        pages.show_own_pages(hosting)
        slips = fetch(pages, "/tournament/result-slips")
        assert slips.count("Total of the match") == 2
        assert slips.count("A total below 0: write a minus in front of it") == 2 * minus
        hosting.do(Placed((None, None), 2.5))
        hosting.begin()
        text = phone(pages, hosting, 1)
        assert "total of the match" in text
        assert ("press ± beside it, or type" in text) is minus


# A hall whose tables have no boxes -----------------------------------------------------------------------------------


def without_boxes(hosting):
    """The facts of a hall for which no broker is set."""
    facts = hosting.facts
    return replace(facts, tables={}, connected=False, alone=True,
                   tournaments=replace(facts.tournaments, secret=SECRET))  # fmt: skip


@pytest.mark.parametrize("stage", ["entering", "drawn", "playing", "between"])
def test_no_page_for_players_speaks_of_boxes_that_are_not_there(pages, stage):
    hosting = tournament(7, stage)
    hosting.views = {}
    if hosting.now.rounds:
        hosting.do(Placed((None,) * len(hosting.drawn.tables), 2.5))
    pages.tell(without_boxes(hosting))
    own = f"/player/{token_of(SECRET, 'spring-cup-1', 1)}", f"/at/{table_token(SECRET, hosting.now, 1)}"
    for path in ("/", "/results", "/tournament", "/tournament/wall", "/ratings", "/leagues", *own):
        text = fetch(pages, path).replace("The tables of this hall have no referee boxes.", "")
        assert not re.search(r"(?i)\b(box|boxes|broker|connected|reported)\b|the tables", text), (path, text)
    assert "The tables of this hall have no referee boxes." in fetch(pages, "/")
    assert "CSV" not in fetch(pages, "/results")


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_hall_without_boxes_counts_none(pages, screen, language):
    pages.tell(without_boxes(tournament(7, "playing")))
    screen.resize(360, 640)
    screen.open(f"{pages.address}/?lang={language}")
    screen.until("#tournament-name", "Spring cup")
    assert [screen.all(one)[0].is_displayed() for one in ("#sum", "#tables")] == [False, False]
    assert not screen.all("#none")
    assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    assert screen.complaints() == []


def test_a_hall_with_boxes_counts_them(pages):
    pages.show_own_pages(tournament(7, "playing"))
    assert "no referee boxes" not in fetch(pages, "/")
    assert "CSV" in fetch(pages, "/results")


def test_pages_of_a_tournament_that_has_ended_say_that_another_one_runs(pages):
    old, new = tournament(8, "between"), tournament(8, "playing")
    new.now = replace(new.now, slug="summer-cup-2")
    facts = new.facts

    def told(*hosted):
        pages.tell(replace(facts, tournaments=replace(facts.tournaments, all=hosted, secret=SECRET)))
        token = table_token(SECRET, hosted[0], 1)
        return fetch(pages, f"/player/{token_of(SECRET, hosted[0].slug, 1)}"), fetch(pages, f"/at/{token}")

    another = "Another tournament is under way"
    assert [another in text for text in told(old.now, new.now)] == [False, False]  # it can still go on
    old.do(Ended(20.0))
    before = told(old.now)
    assert ["The tournament is over." in text and another not in text for text in before] == [True, True]
    player, table = told(old.now, new.now)
    assert "The tournament is over. Thank you for playing! Another tournament is under way: its own slips" in player
    assert "The tournament is over. Thank you for playing! Another tournament is under way: its own cards" in table
    new.do(ResultTold(1, (1, 2, 3, 4), 21.0), Ended(22.0))
    assert [another in text for text in told(old.now, new.now)] == [False, False]


def test_cards_and_slips_speak_of_entering_results_on_phones_only_where_no_box_records_them(pages):
    enter, slip = "Results are entered with a player's slip.", "to enter the result and to call the director"

    def told():
        sheets = ("/tournament/table-cards", "/tournament/result-slips", "/tournament/slips")
        cards, results, slips = (fetch(pages, path) for path in sheets)
        return cards.count(enter), results.count(enter), slip in slips

    hosting = tournament(8, "entering")
    pages.show_own_pages(hosting)
    assert told() == (0, 0, False)  # the hall has boxes
    pages.tell(without_boxes(hosting))
    assert told() == (fetch(pages, "/tournament/table-cards").count("Call the director"), 0, True)
    hosting = tournament(8, "drawn")
    for places, with_phones in ((("table-1", "table-2"), 0), (("table-1", None), 1), ((None, None), 2)):
        hosting.do(Placed(places, 5.5))
        pages.show_own_pages(hosting)
        assert told() == (with_phones, with_phones, with_phones > 0)


def test_the_page_of_a_league_for_the_clubs_site_has_the_changes_of_its_rules(pages):
    change = RulesChange(2, 1, Worth.POINTS, 9.0, "Eve", "One more evening")
    league = League("thursday-1", "Thursday league", 3, 2, Worth.PLACE, 1.0, changes=(change,))
    facts = tournament(8, "between").facts
    pages.tell(replace(facts, tournaments=replace(facts.tournaments, leagues=(league,))))
    told, site = (fetch(pages, f"/league/{league.slug}{end}") for end in ("", "/table.html"))
    (said,) = re.findall(r"What was changed (.*? Reason: One more evening\.)", told)
    assert f"What was changed {said}" in site
