"""The program of a hall: a broker if one is set, a reader, a store and a page, each in its own thread."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.page import tell_where
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.output import tell
from referee.club.hall.desk.keeper import DeskKeeper
from referee.club.hall.reader import CONNECTING, HallFacts, HallReader, presence
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.mqtt.line import Broker, Endpoint, Talker
from referee.club.protocol import Online
from referee.club.protocol.coding import LONGEST_PICTURE
from referee.club.table_side.club import endpoint_of, identity_of
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.i18n import Wording
from referee.page.access import Policy, is_local
from referee.pages.hall.server import HallServer
from referee.settings.settings import Settings

FOLDER, FILE = "hall", "hall.sqlite"
PORT = 8766
"""The default port; it differs from that of a table, whose page may be on the same machine."""
OF_A_CONNECTION = ("port", "tls", "ca", "user", "password")
"""Settings below `[club]` that only make sense with a broker."""
LARGEST = LONGEST_PICTURE + 1024


class HallProgram:
    """Reader, store, page and broker of a hall, each running in its own thread."""

    def __init__(self, settings: Settings, words: Wording) -> None:
        """Start everything; raises BadInput for settings that cannot be used."""
        web = settings.web
        root = identity_of(settings).root
        endpoint = endpoint_of_hall(settings)
        self._words, self._said = words, Notice("hall.alone") if endpoint is None else CONNECTING
        self._reads = self._said if endpoint is None else Notice("hall.reads_at", address=endpoint.address)
        self._broker = _NoBroker() if endpoint is None else _broker(endpoint, root)
        folder = journal_folder(settings) / FOLDER
        self._store = open_store(folder / FILE)
        self._tournaments = _tournaments(folder / FILE, lambda: self.facts, names=settings.club.names)
        self._desk = _desk(folder / FILE)
        self._reader = HallReader(self._store, root, self._news, desk=self._desk, alone=endpoint is None)
        self._reader.tick = self._tournaments.look  # some time without a beginning makes a table late
        policy = Policy(is_local(web.listen), web.reading, web.writing, web.hosts)
        port = PORT if "web.port" not in settings.places else web.port
        self._server = HallServer(
            web.listen, port, self._reader, words.language, policy, folder, None,
            self._tournaments, ruleset(settings.game.rules), self._desk,
        )  # fmt: skip
        self._server.wake = self._broker.wake
        self._tournaments.news, self._tournaments.begins = self._server.tournament_news, self._server.begin
        self._desk.news = self._desk_news
        self._server.tournament_news()
        self._tournaments.look()
        self._server.start()
        address = on_lan(web.listen, self._server.port) or here(web.listen, self._server.port)
        self._server.tell_address(address)
        tell_where(address, self._server.access, words)
        if policy.local:
            tell(words(Notice("hall.only_here")))
        if endpoint is None:
            tell(words(self._said))
        else:  # a broker that is silent is told of only after some seconds
            tell(words(Notice("hall.connects_to", address=endpoint.address)))
        self._broker.start(self._reader)

    @property
    def facts(self) -> HallFacts:
        """What the hall knows of its tables."""
        return self._reader.facts

    def beat(self) -> None:
        """Do what is due now and then, with a broker or without: to be called about every half second."""
        self._desk.beat()

    def close(self) -> None:
        """End all threads."""
        self._broker.close()
        self._server.close()
        self._tournaments.close()
        self._desk.close()
        self._store.close()

    def _news(self) -> None:
        self._server.news()
        self._tournaments.look()
        facts = self.facts
        said = facts.trouble or (self._reads if facts.connected else self._said)
        if said != self._said:
            self._said = said
            tell(self._words(said))

    def _desk_news(self) -> None:
        self._server.news()
        self._broker.wake()


class _NoBroker:
    """Stands for the broker of a hall for which none is set: nothing connects, and nothing is waited for."""

    def start(self, talker: Talker) -> None:
        """Call nothing of the talker, ever."""

    def wake(self) -> None:
        """Do nothing: there is no table that could be sent anything."""

    def close(self) -> None:
        """End nothing."""


def _broker(endpoint: Endpoint, root: str) -> Broker:
    """Return the connection to a broker; raises BadInput if the library for it is missing."""
    try:
        from referee.club.mqtt.mqtt import MqttBroker
    except ImportError as error:
        raise BadInput(
            f"referee hall: expected the library paho-mqtt, found none ({error}): pip install 'referee[club]'"
        ) from error
    return MqttBroker(endpoint, presence(root, Online(False)), largest=LARGEST)


def endpoint_of_hall(settings: Settings) -> Endpoint | None:
    """Return the broker of the hall; None if none is set: then a tournament is played on phones only.

    A broker is set by its name or address, or by another setting of a connection to one, then on this machine.
    Raises BadInput for invalid settings.
    """
    places = settings.places
    named = "club.broker" in places
    if named and not settings.club.broker.strip():
        return None
    if not named and not settings.club.on and not any(f"club.{key}" in places for key in OF_A_CONNECTION):
        return None
    return replace(endpoint_of(settings), client=f"referee-hall-{secrets.token_hex(4)}")


def _desk(path: Path) -> DeskKeeper:
    try:
        return DeskKeeper(path)
    except sqlite3.Error as error:
        raise BadInput(f"referee hall: expected the director's desk in {path}, found: {error}") from error


def _tournaments(path: Path, hall: Callable[[], HallFacts], *, names: bool) -> Keeper:
    try:
        return Keeper(path, hall, names=names)
    except sqlite3.Error as error:
        raise BadInput(f"referee hall: expected tournaments in {path}, found: {error}") from error


def open_store(path: Path) -> HallStore:
    """Open or create the hall's file, which only its owner may read; raises BadInput."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _keep_private(path)
        return HallStore(path)
    except (OSError, sqlite3.Error) as error:
        raise BadInput(f"referee hall: expected a file for the results at {path}, found: {error}") from error


def _keep_private(path: Path) -> None:
    """Let only the owner read the hall's file, which has names of players; SQLite gives its other files the same mode.

    Raises OSError if the file belongs to another user.
    """
    path.touch(mode=0o600)
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if file.exists() and file.stat().st_mode & 0o077:
            file.chmod(0o600)
