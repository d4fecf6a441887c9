"""The club as the program has it: a broker, a publisher, and what others may ask of the table.

Each command is checked, done once, and only where the settings allow it. What could not be done, or may not be, stands
in the next state if it had an id to name it by.
"""

from __future__ import annotations

import math
import random
import re
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path

from referee import __version__
from referee.club.mqtt.line import Broker, BrokerConnection, Endpoint, Message
from referee.club.protocol import BadMessage, Command, Do, Kind, address_of, decode_document, table_id
from referee.club.protocol.coding import LONGEST_PICTURE
from referee.club.protocol.topics import root_topic
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

Serve = Callable[[Command], None]
Refuse = Callable[[Command, Notice], None]
"""May be called in any thread."""

PICTURE_S = 2.0
"""Seconds between two pictures, at least. Chosen by hand, to spare the network."""
PICTURE_PX = 1280
"""The width of the pictures that are sent. Chosen by hand."""
PLAIN_PORT, TLS_PORT = 1883, 8883
"""The ports that IANA has assigned to MQTT, without and with TLS."""
Open = Callable[[Endpoint, Message], Broker]
Chance = Callable[[], float]


def _unheard(_: Notice | None) -> None:
    """Nobody waits for the answer."""


class Orders:
    """Takes commands. `allowed` names those that the settings allow; `again` is always done."""

    def __init__(self, allowed: Collection[str], serve: Serve, refuse: Refuse, now: Callable[[], float]) -> None:
        """`serve` does what needs no loop, `again` and `picture`; `refuse` is told what was not done, and why."""
        self._allowed, self._serve, self._now = frozenset(allowed) | {Do.AGAIN.value}, serve, now
        self._refuse = refuse
        self._done: OrderedDict[str, None] = OrderedDict()
        self._second, self._taken = 0, 0
        self.loop: Loop | None = None

    def take(self, payload: bytes) -> None:
        """Do what a message says, if it may."""
        command = self._command(payload)
        if command is None:
            return
        if command.do in (Do.AGAIN, Do.PICTURE):
            self._serve(command)
        else:
            self.ask(_request_of(command), partial(self._answer_command, command))

    def ask(self, request: Request, answered: Callable[[Notice | None], None] = _unheard) -> None:
        """Ask the loop for something; whoever sent a command is told what came of it by the next snapshot only."""
        if self.loop is not None:
            with suppress(RuntimeError):  # it has just ended
                self.loop.request(PendingRequest(request, Sender.CLUB, answered))

    def _answer_command(self, command: Command, why: Notice | None) -> None:
        if why is not None and command.id:
            self._refuse(command, why)

    def _command(self, payload: bytes) -> Command | None:
        second = int(self._now())
        self._taken = self._taken + 1 if second == self._second else 1
        self._second = second
        if self._taken > A_SECOND:
            return None
        try:
            command = decode_document(Kind.DO, payload)
        except BadMessage:
            return None
        if not isinstance(command, Command) or command.id in self._done:
            return None
        if command.id:
            self._done[command.id] = None
            while len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
        if command.do.value not in self._allowed:
            self._answer_command(command, Notice("club.command_not_allowed", command=command.do.value))
            return None
        return command


def _request_of(command: Command) -> Request:
    """What the table is asked for, by what the club has sent; who may ask for it is in `table/requests.py`."""
    match command.do:
        case Do.PAUSE:
            return Pause()
        case Do.RESUME:
            return GoOn()
        case Do.LOOK:
            return LookAgain()
        case Do.BEGIN:
            return BeginDraw(command.players, command.draw or "", command.rules, command.rounds)
    return Announce(command.text)


class Club:
    """Follows the match and tells it; `audience` is to be given to the loop."""

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
        """Connect to the broker in a thread of its own, at once; raises BadInput for settings that cannot be.

        `settings`: the settings of table and club.
        `folder`: holds the journal, and how far its events were delivered.
        `words`: the language of the names that Home Assistant shows.
        `opens`: makes the connection, by the broker's address and the message that it sends once we are gone.
        `loop_now`: the clock of the loop, in seconds; another one than the monotonic clock at a virtual table.
        `chance`: returns a number from 0 to 1, by which tables do not all answer Home Assistant at the same moment.
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
        self.trouble: Notice | None = None
        """What is wrong with the connection to the broker; None while it is well."""
        self._discovery = (
            discovery(self._who.root, self._who.table, __version__, words, club.commands)
            if club.home_assistant
            else None
        )
        # Descriptions that this table no longer gives: a broker would keep them for ever.
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
        """Commands go to this loop from now on; with None it has ended."""
        self._orders.loop = loop
        if loop is not None and self.trouble is not None:
            self._orders.ask(ClubTrouble(self.trouble))

    def close(self) -> None:
        """Say good-bye."""
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
        """Subscribe to commands, and publish the description for Home Assistant where that is switched on."""
        self._publisher.on_connect(line)
        line.subscribe(self._who.topic(Kind.DO))
        line.subscribe(self._who.topic(Kind.ONLINE))
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
        try:
            kind = address_of(self._who.root, topic).kind
        except BadInput:
            return
        if kind is Kind.ONLINE:
            self._publisher.came_online(payload)
        elif kind is Kind.DO and not retained:
            self._orders.take(payload)

    def on_confirmed(self, number: int, refused: str | None) -> None:
        """Hand the broker's answer on to the publisher, whose messages alone wait for one."""
        self._publisher.on_confirmed(number, refused)

    def on_disconnect(self, why: Notice) -> None:
        """Tell the publisher that the connection is down."""
        self._publisher.on_disconnect(why)

    def before_disconnect(self, line: BrokerConnection) -> None:
        """Let the publisher send the last state before the connection is closed."""
        self._publisher.before_disconnect(line)

    def _describe(self, line: BrokerConnection) -> float | None:
        """Tell Home Assistant again who we are, a while after it has started."""
        if self._discovery is None or self._discovery_at is None:
            return None
        wait = self._discovery_at - self._now()
        if wait > 0:
            return wait
        self._discovery_at = None
        line.publish(self._discovery)
        return None

    def _picture(self, line: BrokerConnection) -> float | None:
        """Send the picture of the last look, if somebody asks for it."""
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
    """The club that these settings ask for; to be closed. Raises BadInput for settings that cannot be."""
    return Club(settings, folder, words, _open_broker, loop_now)


def _open_broker(endpoint: Endpoint, will: Message) -> Broker:
    try:
        from referee.club.mqtt.mqtt import MqttBroker
    except ImportError as error:
        raise _no_library(error) from error
    return MqttBroker(endpoint, will)


def broker_probe() -> Callable[[Endpoint], Notice | None]:
    """What tries a broker out for the doctor; raises BadInput where the library is missing."""
    try:
        from referee.club.mqtt.mqtt import probe
    except ImportError as error:
        raise _no_library(error) from error
    return probe


def _no_library(error: ImportError) -> BadInput:
    return BadInput(f"[club] on: expected the library paho-mqtt, found none ({error}): pip install 'referee[club]'")


def identity_of(settings: Settings) -> Identity:
    """Under which topics the table tells; raises BadInput with the place of a setting that cannot be."""
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
    """Which broker, and how it is entered; raises BadInput.

    `mark` tells this box from others: where two tables have one name, both must be heard, or nobody would notice.
    """
    club = settings.club
    if not club.broker.strip():
        raise BadInput(f"{settings.place('club', 'broker')}: expected the name or address of a broker, found none")
    port = club.port or (TLS_PORT if club.tls else PLAIN_PORT)
    ca = Path(club.ca) if club.ca else None
    client = f"referee-{identity_of(settings).table}" + (f"-{mark}" if mark else "")
    return Endpoint(club.broker.strip(), port, client, club.tls, ca, club.user, club.password)


def _own_name() -> str:
    """The name of this machine, as far as topics take it."""
    return re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().partition(".")[0].lower())[:32].strip("-")
