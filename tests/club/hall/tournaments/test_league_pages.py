"""The pages of the leagues: the list, a table of ten evenings on a phone, the director's actions, and files."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from browser import NARROW
from guarded_hall import hall_house
from hall_evening import hall_evening
from hall_pages import hall_pages, tournament
from league_states import EVENINGS, FORMER, NOW, long_season
from test_tournament_evening import Director
from tournaments import Log

from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.hall.tournaments.saved import save_tournament
from referee.club.tournament.events import Ended, Renamed
from referee.club.tournament.league.state import Founded, Worth, found_league
from referee.i18n import LANGUAGES
from referee.letters import NAME_LETTERS
from referee.pages.hall.tournament_saving import RESTORE

PHONES = ((360, 640), (390, 844))
OUTSIDE = """
var table = document.querySelector(arguments[0]).getBoundingClientRect(), width = document.documentElement.clientWidth;
return [table.left < 0, table.right > width, document.querySelectorAll(".scroll").length];
"""
BYTES = {"Content_Type": "application/octet-stream"}
MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_evenings_fit_on_a_phone_without_scrolling_sideways(pages, screen, language):
    pages.tell(long_season())
    for path, found in (("/leagues", "main li"), (f"/league/{NOW}", ".league"), (f"/league/{FORMER}", ".league")):
        screen.open(f"{pages.address}{path}?lang={language}")
        screen.find(found)
        screen.run("document.querySelectorAll('details').forEach(function (one) { one.open = true; });")
        assert screen.violations_in_both_schemes() == [], path
        for size in NARROW:
            screen.narrow(size)
            assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), (path, size)
        if found == ".league":
            for size in PHONES:
                screen.resize(*size)
                assert screen.run(OUTSIDE, found) == [False, False, 0]
    assert screen.complaints() == []


@pytest.mark.page
def test_a_name_as_long_as_names_may_be_breaks(pages, screen):
    facts = long_season()
    known = facts.tournaments
    longest = tournament(9, "between")
    longest.now = replace(longest.now, slug="evening-1", t=1.0)
    longest.do(Renamed(1, "W" * NAME_LETTERS, 9.0), Ended(9.0))
    pages.tell(replace(facts, tournaments=replace(known, all=(longest.now, known.all[0], *known.all[2:]))))
    screen.open(f"{pages.address}/league/{NOW}?lang=en")
    for size in NARROW:
        screen.narrow(size)
        assert (screen.sideways(), screen.cut_off()) == (0, [])


@pytest.mark.page
def test_what_counts_is_seen_and_heard_and_the_table_is_called_provisional(pages, screen):
    pages.tell(long_season())
    screen.open(f"{pages.address}/league/{NOW}?lang=en")
    assert screen.text(".round-line") == f"Provisional: evening {EVENINGS} is still open."
    first = screen.all(".league tbody")[0]
    values = [one.get_attribute("textContent") for one in first.find_elements("css selector", "li")]
    struck = [one.get_attribute("textContent") for one in first.find_elements("css selector", "s")]
    assert len(values) == EVENINGS
    assert [one.partition(": ")[0] for one in values] == [str(number + 1) for number in range(EVENINGS)]
    silent = [one for one in values if "does not count" in one]
    played = [one for one in values if "not played" not in one]
    assert len(silent) == len(struck) == len(played) - 6
    total = float(first.find_elements("css selector", ".total")[0].text)
    numbers = [float(re.search(r": +([\d.]+)", one)[1]) for one in played if one not in silent]
    assert abs(sum(numbers) - total) < 0.04  # each is rounded
    pages.tell(long_season(9, open_ones=0))
    screen.open(f"{pages.address}/league/{NOW}?lang=en")
    assert screen.text(".round-line") == "Provisional: 9 evenings of 10 so far."
    pages.tell(long_season(open_ones=0))
    screen.open(f"{pages.address}/league/{NOW}?lang=en")
    assert screen.text(".round-line").startswith("Provisional: all evenings have been played")
    screen.open(f"{pages.address}/league/{FORMER}?lang=en")
    assert screen.text(".round-line") == "Final table: the season has ended."


@pytest.mark.page
def test_without_leagues_or_evenings_there_is_a_sentence(pages, screen):
    pages.tell(replace(long_season(), tournaments=None))
    screen.open(f"{pages.address}/leagues?lang=en")
    screen.until("main", "No league has been founded yet.")
    league = found_league("new-1", Founded("New", 6, 3, Worth.PLACE, 1.0))
    missing = replace(league, slug="lost-2", tournaments=("gone-1",))
    facts = replace(long_season(), tournaments=TournamentFacts(leagues=(league, missing)))
    pages.tell(facts)
    screen.open(f"{pages.address}/league/new-1?lang=en")
    screen.until("main", "No tournament belongs to this league yet.")
    screen.open(f"{pages.address}/league/lost-2?lang=en")
    screen.until(".troubles", "The tournament gone-1 cannot be read, and counts for nothing.")
    screen.until(".round-line", "Provisional: not all evenings can be read.")
    assert screen.violations_in_both_schemes() == []


@pytest.mark.page
def test_the_director_founds_a_league_plays_an_evening_ends_the_season_and_founds_the_next_one(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        director = Director(evening, screen)
        screen.open(f"{evening.address}/leagues?lang=en")
        director.fill("#found-name", "Thursday league")
        director.fill("#found-evenings", "2")
        director.fill("#found-best", "3")
        director.press("#found [type=submit]", "At least 1 and at most 2 evenings can count.")
        assert len(screen.complaints()) == 1  # of the refusal
        assert screen.find("#found-name").get_attribute("value") == "Thursday league"
        director.fill("#found-best", "1")
        director.press("#found [type=submit]")
        screen.until(".league-list", "Thursday league")
        screen.until("#answer", "The league is founded")
        plays(director, evening, "thursday-league-1")
        screen.open(f"{evening.address}/league/thursday-league-1?lang=en")
        screen.until(".league", "Ann")
        plays(director, evening, "")
        screen.open(f"{evening.address}/league/thursday-league-1?lang=en")
        director.press("form[data-order=add] [type=submit]")
        screen.wait(lambda: len(screen.all(".league-evenings li")) == 2, "two evenings")
        assert screen.all("form[data-order=add]") == []
        screen.find("details:has(form[data-order=remove]) summary").click()
        director.press("form[data-order=remove] [type=submit]")
        screen.wait(lambda: len(screen.all(".league-evenings li")) == 1, "one evening")
        screen.until("#answer", "The tournament is no evening of the league any more.")
        screen.find("details:has(form[data-order=rules]) summary").click()
        for name, value in (("evenings", "3"), ("best", "2"), ("who", "Eve"), ("why", "One more evening.")):
            director.fill(f"#rules-{name}", value)
        director.press("form[data-order=rules] [type=submit]")
        screen.until("#changes", "100 to 0, and the best evening of 2 counted.")
        screen.until("#changes", "By: Eve. Reason: One more evening.")
        screen.until("main", "Each player's best 2 of 3 evenings count.")
        assert screen.violations() == []
        screen.find("details:has(form[data-order=end]) summary").click()
        director.press("form[data-order=end] [type=submit]")
        screen.until(".round-line", "Final table")
        screen.find("a[href*=after]").click()
        screen.until("#found", "The next season of Thursday league")
        assert screen.find("#found-best").get_attribute("value") == "2"
        director.fill("#found-name", "Thursday league, spring")
        director.press("#found [type=submit]")
        screen.until(".league-list", "Thursday league, spring")
        screen.open(f"{evening.address}/league/thursday-league-spring-2?lang=en")
        screen.until("main", "From last season, not played yet\nAnn, Ben, Cem")
        screen.find("details:has(#league-names) summary").click()
        assert screen.find("#league-names").get_attribute("value") == "Ann\nBen\nCem"
        screen.open(f"{evening.address}/league/thursday-league-1?lang=en")
        director.press("form[data-order=reopen] [type=submit]")
        screen.until(".round-line", "Provisional")
        assert screen.complaints() == []


def plays(director, evening, league):
    """Open a tournament as an evening of a league, and play it."""
    screen = director.screen
    screen.open(f"{evening.address}/tournament/director?lang=en")
    screen.wait(lambda: screen.run("return 'tournament' in Referee.parts"), "the state")
    if director.told:  # the one before has ended, and its podium comes first
        screen.find("#open-heading [aria-expanded=false]").click()
    director.fill("#open-name", "Evening")
    director.fill("#open-rounds", "1")
    screen.find("#open-league option:nth-child(2)")
    screen.run("document.querySelector('#open-league').value = arguments[0];", league)
    director.press("#open button", "The tournament is open.")
    director.fill("#enter-names", "Ann\nBen\nCem")
    director.press("#enter button", "The names are on the list.")
    director.all_here()
    director.draws()
    director.begins()
    director.writes(1, 9, 0, -9)
    director.press("#end")
    director.press("#end-yes", "The tournament has ended.")


@pytest.mark.page
def test_without_the_pin_the_table_is_read_and_nothing_is_offered(tmp_path, screen):
    with hall_evening(tmp_path, 0) as evening:
        evening.keeper.change_leagues(found_step()).result()
        for path in ("/leagues", "/league/thursday-league-1"):
            screen.open(f"{evening.address}{path}?lang=en")
            screen.until("main", "Enter the PIN to direct the tournament.")
            assert screen.all("form[data-order]") == []


def found_step():
    from referee.club.hall.tournaments.leagues import found

    return found("Thursday league", 6, 3, Worth.PLACE)


def test_the_files_have_the_whole_table_and_are_safe_in_spreadsheets(tmp_path):
    logs = []
    for order in (('=HYPERLINK("x")', "Zoë & <Ben>", "Cleo"), ("Cleo", "zoë & <ben>")):
        log = Log()
        for name in order:
            log.enter(name)
        log.play()
        log.do(Ended(9.0))
        logs.append(log)
    with hall_house(tmp_path) as house:
        session = {"Cookie": house.cookie()}

        def post(command, **fields):
            told = {"command": command, "id": f"{command}-{fields}"[:64], "n": 0, **fields}
            assert house.post("/api/command", told, **session)[0] == 200

        post("league-found", name="Thursday", evenings=6, best=1, worth="points")
        assert json.loads(house.ask("/leagues.json")[2]) == [
            {"id": "thursday-1", "name": "Thursday", "evenings": 0, "evenings_agreed": 6, "ended": False, "open": True}
        ]
        for number, log in enumerate(logs, 1):
            saved = save_tournament(f"cup-{number}", f"Cup {number}", log.events)
            assert house.ask(RESTORE, "POST", saved, **BYTES, **session)[0] == 200
            post("league-add", league="thursday-1", tournament=f"cup-{number}")
        told = json.loads(house.ask("/league/thursday-1/table.json")[2])
        assert (told["version"], told["id"], told["best"], told["worth"]) == (1, "thursday-1", 1, "points")
        assert (told["provisional"], told["ended"], told["after"], told["awaited"]) == (True, False, None, [])
        assert [one["players"] for one in told["evenings"]] == [3, 2]
        by_name = {one["player"]: one for one in told["table"]}
        assert by_name["Cleo"]["values"] == [{"value": 0, "counts": False}, {"value": 12, "counts": True}]
        assert by_name['=HYPERLINK("x")']["values"] == [{"value": 12, "counts": True}, None]
        assert by_name["zoë & <ben>"]["total"] == 6
        text = house.ask("/league/thursday-1/table.csv")[2].removeprefix(MARK)
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [row["player"] for row in rows] == ["Cleo", '\'=HYPERLINK("x")', "zoë & <ben>"]
        assert (rows[0]["total"], rows[0]["evening 1"], rows[0]["counts 1"], rows[0]["counts 2"]) == (
            "12",
            "0",
            "0",
            "1",
        )
        assert (rows[1]["evening 2"], rows[1]["counts 2"], rows[1]["played"]) == ("", "", "1")
        status, headers, body = house.ask("/league/thursday-1/table.html")
        assert (status, headers["Content-Disposition"]) == (200, 'attachment; filename="thursday-1.html"')
        assert "zoë &amp; &lt;ben&gt;" in body
        assert not re.search(r"<script|<link|src=|https?:", body)
        for path in ("/league/no-such-1", "/league/no-such-1/table.csv", "/league/thursday-1/table.xml"):
            assert house.ask(path)[0] == 404


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_the_clubs_site_stands_alone_and_is_accessible(pages, screen, tmp_path, language):
    pages.tell(long_season())
    screen.open(f"{pages.address}/league/{NOW}?lang={language}")
    script = "return fetch(arguments[0]).then(function (answer) { return answer.text(); })"
    file = tmp_path / "league.html"
    file.write_text(screen.run(script, f"/league/{NOW}/table.html?lang={language}"), encoding="utf-8")
    screen.open(file.as_uri())
    assert len(screen.all("tbody")) > 10
    assert screen.violations_in_both_schemes() == []
    for size in NARROW:
        screen.narrow(size)
        assert screen.sideways() == 0
