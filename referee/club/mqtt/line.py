"""What a broker's thread and whoever talks over it have to do with each other, and when a line is tried again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Which broker, and how it is entered. `client` is the name that no other client of that broker may have."""

    host: str
    port: int
    client: str
    tls: bool = False
    ca: Path | None = None
    """A certificate to trust instead of those that the system trusts."""
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        """For messages."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Message:
    """What goes out under a topic; `retain`: the broker keeps it for those who come later."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


@dataclass(frozen=True, slots=True)
class Patience:
    """How long what is waited for, in seconds."""

    keepalive_s: int = 20
    """A broker that has said nothing for this long is asked, and given up after as long again."""
    connect_s: float = 10.0
    first_s: float = 0.5
    longest_s: float = 60.0
    """Between two tries, of which the first comes after `first_s`."""
    stable_s: float = 10.0
    """A line that held for this long was a good one: the next try comes soon."""
    soon_s: float = 0.04
    """Whoever wakes the line is heard so much later: a press brings several news, and its lamp comes first."""


PATIENCE = Patience()


class BrokerConnection(Protocol):
    """An open line; used in the broker's own thread only."""

    def publish(self, message: Message) -> int:
        """Send a message; gives the number under which it is confirmed."""

    def subscribe(self, topic: str) -> None:
        """Ask for all messages under a topic."""


class Talker(Protocol):
    """Whoever talks over the line; everything is called in the broker's own thread."""

    def on_connect(self, line: BrokerConnection) -> None:
        """The broker has let us in. What was not confirmed over the line before is not under way any more."""

    def step(self, line: BrokerConnection) -> float:
        """Send what is due; gives the seconds after which to be asked again, if nothing else happens before."""

    def on_message(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """A message has come; `retained`: the broker had kept it, perhaps for long."""

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """The broker has a message, or does not take it: then `refused` says why."""

    def on_disconnect(self, why: Notice) -> None:
        """The line is down, or cannot be had; another try follows by itself."""

    def before_disconnect(self, line: BrokerConnection) -> None:
        """The line is about to be closed on purpose: the last to be sent."""


class Broker(Protocol):
    """Keeps a line up, for ever."""

    def start(self, talker: Talker) -> None:
        """Begin; comes back at once, whatever the broker does."""

    def wake(self) -> None:
        """Let the talker take its next step now; may be called in any thread, and takes no time."""

    def close(self) -> None:
        """Say good-bye, and wait a moment for that at most."""


class Backoff:
    """The waits between tries: longer each time, and never the same for all that lost one broker.

    `chance` gives numbers from 0 to 1.
    """

    def __init__(self, patience: Patience, chance: Callable[[], float]) -> None:
        self._patience, self._chance = patience, chance
        self._tries = 0

    def next(self, held_s: float) -> float:
        """Seconds to wait after a line that held for this long; 0 for one that could not be had."""
        if held_s >= self._patience.stable_s:
            self._tries = 0
        longest = min(self._patience.longest_s, self._patience.first_s * 2.0 ** min(self._tries, 20))
        self._tries += 1
        return longest * (0.5 + self._chance() / 2)
