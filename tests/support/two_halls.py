"""Two halls on two brokers with TLS, access lists and a bridge as `--setup` writes them; the bridge can be cut."""

import json
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

from club_table import ClubTable, until
from cut_off import QUICK, kept_of
from hall_program import HallProcess
from mosquitto import Mosquitto, Proxy

from referee.club.bridge_setup import BRIDGE
from referee.club.broker_setup import BROKER_FOLDER, connect_halls, plan_files, prepare_club, write_files
from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.mqtt.line import Endpoint
from referee.club.mqtt.mqtt import MqttBroker
from referee.journal.opening import FILE
from referee.journal.outbox import read_outgoing
from referee.journal.scores import read_scores

LONGEST_S = 120


def counting(start=0):
    """Random bytes for tests: every call gives others, and every run the same."""
    calls = iter(range(start, 10_000))
    return lambda count: next(calls).to_bytes(count, "big")


def both(tables=2, topics=("referee", "club/west")):
    """The accounts of two halls that are connected."""
    place = Path("/nowhere")
    made = [
        prepare_club(place, tables, ["127.0.0.1"], one, counting(at)) for at, one in ((0, topics[0]), (99, topics[1]))
    ]
    return connect_halls(*made, counting(500))


class Hall:
    """A hall whose file is on the disk, as the user `hall` of its broker."""

    def __init__(self, folder, accounts, port):
        self.folder, self._accounts, self.port, self.topic = folder, accounts, port, accounts.topic
        self.open()

    def open(self):
        self.store = HallStore(self.folder / "hall.sqlite")
        self.reader = HallReader(self.store, self.topic, lambda: None)
        endpoint = self.endpoint("hall")
        self.line = MqttBroker(endpoint, None, QUICK)
        self.line.start(self.reader)

    def endpoint(self, user):
        password, ca = self._accounts.passwords[user], self.folder / "run/broker/ca.pem"
        return Endpoint("127.0.0.1", self.port, user, tls=True, ca=ca, user=user, password=password)

    def club(self, user):
        return club_settings(self._accounts, self.folder, self.port, user)

    @property
    def tables(self):
        return {name: view for name, view in self.reader.facts.tables.items() if view.online}

    def snapshot_seq(self, table):
        """The last event that a table's snapshot includes; 0 while there is no snapshot, or the table is away."""
        view = self.tables.get(table)
        return 0 if view is None or view.snapshot is None else view.snapshot.seq

    def connections(self, table):
        """How often a table has connected, which is also known while it is away."""
        return self.reader.facts.tables[table].connections

    def events(self, table):
        """The events in the file of the hall, each as its journal and its row there."""
        told = [event for event, _ in kept_of(self.folder / "hall.sqlite", table)]
        return [(event.epoch, event.seq, event.match, event.number) for event in told]

    def points(self, table):
        """The points of all rounds by match; a match that is there twice is an error of its own."""
        found = [one for one in self.reader.facts.results.values() if one.key.table == table]
        assert len({one.match for one in found}) == len(found)
        return {one.match: [line.points for line in one.rounds] for one in found}

    def close(self):
        self.line.close()
        self.store.close()


class HallOfProgram(HallProcess):
    """A hall whose program runs in a process of its own, with a tournament; otherwise like `Hall`."""

    def __init__(self, folder, accounts, port):
        self.folder, self.port_of_broker, self.topic = folder, port, accounts.topic
        self._accounts = accounts
        chosen = {**self.club("hall"), "tls": "true", "names": "true"}
        super().__init__(folder, None, **{f"club.{key}": value for key, value in chosen.items()})

    def club(self, user):
        """The settings of the hall or of a table, as `--setup` writes them."""
        return club_settings(self._accounts, self.folder, self.port_of_broker, user)

    @property
    def tournament(self):
        return self.part("tournament")

    @property
    def export(self):
        return json.loads(self.get("/tournament.json"))

    def direct(self, command, **fields):
        self.do(f"tournament-{command}", **fields)
        if command == "draw":  # seats are found beside everything else
            until(lambda: self.tournament["stage"] == "drawn", LONGEST_S)


def club_settings(accounts, folder, port, user):
    return {
        "broker": "127.0.0.1", "port": port, "tls": True, "ca": str(folder / "run/broker/ca.pem"), "user": user,
        "password": accounts.passwords[user], "topic": accounts.topic, "names": True,
    }  # fmt: skip


class Club:
    """Two halls: the bridge of the second one goes through a proxy that may be cut.

    `program`: hall a is `referee hall` in a process of its own.
    """

    def __init__(self, *, program=False):
        self.brokers, self.halls, self.tables, self.bridge, self._program = [], [], {}, None, program

    def begin(self, folder):
        accounts = both()
        for letter, one in zip("ab", accounts, strict=True):
            place = folder / letter
            write_files(place / "run", plan_files(one, counting(1000)))
            for path in (place, *place.rglob("*")):
                path.chmod(0o755 if path.is_dir() else 0o644)
            broker = Mosquitto(place / "mosquitto")
            broker.close()
            files = [place / "run/broker/club.conf", place / f"run/broker/{BRIDGE}.conf"]
            text = "".join(path.read_text() for path in files if path.exists())
            text = text.replace(BROKER_FOLDER, str(place / "run/broker")).replace(
                "listener 8883", f"listener {broker.port} 127.0.0.1\nuser root"
            )
            if letter == "b":
                self.bridge = Proxy(self.brokers[0].port)
                assert text.count("127.0.0.1:8883") == 1
                text = text.replace("127.0.0.1:8883", f"127.0.0.1:{self.bridge.port}")
                text = text.replace("restart_timeout 1 30", "restart_timeout 1 1")
            broker.config.write_text(text)
            broker.start()
            self.brokers.append(broker)
            kind = HallOfProgram if self._program and letter == "a" else Hall
            self.halls.append(kind(place, one, broker.port))
        self.a, self.b = self.halls

    def play_at(self, hall, table):
        """A table of a hall, with its journal."""
        folder = hall.folder / table
        endpoint = hall.endpoint(table)
        made = ClubTable(
            folder,
            lambda _, will: MqttBroker(endpoint, will, QUICK),
            table=table,
            topic=hall.topic,
        )
        self.tables[hall.folder.name, table] = made
        return made

    def cut(self):
        self.bridge.close()

    def restore(self):
        self.bridge = Proxy(self.brokers[0].port, self.bridge.port)

    def names(self, hall):
        """The tables as a hall names them."""
        return {
            table if hall.folder.name == letter else f"{letter}-{table}": made
            for (letter, table), made in self.tables.items()
        }

    def is_current(self):
        """Wait until each hall has each event and each result of each table exactly once, and shows its state."""
        for hall in self.halls:
            until(lambda hall=hall: set(hall.tables) == set(self.names(hall)), LONGEST_S)
            for name, made in self.names(hall).items():
                outgoing = read_outgoing(made.folder / FILE, 0, 10**6)
                truth = [(outgoing.epoch, one.seq, one.row.match, one.row.number) for one in outgoing.entries]
                until(lambda hall=hall, name=name, truth=truth: hall.events(name) == truth, LONGEST_S)
                scores = read_scores(made.folder / FILE)
                points = {one.match: [line.scores for line in one.sheet.rounds] for one in scores}
                until(lambda hall=hall, name=name, points=points: hall.points(name) == points, LONGEST_S)
                last = outgoing.last
                until(lambda hall=hall, name=name, last=last: hall.snapshot_seq(name) == last, LONGEST_S)
                assert not hall.tables[name].troubles

    def close(self):
        for one in (*self.tables.values(), *self.halls, *self.brokers, self.bridge):
            if one is not None:
                one.close()


@contextmanager
def two_halls(*, program=False):
    folder = Path(tempfile.mkdtemp(prefix="two-halls-"))
    folder.chmod(0o755)
    made = Club(program=program)
    try:
        made.begin(folder)
        yield made
    finally:
        made.close()
        shutil.rmtree(folder)
