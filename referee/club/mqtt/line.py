"""The interface between the broker's thread and its user (`Talker`), and the waits between attempts to connect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from referee.game.notice import Notice


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a broker and how to log in. `client` is the client id, which must be unique at that broker."""

    host: str
    port: int
    client: str
    tls: bool = False
    ca: Path | None = None
    """The file of a CA certificate to trust instead of those that the system trusts."""
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        """The host and port as text, for messages to people."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Message:
    """A message to be published; with `retain`, the broker keeps it for clients that subscribe later."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


@dataclass(frozen=True, slots=True)
class Patience:
    """The timeouts and waits of a connection, in seconds."""

    keepalive_s: int = 20
    """If nothing was sent or received for this long, the broker is pinged. After as long again without an answer, the
    connection counts as lost."""
    connect_s: float = 10.0
    """The longest time to connect and log in."""
    first_s: float = 0.5
    """The first wait before connecting again; each further wait is twice as long."""
    longest_s: float = 60.0
    """The longest wait before connecting again."""
    stable_s: float = 10.0
    """After a connection that lasted for at least this long, the waits start with `first_s` again."""
    soon_s: float = 0.04
    """The delay after a call of `wake`: one press causes several changes, and the lamps must be switched first."""


PATIENCE = Patience()


class BrokerConnection(Protocol):
    """An open connection to a broker; may be used in the broker's thread only."""

    def publish(self, message: Message) -> int:
        """Send a message; return the number by which it will be confirmed."""

    def subscribe(self, topic: str) -> None:
        """Subscribe to a topic."""


class Talker(Protocol):
    """The user of a connection; all its methods are called in the broker's thread."""

    def on_connect(self, line: BrokerConnection) -> None:
        """Called after logging in. Messages that were not confirmed over the previous connection will not be."""

    def step(self, line: BrokerConnection) -> float:
        """Send what is due; return the seconds after which to be called again, if nothing else happens before."""

    def on_message(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """Called for each message; `retained`: the broker had stored it, perhaps for a long time."""

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """Called when the broker has confirmed a message, or has refused it, for the reason `refused`."""

    def on_disconnect(self, why: Notice) -> None:
        """Called when the connection is lost, or an attempt to connect has failed; the next attempt follows."""

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Called before the connection is closed on purpose, to send last messages."""


class Broker(Protocol):
    """Keeps up a connection to a broker, and connects again whenever it is lost."""

    def start(self, talker: Talker) -> None:
        """Start connecting; returns at once, whatever the broker does."""

    def wake(self) -> None:
        """Have the talker's `step` called soon; may be called in any thread, and returns at once."""

    def close(self) -> None:
        """Disconnect; waits a short time at most."""


class Backoff:
    """The waits between attempts to connect: each longer than the one before, up to a limit.

    They are random to a degree, so that not all clients of a broker connect again at the same time. `chance` returns
    random numbers from 0 to 1.
    """

    def __init__(self, patience: Patience, chance: Callable[[], float]) -> None:
        self._patience, self._chance = patience, chance
        self._tries = 0

    def next(self, held_s: float) -> float:
        """Return the seconds to wait after a connection that lasted for `held_s` seconds (0: it could not be made)."""
        if held_s >= self._patience.stable_s:
            self._tries = 0
        longest = min(self._patience.longest_s, self._patience.first_s * 2.0 ** min(self._tries, 20))
        self._tries += 1
        return longest * (0.5 + self._chance() / 2)
