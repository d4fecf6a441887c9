"""Groups, teams and the final in a real browser: for everybody, and for the director."""

import pytest
from browser import SIZES
from hall_pages import groups_and_teams, hall_pages, tournament

from referee.club.tournament import Counting
from referee.club.tournament.rules import Drawing, GroupStage
from referee.club.tournament.standings import group_standings
from referee.i18n import LANGUAGES


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def shown(screen, pages, path, language="en"):
    pages.show(groups_and_teams())
    screen.open(f"{pages.address}{path}?lang={language}")
    screen.wait(lambda: screen.run("return !document.getElementById('groups-section').hidden"), "the groups")


def texts(screen, selector):
    return screen.run(
        "return [].map.call(document.querySelectorAll(arguments[0]), one => one.textContent.trim())", selector
    )


def test_everybody_sees_the_groups_and_the_teams(screen, pages):
    shown(screen, pages, "/tournament")
    assert texts(screen, "#groups h3") == ["Group A", "Group B"]
    assert len(texts(screen, "#groups tbody tr")) == 7
    teams = texts(screen, "#teams tbody th")
    assert sorted(teams) == ["Blue Jays", "Green Frogs", "Red Foxes"]
    assert texts(screen, "#teams tbody td:first-child")[0] == "1"


def test_the_director_is_asked_who_plays_the_final_and_not_for_a_cut(screen, pages):
    shown(screen, pages, "/tournament/director")
    assert screen.run("return document.getElementById('cut-section').hidden") is True
    assert screen.run("return document.getElementById('final-section').hidden") is False
    assert screen.run("return document.getElementById('final-fill').checked") is True
    assert "Ann · Red Foxes" in texts(screen, "#players .who")
    screen.run("document.getElementById('team-1').click()")
    assert screen.run("return document.getElementById('team-text-1').value") == "Red Foxes"
    assert screen.run("return document.activeElement.id") == "team-text-1"


@pytest.mark.parametrize(
    ("counting", "heads"),
    [
        (Counting.POINTS, ["Place", "Player", "Tournament points", "Rounds"]),
        (Counting.STRENGTH, ["Place", "Player", "Ranking score", "Tournament points", "Rounds"]),
    ],
)
def test_what_decides_the_order_of_a_group_is_a_column(screen, pages, counting, heads):
    hosting = tournament(8, "between", rounds=3, drawing=Drawing.GROUPS, groups=GroupStage(4, 2), counting=counting)
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament?lang=en")
    screen.find("#groups table")
    assert texts(screen, "#groups > div:first-child thead th") == heads
    (first, *_), *_ = group_standings(hosting.now.tournament)
    cells = texts(screen, "#groups > div:first-child tbody tr:first-child > *")
    values = [first.score, first.points] if counting is Counting.STRENGTH else [first.points]
    assert cells[1] == first.name
    assert cells[2:-1] == [f"{round(float(value), 2):g}" for value in values]
    assert counting is Counting.POINTS or first.score != first.points


def test_what_is_about_groups_is_asked_only_if_they_are_chosen(screen, pages):
    pages.show(None)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.wait(lambda: screen.run("return !document.getElementById('open-section').hidden"), "the questions")
    assert screen.run("return document.getElementById('open-groups').hidden") is True
    choose = (
        "const how = document.getElementById('open-drawing'); how.value = arguments[0];"
        "how.dispatchEvent(new Event('change')); const found = {drawing: how.value};"
        "Stages.fields(found); return found"
    )
    assert screen.run(choose, "groups") == {
        "drawing": "groups", "group_size": 4, "final_rounds": 3, "final": "planned", "carried": True,
    }  # fmt: skip
    assert screen.run("return document.getElementById('open-groups').hidden") is False
    assert screen.run(choose, "swiss") == {"drawing": "swiss"}
    assert screen.run("return document.getElementById('open-groups').hidden") is True


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/tournament", "/tournament/director"])
def test_nothing_is_cut_off_on_a_phone(screen, pages, path, language):
    screen.resize(*SIZES["phone"])
    shown(screen, pages, path, language)
    assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])


@pytest.mark.parametrize("path", ["/tournament", "/tournament/director"])
def test_everybody_can_use_the_pages(screen, pages, path):
    shown(screen, pages, path)
    assert screen.violations_in_both_schemes() == []
