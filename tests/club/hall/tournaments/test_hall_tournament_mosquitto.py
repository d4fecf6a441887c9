"""A tournament in a hall with a real Mosquitto: the program itself, killed and back, and tables that tell it."""

import json
from dataclasses import replace

import pytest

mosquitto = pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from club_loop import QUICK, ClubLoop  # noqa: E402
from club_table import ClubTable  # noqa: E402
from hall_program import HallProcess  # noqa: E402
from mosquitto import MISSING, PROGRAM, Mosquitto, Reader, until  # noqa: E402
from played import SETUPS, short  # noqa: E402

from referee.club.mqtt.mqtt import MqttBroker  # noqa: E402
from referee.club.protocol import Kind, decode_document, topic  # noqa: E402
from referee.game.match.events import Corrected  # noqa: E402
from referee.game.match.machine import apply  # noqa: E402
from referee.game.match.phases import Phase  # noqa: E402

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]


class Hall(HallProcess):
    """`referee hall` with one tournament."""

    def __init__(self, folder, broker, *, names=True):
        super().__init__(folder, broker, **{"club.names": str(names).lower()})

    @property
    def now(self):
        return self.part("tournament")

    def do(self, command, **values):
        super().do(f"tournament-{command}", **values)
        if command == "draw":  # seats are found beside everything else
            until(lambda: self.now["stage"] == "drawn")

    def opens(self, players, **rules):
        self.do("open", name="Spring cup", **rules)
        self.do("enter", names="\n".join(players))
        self.do("check-in")


@pytest.fixture
def broker(tmp_path):
    made = Mosquitto(tmp_path / "broker")
    yield made
    made.close()


@pytest.fixture
def closed():
    """Closes all that is put into it, the newest first."""
    made = []
    yield made
    for one in reversed(made):
        one.close()


def asked(reader, table):
    """What a table was asked to begin, the newest last."""
    told = [decode_document(Kind.DO, payload) for payload in reader.under(topic("referee", table, Kind.DO))]
    return [one for one in told if one.do.value == "begin"]


def plays(table, command):
    """People play what a table was asked, as quickly as can be: whoever starts goes out at once."""
    setup = replace(SETUPS[0], draw=command.draw)
    steps = short(setup, names=command.players)
    table.play(steps, setup)
    return steps[-1].state


def test_results_come_in_by_themselves_though_the_hall_is_killed(tmp_path, broker, closed):
    hall, reader = Hall(tmp_path, broker), Reader(broker.port, "referee/1/#")
    closed += [hall, reader]
    tables = {}
    for name in ("table-1", "table-2"):
        tables[name] = ClubTable(
            tmp_path / name, lambda endpoint, will: MqttBroker(endpoint, will, QUICK),
            broker="127.0.0.1", port=broker.port, table=name, names=True,
        )  # fmt: skip
        closed.append(tables[name])
        tables[name].show(tables[name].state)
    hall.online(*tables)
    hall.opens(["Ann", "Ben", "Cem", "Dan"], rounds=2, players_most=2)
    for number in (1, 2):
        hall.do("draw")
        hall.do("begin")
        until(lambda: all(len(asked(reader, name)) == number for name in tables))  # noqa: B023 - it is called at once
        drawn = json.loads(hall.get("/tournament.json"))["rounds"][-1]["tables"]
        names = [player["name"] for player in hall.now["players"]]
        for place, name in enumerate(tables):
            command = asked(reader, name)[-1]
            assert command.draw == f"spring-cup-1-r{number}-t{place + 1}"
            assert list(command.players) == [names[player - 1] for player in drawn[place]["players"]]
            last = plays(tables[name], command)
            if place == 0:
                hall.kill()  # one table is through, the other one ends while the hall is away
        hall.start()
        until(lambda: hall.now["stage"] == "between")
        told = json.loads(hall.get("/tournament.json"))["rounds"][-1]["tables"]
        assert all(len(one["totals"]) == 2 and one["totals"][0] > one["totals"][1] for one in told)
    assert (hall.now["troubles"], hall.now["traces"]) == ([], [])

    correction = Corrected(1, (0, 3), 1000.0, winner=0, who="Ann", why="A slip")
    tables["table-2"].journal.append(correction, apply(last, correction)[0])
    tables["table-2"].show(apply(last, correction)[0])
    until(lambda: hall.now["traces"])
    assert hall.now["traces"][0].endswith("By: table-2. Reason: it was corrected at the table.")


def test_tables_begin_what_the_hall_has_drawn_and_one_that_may_not_is_told_by_name(tmp_path, broker, closed):
    hall = Hall(tmp_path, broker, names=False)
    closed.append(hall)
    tables = {name: ClubLoop(tmp_path / name, broker.port, name, commands)
              for name, commands in (("table-1", ("begin",)), ("table-2", ("pause",)))}  # fmt: skip
    closed += tables.values()
    hall.online(*tables)
    hall.opens(["Ann", "Ben", "Cem", "Dan", "Eve"], rounds=1, match_rounds=2)
    hall.do("draw")
    assert [table["at"] for table in hall.now["tables"]] == ["table-1", "table-2"]
    hall.do("begin")
    until(lambda: tables["table-1"].state.phase is Phase.TURN)
    assert [seat.name for seat in tables["table-1"].state.seats] == ["Player 1", "Player 2", "Player 3"]
    until(lambda: hall.now["tables"][0]["state"] == "Round 1 of 2 of the match is under way.")
    until(lambda: hall.now["troubles"])
    (told,) = hall.now["troubles"]
    assert told.startswith("Table 2: table-2 has not begun.")
    assert tables["table-2"].state.phase is Phase.LOBBY
    assert (hall.now["stage"], hall.now["begun"]) == ("playing", True)


def test_a_table_that_gets_another_name_in_the_middle_of_its_match_keeps_its_place(tmp_path, broker, closed):
    hall = Hall(tmp_path, broker)
    closed.append(hall)
    table = ClubLoop(tmp_path / "box", broker.port, "table-1", ("begin",))
    hall.online("table-1")
    hall.opens(["Ann", "Ben"], rounds=1, match_rounds=2)
    hall.do("draw")
    hall.do("begin")
    until(lambda: table.state.phase is Phase.TURN)
    until(lambda: hall.now["tables"][0]["state"] == "Round 1 of 2 of the match is under way.")
    table.close()
    closed.append(ClubLoop(tmp_path / "box", broker.port, "table-9", ("begin",)))
    until(lambda: hall.now["tables"][0]["at"] == "table-9")
    until(lambda: not hall.now["troubles"])
    assert hall.now["tables"][0]["state"] == "Round 1 of 2 of the match is under way."


@pytest.mark.parametrize("loses", [False, True], ids=["this release", "an earlier release"])
def test_a_table_that_was_away_begins_when_it_comes_back_though_its_program_takes_a_while(
    tmp_path, broker, closed, loses
):
    hall = Hall(tmp_path, broker)
    closed.append(hall)
    for name in ("table-1", "table-2"):
        table = ClubLoop(tmp_path / name, broker.port, name, ("begin",))
        if name == "table-1":
            closed.append(table)
    hall.online("table-1", "table-2")
    hall.opens(["Ann", "Ben", "Cem", "Dan"], rounds=1, players_most=2)
    hall.do("draw")
    table.close()
    until(lambda: hall.now["troubles"])
    hall.do("begin")
    table = ClubLoop(tmp_path / "table-2", broker.port, "table-2", ("begin",), starts_s=1.0, loses=loses)
    closed.append(table)
    until(lambda: table.state.phase is Phase.TURN)
    until(lambda: not hall.now["troubles"])
