"""A whole table of a club: a real loop with its journal on the disk, and the line to a broker, in a thread of its own.

`python club_loop.py FOLDER PORT TABLE` runs one until it is killed.
"""

import asyncio
import queue
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from virtual_evening import TABLE_MM, TrueSight

from referee.club.mqtt.line import Patience
from referee.club.mqtt.mqtt import MqttBroker
from referee.club.table_side.club import Club
from referee.devices.panel.panel import RecordingPanel
from referee.devices.service import Service
from referee.devices.wiring.pins import PinMap
from referee.i18n import Wording
from referee.journal.opening import open_journal
from referee.journal.rows import Setup
from referee.settings.settings import ClubSettings, Settings
from referee.table.desk_values import DeskShown
from referee.table.event_loop import Loop
from referee.table.input.requests import PendingRequest, Sender
from referee.table.lobby import make_plan
from referee.table.looking.table_watcher import TableWatcher
from referee.table.looking.vision_worker import Watch
from referee.table.output.audience import Audiences, PartialAudience
from referee.table.session import Session
from referee.table.surroundings import Surroundings

QUICK = Patience(keepalive_s=1, connect_s=3.0, first_s=0.02, longest_s=0.2, stable_s=1.0)
PATIENCE_S = 60.0


class Forgetful(Club):
    """Loses what it is asked before there is a loop, as earlier releases did."""

    there = False

    def serves(self, loop):
        self.there = loop is not None
        super().serves(loop)

    def on_message(self, topic, payload, *, retained):
        if self.there or not topic.endswith("/do"):
            super().on_message(topic, payload, retained=retained)


class _Screen(PartialAudience):
    """Remembers for a test what screens would show of the director's desk."""

    def __init__(self, table):
        self._table = table

    def on_desk(self, shown):
        self._table.shown = shown


class ClubLoop:
    """`commands` are those that the hall may give; the players of the table itself are Anna and Ben.

    The loop begins `starts_s` seconds after the line to the broker, as where networks are loaded first. A table that
    `loses` what it is asked until then is one of an earlier release.
    """

    def __init__(self, folder, port, table, commands=("begin", "pause", "resume"), names=False, starts_s=0.0,
                 *, loses=False):  # fmt: skip
        told = {"on": True, "broker": "127.0.0.1", "port": port, "table": table, "commands": commands, "names": names}
        self._settings = replace(Settings(), club=ClubSettings(**told))
        self._folder, self._starts_s, self._loses, self.said = folder, starts_s, loses, []
        self.shown = DeskShown()
        """What screens would show of the director's desk."""
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._up.wait(PATIENCE_S)

    @property
    def state(self):
        return self.loop.session.state

    def happen(self, event):
        self._running.call_soon_threadsafe(self.loop.happen, event)

    def ask(self, request, sender=Sender.PAGE):
        """Send a request to the loop, as a page would; return why it was refused."""
        answers = queue.SimpleQueue()
        self.loop.request(PendingRequest(request, sender, answers.put))
        return answers.get(timeout=PATIENCE_S)

    def close(self):
        self._running.call_soon_threadsafe(self.loop.stop)
        self._thread.join(PATIENCE_S)

    async def _run(self):
        self._running = asyncio.get_running_loop()
        opened = open_journal(self._folder, club=True)
        club = (Forgetful if self._loses else Club)(
            self._settings, self._folder, Wording("en"), lambda *line: MqttBroker(*line, QUICK)
        )
        with closing(opened.journal), closing(club):
            await asyncio.sleep(self._starts_s)
            kept = None if opened.kept is None or opened.kept.is_over else opened.kept
            self.loop = self._loop(opened.journal, kept, club)
            task = asyncio.ensure_future(self.loop.run())
            await asyncio.sleep(0)
            club.serves(self.loop)
            self._up.set()
            await task
            club.serves(None)

    def _loop(self, journal, kept, club):
        pins, setup, sight = PinMap(), Setup.now("rummikub", {"entry": "timed"}), TrueSight(time.monotonic)
        plan = make_plan(setup, ("Anna", "Ben"), len(pins.turn_buttons), 3, ())
        watcher = TableWatcher(sight, sight, lambda: self.state.rules.box, TABLE_MM, time.monotonic)
        outside = Surroundings(
            time.monotonic, lambda on_edge: RecordingPanel(pins, time.monotonic, on_edge), Service({}, pid=1),
            self.said.append, audience=Audiences([club.audience, _Screen(self)]), calls=club.calls,
        )  # fmt: skip
        session = Session(journal, setup, kept)
        return Loop(session, watcher, plan, pins, Watch(), outside, 0.0 if kept is None else kept.t)


if __name__ == "__main__":
    ClubLoop(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    threading.Event().wait()
