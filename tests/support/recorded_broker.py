"""A broker that is none: keeps what was sent, and is away, hangs or refuses when told so."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from referee.club.mqtt.line import Endpoint, Message, Talker
from referee.game.notice import Notice

Confirmable = tuple[int, str]
"""The number of a message, and its topic."""


class RecordedBroker:
    """Steps when it is told to: tests, and whoever wants to see what would be sent, need no thread."""

    def __init__(self, endpoint: Endpoint | None = None) -> None:
        self.endpoint = endpoint
        self.sent: list[Message] = []
        self.retained: dict[str, bytes] = {}
        self.topics: list[str] = []
        self.up = False
        self.confirms = True
        """Whether messages are confirmed at once."""
        self.refuses: str | None = None
        """Why it takes nothing, where it does not."""
        self.refuses_under = ""
        """What it refuses has this in its topic."""
        self.wait_s = 0.0
        self.woken = threading.Event()
        self._talker: Talker | None = None
        self._open: list[Confirmable] = []

    def start(self, talker: Talker) -> None:
        """As Broker.start; nobody is let in yet."""
        self._talker = talker

    def wake(self) -> None:
        """As Broker.wake."""
        self.woken.set()

    def close(self) -> None:
        """As Broker.close."""
        if self._talker is not None and self.up:
            self._talker.before_disconnect(self)
        self.up = False

    @property
    def talker(self) -> Talker:
        """Whoever talks."""
        if self._talker is None:
            raise ValueError("expected a broker that was started")
        return self._talker

    def comes(self) -> None:
        """The broker is there."""
        self.up = True
        self._open.clear()
        self.talker.on_connect(self)

    def goes(self, why: Notice | None = None) -> None:
        """The broker is gone; what it has not confirmed is lost."""
        self.up = False
        self.talker.on_disconnect(why or Notice("club.lost", address="broker:1883"))

    def step(self, times: int = 1) -> None:
        """Let the talker go on."""
        for _ in range(times):
            self.woken.clear()
            self.wait_s = self.talker.step(self)
            if self.confirms:
                self.confirm()

    def confirm(self, most: int | None = None) -> None:
        """Confirm what is open, the oldest first."""
        for number, topic in self._take(most):
            self.talker.on_confirmed(number, self.refuses if self.refuses_under in topic else None)

    def _take(self, most: int | None) -> Iterator[Confirmable]:
        taken = self._open[:most]
        del self._open[: len(taken)]
        yield from taken

    def publish(self, message: Message) -> int:
        """As Line.publish."""
        self.sent.append(message)
        if message.retain:
            self.retained[message.topic] = message.payload
        number = len(self.sent)
        if message.qos:
            self._open.append((number, message.topic))
        return number

    def subscribe(self, topic: str) -> None:
        """As Line.subscribe."""
        self.topics.append(topic)

    def under(self, ending: str) -> list[Message]:
        """What was sent under topics that end so."""
        return [message for message in self.sent if message.topic.endswith(ending)]
