"""The page for a club's site, and certificates: complete in themselves, on paper, in all languages and sizes."""

import re

import pytest
from browser import NARROW
from guarded_hall import hall_house
from hall_pages import hall_pages, tournament
from hosting import Hosting

from referee.club.tournament import Counting
from referee.club.tournament.events import Described, Ended, Left, Renamed, ResultTold, RulingMade
from referee.club.tournament.rules import Drawing
from referee.i18n import LANGUAGES


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def ended(players=7):
    hosting = tournament(players, "between")
    hosting.do(Renamed(1, "<b>Ann</b> & Söhne", 9.0), Described(1, 9.0, "North <i>", 1850), Ended(10.0))
    return hosting


def text_of(pages, screen, path):
    """What a file holds; a browser would save it."""
    screen.open(f"{pages.address}/tournament")
    script = """const done = arguments[1];
        fetch(arguments[0]).then(answer => answer.text().then(text => done([
            text, answer.headers.get("content-disposition"), answer.headers.get("content-type")])));"""
    return screen.driver.execute_async_script(script, path)


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_the_clubs_site_needs_nothing_else_and_runs_nothing(pages, screen, tmp_path, language):
    pages.show(ended())
    text, saved, kind = text_of(pages, screen, f"/tournament.html?lang={language}")
    assert saved == 'attachment; filename="spring-cup-1.html"'
    assert kind.startswith("text/html")
    assert not re.search(r"<script|\son\w+=|src=|href=|url\(|@import|https?:", text)
    assert "&lt;b&gt;Ann&lt;/b&gt; &amp; Söhne" in text
    file = tmp_path / "site.html"
    file.write_text(text, encoding="utf-8")
    screen.open(file.as_uri())
    assert screen.run("return document.documentElement.lang") == language
    assert len(screen.all("tbody tr")) == 6
    assert len(screen.all("main > ul")) == 2
    assert screen.violations_in_both_schemes() == []
    for size in NARROW:
        screen.narrow(size)
        assert screen.sideways() <= 0
    assert screen.complaints() == []


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_clubs_stand_on_one_line_on_the_page_for_the_clubs_site(pages, screen, tmp_path, language):
    hosting = tournament(8, "between", drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    hosting.do(*(Described(number, 9.0, "Club East", None) for number in range(1, 9)))
    pages.show(hosting)
    file = tmp_path / "site.html"
    file.write_text(text_of(pages, screen, f"/tournament.html?lang={language}")[0], encoding="utf-8")
    screen.resize(1351, 900)
    screen.open(file.as_uri())
    heights = """return [].map.call(document.querySelectorAll(".club"), function (one) {
        var text = document.createRange(); text.selectNodeContents(one);
        return text.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize); });"""
    lines = screen.run(heights)
    assert len(lines) == 7
    assert max(lines) < 2


@pytest.mark.page
def test_the_page_for_the_clubs_site_shows_what_the_director_decided_and_who_left(pages, screen):
    hosting = tournament(7, "between")
    made = RulingMade(1, -2, 9.0, "Dora", "Cheated twice"), RulingMade(2, 0, 9.0, "Dora", "Late"), Left(3, 9.0)
    hosting.do(*made, Ended(10.0))
    pages.show(hosting)
    text, _, _ = text_of(pages, screen, "/tournament.html?lang=en")
    lines = {re.search(">([^<]*)", one)[1].strip(): one for one in re.findall('<th scope="row".*?</th>', text)}
    one, two, three, four = (lines[player.name] for player in hosting.now.tournament.players[:4])
    assert "director \N{MINUS SIGN}2" in one
    assert "1 warning" in two
    assert "has left" in three
    assert not any(word in four for word in ("director", "warning", "left"))
    assert "Cheated" not in text  # the reason is told to those at the table


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_gets_a_certificate_on_a_sheet_of_its_own(pages, screen, language):
    pages.show(ended())
    screen.open(f"{pages.address}/tournament/certificates?lang={language}")
    found = screen.all(".certificate")
    assert len(found) == 6
    assert "Spring cup" in found[0].text
    assert screen.violations_in_both_schemes() == []
    for size in NARROW:
        screen.narrow(size)
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
    screen.run("window.printed = 0; window.print = function () { window.printed += 1; };")
    screen.find("#print").click()
    assert screen.run("return window.printed") == 1
    screen.prefers(media="print")
    assert not screen.all("h1")[0].is_displayed()
    assert screen.paper() == 6
    assert screen.complaints() == []


@pytest.mark.page
def test_players_who_share_a_place_have_the_same_one_on_their_certificates(pages, screen):
    hosting = Hosting(4, rounds=1, tie_breaks=())
    hosting.draw()
    hosting.begin()
    hosting.do(ResultTold(1, (5, 5, 5, 5), 4.0))
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament/certificates?lang=en")
    assert [one.text for one in screen.all(".certificate .place")] == ["Place 1 of 4"] * 4
    assert "not over yet" in screen.text("main")


@pytest.mark.page
def test_a_certificate_counts_the_rounds_of_its_player(pages, screen):
    hosting = Hosting(5, rounds=3)
    for number in range(3):
        hosting.draw()
        hosting.begin()
        told = [ResultTold(at, tuple(range(len(one.players))), 4.0) for at, one in enumerate(hosting.drawn.tables, 1)]
        hosting.do(*told)
        if number == 0:
            hosting.do(Left(2, 5.0))
    hosting.do(Ended(6.0))
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament/certificates?lang=en")
    rounds = {
        one.find_element("css selector", ".winner").text: re.search(r", in (\d rounds?)", one.text)[1]
        for one in screen.all(".certificate")
    }
    names = [player.name for player in hosting.now.tournament.players]
    assert rounds.pop(names[1]) == "1 round"
    assert {*rounds.values()} == {"3 rounds"}


@pytest.mark.page
def test_before_the_first_result_there_is_a_sentence(pages, screen):
    pages.show(tournament(7, "entering"))
    screen.open(f"{pages.address}/tournament/certificates?lang=en")
    screen.until("main", "There is no result yet.")
    assert screen.all(".certificate") == screen.all("#print") == []
    assert screen.violations() == []


def test_without_a_tournament_there_are_no_sheets(tmp_path):
    with hall_house(tmp_path) as house:
        for path in ("/tournament.html", "/tournament/certificates", "/tournament-meetings.csv"):
            assert house.ask(path)[0] == 404
            assert house.ask(f"{path}?of=nothing")[0] == 404
