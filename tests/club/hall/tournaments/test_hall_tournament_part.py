"""The tournament as the hall's page is told it."""

import json
from types import SimpleNamespace

import pytest
from hosting import Hosting, views

from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.round_results import TournamentFacts
from referee.club.tournament.events import DrawWithdrawn, Ended, ResultCorrected, ResultTold, Swapped
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.pages.hall.app import parts_of
from referee.pages.hall.tournament_part import PARTS, troubles

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
    assert told["players"][0] == {"number": 1, "name": "Player 1", "here": True}
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
    assert told["tables"][0]["state"] == "The table has told its result."
    assert told["missing"] == [2]
    hosting.do(ResultTold(2, (5, -5), 4.0))
    told = part(hosting)
    assert (told["stage"], told["told"]) == ("between", "Round 1 of 2 is over.")
    assert told["tables"][1]["state"] == "The result was written by hand."
    assert [line["place"] for line in told["standings"]] == [1, 2, 3, 4, 5]
    assert told["standings"][0]["points"] == 12
    assert told["ties"] == ["Tables won", "Opponents' points", "Lead at the tables"]
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


def test_what_was_changed_is_told_with_who_and_why():
    hosting = Hosting(players=6)
    hosting.draw()
    hosting.do(DrawWithdrawn(3.0, why="Somebody came late."))
    hosting.draw()
    one, other = hosting.drawn.tables[0].players[0], hosting.drawn.tables[1].players[0]
    hosting.do(Swapped(one, other, 3.0, "Ann"))
    hosting.do(ResultTold(1, (1, 2, 3), 4.0), ResultCorrected(1, 1, (3, 2, 1), 5.0, "Ann", "A slip"))
    withdrawn, swapped, corrected = part(hosting)["traces"]
    assert withdrawn.startswith("A draw of round 1 was withdrawn: Player")
    assert withdrawn.endswith("Reason: Somebody came late.")
    assert swapped == f"Round 1: Player {one} and Player {other} have changed places. By: Ann."
    assert corrected == "Round 1, table 1: 1 : 2 : 3 was corrected to 3 : 2 : 1. By: Ann. Reason: A slip."


def test_tables_that_are_missing_or_away_are_troubles():
    hosting = Hosting(players=8, tables=1)
    hosting.draw()
    hosting.views = views(away=("table-1",))
    assert part(hosting)["troubles"] == [
        "Table 1: table-1 is not connected.",
        "Table 2 has no table of the hall to play at: choose one.",
    ]


def test_troubles_of_a_round_come_in_the_order_of_its_tables():
    hosting = Hosting(players=8, tables=1)
    hosting.draw()
    hosting.views = views(away=("table-1",))
    result = SimpleNamespace(round=1, table=1, trouble=Notice("hall.cannot_word"))
    told = troubles(TournamentFacts((hosting.now,), (result,)), hosting.views)
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
