"""A table's card is set up anew from a backup of its journal, with a real broker and a real publisher."""

import shutil
import time

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from club_table import ClubTable
from cut_off import QUICK
from mosquitto import MISSING, PROGRAM, Mosquitto, until
from played import SETUPS, match, otherwise

from referee.club.hall.intake import BEHIND_S
from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.mqtt.line import Endpoint
from referee.club.mqtt.mqtt import MqttBroker
from referee.club.table_side.history import FILE as CURSOR
from referee.journal.opening import FILE
from referee.journal.outbox import read_outgoing

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]
STEPS = match(SETUPS[0], 5, 60, rounds=60)
BACKED_UP, TOLD = 40, 61


class Hall:
    """A hall behind a real broker, which may go and come back."""

    def __init__(self, port, store):
        self.late_s = 0.0
        self.reader = HallReader(store, "referee", lambda: None, self.now)
        self.line = MqttBroker(Endpoint("127.0.0.1", port, "hall"), None, QUICK)
        self.line.start(self.reader)
        until(lambda: self.reader.facts.connected)

    def now(self):
        """As if the hall had waited longer than it has."""
        return time.monotonic() + self.late_s

    @property
    def view(self):
        return self.reader.facts.tables["table-7"]

    @property
    def last_events(self):
        """The last event that came, and the last one that the snapshot includes, if there is a snapshot."""
        view = self.view
        return view.seq, None if view.snapshot is None else view.snapshot.seq


@pytest.fixture
def broker(tmp_path):
    made = Mosquitto(tmp_path / "mosquitto")
    yield made
    made.close()


def plays(broker, folder):
    return ClubTable(folder, lambda endpoint, will: MqttBroker(endpoint, will, QUICK),
                     broker="127.0.0.1", port=broker.port)  # fmt: skip


@pytest.mark.parametrize("there", ["while it is there", "while it is away"])
@pytest.mark.parametrize("cursor", ["with its cursor", "without"])
def test_the_hall_notices_and_shows_what_is_told_now(tmp_path, broker, there, cursor):
    store, folder, backup = HallStore(tmp_path / "hall.sqlite"), tmp_path / "state", tmp_path / "backup"
    hall = Hall(broker.port, store)
    table = plays(broker, folder)
    table.play(STEPS[:BACKED_UP])
    epoch = read_outgoing(folder / FILE, 0, 0).epoch
    until(lambda: store.last("table-7", epoch) == BACKED_UP + 1)
    table.close()
    shutil.copytree(folder, backup)
    if cursor == "without":
        (backup / CURSOR).unlink()

    table = plays(broker, folder)
    table.play(STEPS[BACKED_UP:])
    until(lambda: store.last("table-7", epoch) == TOLD)
    table.close()
    if there == "while it is away":
        hall.line.close()
    shutil.rmtree(folder)
    shutil.copytree(backup, folder)

    table = plays(broker, folder)
    table.play(otherwise(STEPS[BACKED_UP - 1], 77, 6))
    until(lambda: table.confirmed == BACKED_UP + 7)
    if there == "while it is away":
        hall = Hall(broker.port, store)
        until(lambda: "table-7" in hall.reader.facts.tables and hall.view.snapshot is not None)
        hall.late_s = BEHIND_S + 5.0
    until(lambda: "table-7" in hall.reader.facts.tables and "hall.contradicts" in {t.key for t in hall.view.troubles})
    until(lambda: store.last("table-7", epoch) == BACKED_UP + 7)
    until(lambda: hall.last_events == (BACKED_UP + 7, BACKED_UP + 7))
    table.close()
    hall.line.close()
    assert len(store.events("table-7", epoch)) == TOLD
    assert [key.epoch for key in store.results] == [epoch, f"{epoch}~1"]
    store.close()
