"""Groups and teams on the wall: in letters that are read across the room, and only where there are some."""

import pytest
from browser import NARROW, SIZES
from hall_pages import groups_and_teams, hall_pages, tournament
from test_wall_across_the_room import OUTSIDE, READABLE, SMALL, TEXTS, turned, wall

from referee.club.tournament import Counting
from referee.club.tournament.events import TeamGiven
from referee.club.tournament.groups import group_name
from referee.club.tournament.rules import Drawing, GroupStage
from referee.club.tournament.standings import group_standings
from referee.club.tournament.teams import team_standings
from referee.i18n import LANGUAGES

pytestmark = pytest.mark.page
ORDERS = {"groups": "#group-orders", "teams": "#team-order"}
VIEW = "#views [data-view='{}']"

WIDER = """
return [].filter.call(document.querySelectorAll(".wall-group"), function (one) {
  return one.scrollWidth > one.clientWidth;
}).map(function (one) { return one.outerHTML.slice(0, 200); });
"""


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def names_of(hosting):
    return [line.name for lines in group_standings(hosting.now.tournament) for line in lines]


def test_the_wall_shows_groups_by_itself_and_teams_when_asked(pages, screen):
    hosting = groups_and_teams()
    wall(screen, pages, hosting, "")
    screen.find("#group-orders h3")
    assert screen.run(TEXTS, "#group-orders h3") == ["Group A", "Group B"]
    assert screen.run(TEXTS, "#group-orders .who") == names_of(hosting)
    assert screen.run(SMALL, "#group-orders h3, #group-orders tbody th, #group-orders tbody td", READABLE) == []
    screen.find(VIEW.format("teams")).click()
    screen.find("#team-order .who")
    teams = team_standings(hosting.now.tournament)
    assert screen.run(TEXTS, "#team-order .who") == [one.team for one in teams]
    assert screen.driver.current_url.endswith("#teams")
    assert screen.run(OUTSIDE) == []
    assert screen.complaints() == []


def test_many_groups_go_on_on_further_pages_and_nobody_is_left_out(pages, screen):
    hosting = tournament(
        96, "between", rounds=2, drawing=Drawing.GROUPS, groups=GroupStage(8, 2), counting=Counting.STRENGTH
    )
    wall(screen, pages, hosting, "groups")
    found, heads = [], []
    for page in turned(screen):
        assert screen.run(SMALL, "#group-orders h3, #group-orders tbody th, #group-orders tbody td", READABLE) == [], (
            page
        )
        assert screen.run(OUTSIDE) == [], page
        assert screen.run(WIDER) == [], page
        found += screen.run(TEXTS, "#group-orders .who")
        heads += screen.run(TEXTS, "#group-orders h3")
    assert found == names_of(hosting)
    assert heads == [f"Group {group_name(at)}" for at in range(len(hosting.now.tournament.groups))]
    assert len(heads) > 9
    first, value = group_standings(hosting.now.tournament)[0][0], "#group-orders tbody tr:first-child td:last-child"
    wall(screen, pages, hosting, "groups")
    assert float(screen.run(TEXTS, value)[0]) == pytest.approx(float(first.score), abs=0.01)


def test_without_groups_and_teams_the_wall_offers_neither(pages, screen):
    wall(screen, pages, tournament(8, "between"), "groups")
    screen.find("#columns th")
    for view in ("groups", "teams"):
        assert not screen.all(VIEW.format(view))[0].is_displayed()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_reading_groups_and_teams(pages, screen, language):
    hosting = groups_and_teams()
    for view in ("groups", "teams"):
        wall(screen, pages, hosting, view, language)
        screen.find(f"{ORDERS[view]} .who")
        assert screen.violations_in_both_schemes() == [], view
        for size in NARROW:
            screen.narrow(size)
            screen.open(f"{pages.address}/tournament/wall?lang={language}#{view}")
            screen.find(f"{ORDERS[view]} .who")
            assert (screen.sideways(), screen.cut_off()) == (0, []), (view, size)
        screen.resize(*SIZES["television"])
    assert screen.complaints() == []


def test_teams_are_shown_with_what_decides_their_order(pages, screen):
    hosting = tournament(8, "between", rounds=3, drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    for player in range(1, 9):
        hosting.do(TeamGiven(player, f"Team {player % 3}", 6.0))
    wall(screen, pages, hosting, "teams")
    assert screen.run(TEXTS, "#team-order thead th")[-1] == "Score"
    shown = screen.run(TEXTS, "#team-order tbody td:last-child")
    assert len(shown) == 3
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament?lang=en")
    screen.until("#teams", "Ranking score")
    assert screen.run(TEXTS, "#teams tbody th + td") == shown
    assert screen.run(TEXTS, "#teams thead th")[2:4] == ["Ranking score", "Tournament points"]
