"""A page that is served for real, before a match that a test drives by hand."""

import http.client
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache

import numpy as np
from match_driver import Game

from referee.cli.parts.readers import build_reader
from referee.devices.camera.camera import CaptureSettings, to_small_grey
from referee.devices.panel.lights import Glow, Lights
from referee.game.match.events import TakeLook
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.pages.table.server import Server
from referee.sim.table import Setting, VirtualTable
from referee.table.looking.look import Look
from referee.table.looking.pictures_before import EVERY_S, PictureBefore, PicturesBefore
from referee.table.output.audience import DisplayState
from referee.table.output.notices import told_of
from referee.table.session import Players
from referee.vision.sighting import Image, Sighting

PATIENCE_S = 60.0
TABLE_MM = (900.0, 600.0)


class Served:
    """A match and the page that shows it."""

    def __init__(self, rules="rummikub", folder=None, **how) -> None:
        """`folder` is that of a journal, whose matches the page shows."""
        self.game, self.folder = Game(rules, **how), folder
        self.server = Server("localhost", 0, time.monotonic, "en", TABLE_MM, folder=folder)
        self.server.start()
        self.zero = time.monotonic()
        self.follow()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server.port}"

    @property
    def follower(self):
        return self.server.follower

    def follow(self, look: Look | None = None) -> None:
        """Tell the page what the loop would."""
        state, effects = self.game.state, tuple(self.game.effects)
        if look is not None:
            self.follower.on_look(look)
        for effect in effects:
            for told in told_of(effect, state):
                self.follower.on_notice(told)
        self.follower.on_event(effects, state)
        self.game.effects = ()
        self.follower.on_update(self._scene())

    def press(self) -> None:
        self.game.press()
        self.follow()

    def see(self, table: str, doubts=(), look: Look | None = None) -> None:
        """The look that was asked for ends; `look` is what the camera saw, rendered where it is not given."""
        self.game.see(table, doubts)
        self.follow(look or looked_at(table))

    def see_same(self, look: Look) -> None:
        """The look that was judged is told once more, with what players have said since."""
        self.follower.on_look(look)

    def say(self, told: Notice) -> None:
        self.follower.on_notice(told)

    def _scene(self) -> DisplayState:
        state = self.game.state
        names = tuple(seat.name for seat in state.seats)
        lamps = tuple(Glow.ON if seat == state.current else Glow.OFF for seat in range(len(names)))
        return DisplayState(state, Lights(lamps), Players(names, tuple(range(len(names)))), frozenset(), self.zero)

    def get(self, path: str, method="GET", body=None, **headers):
        """Status, headers and body of one request; headers' names with _ for -."""
        with closing(http.client.HTTPConnection("localhost", self.server.port, timeout=PATIENCE_S)) as connection:
            told = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, told)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def post(self, command: str, **fields):
        body = {"command": command, "id": fields.pop("id", f"test-{time.monotonic_ns()}"), **fields}
        headers = {"Content_Type": "application/json", "Origin": self.address}
        status, _, answer = self.get("/api/command", "POST", json.dumps(body), **headers)
        return status, json.loads(answer)

    def close(self) -> None:
        self.server.close()


@contextmanager
def served(rules="rummikub", **how) -> Iterator[Served]:
    table = Served(rules, **how)
    try:
        yield table
    finally:
        table.close()


class Stream:
    """One stream of events; `next` waits for the next one of a kind."""

    def __init__(self, table: Served, language="en", last="") -> None:
        self._connection = http.client.HTTPConnection("localhost", table.server.port, timeout=PATIENCE_S)
        self._connection.request(
            "GET", f"/api/stream?lang={language}", headers={"Last-Event-ID": last} if last else {}
        )
        self.answer = self._connection.getresponse()
        self.parts: dict = {}
        self.last = last

    def event(self) -> tuple[str, str]:
        """The next event: its kind and its data."""
        kind, data = "message", ""
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            if not line and data:
                return kind, data
            name, _, value = line.partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                data = value
            elif name == "id":
                self.last = value

    def next(self) -> dict:
        """The parts of the next snapshot or change."""
        while True:
            kind, data = self.event()
            if kind in ("snapshot", "changes"):
                told = json.loads(data)
                self.kind, self.n = kind, told["n"]
                self.parts |= told["parts"]
                return told["parts"]

    def until(self, holds) -> dict:
        """Everything known once `holds(parts)` is true."""
        while not (self.parts and holds(self.parts)):
            self.next()
        return self.parts

    def close(self) -> None:
        self._connection.close()


@cache
def rendered(table: str) -> tuple[Image, Sighting]:
    """What a camera sees of a table, and how it is read."""
    from referee.game.tiles import TILE_SETS

    box = TILE_SETS["rummikub"]
    rng = np.random.default_rng(5)
    lies = VirtualTable(Setting.usual(box), rng)
    lies.lay(parse_table(table))
    picture = lies.picture([14, 14])
    return picture, build_reader().read(picture, box, TABLE_MM)


def looked_at(table: str) -> Look:
    picture, sighting = rendered(table)
    return Look(sighting, picture)


def pictures_before(tables: Sequence[str]) -> tuple[PictureBefore, ...]:
    """Return what is kept of a table that looked like this before a press, one every two seconds."""
    kept = PicturesBefore(TABLE_MM)
    kept.keep(True)
    for number, table in enumerate(tables):
        picture, sighting = rendered(table)
        outline = (sighting.outline_px, picture.shape[:2])
        kept.add(to_small_grey(picture, CaptureSettings().preview_px), EVERY_S * number, outline)
    return kept.before(EVERY_S * len(tables))


def open_sheet(screen) -> None:
    """Tap "Something wrong?"; what may be said of the verdict is shown then."""
    screen.find("#wrong").click()
    screen.find("#tell button")


def is_looking(effects) -> bool:
    return any(isinstance(effect, TakeLook) for effect in effects)
