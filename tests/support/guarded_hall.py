"""A hall's page of a house: served for real, with a PIN; its tables tell it something over a broker that is none."""

import json
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from guarded import ENDLESS, PLENTY, House
from recorded_broker import RecordedBroker

from referee.club.hall.desk.keeper import DeskKeeper
from referee.club.hall.reader import BATCH_S, HallReader
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.protocol import Event, Kind, Online, Player, Snapshot, encode_document, topic
from referee.club.protocol.documents import Clock
from referee.club.protocol.facts import MatchStarted, RoundOver
from referee.game.match.phases import Phase
from referee.pages.hall.server import HallServer

WALL = "2026-11-20T12:00:00Z"
TABLES = {"one": "0123abcd", "two": "4567abcd"}
"""Tables with their epochs."""


class HallHouse(House):
    """Two tables play; what they are asked is in `asked`."""

    def serves(self, policy, folder):
        self._kept = TemporaryDirectory()
        path = Path(self._kept.name) / "hall.sqlite"
        self.store, self.broker = HallStore(path), RecordedBroker()
        self._ahead_s = 0.0
        self.desk = DeskKeeper(path)
        self.reader = HallReader(self.store, "referee", lambda: made.news(), self._now, desk=self.desk)  # noqa: PLW0108
        self.tournaments = Keeper(path, lambda: self.reader.facts)
        made = HallServer(
            "127.0.0.1", 0, self.reader, "en", policy, folder, tournaments=self.tournaments, desk=self.desk
        )
        self.tournaments.news, self.tournaments.begins, self.desk.news = made.tournament_news, made.begin, made.news
        return made

    def begins(self) -> None:
        """The broker is there, and the tables tell what has happened."""
        self.broker.start(self.reader)
        self.broker.comes()
        for table, epoch in TABLES.items():
            self.tell(table, Kind.ONLINE, Online(True, epoch, WALL))
            players = (Player("Ann", 12, 7, True), Player(None, -12, 9, False))
            state = Snapshot(epoch, 2, WALL, Phase.TURN, "rummikub", "Rummikub", 1, players=players,
                             table="R7 B7 K7", clock=Clock(55.0, True))  # fmt: skip
            self.tell(table, Kind.STATE, state)
            self.tell(table, Kind.EVENT, Event(epoch, 1, 1, 1, WALL, (MatchStarted("rummikub", ("Ann", None), 3),)))
            over = RoundOver(1, 0, (12, -12), (0, 12), "out", (12, -12))
            self.tell(table, Kind.EVENT, Event(epoch, 2, 1, 2, WALL, (over,)))
        self.tell("one", Kind.PICTURE, b"\xff\xd8\xff" + bytes(100))
        self.keep()

    def keep(self) -> None:
        """Have what has come kept at once."""
        self._ahead_s += BATCH_S
        self.broker.step()

    def _now(self) -> float:
        return time.monotonic() + self._ahead_s

    def tell(self, table, kind, document) -> None:
        payload = document if isinstance(document, bytes) else encode_document(document)
        self.reader.on_message(topic("referee", table, kind), payload)

    @property
    def asked(self) -> list[tuple[str, str, str]]:
        """What the tables were asked to do: table, what, text."""
        self.broker.step()
        sent = ((one.topic.split("/")[2], json.loads(one.payload)) for one in self.broker.under("/do"))
        return [(table, told["do"], told["text"]) for table, told in sent]

    def close(self) -> None:
        super().close()
        self.tournaments.close()
        self.desk.close()
        self.store.close()
        self._kept.cleanup()


@contextmanager
def hall_house(folder=None, **policy):
    made = HallHouse(folder, **{"limits": replace(ENDLESS, large=PLENTY), **policy})
    made.begins()
    try:
        yield made
    finally:
        made.close()


def with_another_end(token: str) -> str:
    """The same token but for its last letter, whatever that is: nobody's token."""
    return token[:-1] + ("b" if token[-1] == "a" else "a")
