"""Journals with matches in them, a page that shows them, and a table at which one of them goes on."""

import asyncio
import html
import http.client
import json
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from unittest.mock import patch

import virtual_evening
from page import PATIENCE_S, TABLE_MM
from played import SETUPS, short, write

from referee.devices.panel.lights import Lights
from referee.game.match.events import Corrected, HandShown, Pressed, Seen
from referee.game.match.machine import apply
from referee.game.notation import parse_set
from referee.journal.opening import open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.pages.table.server import Server
from referee.table.output.audience import DisplayState
from referee.table.session import Players

UNTIMED, WINTER, ONE_FOR_A_ROUND = SETUPS
PLENTY = 10**9
HAND = "R8 R9 R10 R11 R12 R13 B8 B9 B10 B11 B12 B13 K10 K10"


class Page:
    """The page beside a journal; without a loop it can be looked at, and nothing more."""

    def __init__(self, folder, **how) -> None:
        self.server = Server("localhost", 0, time.monotonic, "en", TABLE_MM, folder=folder, **how)
        self.server.start()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server.port}"

    def get(self, path, method="GET", body=None, **headers):
        """Status, headers and body of one request; headers' names with _ for -."""
        with closing(http.client.HTTPConnection("localhost", self.server.port, timeout=PATIENCE_S)) as connection:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def read(self, path, status=200) -> str:
        found, _, body = self.get(path)
        assert found == status, body
        return html.unescape(body.decode())

    def post(self, **fields):
        """What came of a command, and its sentence."""
        body = {"command": "correct", "id": f"test-{time.monotonic_ns()}", "n": 0, **fields}
        headers = {"Content_Type": "application/json", "Origin": self.address}
        status, _, answer = self.get("/api/command", "POST", json.dumps(body), **headers)
        return status, json.loads(answer)

    def close(self) -> None:
        self.server.close()


@contextmanager
def page(folder, **how):
    made = Page(folder, **how)
    try:
        yield made
    finally:
        made.close()


def two_matches(folder, second=UNTIMED):
    """A match that is over, one of another season with a correction, and pictures of the first."""
    journal = open_journal(folder).journal
    write(journal, WINTER, short(WINTER))
    steps = short(second, rounds=2)
    write(journal, second, steps)
    event = Corrected(1, (0, 95), steps[-1].event.t, winner=0, who="Eve", why="a joker was counted twice")
    journal.append(event, apply(steps[-1].state, event)[0])
    journal.close()
    return folder


def shown_to_the_camera(steps):
    """The same match of two players with a hand that the camera reads, and not one that is entered."""
    found = []
    for step in steps:
        if isinstance(step.event, HandShown):
            before = found[-1].state
            for event in (
                Pressed(before.current, step.event.t),
                Seen((*before.table, parse_set(HAND)), step.event.t + 0.25),
            ):
                found.append(replace(step, event=event, state=apply(found[-1].state, event)[0]))
        else:
            found.append(replace(step, state=apply(found[-1].state if found else UNTIMED.state(), step.event)[0]))
    return found


def journal_with(folder, steps, setup=UNTIMED):
    """The folder of a journal with that match."""
    journal = open_journal(folder).journal
    write(journal, setup, steps)
    journal.close()
    return folder


def just_ended(steps):
    """What the panel shows of the first match of a journal when its last event has just happened."""
    state = steps[-1].state
    names = tuple(seat.name for seat in state.seats)
    players = Players(names, tuple(range(len(names))))
    return DisplayState(state, Lights(()), players, frozenset(), time.monotonic(), place=(1, len(steps)))


def keep_picture(folder, match, event, data):
    assert Pictures(folder / FOLDER, PLENTY, spare=0).keep(match, event, data)


class Table:
    """A loop in a thread of its own, in real time, with a match that goes on from what the journal has."""

    def __init__(self, folder, setup=UNTIMED) -> None:
        self.page = Page(folder)
        opened = open_journal(folder)
        kept = None if opened.kept is None or opened.kept.is_over else opened.kept
        self.journal = opened.journal
        with patch.object(virtual_evening, "VirtualTime", asyncio.SelectorEventLoop):
            self.evening = virtual_evening.Evening(
                setup.rules, dict(setup.options), ("Ann", "Ben"), journal=self.journal, kept=kept
            )
        self.evening.bounces = 0
        self.evening.replace_parts(audience=self.page.server.follower)
        self._ready, self._over = threading.Event(), asyncio.Event()
        self._thread = threading.Thread(target=self.evening.play, args=(self._serve,))
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)

    async def _serve(self, evening) -> None:
        self.page.server.serves(evening.loop)
        self._ready.set()
        await self._over.wait()
        self.page.server.serves(None)

    @property
    def state(self):
        return self.evening.state

    def do(self, coroutine):
        """Run a coroutine in the loop's thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.evening.time).result(PATIENCE_S)

    def close(self) -> None:
        self.evening.time.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE_S)
        self.page.close()
        self.journal.close()


@contextmanager
def table(folder, setup=UNTIMED):
    made = Table(folder, setup)
    try:
        yield made
    finally:
        made.close()


def one_under_way(folder):
    """A match that is over, and one of two rounds, of which the first is scored."""
    journal = open_journal(folder).journal
    write(journal, UNTIMED, short())
    write(journal, UNTIMED, short(rounds=2)[:4])
    journal.close()
    return folder
