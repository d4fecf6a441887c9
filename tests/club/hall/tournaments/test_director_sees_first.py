"""What the director's page shows first: what somebody must know, where it belongs."""

import pytest
from hall_pages import hall_pages, play, tournament
from test_director_offers import draw, fresh, show

from referee.club.tournament.events import (
    Ended,
    FinalBegun,
    ReportDecided,
    ReportDisputed,
    ResultReported,
)
from referee.club.tournament.rules import Counting, Drawing, GroupStage
from referee.i18n import ENGLISH
from referee.pages.hall.agreed_part import agreed

page = pytest.mark.page
OPEN = "return document.getElementById('agreed-fold').open"


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def with_report(players=20, *, disputed=False):
    """A round of five tables; players have entered a result at table 1."""
    hosting = fresh(players)
    draw(hosting)
    hosting.begin()
    first, other = hosting.drawn.tables[0].players[:2]
    hosting.do(ResultReported(1, (9, 0, 0, -9), first, 4.0))
    if disputed:
        hosting.do(ReportDisputed(1, other, 5.0, (8, 0, 0, -8)))
    return hosting


@page
def test_a_folded_table_says_first_how_far_it_is(pages, screen):
    screen.resize(1366, 768)
    show(pages, screen, with_report())
    screen.until("#table-2 summary", "No result has been entered yet.")
    screen.until("#state-1", "Does not count yet (not confirmed): ")
    order = "var s = document.querySelector('#table-1 summary'); return [].map.call(s.children, one => one.className)"
    assert screen.run(order) == ["", "state", "names"]
    left = "return document.querySelector('#table-1 ' + arguments[0]).getBoundingClientRect().top"
    assert screen.run(left, ".state") < screen.run(left, ".names")


@page
def test_an_unfolded_table_does_not_stretch_its_neighbours(pages, screen):
    screen.resize(1366, 768)
    show(pages, screen, with_report(disputed=True))
    height = "return document.getElementById('table-' + arguments[0]).closest('li').getBoundingClientRect().height"
    screen.find("#report-third-fold-1")
    assert screen.run(height, 1) > 3 * screen.run(height, 2)


@page
def test_a_dispute_on_top_leads_to_its_table_and_what_is_typed_there_survives_a_swap(pages, screen):
    screen.resize(1366, 768)
    show(pages, screen, with_report(disputed=True))
    screen.find("#table-1 summary").click()  # folded again by the director
    screen.find("#troubles a").click()
    screen.wait(lambda: screen.run("return document.getElementById('table-1').open"), "the table unfolded")
    assert screen.run("return document.activeElement.parentNode.id") == "table-1"
    assert screen.violations() == []
    screen.find("#report-third-fold-1 summary").click()
    screen.find("#report-third-1-0").send_keys("17")
    screen.find("#report-third-why-1").send_keys("Counted again")
    screen.find("#swap-start").click()
    screen.find("[data-pick]")
    screen.find("#swap-cancel").click()
    screen.wait(lambda: not screen.all("[data-pick]"), "names are no buttons any more")
    assert screen.find("#report-third-1-0").get_attribute("value") == "17"
    assert screen.find("#report-third-why-1").get_attribute("value") == "Counted again"


@page
def test_the_page_goes_with_a_table_about_which_the_director_has_decided(pages, screen):
    screen.resize(1366, 768)
    hosting = with_report(disputed=True)
    show(pages, screen, hosting)
    screen.until("#tables #table-1", "Table 1")
    screen.run("Round.follow(1); scrollTo(0, document.body.scrollHeight);")
    hosting.do(ReportDecided(1, (9, 0, 0, -9), 6.0, "Eve"))
    pages.show(hosting)
    screen.find("#tables-over #table-1")
    in_sight = """const at = document.getElementById('table-1').getBoundingClientRect();
return at.top >= 0 && at.top < innerHeight - 40 && document.activeElement.parentNode.id === 'table-1';"""
    screen.wait(lambda: screen.run(in_sight), "the table among those that have finished")


@page
def test_what_was_agreed_on_is_told_until_there_are_seats(pages, screen):
    screen.resize(1366, 768)
    pages.show(None)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#open-name")
    assert not screen.all("#agreed-fold")[0].is_displayed()
    hosting = fresh()
    pages.show(hosting)
    screen.until("#agreed", "Seats planned ahead")
    draw(hosting)
    pages.show(hosting)
    screen.wait(lambda: not screen.run(OPEN), "one line")
    screen.find("#agreed-fold summary").click()
    hosting.begin()
    pages.show(hosting)
    screen.until("#state-1", "No result has been entered yet.")
    assert screen.run(OPEN)  # as somebody left it


@page
def test_after_the_end_the_first_places_have_score_and_points_and_why_they_are_first(pages, screen):
    hosting = tournament(20, "between", drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    hosting.do(Ended(11.0))
    show(pages, screen, hosting)
    first = screen.run("return Referee.parts.tournament.standings[0]")
    screen.until("#podium li", f"{first['name']} · Ranking score: ")
    screen.until("#podium li", f" · Tournament points: {first['points']:g}")
    strength = f"{first['score'] - first['points']:.2f}".rstrip("0").rstrip(".")
    screen.until("#podium li", f" · Strength of opponents: {strength}")
    screen.until("#podium-score", "The ranking score decides the place")


@page
def test_by_points_alone_the_first_places_have_only_these(pages, screen):
    hosting = tournament(20, "between")
    hosting.do(Ended(11.0))
    show(pages, screen, hosting)
    screen.until("#podium li", " · Tournament points: ")
    assert not screen.all("#podium-score")[0].is_displayed()
    assert "Ranking score" not in screen.text("#podium")


@page
def test_for_groups_the_number_of_rounds_is_said_to_be_without_the_final(pages, screen):
    pages.show(None)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#open-name")
    assert not screen.all("#open-rounds-groups")[0].is_displayed()
    screen.find("#open-drawing option[value=groups]").click()
    screen.until("#open-rounds-groups", "Only the rounds in the groups.")
    hosting = fresh(8, drawing=Drawing.GROUPS, groups=GroupStage(4, 1), rounds=1)
    show(pages, screen, hosting)
    screen.find("#agreed-fold a").click()
    screen.until("#rounds-label", "Number of rounds in the groups (the final comes after them)")


def test_what_was_agreed_on_for_groups_stays_the_same_in_the_final():
    hosting = fresh(8, drawing=Drawing.GROUPS, groups=GroupStage(4, 1), rounds=1)
    draw(hosting)
    play(hosting, range(1, len(hosting.drawn.tables) + 1))
    before = agreed(hosting.now.tournament, ENGLISH)
    assert "1 round in the groups · final of 1 round" in before
    players = hosting.now.tournament.here[:4]
    hosting.do(FinalBegun(players, 1, 10.0))
    assert agreed(hosting.now.tournament, ENGLISH) == before
    draw(hosting)
    assert agreed(hosting.now.tournament, ENGLISH) == before
