"""A table that gets another name during a tournament keeps its place there, its match and its result."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hosting import EPOCH, minute
from kept_hall import KeptHall, snapshot

from referee.club.hall.intake import TableView


@pytest.fixture
def hall(tmp_path):
    made = KeptHall(tmp_path, tables=2)
    yield made
    made.close()


def renames(hall, before, now, *, told=True, epoch=EPOCH):
    """What the reader makes of it; `told`: the table had sent something under its former name."""
    if told:
        hall.store.rename(before, now, epoch, minute(40))
    left = {name: view for name, view in hall.views.items() if name != before}
    view = TableView(
        now, online=True, snapshot=snapshot(epoch=epoch), formerly=hall.store.formerly.get(now, (before,))
    )
    hall.views = dict(sorted({**left, now: view}.items()))
    hall.seq[now] = hall.seq.get(before, 0)
    hall.look()


def begins(hall, players=7):
    hall.opens(players)
    hall.do("draw")
    hall.do("begin")
    return hall.begun


def places(hall):
    return [table["at"] for table in hall.part["tables"]]


def test_a_match_that_goes_on_under_another_name_is_still_the_tables(hall):
    first = begins(hall)[0]
    hall.starts(first)
    renames(hall, "table-1", "table-9")
    assert places(hall) == ["table-9", "table-2"]
    assert hall.part["tables"][0]["state"] == "Round 1 of 1 of the match is under way."
    assert hall.part["troubles"] == []
    assert len(hall.begun) == 2
    hall.killed()
    assert places(hall) == ["table-9", "table-2"]
    hall.ends("table-9", (1, 2, 3, 4))
    assert hall.drawn.tables[0].points == (1, 2, 3, 4)


def test_a_table_is_followed_before_the_round_begins_and_before_its_match(hall):
    hall.opens(7)
    hall.tell("table-1", 1, 1)
    hall.do("draw")
    renames(hall, "table-1", "table-9")
    assert places(hall) == ["table-9", "table-2"]
    hall.do("begin")
    assert [one.at for one in hall.begun] == ["table-9", "table-2"]
    renames(hall, "table-9", "table-8")
    assert places(hall) == ["table-8", "table-2"]
    assert hall.begun[-1].at == "table-8"


def test_matches_of_before_the_round_are_still_known_as_such(hall):
    names = ("Player 1", "Player 2", "Player 3")
    hall.opens(3)
    hall.do("draw")
    friends = SimpleNamespace(at="table-1", players=names, draw=None)  # who play before the round
    hall.starts(friends, 1, 28)
    hall.ends("table-1", (1, 2, 3), 1, 29, 28)
    hall.do("begin")
    renames(hall, "table-1", "table-9")
    assert hall.drawn.tables[0].points is None
    assert hall.keeper.facts.found[0].match is None
    assert minute(28) in {key.begun for key in hall.keeper.facts.current.current.known}


def test_a_result_can_still_be_corrected_at_the_table_with_its_new_name(hall):
    first = begins(hall, 3)[0]
    hall.starts(first)
    hall.ends("table-1", (5, 3, -8))
    hall.do("draw")
    renames(hall, "table-1", "table-9")
    hall.corrects("table-9", (5, 3, -8), (9, -1, -8))
    assert hall.now.rounds[0].tables[0].points == (9, -1, -8)
    (told,) = hall.part["traces"]
    assert "\N{MINUS SIGN}8 was corrected to " in told
    assert told.endswith(" By: table-9. Reason: it was corrected at the table.")


def test_two_tables_that_exchange_their_names_exchange_their_places(hall):
    first, _ = begins(hall)
    hall.starts(first)
    renames(hall, "table-1", "table-2")
    assert places(hall) == ["table-2", "table-1"]


def test_a_table_that_has_taken_over_a_former_name_stays_where_it_is(hall):
    begins(hall)
    other = TableView("table-9", online=True, snapshot=snapshot(epoch="4567abcd"), formerly=("table-1",))
    hall.views = {**hall.views, "table-9": other}
    hall.look()
    assert places(hall) == ["table-1", "table-2"]
    away = replace(hall.views["table-1"], online=False)
    hall.views = {**hall.views, "table-1": away}
    hall.look()
    assert places(hall) == ["table-1", "table-2"]
