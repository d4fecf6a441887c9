"""The tournament as the hall's page is told it."""

import json
from types import SimpleNamespace

import pytest
from hosting import Hosting, views

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.tournament.events import (
    DrawWithdrawn,
    Ended,
    ReportDecided,
    ReportDisputed,
    ResultCorrected,
    ResultReported,
    ResultTold,
    Swapped,
)
from referee.club.tournament.rules import Counting, Drawing
from referee.club.tournament.written import totals
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.i18n.dates import written_moment
from referee.pages.hall.app import parts_of
from referee.pages.hall.hand_results import render as hand_results
from referee.pages.hall.tournament_part import PARTS
from referee.pages.hall.tournament_troubles import troubles
from referee.pages.hall.traces import moment

WORDS = Wording("en")


def part(hosting, language="en"):
    told = PARTS["tournament"].render(hosting.facts, Wording(language))
    return json.loads(json.dumps(told, allow_nan=False))


def test_without_a_tournament_there_is_nothing():
    assert PARTS["tournament"].render(HallFacts(), WORDS) is None
    assert "tournament" in parts_of(HallFacts())


def test_an_empty_list_is_told():
    assert part(Hosting())["told"] == "Nobody is on the list yet."


def test_before_the_first_draw_there_is_a_list_of_players():
    told = part(Hosting(players=3))
    assert (told["name"], told["round"], told["rounds"], told["stage"]) == ("Spring cup", 0, 3, "entering")
    assert told["told"] == "3 of 3 on the list are here."
    described = {"number": 1, "name": "Player 1", "here": True, "away": "", "team": "", "club": ""}
    described["rating"] = None
    assert (told["players"][0], told["ratings"]) == (described, "")
    assert (told["tables"], told["past"], told["missing"], told["begun"]) == ([], [], [], False)
    assert told["free"] == ["table-1", "table-2", "table-3", "table-4", "table-5"]


def test_a_round_that_was_drawn_tells_its_tables_and_where_they_are():
    hosting = Hosting(players=7)
    hosting.draw()
    told = part(hosting)
    assert (told["stage"], told["round"], told["begun"], told["missing"]) == ("drawn", 1, False, [1, 2])
    assert [table["at"] for table in told["tables"]] == ["table-1", "table-2"]
    assert [len(table["players"]) for table in told["tables"]] == [4, 3]
    assert {table["state"] for table in told["tables"]} == {"The round has not begun yet."}
    assert {player["name"] for table in told["tables"] for player in table["players"]} == {
        f"Player {number}" for number in range(1, 8)
    }
    assert told["free"] == ["table-3", "table-4", "table-5"]
    assert told["troubles"] == []


def test_a_whole_tournament_in_its_stages():
    hosting = Hosting(players=5, rounds=2)
    hosting.draw()
    hosting.begin()
    told = part(hosting)
    assert (told["stage"], told["told"]) == (
        "playing", "Round 1 is under way; tables 1 and 2 have no results yet."
    )  # fmt: skip
    hosting.play(1, (30, -10, -20))
    hosting.look()
    told = part(hosting)
    assert told["tables"][0]["points"] == [30, -10, -20]
    assert told["tables"][0]["state"] == "The table has reported its result."
    assert told["missing"] == [2]
    hosting.do(ResultTold(2, (5, -5), 4.0))
    told = part(hosting)
    assert (told["stage"], told["told"]) == ("between", "Round 1 of 2 is over.")
    assert told["tables"][1]["state"] == "The result was written by hand."
    assert [line["place"] for line in told["standings"]] == [1, 2, 3, 4, 5]
    assert told["standings"][0]["points"] == 12
    assert told["ties"] == ["Tables won", "Opponents' points", "Total margin"]
    assert len(told["standings"][0]["ties"]) == 3
    hosting.draw()
    told = part(hosting)
    assert told["past"][0]["tables"][0]["points"] == [30, -10, -20]
    for table in (1, 2):
        hosting.do(ResultTold(table, tuple(range(len(hosting.names(table)))), 5.0))
    hosting.do(Ended(6.0))
    told = part(hosting)
    assert (told["stage"], told["ended"], told["told"]) == ("ended", True, "The tournament is over.")
    assert told["repeats"] >= told["bound"]


def test_before_the_first_result_nobody_is_ahead():
    hosting = Hosting(players=7)
    assert part(hosting)["standings"] == []
    hosting.draw()
    hosting.begin()
    assert part(hosting)["standings"] == []
    hosting.do(ResultTold(2, (5, 0, -5), 4.0))
    assert [line["place"] for line in part(hosting)["standings"]] == [1, 2, 3, *4 * [None]]


def test_what_was_changed_is_told_with_who_and_why():
    hosting = Hosting(players=6)
    hosting.draw()
    hosting.do(DrawWithdrawn(3.0, why="Somebody came late."))
    hosting.draw()
    one, other = hosting.drawn.tables[0].players[0], hosting.drawn.tables[1].players[0]
    hosting.do(Swapped(one, other, 3.0, "Ann"))
    hosting.do(ResultTold(1, (1, 2, 3), 4.0), ResultCorrected(1, 1, (3, 2, 1), 5.0, "Ann", "A slip"))
    withdrawn, swapped, corrected = part(hosting)["traces"]
    assert withdrawn.startswith("The draw for round 1 was undone: Player")
    assert withdrawn.endswith("Reason: Somebody came late.")
    assert swapped.startswith(f"Round 1: Player {one} and Player {other} have swapped seats. ")
    assert swapped.endswith(" By: Ann. Reason: none recorded.")
    now, players = hosting.now.tournament, hosting.drawn.tables[0].players
    before, after = totals(now, players, (1, 2, 3)), totals(now, players, (3, 2, 1))
    assert corrected.startswith(f"Round 1, table 1: {before} was corrected to {after}. ")
    assert corrected.endswith(" By: Ann. Reason: A slip.")
    assert "By: name not recorded." in withdrawn
    for t, told in zip((3.0, 3.0, 5.0), part(hosting)["traces"], strict=True):
        assert f" {written_moment(moment(t), 'en')}. " in told


def test_why_nothing_can_be_drawn_is_told_with_the_tables_and_their_number():
    for players in (0, 1):
        hosting = Hosting(players=players)
        assert part(hosting)["waits"] == "To draw, at least 2 players must be checked in."
    hosting = Hosting(players=8, rounds=1)
    assert part(hosting)["waits"] == ""
    hosting.draw()
    hosting.begin()
    assert part(hosting)["waits"].startswith("Tables 1 and 2 still have no result (2 of 2).")
    hosting.do(ResultTold(1, (1, 2, 3, 4), 4.0))
    assert part(hosting)["waits"].startswith("Table 2 still has no result (1 of 2).")
    hosting.do(ResultTold(2, (1, 2, 3, 4), 4.0))
    assert part(hosting)["waits"] == "All rounds have been drawn. To play another one, change the number of rounds."
    hosting.do(Ended(5.0))
    assert part(hosting)["waits"] == ""


def test_with_equal_totals_for_all_nobody_has_won():
    hosting = Hosting(players=8)
    hosting.draw()
    hosting.begin()
    hosting.do(ResultTold(1, (0, 0, 0, 0), 4.0), ResultTold(2, (5, 5, -5, -5), 4.0))
    won = {told["table"]: told["won"] for told in hand_results(hosting.facts, Wording("en"))}
    assert won == {1: [False] * 4, 2: [True, True, False, False]}


def test_results_without_a_referee_are_among_the_results_of_the_hall():
    hosting = Hosting(players=8, tables=1)
    hosting.draw()
    hosting.begin()
    assert hand_results(hosting.facts, Wording("en")) == []
    hosting.play(1, (9, 0, 0, -9))
    hosting.look()
    first, other = hosting.drawn.tables[1].players[:2]
    hosting.do(ResultReported(2, (9, 0, 0, -9), first, 4.0), ReportDisputed(2, other, 5.0, (8, 1, 0, -9)))
    assert hand_results(hosting.facts, Wording("en")) == []
    hosting.do(ReportDecided(2, (8, 1, 0, -9), 6.0, "Eve"))
    (told,) = hand_results(hosting.facts, Wording("en"))
    assert (told["round"], told["table"], told["totals"], told["won"]) == (1, 2, [8, 1, 0, -9], [True, *[False] * 3])
    assert told["state"] == f"Entered by Player {other}, confirmed by the director."
    (told,) = part(hosting)["traces"]
    assert told.endswith("By: Eve.")  # the result that counts stands before it: there is no other reason


def test_tables_that_are_missing_or_away_are_troubles():
    hosting = Hosting(players=8, tables=1)
    hosting.draw()
    hosting.views = views(away=("table-1", "table-2"))
    assert part(hosting)["troubles"] == [
        "Table 1: table-1 is not connected.",
        "Table 2 has not been given a table in the hall: choose one.",
    ]


def test_nobody_is_asked_to_choose_a_table_where_the_hall_has_none_left():
    hosting = Hosting(players=8, tables=0)
    hosting.draw()
    assert part(hosting)["troubles"] == []
    assert [one["state"] for one in part(hosting)["tables"]] == ["The round has not begun yet."] * 2
    hosting.begin()
    assert part(hosting)["troubles"] == []
    assert [one["state"] for one in part(hosting)["tables"]] == ["No result has been entered yet."] * 2


def test_a_table_without_a_referee_is_no_trouble_once_its_players_can_enter_the_result():
    hosting = Hosting(players=8, tables=1)
    hosting.draw()
    hosting.begin()
    assert part(hosting)["troubles"] == []
    first, other = hosting.drawn.tables[1].players[:2]
    hosting.do(ResultReported(2, (9, 0, 0, -9), first, 4.0))
    assert part(hosting)["troubles"] == []
    assert part(hosting)["tables"][1]["report"] == {
        "points": [9, 0, 0, -9], "by": f"Player {first}", "disputed": False, "disputed_by": None, "otherwise": None,
    }  # fmt: skip
    hosting.do(ReportDisputed(2, other, 5.0))
    assert part(hosting)["troubles"] == [
        f"Table 2: Player {first} entered "
        f"{totals(hosting.now.tournament, hosting.drawn.tables[1].players, (9, 0, 0, -9))}, "
        f"and Player {other} says that is wrong. "
        "Confirm it, enter the right result, or reject it."
    ]


def test_troubles_of_a_round_come_in_the_order_of_its_tables():
    hosting = Hosting(players=8, tables=1)
    hosting.draw()
    hosting.views = views(away=("table-1", "table-2"))
    result = SimpleNamespace(round=1, table=1, trouble=Notice("hall.cannot_word"))
    told = (one for one, _ in troubles(TournamentFacts((hosting.now,), (result,)), hosting.views))
    assert [(one.key, dict(one.fields).get("table")) for one in told] == [
        ("hall.cannot_word", None), ("director.away", 1), ("director.unplaced", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_told_in_every_language(language):
    hosting = Hosting(players=5)
    hosting.draw()
    hosting.begin()
    told = part(hosting, language)
    assert told["told"]
    assert all(table["state"] for table in told["tables"])


def why(hosting, language="en"):
    told = PARTS["tournament-why"].render(hosting.facts, Wording(language))
    return json.loads(json.dumps(told, allow_nan=False))


def test_the_reasons_of_the_seats_are_a_part_of_their_own():
    hosting = Hosting(players=5, largest=2, drawing=Drawing.SWISS)
    assert why(hosting) is None
    assert PARTS["tournament-why"].source(hosting.facts) is None
    hosting.draw()
    told = why(hosting)
    assert told["round"] == 1
    assert told["draw"] == "The first round was drawn by lot (seed 7)."
    assert [len(table) for table in told["tables"]] == [2, 2]
    assert "has a bye" in told["byes"][0]
    assert "Freilos" in why(hosting, "de")["byes"][0]


def test_the_reasons_are_made_anew_only_with_another_draw():
    hosting = Hosting(players=8)
    hosting.draw()
    before = PARTS["tournament-why"].source(hosting.facts)
    hosting.begin()
    hosting.do(ResultTold(1, (3, 2, 1, 0), 4.0))
    assert PARTS["tournament-why"].source(hosting.facts) == before
    hosting.do(Swapped(*(hosting.drawn.tables[1].players[:2]), 5.0))
    assert PARTS["tournament-why"].source(hosting.facts) != before


@pytest.mark.parametrize("counting", list(Counting))
def test_the_order_of_the_standings_can_be_checked_from_what_stands_beside_the_points(counting):
    hosting = Hosting(8, rounds=2, counting=counting)
    for _ in range(2):
        hosting.draw()
        hosting.begin()
        hosting.do(*(ResultTold(table, (40, 30, 20, 10), 4.0) for table in (1, 2)))
    told = part(hosting)
    assert ("Strength of opponents" in told["ties"]) is (counting is Counting.STRENGTH)
    scores = [one["score"] for one in told["standings"]]
    assert scores == sorted(scores, reverse=True)
    for one in told["standings"]:
        assert len(one["ties"]) == len(told["ties"])
        strength = float(one["ties"][0]) if counting is Counting.STRENGTH else 0.0
        assert one["score"] == pytest.approx(one["points"] + strength, abs=0.011)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Standings after round", "Not final: round", "Final standings, ")),
        ("de", ("Stand nach Runde", "Nicht endgültig: Runde", "Endstand, ")),
        ("fr", ("Classement après la ronde", "Provisoire : la ronde", "Classement final, ")),
        ("it", ("Classifica dopo il giro", "Non definitiva: il giro", "Classifica finale, ")),
    ],
)
def test_standings_say_of_which_round_they_are_and_whether_they_are_final(language, words):
    def state():
        return part(hosting, language=language)["standings_state"].replace("\N{NARROW NO-BREAK SPACE}", " ")

    hosting = Hosting(4, rounds=2)
    hosting.draw()
    hosting.begin()
    hosting.do(ResultTold(1, (40, 30, 20, 10), 4.0))
    assert state().startswith(f"{words[0]} 1 ")
    hosting.draw()
    assert state().replace("\N{NO-BREAK SPACE}", " ").startswith(f"{words[1]} 2 ")
    hosting.begin()
    hosting.do(ResultTold(1, (40, 30, 20, 10), 4.0))
    assert state().startswith(f"{words[0]} 2 ")
    hosting.do(Ended(5.0))
    assert state().startswith(words[2])
    assert state().endswith("1970") or state().endswith("1969")


def test_what_decided_between_equal_players_is_written_as_inside_a_sentence():
    hosting = Hosting(8, rounds=2)
    hosting.draw()
    hosting.begin()
    hosting.do(*(ResultTold(table, (40, 30, 20, 10 * table), 4.0) for table in (1, 2)))
    assert part(hosting)["decided"].startswith("Where players are equal, the place was decided by: total margin")
    assert part(hosting, "de")["decided"].endswith(("Tischen.", "Los."))
