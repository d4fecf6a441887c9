"""A tournament over two halls, from end to end: two brokers with TLS and a bridge, `referee hall`, tables in both."""

import shutil
import time

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from mosquitto import MISSING, PROGRAM
from two_halls import LONGEST_S, two_halls

from benchmarks.killed_table import Table
from benchmarks.killed_truth import Found, compare_history, compare_results, compare_standings, told_in, truth_of

pytestmark = [
    pytest.mark.club,
    pytest.mark.skipif(PROGRAM is None, reason=MISSING),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed"),
]
PLAYERS = ("Ann", "Ben", "Cem", "Dan")
HERE, THERE = "table-1", "b-table-1"
"""The tables as hall a calls them: one of its own, and one that stands in hall b."""


class Tournament:
    """A tournament that hall a plays at tables of both halls. The tables play in the thread of the test."""

    def __init__(self, club):
        self.club, self.hall, self.tables, self.held = club, club.a, {}, set()
        self.add(club.a, "table-1", HERE)
        self.add(club.b, "table-1", THERE)

    def add(self, hall, table, name, folder=None):
        chosen, folder = hall.club(table), folder or hall.folder / table
        self.tables[name] = Table(folder, chosen.pop("port"), table, 1, lambda: None, **chosen)

    def step(self):
        """Each table does what it was asked, or the next thing in its match, unless it is held."""
        for name, table in self.tables.items():
            if table.up and name not in self.held:
                table.take_orders()
                if table.plays:
                    table.play()

    def until(self, true):
        end = time.monotonic() + LONGEST_S
        while not true():
            assert time.monotonic() < end, (self.hall.tournament, {name: t.state.phase for name, t in self.tables.items()})
            self.step()
            time.sleep(0.02)

    def open(self, **rules):
        self.hall.online(*self.tables)
        self.hall.direct("open", name="Two halls", rounds=2, players_most=2, counting="points", **rules)
        self.hall.direct("enter", names="\n".join(PLAYERS))
        self.hall.direct("check-in")

    def is_over(self):
        """Whether the round has all its results."""
        now = self.hall.tournament
        return now is not None and now["stage"] in ("between", "finished")

    def check(self):
        """Every match was begun once, every result is there once, and the standings are those of a recount."""
        tables, numbers = list(self.tables.values()), {name: number for number, name in enumerate(PLAYERS, 1)}
        export, found = self.hall.export, Found()
        truth = truth_of(tables, numbers)
        compare_results(truth, told_in(export), found)
        compare_standings(truth, export, found)
        self.hall.kill()
        compare_history(tables, numbers, self.hall.folder / "state/hall/hall.sqlite", found)
        assert (found.notes, found.lost, found.wrong, found.doubled, found.lines_wrong) == ([], 0, 0, 0, 0)
        assert found.results == sum(len(one["tables"]) for one in export["rounds"])
        assert all(count == 1 for table in tables for count in table.begun.values())
        return found

    def close(self):
        for table in self.tables.values():
            table.close()


@pytest.fixture
def tournament():
    with two_halls(program=True) as club:
        made = Tournament(club)
        try:
            yield made
        finally:
            made.close()


def test_two_rounds_at_tables_of_both_halls(tournament):
    hall = tournament.hall
    tournament.open()
    for number in (1, 2):
        hall.direct("draw")
        assert [table["at"] for table in hall.tournament["tables"]] == [HERE, THERE]
        hall.direct("begin")
        tournament.until(tournament.is_over)
        assert [len(one["tables"]) for one in hall.export["rounds"]] == [2] * number
    assert hall.export["places"] == [[HERE, THERE]] * 2
    assert (hall.tournament["troubles"], hall.tournament["traces"]) == ([], [])
    assert len(tournament.tables[HERE].results) == len(tournament.tables[THERE].results) == 2
    tournament.check()
