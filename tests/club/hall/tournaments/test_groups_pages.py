"""Groups, teams and the final in a real browser: for everybody, and for the director."""

import html
import re
import urllib.request
from contextlib import closing
from itertools import pairwise

import pytest
from browser import SIZES
from hall_pages import groups_and_teams, hall_pages, tournament

from referee.club.tournament import Counting
from referee.club.tournament.events import CUT, Ended, Left
from referee.club.tournament.groups import final_of, group_name
from referee.club.tournament.rules import Drawing, GroupStage
from referee.club.tournament.standings import group_standings
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.pages.hall.final_part import group_of_table
from referee.pages.hall.tournament_part import render


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
    assert screen.run("return document.getElementById('final-fill').checked") is True
    assert "Ann · Red Foxes" in texts(screen, "#players .who")
    screen.run("document.getElementById('team-1').click()")
    assert screen.run("return document.getElementById('team-text-1').value") == "Red Foxes"
    assert screen.run("return document.activeElement.id") == "team-text-1"


@pytest.mark.parametrize("path", ["/tournament", "/tournament/director", "/tournament/wall#tables"])
def test_a_table_names_the_group_that_plays_there(screen, pages, path):
    hosting = tournament(8, "drawn", rounds=1, largest=2, drawing=Drawing.GROUPS, groups=GroupStage(4, 2))
    pages.show(hosting)
    screen.open(f"{pages.address}{path.replace('#', '?lang=en#') if '#' in path else path + '?lang=en'}")
    screen.wait(lambda: texts(screen, "[data-table] h3"), "the tables")
    known = hosting.now.tournament
    heads = texts(screen, "[data-table] h3")
    for number, (table, head) in enumerate(zip(known.rounds[0].tables, heads, strict=True), 1):
        groups = {group_name(known.group_of(player)) for player in table.players}
        assert head.startswith(f"Table {number} · Group {groups.pop()}" if len(groups) == 1 else f"Table {number}")


def shown_ids(screen, *names):
    return [name for name in names if screen.run("return document.getElementById(arguments[0]).offsetParent", name)]


def test_after_the_groups_the_final_is_what_comes_next(screen, pages):
    shown(screen, pages, "/tournament/director")
    assert shown_ids(screen, "draw", "final-open", "final-undo", "end") == ["final-open", "end"]
    strong = texts(screen, "#steps > .choices .strong:not([hidden]), #steps > .end-line .strong")
    assert strong == ["Begin the final …"]
    assert "The final comes next." in screen.find("#told").text
    assert "what comes next is the final" in screen.find("#draw-waits").text


def test_the_question_before_the_final_names_who_would_be_in_it(screen, pages):
    shown(screen, pages, "/tournament/director")
    screen.find("#final-open").click()
    assert shown_ids(screen, "final-sure") == ["final-sure"]
    names = texts(screen, "#final-names li")
    assert [name.partition(" (")[2] for name in names] == ["group A, place 1)", "group B, place 1)"] or [
        name.partition(" (")[2] for name in names
    ] == ["group B, place 1)", "group A, place 1)"]
    assert texts(screen, "#final-chosen")[0].startswith("By their places in the groups: 2. Added")
    assert "Not in the final: 5;" in texts(screen, "#final-chosen")[0]
    screen.run(
        "const first = document.getElementById('final-first'); first.value = '2';"
        "first.dispatchEvent(new Event('input'))"
    )
    assert len(texts(screen, "#final-names li")) == 4
    screen.run(
        "window.sent = []; Referee.command = (made) => { window.sent.push(made); return Promise.reject(); };"
        "document.getElementById('final-yes').click()"
    )
    (sent,) = screen.run("return window.sent")
    in_it = {name.partition(" (")[0] for name in texts(screen, "#final-names li")}
    players = groups_and_teams().now.tournament.players
    assert {players[one - 1].name for one in sent["players"]} == in_it
    assert (sent["command"], sent["first"], sent["fill"]) == ("tournament-final", 2, True)


def begun_final():
    hosting = groups_and_teams()
    hosting.do(final_of(hosting.now.tournament, 1, 9.0, fill=True))
    return hosting


def test_a_final_that_has_begun_is_named_and_can_be_undone(screen, pages):
    pages.show(begun_final())
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.wait(lambda: shown_ids(screen, "draw"), "the draw")
    assert shown_ids(screen, "draw", "final-open", "final-undo") == ["draw", "final-undo"]
    assert screen.find("#draw").text == "Draw the final: round 4"
    assert screen.find("#round").text == "Final"
    screen.find("#final-undo").click()
    assert shown_ids(screen, "final-undo-sure") == ["final-undo-sure"]


@pytest.mark.parametrize("path", ["/tournament", "/tournament/director", "/tournament/wall"])
def test_every_page_says_that_a_round_is_of_the_final(screen, pages, path):
    hosting = begun_final()
    hosting.draw()
    pages.show(hosting)
    screen.open(f"{pages.address}{path}?lang=en")
    screen.wait(lambda: screen.find("#round").text == "Final · Round 4 of 5", "the title of the round")


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


def test_standings_say_who_is_not_in_the_final_and_who_has_left(screen, pages):
    hosting = groups_and_teams()
    gone = hosting.now.tournament.here[-1]
    hosting.do(Left(gone, 8.5))
    hosting.do(final_of(hosting.now.tournament, 1, 9.0, fill=True))
    known = hosting.now.tournament
    others = {known.players[number - 1].name for number in known.final.others}
    pages.show(hosting)
    for path in ("/tournament", "/tournament/director"):
        screen.open(f"{pages.address}{path}?lang=en")
        screen.wait(lambda: texts(screen, "#standings tbody th"), "the standings")
        lines = texts(screen, "#standings tbody th")
        told = {name for name in others if any(f"{name} (not in the final)" in line for line in lines)}
        assert (told, sum("(not in the final)" in line for line in lines)) == (others, len(others)), path
        assert [known.players[gone - 1].name in line for line in lines if "(has left)" in line] == [True], path
    with closing(urllib.request.urlopen(f"{pages.address}/tournament.html?lang=en")) as answer:  # noqa: S310 - our own
        site = answer.read().decode()
    assert site.count("(not in the final)") == len(others)
    assert site.count("(has left)") == 2  # among all players, and in the group


@pytest.mark.parametrize(("why", "told"), [(CUT, "eliminated"), ("", "has left")])
def test_standings_say_of_players_after_a_cut_that_they_are_eliminated(why, told):
    hosting = tournament(8, "between")
    hosting.do(Left(3, 9.0, why))
    lines = {line["number"]: line["away"] for line in render(hosting.facts, Wording("en"))["standings"]}
    assert lines == {number: told if number == 3 else "" for number in lines}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_the_clubs_site_and_result_slips_name_the_groups(pages, language):
    hosting = tournament(8, "drawn", rounds=1, largest=2, drawing=Drawing.GROUPS, groups=GroupStage(4, 2))
    pages.show_own_pages(hosting)
    known, words = hosting.now.tournament, Wording(language)
    expected = [
        " · ".join(
            map(
                words,
                (
                    Notice("tournament_page.table", table=str(number)),
                    Notice("tournament_page.group", group=group),
                ),
            )
        )
        for number, table in enumerate(known.rounds[0].tables, 1)
        if (group := group_of_table(known, 1, table.players))
    ]
    assert len(expected) >= len(known.rounds[0].tables) - 2  # two players were swapped across the groups
    for path, tag in (("/tournament.html", "h4"), ("/tournament/result-slips", "h2")):
        with closing(urllib.request.urlopen(f"{pages.address}{path}?lang={language}")) as answer:  # noqa: S310 - our own
            heads = re.findall(f"<{tag}>([^<]*)</{tag}>", html.unescape(answer.read().decode()))
        assert [one for one in expected if not any(head.startswith(one) for head in heads)] == [], path


@pytest.mark.page
def test_after_the_end_the_director_reads_the_first_teams_and_by_what_equal_players_were_placed(screen, pages):
    hosting = groups_and_teams()
    hosting.do(Ended(9.0))
    pages.show(hosting)
    screen.open(f"{pages.address}/tournament/director?lang=en")
    screen.find("#podium-teams li")
    told = render(hosting.facts, Wording("en"))
    assert [one.text.split(" · ")[0] for one in screen.all("#podium-teams li")] == [
        one["name"] for one in told["teams"] if one["place"] <= 3
    ]
    scores = [one["score"] for one in told["standings"][:4]]
    teams = [one["score"] for one in told["teams"]]
    equal = any(one == other for lines in (scores, teams) for one, other in pairwise(lines))
    assert screen.text("#podium-decided") == (told["decided"] if equal else "")
    pages.show(tournament(8, "between", rounds=3))
    screen.wait(lambda: not screen.all("#podium-teams")[0].is_displayed(), "no teams")
    assert screen.complaints() == []
