"""Tournaments are kept in the hall's file: whatever the director does, whatever the tables tell, whoever is killed."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hosting import minute
from kept_hall import KeptHall, snapshot

from referee.club.hall.tournaments import keeper as keeping
from referee.club.hall.tournaments.beginning import STARTS_S
from referee.club.hall.tournaments.notes import KIND, Notes
from referee.club.protocol import Told
from referee.club.protocol.documents import CommandRefused
from referee.club.tournament import standings
from referee.club.tournament.events import Entered
from referee.club.tournament.written import totals
from referee.errors import BadInput
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.command import Malformed
from referee.pages.hall import parts
from referee.pages.hall.tournament_commands import COMMANDS


@pytest.fixture
def hall(tmp_path):
    made = KeptHall(tmp_path)
    yield made
    made.close()


def test_what_the_director_does_is_there_after_the_hall_was_killed(hall):
    hall.opens(7)
    hall.do("draw")
    before = hall.keeper.facts.current
    hall.killed()
    assert hall.keeper.facts.current == before
    hall.do("begin")
    before = hall.keeper.facts.current
    hall.killed()
    assert hall.keeper.facts.current == before
    assert hall.part["stage"] == "playing"


@pytest.mark.parametrize("players", [3, 5, 7, 13])
def test_a_whole_tournament_with_the_hall_killed_in_the_middle_of_every_round(tmp_path, players):
    hall = KeptHall(tmp_path)
    hall.opens(players, rounds=3)
    for number in range(1, 4):
        hall.do("draw")
        hall.do("begin")
        asked, hall.begun[:] = list(hall.begun), []
        assert [one.at for one in asked] == [f"table-{table}" for table in range(1, len(hall.drawn.tables) + 1)]
        for table, one in enumerate(asked, 1):
            assert one.players == hall.names_at(table)
            hall.starts(one, number, 60 * number)
        hall.killed()
        for table, one in enumerate(asked, 1):
            points = tuple(100 - player for player in hall.drawn.tables[table - 1].players)
            hall.ends(one.at, points, number, 60 * number + 20, 60 * number)
            hall.killed()
        assert hall.part["stage"] == "between"
    hall.do("end")
    assert {line.player: line.points for line in standings(hall.now)}[1] == 36  # the first one everywhere
    assert hall.part["troubles"] == hall.part["traces"] == []
    assert hall.part["ended"]
    hall.close()


def test_what_was_taken_is_not_taken_twice(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    hall.starts(hall.begun[0])
    hall.ends("table-1", (5, 3, -8))
    kept = notes(hall)
    hall.killed()
    hall.killed()
    assert notes(hall) == kept
    assert hall.drawn.tables[0].points == (5, 3, -8)


def notes(hall):
    with closing(sqlite3.connect(hall.path)) as db, db:
        return db.execute("SELECT body FROM notes WHERE kind = ? ORDER BY number", (KIND,)).fetchall()


def test_a_table_that_corrects_after_the_round_leaves_a_trace(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    hall.starts(hall.begun[0])
    hall.ends("table-1", (5, 3, -8))
    hall.do("draw")
    hall.corrects("table-1", (5, 3, -8), (9, -1, -8))
    assert hall.now.rounds[0].tables[0].points == (9, -1, -8)
    players, (told,) = hall.now.rounds[0].tables[0].players, hall.part["traces"]
    before, after = totals(hall.now, players, (5, 3, -8)), totals(hall.now, players, (9, -1, -8))
    assert told.startswith(f"Round 1, table 1: {before} was corrected to {after}. ")
    assert told.endswith(" By: table-1. Reason: it was corrected at the table.")


def test_a_match_that_was_given_up_may_begin_again(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    (asked,) = hall.begun
    hall.starts(asked)
    hall.gives_up("table-1")
    assert hall.part["troubles"] == [
        "Table 1: the match at table-1 was given up. Begin it again, or write down the result."
    ]
    assert hall.part["tables"][0]["again"]
    hall.do("begin", table=1)
    again = hall.begun[-1]
    assert hall.begun == [asked, replace(asked, id=again.id)]
    assert again.id != asked.id  # otherwise the table would ignore it
    hall.starts(asked, 2, 45)
    assert not hall.part["tables"][0]["again"]
    hall.ends("table-1", (1, 2, 3), 2, 60, 45)
    assert hall.part["troubles"] == []
    assert hall.part["tables"][0]["points"] == [1, 2, 3]


def test_a_contradiction_is_told_until_the_director_decides(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    hall.starts(hall.begun[0])
    hall.do("result", table=1, points=[1, 2, 3])
    hall.ends("table-1", (3, 2, 1))
    (told,) = hall.part["troubles"]
    players = hall.drawn.tables[0].players
    assert told.startswith(f"Round 1, table 1: table-1 reports {totals(hall.now, players, (3, 2, 1))}")
    assert hall.drawn.tables[0].points == (1, 2, 3)
    hall.killed()
    assert hall.part["troubles"] == [told]
    hall.do("correct", round=1, table=1, points=[1, 2, 3])
    assert hall.part["troubles"] == hall.part["traces"] == []
    hall.killed()
    assert hall.part["troubles"] == []
    hall.do("correct", round=1, table=1, points=[3, 2, 1], who="Ann", why="A slip")
    (corrected,) = hall.part["traces"]
    assert (
        f"{totals(hall.now, players, (1, 2, 3))} was corrected to {totals(hall.now, players, (3, 2, 1))}" in corrected
    )
    assert corrected.endswith(" By: Ann. Reason: A slip.")


def test_names_are_told_to_tables_only_where_the_settings_say_so(tmp_path):
    hall = KeptHall(tmp_path, names=False)
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    assert hall.begun[0].players == (None, None, None)
    assert hall.begun[0].draw == "spring-cup-1-r1-t1"
    hall.close()


def test_a_table_that_comes_back_is_asked_then(hall):
    hall.opens(7)
    hall.do("draw")
    there = hall.views["table-2"]
    hall.views = {**hall.views, "table-2": replace(there, online=False)}
    hall.do("begin")
    assert [one.at for one in hall.begun] == ["table-1"]
    waits = "Table 2: table-2 is not connected. Its match begins as soon as it is."
    assert hall.done_with == f"Table 2 cannot begin its match yet. {waits}"
    assert hall.part["troubles"] == [waits]
    hall.look()
    hall.views = {**hall.views, "table-2": there}
    hall.look()
    hall.look()
    assert [one.at for one in hall.begun] == ["table-1", "table-2"]


def test_the_director_is_told_where_no_table_can_begin(hall):
    hall.opens(7)
    hall.views = {"table-1": replace(hall.views["table-1"], online=False)}
    hall.do("draw")
    hall.do("place", table=1, at="table-1")
    hall.do("begin")
    assert hall.done_with == (
        "No table can begin its match yet. "
        "Table 1: table-1 is not connected. Its match begins as soon as it is. "
        "There is no referee at table 2: its players enter the result on their own pages, or you write it by hand."
    )
    # It is told once that a table has none.
    assert [told in hall.done_with for told in hall.part["troubles"]] == [True]


def test_a_table_that_leaves_in_the_middle_of_its_match_is_only_said_to_be_away(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    assert hall.done_with == ""
    hall.starts(hall.begun[0])
    hall.views = {**hall.views, "table-1": replace(hall.views["table-1"], online=False)}
    assert hall.part["troubles"] == ["Table 1: table-1 is not connected."]


def test_a_table_whose_match_is_under_way_is_not_asked_once_more(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    tells_state(hall, "table-1", draw=hall.begun[0].draw, phase=Phase.TURN)
    assert hall.ask("begin", table=1) == "director.begun_already"
    hall.starts(hall.begun[0])
    tells_state(hall, "table-1")
    assert hall.ask("begin", table=1) == "director.begun_already"
    hall.gives_up("table-1")
    tells_state(hall, "table-1", phase=Phase.PAUSED)  # they have begun one of their own
    assert hall.ask("begin", table=1) == "director.refused"
    assert len(hall.begun) == 1
    tells_state(hall, "table-1")
    assert hall.ask("begin", table=1) is None
    assert len(hall.begun) == 2


def comes(hall, at, **told):
    """A table connects; what it was before is not so any more."""
    view = hall.views[at]
    now = replace(view, online=True, connections=view.connections + 1, connected=hall.seconds, starting=True,
                  told_itself=False)  # fmt: skip
    hall.views = {**hall.views, at: replace(now, **told)}
    hall.look()


def tells_state(hall, at, *, itself=True, **told):
    view = replace(hall.views[at], snapshot=snapshot(**told), starting=False, told_itself=itself)
    hall.views = {**hall.views, at: view}
    hall.look()


def test_a_table_that_is_started_anew_before_it_began_is_asked_once_more(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    comes(hall, "table-1")
    assert len(hall.begun) == 1  # its program is still starting
    tells_state(hall, "table-1")
    assert [one.at for one in hall.begun] == ["table-1"] * 2
    hall.look()
    tells_state(hall, "table-1", draw=hall.begun[0].draw)
    comes(hall, "table-1")
    tells_state(hall, "table-1", draw=hall.begun[0].draw)
    assert len(hall.begun) == 2
    assert hall.part["troubles"] == []


def test_a_table_whose_line_was_cut_is_asked_again_with_the_same_id_and_by_the_director_with_another(hall):
    """A table does every id once: if it has the command already, it ignores the second one."""
    hall.opens(3)
    hall.do("draw")
    comes(hall, "table-1")
    tells_state(hall, "table-1")
    hall.do("begin")
    for _ in range(2):
        view = hall.views["table-1"]
        hall.views = {**hall.views, "table-1": replace(view, connections=view.connections + 1)}
        hall.look()
    hall.do("begin", table=1)
    first, second, third, fourth = (one.id for one in hall.begun)
    assert first == second == third != fourth
    assert all(one.id.rpartition(".")[0] == one.draw for one in hall.begun)


def test_a_table_that_was_started_anew_is_asked_with_another_id(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    comes(hall, "table-1")
    tells_state(hall, "table-1")
    first, second = (one.id for one in hall.begun)
    assert first != second


def test_a_table_that_has_refused_is_not_asked_again_by_itself_unless_it_was_started_anew(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    why = CommandRefused(f"{hall.begun[0].draw}.0123abcd", Told.from_notice(Notice("play.not_now")))
    tells_state(hall, "table-1", refused=why)
    comes(hall, "table-1")
    tells_state(hall, "table-1", refused=why)
    assert len(hall.begun) == 1
    comes(hall, "table-1")
    tells_state(hall, "table-1")
    assert len(hall.begun) == 2


def test_a_table_that_was_asked_by_what_the_broker_had_kept_is_asked_again_once_it_speaks_itself(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    comes(hall, "table-1")
    tells_state(hall, "table-1", itself=False)
    assert len(hall.begun) == 2
    tells_state(hall, "table-1")
    hall.look()
    assert len(hall.begun) == 3


def test_a_table_that_tells_no_state_is_asked_after_a_while(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    comes(hall, "table-1")
    hall.do("begin", table=1)
    assert len(hall.begun) == 1
    hall.seconds += STARTS_S
    hall.look()
    hall.look()
    assert len(hall.begun) == 2


def test_a_table_that_comes_back_after_the_hall_was_killed_is_asked_then(hall):
    hall.opens(7)
    hall.do("draw")
    hall.views = {**hall.views, "table-2": replace(hall.views["table-2"], online=False)}
    hall.do("begin")
    hall.starts(hall.begun[0])
    hall.killed()
    hall.t += 60
    hall.look()
    assert hall.begun == []
    comes(hall, "table-2")
    tells_state(hall, "table-2")
    assert [one.at for one in hall.begun] == ["table-2"]
    assert hall.part["troubles"] == []  # it was asked a moment ago


def test_a_table_that_refuses_is_told_by_name_and_the_round_goes_on(hall):
    hall.opens(7)
    hall.do("draw")
    hall.do("begin")
    why = CommandRefused(f"{hall.begun[1].draw}.0123abcd", Told.from_notice(Notice("play.not_now")))
    hall.views = {**hall.views, "table-2": replace(hall.views["table-2"], snapshot=snapshot(refused=why))}
    hall.look()
    (told,) = hall.part["troubles"]
    assert told.startswith("Table 2: table-2 has not begun.")
    assert hall.part["stage"] == "playing"
    newer = CommandRefused(why.id, Told({"notice": "play.of_a_newer_version"}))
    hall.views = {**hall.views, "table-2": replace(hall.views["table-2"], snapshot=snapshot(refused=newer))}
    assert hall.part["troubles"][0].startswith("Table 2: table-2 has not begun.")
    hall.views = {**hall.views, "table-2": replace(hall.views["table-2"], snapshot=snapshot(draw=hall.begun[1].draw))}
    assert hall.part["troubles"] == []
    assert hall.part["tables"][1]["state"] == "The table is about to begin."


def test_a_table_that_says_nothing_is_told_after_a_while(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    assert hall.part["troubles"] == []
    hall.t += 60
    hall.look()
    assert hall.part["troubles"][0].startswith("Table 1: table-1 has not begun, though it was asked to.")
    hall.do("begin", table=1)
    hall.look()
    assert hall.part["troubles"] == []


def test_without_a_line_the_round_begins_and_tables_are_asked_later(hall):
    hall.opens(3)
    hall.do("draw")
    hall.connected = False
    hall.do("begin")
    assert hall.begun == []
    assert hall.done_with == (
        "No table can begin its match yet. The hall is not connected to the broker at "
        "the moment. It will ask the tables to begin as soon as it is connected again."
    )
    assert hall.ask("begin", table=1) == "hall.no_line"
    hall.connected = True
    hall.look()
    assert len(hall.begun) == 1


def test_a_table_that_is_moved_is_asked_at_its_new_place(hall):
    hall.opens(3)
    hall.tell("table-4", 1, 5)
    hall.do("draw")
    hall.do("begin")
    hall.do("place", table=1, at="table-4")
    assert [one.at for one in hall.begun] == ["table-1", "table-4"]
    assert hall.begun[0].draw == hall.begun[1].draw


def test_two_tables_that_change_places_in_the_middle_are_not_asked_anew(hall):
    hall.opens(6)
    hall.do("draw")
    hall.do("begin")
    asked = list(hall.begun)
    for one in asked:
        hall.starts(one, players=(None, None, None))
    hall.do("place", table=1, at="table-2")
    hall.look()
    assert hall.begun == asked
    hall.ends("table-1", (1, 2, 3))
    hall.ends("table-2", (4, 5, 6))
    assert [table.points for table in hall.drawn.tables] == [(4, 5, 6), (1, 2, 3)]


def test_places_are_chosen_swapped_and_never_two_on_one(hall):
    hall.opens(7)
    hall.do("draw")
    assert hall.part["free"] == ["table-3", "table-4", "table-5"]
    hall.do("place", table=1, at="table-5")
    assert [table["at"] for table in hall.part["tables"]] == ["table-5", "table-2"]
    hall.do("place", table=2, at="table-5")
    assert [table["at"] for table in hall.part["tables"]] == ["table-2", "table-5"]
    assert hall.ask("place", table=1, at="table-99") == "director.unknown_place"
    assert hall.ask("place", table=3, at="table-1") == "tournament.no_such_table"
    hall.do("result", table=1, points=[1, 2, 3, 4])
    assert hall.ask("place", table=1, at="table-3") == "tournament.results_told"
    assert hall.ask("place", table=2, at="table-2") == "tournament.results_told"


def test_a_table_that_came_after_the_draw_keeps_its_place_if_it_drops_out_before_the_round_begins(hall):
    third = hall.views["table-3"]
    hall.views = {name: view for name, view in hall.views.items() if name < "table-3"}
    hall.opens(9)
    hall.do("draw")
    assert [table["at"] for table in hall.part["tables"]] == ["table-1", "table-2", None]
    hall.views = {**hall.views, "table-3": third}
    hall.look()
    hall.views = {**hall.views, "table-3": replace(third, online=False)}
    hall.killed()
    assert hall.part["tables"][2]["at"] == "table-3"
    assert hall.part["troubles"] == ["Table 3: table-3 is not connected."]
    hall.do("begin")
    hall.views = {**hall.views, "table-3": third}
    hall.look()
    assert [one.at for one in hall.begun] == ["table-1", "table-2", "table-3"]


def test_late_and_leaving_players_byes_and_swaps(hall):
    hall.opens(5, rounds=3, players_most=2)
    hall.do("draw")
    (bye,) = hall.drawn.byes
    seated = hall.drawn.tables[0].players[0]
    hall.do("swap", one=seated, other=bye, why="Has to phone")
    assert hall.drawn.byes == (seated,)
    hall.do("begin")
    for table in (1, 2):
        hall.do("result", table=table, points=[1, 2])
    hall.do("leave", player=seated, why="Ill")
    hall.do("enter", names="Zoë\n\n  Yann  ")
    assert hall.ask("enter", names="New\nzoë") == "director.bad_lines"
    assert len(hall.now.players) == 7
    hall.do("check-in", player=6)
    hall.do("draw")
    assert seated not in hall.drawn.players
    assert 6 in hall.drawn.players
    hall.do("withdraw", why="Yann is here, too")
    hall.do("check-in", player=7)
    hall.do("rename", player=7, name="Yannick")
    hall.do("draw")
    assert len(hall.drawn.byes) == 0
    assert "Yann is here, too" in hall.part["traces"][1]
    hall.killed()
    assert [player["name"] for player in hall.part["players"]][5:] == ["Zoë", "Yannick"]


@pytest.mark.parametrize(
    ("command", "values", "why"),
    [
        ("enter", {"names": "Ann"}, "director.none"),
        ("draw", {}, "director.none"),
        ("begin", {}, "director.none"),
        ("end", {}, "director.none"),
    ],
)
def test_without_a_tournament_there_is_nothing_to_do(hall, command, values, why):
    assert hall.ask(command, **values) == why


@pytest.mark.parametrize(
    ("command", "values", "why"),
    [
        ("open", {"name": "Another", "rounds": 3}, "director.still_open"),
        ("enter", {"names": " \n "}, "tournament.no_name"),
        ("enter", {"names": "\n".join(map(str, range(257)))}, "director.too_many"),
        ("enter", {"names": "Player 1"}, "tournament.name_taken"),
        ("check-in", {"player": 1}, "tournament.here_already"),
        ("check-in", {"player": 9}, "tournament.no_such_player"),
        ("rename", {"player": 1, "name": "Player 2"}, "tournament.name_taken"),
        ("begin", {}, "tournament.no_round_to_begin"),
        ("begin", {"table": 1}, "director.begin_first"),
        ("place", {"table": 1, "at": "table-2"}, "tournament.no_round"),
        ("result", {"table": 1, "points": [1, 2]}, "tournament.no_round"),
        ("correct", {"round": 1, "table": 1, "points": [1, 2]}, "tournament.no_such_round"),
        ("swap", {"one": 1, "other": 2}, "tournament.no_round"),
        ("withdraw", {}, "tournament.no_round"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(hall, command, values, why):
    hall.opens(3)
    before, kept = hall.keeper.facts, notes(hall)
    assert hall.ask(command, **values) == why
    assert (hall.keeper.facts, notes(hall)) == (before, kept)


def test_once_drawn_there_is_more_that_cannot_be(hall):
    hall.opens(5)
    hall.do("draw")
    assert hall.ask("draw") == "tournament.results_missing"
    assert hall.ask("end") == "tournament.results_missing"
    hall.do("begin")
    assert hall.ask("begin") == "tournament.no_round_to_begin"
    assert hall.ask("begin", table=9) == "tournament.no_such_table"
    assert hall.ask("result", table=1, points=[1, 2]) == "tournament.wrong_points"
    hall.do("result", table=1, points=[1, 2, 3])
    assert hall.ask("result", table=1, points=[1, 2, 3]) == "tournament.results_told"
    assert hall.ask("begin", table=1) == "tournament.results_told"
    assert hall.ask("correct", round=1, table=1, points=[1, 2, 3]) == "tournament.stands_so"
    hall.views = {}
    assert hall.ask("begin", table=2) == "director.away"
    assert hall.ask("rounds", rounds=1) is None
    hall.do("result", table=2, points=[1, 2])
    assert hall.ask("draw") == "tournament.all_rounds_drawn"
    hall.do("end")
    assert hall.ask("draw") == "tournament.over"
    assert hall.ask("enter", names="Late") == "tournament.over"
    hall.do("correct", round=1, table=1, points=[3, 2, 1])


@pytest.mark.parametrize(
    "values",
    [{"rounds": 0}, {"rounds": 31}, {"ties": ["wins", "wins"]}, {"ties": ["luck"]}, {"ties": "wins"},
     {"book": "chess"}, {"match_rounds": 0}, {"match_rounds": 101}, {"players_least": 1}, {"players_most": 5}],
)  # fmt: skip
def test_rules_that_make_no_sense_are_malformed(hall, values):
    with pytest.raises(Malformed):
        hall.ask("open", **{"name": "Cup", "rounds": 3, **values})


def test_a_tournament_goes_by_its_book(hall):
    assert hall.ask("open", name="Cup", rounds=3, players_least=4, players_most=3) == "director.sizes"
    assert hall.ask("open", name="Cup", rounds=3, book="gin", players_most=3) == "director.sizes"
    hall.do("open", name="Cup", rounds=3, book="gin", ties=["margin"])
    rules = hall.now.rules
    assert (rules.smallest, rules.largest, [one.value for one in rules.tie_breaks]) == (2, 2, ["margin"])


def test_tables_are_asked_to_play_by_its_book_and_as_many_rounds_as_were_agreed(hall):
    hall.do("open", name="Cup", rounds=2, book="gin", match_rounds=3)
    hall.do("enter", names="Ann\nBen")
    hall.do("check-in")
    hall.do("draw")
    hall.do("begin")
    assert [(one.rules, one.rounds) for one in hall.begun] == [("gin", 3)]
    hall.killed()
    assert [(one.rules, one.rounds) for one in hall.begun] == [("gin", 3)]
    hall.do("begin", table=1)
    assert [(one.rules, one.rounds) for one in hall.begun] == [("gin", 3)] * 2


def test_without_a_word_the_book_is_the_halls_and_rounds_are_those_of_the_table(hall):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    assert [(one.rules, one.rounds) for one in hall.begun] == [("rummikub", None)]


def test_only_a_table_that_has_not_begun_is_offered_to_begin_again(hall):
    hall.opens(8)
    hall.do("draw")
    offered = lambda: [one["number"] for one in hall.part["tables"] if one["again"]]  # noqa: E731
    assert offered() == []
    hall.do("begin")
    assert offered() == []  # they were asked a moment ago
    hall.starts(hall.begun[0])
    hall.t += 60
    hall.look()
    assert offered() == [2]
    hall.views["table-2"] = replace(hall.views["table-2"], online=False)
    hall.look()
    assert offered() == []


def asked_in_vain(hall, phase, why, **told):
    """A table plays something else; it was asked to begin what was drawn, and has refused."""
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    (asked,) = hall.begun
    hall.starts(asked, players=("Mia", "Noa", "Pit"), draw=None)
    refused = CommandRefused(f"{asked.draw}.0123abcd", Told.from_notice(why))
    hall.views = {**hall.views, "table-1": replace(hall.views["table-1"], snapshot=snapshot(
        phase=phase, refused=refused, **told))}  # fmt: skip
    hall.look()
    return hall.part["tables"][0]["again"]


@pytest.mark.parametrize(
    ("phase", "told", "offered"),
    [(Phase.TURN, {}, False), (Phase.ASKING, {}, False), (Phase.BETWEEN, {}, False), (Phase.OVER, {}, True),
     (Phase.LOBBY, {}, True), (Phase.PAUSED, {"cut": True}, False), (Phase.LOBBY, {"cut": True}, False)],
)  # fmt: skip
def test_after_a_wrong_match_it_may_begin_again_only_once_that_is_over(hall, phase, told, offered):
    assert asked_in_vain(hall, phase, Notice("club.match_under_way"), **told) is offered
    assert len(hall.part["troubles"]) == 2  # others play there, and it has refused


def test_a_table_whose_settings_do_not_let_the_hall_begin_is_not_asked_again(hall):
    assert not asked_in_vain(hall, Phase.LOBBY, Notice("club.command_not_allowed", command="begin"))


def test_a_bad_line_of_pasted_names_is_named_and_none_of_them_is_entered(hall):
    hall.do("open", name="Cup", rounds=3)
    refused = {"Ann\n\nBen\n ANN": (4, "director.name_in_line"), "Ann\n" + "B" * 41: (2, "tournament.name_too_long"),
               "A\u202eb\nBen": (1, "tournament.name_not_shown"),
               "Ann\x0bLee\r\nBen\nBen": (3, "director.name_in_line"),
               "\n\n Ann\r\nBen\r\nBen": (5, "director.name_in_line")}  # fmt: skip
    for names, (line, why) in refused.items():
        (told,) = dict(refusal(hall, names).fields)["lines"]
        fields = dict(told.fields)
        assert (told.key, fields["line"], fields["why"].key) == ("director.bad_line", line, why)
    both = refusal(hall, "A\u202eb\nBen\nBen")
    assert [dict(one.fields)["line"] for one in dict(both.fields)["lines"]] == [1, 3]
    assert Wording("en")(refusal(hall, "A\u202eb\nBen")) == (
        "Line 1 (A\N{REPLACEMENT CHARACTER}b): This name has characters that cannot be shown: type it by hand. "
        "Nobody was added to the list."
    )
    (twice,) = dict(refusal(hall, "Eve\nAnn\nann").fields)["lines"]
    assert dict(dict(twice.fields)["why"].fields)["line"] == 2
    assert hall.now.players == ()
    assert hall.ask("enter", names="") == hall.ask("enter", names=" \n ") == "tournament.no_name"
    assert hall.ask("open", name="", rounds=3) in ("tournament.no_name", "director.still_open")
    assert hall.ask("enter", names="B" * 41) == "tournament.name_too_long"  # there is but one line


def refusal(hall, names):
    one = COMMANDS["tournament-enter"]
    controls = SimpleNamespace(tournaments=hall.keeper, book=None)
    return asyncio.run(one.run(one.read({"names": names}), hall.hall, controls))


def test_older_tournaments_stay_and_slugs_differ(hall):
    for name in ("Spring cup", "Spring cup", "Jubiläum №1!", "***"):
        hall.do("open", name=name, rounds=2)
        hall.do("end")
    slugs = [one.slug for one in hall.keeper.facts.all]
    assert slugs == ["spring-cup-1", "spring-cup-2", "jubilaum-no1-3", "tournament-4"]
    hall.killed()
    assert [one.slug for one in hall.keeper.facts.all] == slugs


def test_what_a_newer_version_wrote_is_told_and_does_not_stop_the_hall(hall):
    hall.opens(3)
    with closing(sqlite3.connect(hall.path)) as db, db:
        db.execute(
            "INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)",
            (KIND, minute(0), '{"of": "spring-cup-1", "event": "postponed", "body": {}}'),
        )
        db.execute("INSERT INTO notes (kind, wall, body) VALUES (?, ?, ?)", (KIND, minute(0), "nonsense"))
    hall.killed()
    assert hall.keeper.facts.current is None
    assert [told.key for told in hall.keeper.facts.troubles] == ["director.unreadable"] * 2
    shown = parts.hall(replace(hall.hall, tournaments=hall.keeper.facts), Wording("en"))
    assert any("spring-cup-1" in told for told in shown["troubles"])
    hall.do("open", name="Spring cup", rounds=2)
    assert hall.keeper.facts.current.slug not in ("spring-cup-1", "note-2")
    assert any("spring-cup-1" in told for told in hall.part["troubles"])


def test_what_the_disk_does_not_take_has_not_happened(hall, monkeypatch):
    hall.opens(3)
    hall.do("draw")
    hall.do("begin")
    before = hall.keeper.facts

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Notes, "keep", full)
        assert hall.ask("enter", names="Late") == "director.not_kept"
        assert hall.keeper.facts.current is before.current
        hall.starts(hall.begun[0])
        hall.ends("table-1", (1, 2, 3))
        assert hall.drawn.tables[0].points is None
        assert any("disk is full" in told for told in hall.part["troubles"])
    hall.look()
    assert hall.drawn.tables[0].points == (1, 2, 3)
    assert hall.part["troubles"] == []


def test_half_of_a_change_is_never_kept(hall):
    hall.opens(3)
    kept = notes(hall)
    with pytest.raises(BadInput):
        hall.keeper.change(lambda *_: [Entered("One", 1.0), Entered("one", 1.0)]).result()
    assert notes(hall) == kept


def test_the_disk_may_fail_in_the_middle_and_nothing_of_it_is_there(hall):
    hall.opens(3)
    kept = notes(hall)
    with closing(sqlite3.connect(hall.path)) as db, db:
        db.execute("CREATE TRIGGER full BEFORE INSERT ON notes WHEN NEW.body LIKE '%Two%' "
                   "BEGIN SELECT RAISE(ABORT, 'disk full'); END")  # fmt: skip
    assert hall.ask("enter", names="One\nTwo") == "director.not_kept"
    assert notes(hall) == kept
    assert len(hall.now.players) == 3


def test_every_tournament_has_a_seed_of_its_own_and_the_plan_is_kept(hall):
    hall.opens(16, rounds=5)
    hall.do("draw")
    assert len(hall.now.plan) == 4
    assert hall.part["repeats"] == hall.part["bound"] == 0
    first = hall.now.rules.seed
    for table in range(1, 5):
        hall.do("result", table=table, points=[1, 2, 3, 4])
    hall.do("end")
    hall.opens(3)
    assert hall.now.rules.seed != first


def test_news_that_stumble_are_told_and_the_next_ones_are_taken(hall, monkeypatch, capsys):
    hall.opens(3)
    with monkeypatch.context() as patched:
        patched.setattr(keeping, "idle", lambda *_: 1 / 0)
        hall.keeper.look()
        with pytest.raises(ZeroDivisionError):
            hall.keeper.change(lambda *_: ()).result()
        assert any("ZeroDivisionError" in told for told in hall.part["troubles"])
    assert "ZeroDivisionError" in capsys.readouterr().err
    hall.do("draw")
    assert hall.part["troubles"] == []


def test_an_error_of_the_program_is_told_as_one(hall, monkeypatch):
    hall.opens(4)
    told, once = [], iter([ValueError("no such thing")])

    facts = KeptHall.hall

    def failing(kept):
        for error in once:
            raise error
        return facts.fget(kept)

    monkeypatch.setattr(KeptHall, "hall", property(failing))
    hall.keeper.news = lambda: told.extend(hall.keeper.facts.troubles)
    hall.look()
    assert Notice("director.failed", error="ValueError: no such thing") in told
