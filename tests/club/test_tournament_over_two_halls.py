"""A tournament over two halls, from end to end: two brokers with TLS and a bridge, `referee hall`, tables in both."""

import csv
import shutil
import time

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from mosquitto import MISSING, PROGRAM
from two_halls import LONGEST_S, two_halls

from benchmarks.killed_table import Table
from benchmarks.killed_truth import Found, compare_history, compare_results, compare_standings, told_in, truth_of
from referee.club.hall.tournaments.notes import Notes
from referee.club.hall.tournaments.player_tokens import token_for
from referee.pages.hall.table_cards import table_token

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
            assert time.monotonic() < end, (
                self.hall.tournament,
                {name: t.state.phase for name, t in self.tables.items()},
            )
            self.step()
            time.sleep(0.02)

    def open(self, **rules):
        self.hall.online(*self.tables)
        self.hall.direct("open", name="Two halls", rounds=2, players_most=2, counting="points", **rules)
        self.hall.direct("enter", names="\n".join(PLAYERS))
        self.hall.direct("check-in")

    def check_pages(self):
        """The pages behind the QR codes lead everybody to the right table, whichever hall it stands in."""
        notes = Notes(self.file)
        (hosted,), secret = notes.load_all()[0].values(), notes.player_secret("")
        notes.close()
        for number, at in enumerate((HERE, THERE), 1):
            told = self.hall.tournament["tables"][number - 1]
            at_table = self.hall.get(f"/at/{table_token(secret, hosted, number)}").decode()
            for player in hosted.last_round.tables[number - 1].players:
                own = self.hall.get(f"/player/{token_for(secret, hosted, player)}").decode()
                assert f'<span class="box">{at}</span>' in own
                assert PLAYERS[player - 1] in at_table
            assert told["at"] == at

    @property
    def file(self):
        return self.hall.folder / "state/hall/hall.sqlite"

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
        compare_history(tables, numbers, self.file, found)
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
        tournament.check_pages()
        tournament.until(tournament.is_over)
        assert [len(one["tables"]) for one in hall.export["rounds"]] == [2] * number
    assert hall.export["places"] == [[HERE, THERE]] * 2
    lines = csv.DictReader(hall.get("/results.csv").decode("utf-8-sig").splitlines())
    assert {line["table"] for line in lines} == {HERE, THERE}
    tournament.until(lambda: set(tournament.club.b.tables) == {"table-1", "a-table-1"})  # hall b looks on
    tournament.until(
        lambda: len(tournament.club.b.points("table-1")) == len(tournament.club.b.points("a-table-1")) == 2
    )
    assert (hall.tournament["troubles"], hall.tournament["traces"]) == ([], [])
    assert len(tournament.tables[HERE].results) == len(tournament.tables[THERE].results) == 2
    tournament.check()


def test_the_bridge_is_cut_when_a_round_begins_and_while_a_result_is_sent(tournament):
    hall, club, here, there = tournament.hall, tournament.club, tournament.tables[HERE], tournament.tables[THERE]
    tournament.open()
    hall.direct("draw")
    club.cut()
    hall.direct("begin")
    tournament.until(lambda: here.results)
    tournament.until(lambda: hall.tournament["tables"][0]["points"] is not None)
    assert not there.begun
    club.restore()
    tournament.until(lambda: there.results)  # it was asked again
    tournament.until(tournament.is_over)

    tournament.held |= {HERE, THERE}
    hall.direct("draw")
    hall.direct("begin")
    tournament.until(lambda: take_orders(there, here))
    club.cut()  # and with it the match of the other hall goes by, from its first event to its result
    tournament.held.clear()
    tournament.until(lambda: len(there.results) == len(here.results) == 2)
    tournament.until(lambda: hall.tournament["missing"] == [2])
    club.restore()
    tournament.until(tournament.is_over)
    tournament.check()


def take_orders(*tables):
    """Whether all these tables play, once they have taken what they were asked."""
    for table in tables:
        table.take_orders()
    return all(table.plays for table in tables)


def test_hall_and_brokers_are_killed_while_the_bridge_is_cut(tournament):
    hall, club, here, there = tournament.hall, tournament.club, tournament.tables[HERE], tournament.tables[THERE]
    tournament.open()
    hall.direct("draw")
    club.cut()
    hall.direct("begin")
    hall.kill()  # the command to begin is lost
    club.restore()
    hall.start()
    tournament.held |= {HERE, THERE}
    tournament.until(lambda: take_orders(there, here))
    hall.kill()
    club.cut()
    tournament.held.clear()
    tournament.until(lambda: there.results and here.results)
    hall.start()
    tournament.until(lambda: hall.tournament["tables"][0]["points"] is not None)
    hall.kill()
    club.restore()
    hall.start()
    tournament.until(tournament.is_over)

    tournament.held |= {HERE, THERE}
    hall.direct("draw")
    hall.direct("begin")
    tournament.until(lambda: take_orders(there, here))
    for broker in reversed(club.brokers):
        club.cut()
        broker.kill()
        tournament.held.clear()
        tournament.until(lambda: len(there.results) == 2)
        broker.start()
        club.restore()
    tournament.until(tournament.is_over)
    tournament.check()


def test_a_table_of_the_other_hall_gets_another_name_in_the_middle_of_its_match(tournament):
    hall, club, there = tournament.hall, tournament.club, tournament.tables[THERE]
    tournament.open()
    hall.direct("draw")
    hall.direct("begin")
    tournament.held.add(THERE)
    tournament.until(lambda: take_orders(there))
    tournament.until(lambda: hall.tournament["tables"][1]["state"].startswith("Round 1"))
    there.close()
    tournament.add(club.b, "table-2", "b-table-2", there.folder)
    renamed = tournament.tables.pop("b-table-2")
    tournament.tables[THERE] = renamed
    renamed.begun, renamed.results = there.begun, there.results
    tournament.until(lambda: hall.tournament["tables"][1]["at"] == "b-table-2")
    for _ in range(2):
        connected = hall.part("table:b-table-2")["heard"]
        club.cut()
        club.restore()  # what the other broker has retained under the former name comes once more
        tournament.until(lambda: hall.part("table:b-table-2")["heard"] > connected)  # noqa: B023 - called at once
    tournament.held.clear()
    tournament.until(tournament.is_over)
    assert hall.tournament["tables"][1]["at"] == "b-table-2"
    assert hall.part("table:b-table-1") is None
    assert (hall.tournament["troubles"], hall.part("table:b-table-2")["troubles"]) == ([], [])
    tournament.check()


def test_a_result_is_corrected_at_a_table_of_the_other_hall_and_the_end_is_undone(tournament):
    hall, club, there = tournament.hall, tournament.club, tournament.tables[THERE]
    tournament.open()
    for _ in range(2):
        hall.direct("draw")
        hall.direct("begin")
        tournament.until(tournament.is_over)
    hall.direct("end")
    club.cut()
    before = hall.export["rounds"]
    assert there.correct() is not None
    hall.direct("reopen", who="Ann", why="A slip")
    club.restore()
    tournament.until(lambda: hall.export["rounds"] != before)
    tournament.until(lambda: any("By: b-table-1." in told for told in hall.tournament["traces"]))
    tournament.check()
