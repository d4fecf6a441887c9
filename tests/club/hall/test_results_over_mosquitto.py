"""Results of tables over a real Mosquitto, which may lose what it has kept, to halls that come late."""

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from club_table import ClubTable, until
from cut_off import QUICK
from mosquitto import MISSING, PROGRAM, Mosquitto
from played import SETUPS, match, short

from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.mqtt.line import Endpoint
from referee.club.mqtt.mqtt import MqttBroker
from referee.journal.opening import FILE
from referee.journal.scores import read_scores

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]
EVENING = (short(rounds=2), match(SETUPS[0], 3, 120, rounds=5), short())


class Hall:
    """One without a file that hears what is sent and asks for nothing: its orders go to no table."""

    def __init__(self, port):
        self.store = HallStore(":memory:")
        self.reader = HallReader(self.store, "referee", lambda: None)
        self.line = MqttBroker(Endpoint("127.0.0.1", port, "hall"), None, QUICK)
        self.line.start(self.reader)

    @property
    def points(self):
        found = self.reader.facts.results.values()
        return {(one.key.table, one.match): [line.points for line in one.rounds] for one in found}

    def close(self):
        self.line.close()
        self.store.close()


@pytest.fixture
def broker(tmp_path):
    made = Mosquitto(tmp_path / "mosquitto")
    yield made
    made.close()


def plays(broker, folder, name):
    return ClubTable(
        folder / name, lambda endpoint, will: MqttBroker(endpoint, will, QUICK),
        broker="127.0.0.1", port=broker.port, table=name,
    )  # fmt: skip


def truth(tables):
    """The points of all rounds, as the journals have them."""
    return {
        (name, score.match): [line.scores for line in score.sheet.rounds]
        for name, table in tables.items()
        for score in read_scores(table.folder / FILE)
    }


def test_a_broker_that_was_killed_is_told_all_results_again_and_gives_them_to_a_hall_that_is_new(tmp_path, broker):
    tables = {name: plays(broker, tmp_path, name) for name in ("table-1", "table-2")}
    try:
        for steps in EVENING:
            for begin in range(0, len(steps), 30):
                for table in tables.values():
                    table.play(steps[begin : begin + 30])
                broker.kill()
                broker.start()
        hall = Hall(broker.port)
        until(lambda: hall.points == truth(tables))
        hall.close()
    finally:
        for table in tables.values():
            table.close()
    late = Hall(broker.port)  # no table is there that could be asked
    until(lambda: late.points == truth(tables))
    assert not any(one.from_history for one in late.reader.facts.results.values())
    assert [late.store.events(name, one.epoch) for name in tables for one in late.reader.facts.results.values()] == (
        [[]] * 2 * len(late.points)
    )
    late.close()
