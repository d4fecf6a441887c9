"""A hall's evening without a broker: the page, the keeper of tournaments, and tables that do what they are asked."""

import json
import re
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from guarded import ENDLESS
from recorded_broker import RecordedBroker

from referee.club.hall.desk.keeper import DeskKeeper
from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.protocol import Event, Kind, Online, Snapshot, encode_document, topic
from referee.club.protocol.facts import MatchEnded, MatchStarted, RoundOver
from referee.game.match.phases import Phase
from referee.i18n import ENGLISH
from referee.page.access import Policy
from referee.pages.hall.server import HallServer

STEP_S = 0.02


def epoch_of(table):
    """Every table has a journal of its own."""
    return f"{zlib.crc32(table.encode()):08x}"


def wall() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class HallEvening:
    """The page wants the PIN of whoever writes; `begun` is what each table was asked to begin last."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.store = HallStore(folder / "hall.sqlite")
        self.desk = DeskKeeper(folder / "hall.sqlite")
        self.reader = HallReader(self.store, "referee", self._news, desk=self.desk)
        self.keeper = Keeper(folder / "hall.sqlite", lambda: self.reader.facts, names=True)
        policy = Policy(local=False, limits=ENDLESS)
        self.server = HallServer("127.0.0.1", 0, self.reader, "en", policy, tournaments=self.keeper, desk=self.desk)
        self.keeper.news, self.keeper.begins = self.server.tournament_news, self.server.begin
        self.desk.news = self.server.news
        self.broker, self.begun = RecordedBroker(), {}
        self._seq, self._read, self._over = Counter(), 0, threading.Event()
        self._lock, self._steps = threading.Lock(), threading.Thread(target=self._goes_on, daemon=True)
        self.server.start()
        self.broker.start(self.reader)
        self.broker.comes()
        for number in range(1, tables + 1):
            self.tell(f"table-{number}", Kind.ONLINE, Online(True, epoch_of(f"table-{number}"), wall()))
            self.stands(f"table-{number}")
        self._steps.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    @property
    def pin(self) -> str:
        return re.search(r"\d{6}", ENGLISH(self.server.access.pin()))[0]

    @property
    def other_pin(self) -> str:
        return f"{(int(self.pin) + 1) % 1_000_000:06}"

    def tell(self, table: str, kind: Kind, document: object) -> None:
        """A table tells something."""
        with self._lock:
            self.reader.on_message(topic("referee", table, kind), encode_document(document))

    def stands(self, table: str, phase: Phase = Phase.LOBBY, draw: str | None = None) -> None:
        """A table tells its state."""
        seq = self._seq[table]
        self.tell(table, Kind.STATE, Snapshot(epoch_of(table), seq, wall(), phase, "rummikub", "Rummikub", draw=draw))

    def starts(self, table: str) -> None:
        """A table begins the match that it was asked to begin."""
        asked = self.begun[table]
        self._happens(table, MatchStarted("rummikub", tuple(asked["players"]), 1, asked["draw"]))
        self.stands(table, Phase.TURN, asked["draw"])

    def ends(self, table: str, *points: int) -> None:
        """The match of a table comes to these totals, in the order of the seats."""
        winner = points.index(max(points))
        self._happens(table, RoundOver(1, winner, points, points, "out", points), MatchEnded((winner,), points))
        self.stands(table, Phase.OVER, self.begun[table]["draw"])

    def _happens(self, table: str, *facts: object) -> None:
        match = len([one for one in self.begun[table]["matches"] if one])
        for fact in facts:
            self._seq[table] += 1
            seq = self._seq[table]
            self.tell(
                table, Kind.EVENT, Event(epoch_of(table), seq, match, seq, wall(), (fact,), self.begun[table]["since"])
            )

    def _news(self) -> None:
        self.server.news()
        self.keeper.look()

    def _goes_on(self) -> None:
        while not self._over.wait(STEP_S):
            with self._lock:
                self.broker.step()
                for one in self.broker.sent[self._read :]:
                    asked = json.loads(one.payload)
                    if asked.get("do") == "begin":
                        table = one.topic.split("/")[2]
                        before = self.begun.get(table, {"matches": []})["matches"]
                        self.begun[table] = {**asked, "since": wall(), "matches": [*before, asked["draw"]]}
                self._read = len(self.broker.sent)

    def close(self) -> None:
        self._over.set()
        self._steps.join()
        self.server.close()
        self.keeper.close()
        self.desk.close()
        self.store.close()


@contextmanager
def hall_evening(folder: Path, tables: int = 3) -> Iterator[HallEvening]:
    made = HallEvening(folder, tables)
    try:
        yield made
    finally:
        made.close()
