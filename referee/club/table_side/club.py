"""A table's connection to its club: the broker, the publisher, and the commands that the table accepts.

Each command is checked, and carried out at most once and only if the settings allow it. If a command with an id is
refused, a later state of the table contains the id and the reason.
"""

from __future__ import annotations

import json
import math
import random
import re
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from referee import __version__
from referee.club.mqtt.line import Broker, BrokerConnection, Endpoint, Message
from referee.club.protocol import BadMessage, Command, Do, Kind, address_of, decode_document, hall_topic, table_id
from referee.club.protocol.coding import LONGEST, LONGEST_PICTURE
from referee.club.protocol.topics import root_topic
from referee.club.table_side.call_file import CallFile
from referee.club.table_side.hall_side import NOTHING_HEARD, HallSide
from referee.club.table_side.home_assistant import (
    BORN,
    LONGEST_WAIT_S,
    STATUS,
    TICK_S,
    config_topics,
    describes,
    discovery,
)
from referee.club.table_side.publisher import Identity, Publisher
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.journal.opening import FILE
from referee.settings.settings import Settings
from referee.table.event_loop import Loop
from referee.table.input.requests import (
    Announce,
    BeginDraw,
    ClubTrouble,
    GoOn,
    LookAgain,
    Pause,
    PendingRequest,
    Request,
    Sender,
)
from referee.table.output.audience import Audience
from referee.table.output.rectified import jpeg, rectify_look

REMEMBERED = 200
"""How many ids of commands are remembered, so that none is carried out twice. Chosen by hand."""
A_SECOND = 5
"""The most commands accepted in a second. Chosen by hand."""
READ_A_SECOND = 50
"""The most commands read in a second; further ones are ignored. More than `A_SECOND` are refused. Chosen by hand."""
HELD = 50
"""The most commands that may be unanswered at a time, for instance while the program starts. Chosen by hand."""
LONGEST_ID = 64
"""The length of the longest id of a command; the schema has the same limit."""
TOO_MANY = Notice("club.too_many_commands")
NOT_UNDERSTOOD = Notice("club.command_not_understood")
STOPPED = Notice("club.table_stopped")

Serve = Callable[[Command], None]
Refuse = Callable[[str, Notice, tuple[str, ...]], None]
"""Called with the id of a refused command, the reason, and the names in the command. Called in any thread."""

PICTURE_S = 2.0
"""Seconds between two pictures, at least. Chosen by hand, to spare the network."""
PICTURE_PX = 1280
"""The width of the pictures that are sent. Chosen by hand."""
PLAIN_PORT, TLS_PORT = 1883, 8883
"""The ports that IANA has assigned to MQTT, without and with TLS."""
Open = Callable[[Endpoint, Message], Broker]
Chance = Callable[[], float]


@dataclass(eq=False, frozen=True, slots=True)
class _Order:
    """A command that has not been answered yet, and the request to the loop that carries it out."""

    command: Command
    request: Request


def _unheard(_: Notice | None) -> None:
    """Ignore the answer to a request."""


class Orders:
    """Handles commands: each one is carried out or refused. Refusals are reported for commands with an id only.

    1. `allowed` has the names of the commands that the settings allow; `again` is always allowed.
    2. A command that comes while the program is still starting waits for the loop.
    3. If the loop ends before all commands are answered, the next loop gets them, or `close` refuses them.
    """

    def __init__(self, allowed: Collection[str], serve: Serve, refuse: Refuse, now: Callable[[], float]) -> None:
        """`serve` carries out `again` and `picture`, which need no loop; `refuse` is called for refused commands."""
        self._allowed, self._serve, self._now = frozenset(allowed) | {Do.AGAIN.value}, serve, now
        self._refuse = refuse
        self._done: OrderedDict[str, None] = OrderedDict()
        self._second, self._taken = 0, 0
        self._lock = threading.Lock()
        """Guards the two fields below: the broker's thread adds commands, and the loop's thread answers them."""
        self._loop: Loop | None = None
        self._open: list[_Order] = []

    def serves(self, loop: Loop | None) -> None:
        """Pass waiting and later commands to `loop`. None means that the loop has ended; commands then wait."""
        with self._lock:
            self._loop, waiting = loop, tuple(self._open)
        for order in waiting if loop is not None else ():
            self._pass_on(order)

    def close(self) -> None:
        """Refuse all commands that have not been answered."""
        with self._lock:
            waiting, self._open = self._open, []
        for order in waiting:
            self._refuse_command(order.command, STOPPED)

    def take(self, payload: bytes) -> None:
        """Handle the command in a message: carry it out, pass it to the loop, or refuse it."""
        command = self._command(payload)
        if command is None:
            return
        if command.do in (Do.AGAIN, Do.PICTURE):
            self._serve(command)
            return
        order = _Order(command, _request_of(command))
        with self._lock:
            is_full, there = len(self._open) >= HELD, self._loop is not None
            if not is_full:
                self._open.append(order)
        if is_full:
            self._refuse_command(command, TOO_MANY)
        elif there:
            self._pass_on(order)

    def ask(self, request: Request, answered: Callable[[Notice | None], None] = _unheard) -> None:
        """Send a request to the loop, if there is one; `answered` is called with the loop's answer."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # it has just ended
                loop.request(PendingRequest(request, Sender.CLUB, answered))

    def _pass_on(self, order: _Order) -> None:
        self.ask(order.request, partial(self._answer, order))

    def _answer(self, order: _Order, why: Notice | None) -> None:
        """Handle the loop's answer: mark the command as answered, and report it if the loop refused it."""
        with self._lock:
            if order not in self._open:
                return
            self._open.remove(order)
        if why is not None:
            self._refuse_command(order.command, why)

    def _refuse_command(self, command: Command, why: Notice) -> None:
        if command.id:
            self._refuse(command.id, why, tuple(name for name in command.players if name is not None))

    def _command(self, payload: bytes) -> Command | None:
        """Return the command in a message if it may be carried out; otherwise refuse it and return None."""
        second = int(self._now())
        self._taken = self._taken + 1 if second == self._second else 1
        self._second = second
        if self._taken > READ_A_SECOND:
            return None
        try:
            command = decode_document(Kind.DO, payload)
        except BadMessage:
            command = None
        if not isinstance(command, Command):
            told = _id_of(payload)
            if told and told not in self._done:
                self._refuse(told, NOT_UNDERSTOOD, ())
            return None
        if command.id in self._done:
            return None
        if self._taken > A_SECOND:
            self._refuse_command(command, TOO_MANY)
            return None
        if command.id:
            self._done[command.id] = None
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
        if command.do.value not in self._allowed:
            self._refuse_command(command, Notice("club.command_not_allowed", command=command.do.value))
            return None
        return command


def _id_of(payload: bytes) -> str | None:
    """Return the id in a message that is not a valid command; None if it has no valid id."""
    if len(payload) > LONGEST:
        return None
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    told = body.get("id") if isinstance(body, dict) else None
    return told if isinstance(told, str) and len(told) <= LONGEST_ID and told.isprintable() else None


def _request_of(command: Command) -> Request:
    """Return the request that carries out a command; `table/requests.py` says who may send which request."""
    match command.do:
        case Do.PAUSE:
            return Pause()
        case Do.RESUME:
            return GoOn()
        case Do.LOOK:
            return LookAgain()
        case Do.BEGIN:
            return BeginDraw(command.players, command.draw or "", command.rules, command.rounds)
    return Announce(command.text, command.seconds)


class Club:
    """Publishes the match and receives commands; give its `audience` to the loop."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        words: Wording,
        opens: Open,
        loop_now: Callable[[], float] = time.monotonic,
        chance: Chance = random.random,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start a thread that connects to the broker. Raises BadInput for invalid settings.

        `settings`: the settings of table and club.
        `folder`: contains the journal and the file that says how many of its events the broker has confirmed.
        `words`: the language of the names that Home Assistant shows.
        `opens`: returns the broker for an address and a will, the message that it sends if the connection breaks.
        `loop_now`: the clock of the loop, in seconds; a virtual table has another one than the monotonic clock.
        `chance`: returns a random number from 0 to 1, so that not all tables answer Home Assistant at the same moment.
        `now`: the monotonic clock, in seconds.
        """
        club = settings.club
        self._who = identity_of(settings)
        self._table_mm = (settings.table.width_mm, settings.table.height_mm)
        self._chance, self._now = chance, now
        tick_s = TICK_S if club.home_assistant else math.inf
        self._publisher = Publisher(self._who, folder / FILE, self._has_trouble, now, loop_now, tick_s=tick_s)
        self._orders = Orders(club.commands, self._serve, self._publisher.publish_refusal, now)
        self.audience: Audience = self._publisher.follower
        self.calls = CallFile(folder)
        """Keeps the table's call for the director; give it to the loop."""
        self._hall = HallSide(loop_now)
        self.trouble: Notice | None = None
        """What is wrong with the connection to the broker; None if nothing is."""
        self._discovery = (
            discovery(self._who.root, self._who.table, __version__, words, club.commands)
            if club.home_assistant
            else None
        )
        # Topics of descriptions that this table no longer sends. They are deleted, or the broker would keep them.
        self._former = tuple(
            place
            for place in config_topics(self._who.root, self._who.table)
            if self._discovery is None or place != self._discovery.topic
        )
        self._to_remove: list[str] = []
        self._discovery_at: float | None = None
        self._picture_at, self._picture_due = -1e9, False
        self._broker = opens(endpoint_of(settings, self._publisher.mark()), self._who.will())
        self._publisher.wake = self._broker.wake
        self._broker.start(self)

    def serves(self, loop: Loop | None) -> None:
        """Pass commands to `loop` from now on. None means that the loop has ended."""
        self._orders.serves(loop)
        if loop is not None and self._hall.heard != NOTHING_HEARD:
            self._orders.ask(self._hall.heard)
        if loop is not None and self.trouble is not None:
            self._orders.ask(ClubTrouble(self.trouble))

    def close(self) -> None:
        """Refuse all commands that have not been answered, and disconnect."""
        self._orders.close()
        self._broker.close()

    def _has_trouble(self, told: Notice | None) -> None:
        if told != self.trouble:
            self.trouble = told
            self._orders.ask(ClubTrouble(told))

    def _serve(self, command: Command) -> None:
        if command.do is Do.PICTURE:
            self._picture_due = True
        else:
            self._publisher.again(command)

    # Talker

    def on_connect(self, line: BrokerConnection) -> None:
        """Subscribe to commands, and publish the description for Home Assistant if that is switched on.

        The table subscribes before it says that it is online, because a command may follow at once.
        """
        line.subscribe(self._who.topic(Kind.DO))
        self._publisher.on_connect(line)
        line.subscribe(self._who.topic(Kind.ONLINE))
        line.subscribe(self._who.topic(Kind.DESK))
        line.subscribe(hall_topic(self._who.root))
        if self._discovery is not None:
            line.subscribe(STATUS)
            line.publish(self._discovery)
        for place in self._former:
            line.subscribe(place)

    def step(self, line: BrokerConnection) -> float:
        """Send what is due; return the seconds after which to be called again."""
        while self._to_remove:
            line.publish(Message(self._to_remove.pop(), b"", retain=True))
        waits = [self._publisher.step(line), self._describe(line), self._picture(line)]
        return min(wait for wait in waits if wait is not None)

    def on_message(self, topic: str, payload: bytes, *, retained: bool) -> None:
        """Handle a command or a message of Home Assistant; a command that the broker had retained is ignored."""
        if topic == STATUS:
            if payload == BORN and self._discovery_at is None:
                self._discovery_at = self._now() + self._chance() * LONGEST_WAIT_S
            return
        if topic in self._former:
            if describes(payload, self._who.root, self._who.table):
                self._to_remove.append(topic)
            return
        if topic == hall_topic(self._who.root):
            self._tell_loop(self._hall.note_presence(payload))
            return
        try:
            kind = address_of(self._who.root, topic).kind
        except BadInput:
            return
        if kind is Kind.ONLINE:
            self._publisher.came_online(payload)
        elif kind is Kind.DESK:
            self._tell_loop(self._hall.note_desk(payload, retained=retained))
        elif kind is Kind.DO and not retained:
            self._orders.take(payload)

    def _tell_loop(self, news: bool) -> None:
        """Tell the loop what was heard of the hall, if that is news."""
        if news:
            self._orders.ask(self._hall.heard)

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """Pass the broker's answer to the publisher; nothing else waits for answers."""
        self._publisher.on_confirmed(number, refused)

    def on_disconnect(self, why: Notice) -> None:
        """Tell the publisher that the connection is down."""
        self._publisher.on_disconnect(why)
        self._tell_loop(self._hall.note_disconnection())

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Let the publisher send the last state before the connection is closed."""
        self._publisher.before_disconnect(line)

    def _describe(self, line: BrokerConnection) -> float | None:
        """Send the description to Home Assistant again, a random time after it has started."""
        if self._discovery is None or self._discovery_at is None:
            return None
        wait = self._discovery_at - self._now()
        if wait > 0:
            return wait
        self._discovery_at = None
        line.publish(self._discovery)
        return None

    def _picture(self, line: BrokerConnection) -> float | None:
        """Send the picture of the last look if one was requested, at most once in `PICTURE_S` seconds."""
        if not self._picture_due:
            return None
        wait = self._picture_at + PICTURE_S - self._now()
        if wait > 0:
            return wait
        self._picture_at, self._picture_due = self._now(), False
        seen = self._publisher.follower.facts.seen
        image = None if seen is None else rectify_look(seen.look, self._table_mm, PICTURE_PX)
        data = b"" if image is None else jpeg(image)
        if 0 < len(data) <= LONGEST_PICTURE:
            line.publish(Message(self._who.topic(Kind.PICTURE), data, 0))
        return None


def club_of(settings: Settings, folder: Path, words: Wording, loop_now: Callable[[], float] = time.monotonic) -> Club:
    """Return a club with these settings; the caller must close it. Raises BadInput for invalid settings."""
    return Club(settings, folder, words, _open_broker, loop_now)


def _open_broker(endpoint: Endpoint, will: Message) -> Broker:
    try:
        from referee.club.mqtt.mqtt import MqttBroker
    except ImportError as error:
        raise _no_library(error) from error
    return MqttBroker(endpoint, will)


def broker_probe() -> Callable[[Endpoint], Notice | None]:
    """Return the function with which `doctor` tests a broker. Raises BadInput if the library is missing."""
    try:
        from referee.club.mqtt.mqtt import probe
    except ImportError as error:
        raise _no_library(error) from error
    return probe


def _no_library(error: ImportError) -> BadInput:
    return BadInput(f"[club] on: expected the library paho-mqtt, found none ({error}): pip install 'referee[club]'")


def identity_of(settings: Settings) -> Identity:
    """Return the table's identity from the settings. Raises BadInput, which names the setting that is invalid."""
    club = settings.club
    try:
        root = root_topic(club.topic)
    except BadInput as error:
        raise BadInput(f"{settings.place('club', 'topic')}: {error}") from None
    try:
        table = table_id(club.table or _own_name())
    except BadInput as error:
        raise BadInput(f"{settings.place('club', 'table')}: {error}") from None
    return Identity(root, table, __version__, club.names)


def endpoint_of(settings: Settings, mark: str = "") -> Endpoint:
    """Return the address of the broker and how to log in. Raises BadInput for invalid settings.

    `mark` makes the client id unique. If two tables have one name, both must be able to connect; otherwise nobody
    would notice the mistake.
    """
    club = settings.club
    if not club.broker.strip():
        raise BadInput(f"{settings.place('club', 'broker')}: expected the name or address of a broker, found none")
    port = club.port or (TLS_PORT if club.tls else PLAIN_PORT)
    ca = Path(club.ca) if club.ca else None
    client = f"referee-{identity_of(settings).table}" + (f"-{mark}" if mark else "")
    return Endpoint(club.broker.strip(), port, client, club.tls, ca, club.user, club.password)


def _own_name() -> str:
    """Return the host name of this machine, with characters that topics do not allow replaced by `-`."""
    return re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().partition(".")[0].lower())[:32].strip("-")
