"""A table that tells a broker, without a loop: its journal, and what the loop would show."""

import time
from dataclasses import replace

from mosquitto import until
from played import SETUPS, short
from recorded_broker import RecordedBroker

from referee.club.protocol import Kind, decode_document
from referee.club.table_side.club import Club
from referee.club.table_side.history import Cursor
from referee.devices.panel.lights import Lights
from referee.game.match.events import Started
from referee.i18n import Wording
from referee.journal.opening import open_journal
from referee.settings.settings import ClubSettings, Settings
from referee.table.output.audience import DisplayState
from referee.table.session import Players

LIGHTS = Lights()


class ClubTable:
    """`broker` is a recorded one unless another is opened; with a recorded one time passes by `wait` only."""

    def __init__(self, folder, opens=None, words="en", chance=lambda: 0.5, **club):
        self.folder, self.t = folder, 1000.0
        told = {"on": True, "table": "table-7"} | club
        self.settings = replace(Settings(), club=ClubSettings(**told))
        self.opened = open_journal(folder, club=True)
        self.journal, self.setup = self.opened.journal, SETUPS[0]
        self.state = self.setup.state()
        self.broker = None
        now = (lambda: self.t) if opens is None else time.monotonic
        self.club = Club(self.settings, folder, Wording(words), opens or self._opens, chance=chance, now=now)

    def _opens(self, endpoint, will):
        self.broker = RecordedBroker(endpoint)
        self.will = will
        return self.broker

    def wait(self, seconds):
        """Time passes."""
        self.t += seconds

    def play(self, steps, setup=None):
        """Events happen, and the loop shows what they come to."""
        for step in steps:
            if isinstance(step.event, Started):
                self.journal.begin(setup or self.setup, step.event, step.state)
            else:
                self.journal.append(step.event, step.state)
            self.show(step.state)

    def show(self, state):
        self.state = state
        names = tuple(seat.name for seat in state.seats)
        scene = DisplayState(
            state, LIGHTS, Players.for_names(names, names), frozenset(), 0.0, place=self.journal.place
        )
        self.club.audience.on_update(scene)

    def short(self):
        self.play(short())

    def documents(self, kind):
        """What the broker was told of this kind, in order."""
        return [decode_document(kind, message.payload) for message in self.broker.under(f"/{kind.value}")]

    @property
    def confirmed(self):
        """Up to which event the broker has confirmed all, as it is written down every few seconds."""
        return Cursor(self.folder).sent

    @property
    def seqs(self):
        return [event.seq for event in self.documents(Kind.EVENT)]

    def close(self):
        self.club.close()
        self.journal.close()


def heard(reader, table, kind):
    """What a reader has heard of a table, in order."""
    return [decode_document(kind, payload) for payload in reader.under(f"/{table}/{kind.value}") if payload]


__all__ = ["ClubTable", "heard", "until"]
