"""`referee hall`: many tables over an MQTT broker on one page.

Broker, reader, store and page each have a thread of their own.
"""

from __future__ import annotations

import os
import secrets
import signal
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.page.lan_address import here, on_lan
from referee.cli.page.page import tell_where
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, LANGUAGE, SETTING, journal_folder, settings_of, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import tell
from referee.club.hall.reader import CONNECTING, HallFacts, HallReader
from referee.club.hall.store import HallStore
from referee.club.hall.tournaments.keeper import Keeper
from referee.club.protocol.coding import LONGEST_PICTURE
from referee.club.table_side.club import endpoint_of, identity_of
from referee.devices.heap import keep_little
from referee.devices.service import Service
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import ruleset
from referee.i18n import Wording
from referee.page.access import Policy, is_local
from referee.pages.hall.server import HallServer
from referee.settings.settings import Settings

FOLDER, FILE = "hall", "hall.sqlite"
PORT = 8766
"""Unless another one is chosen: a table's own page may be on this machine, too."""
LARGEST = LONGEST_PICTURE + 1024


class HallProgram:
    """Reader, store, page and broker; all run in threads of their own."""

    def __init__(self, settings: Settings, words: Wording) -> None:
        """Begins at once; raises BadInput for settings that cannot be."""
        try:
            from referee.club.mqtt.mqtt import MqttBroker
        except ImportError as error:
            raise BadInput(
                f"referee hall: expected the library paho-mqtt, found none ({error}): pip install 'referee[club]'"
            ) from error
        web = settings.web
        self._words, self._said = words, CONNECTING
        root = identity_of(settings).root
        endpoint = replace(endpoint_of(settings), client=f"referee-hall-{secrets.token_hex(4)}")
        self._reads = Notice("hall.reads_at", address=endpoint.address)
        folder = journal_folder(settings) / FOLDER
        self._store = _open_store(folder / FILE)
        self._tournaments = _tournaments(folder / FILE, lambda: self._reader.facts, names=settings.club.names)
        self._reader = HallReader(self._store, root, self._news)
        policy = Policy(is_local(web.listen), web.reading, web.writing, web.hosts)
        port = PORT if "web.port" not in settings.places else web.port
        self._server = HallServer(
            web.listen, port, self._reader, words.language, policy, folder, None,
            self._tournaments, ruleset(settings.game.rules),
        )  # fmt: skip
        self._broker = MqttBroker(endpoint, None, largest=LARGEST)
        self._server.wake = self._broker.wake
        self._tournaments.news, self._tournaments.begins = self._server.news, self._server.begin
        self._tournaments.look()
        self._server.start()
        address = on_lan(web.listen, self._server.port) or here(web.listen, self._server.port)
        tell_where(address, self._server.access, words)
        self._broker.start(self._reader)

    def close(self) -> None:
        """End all of it."""
        self._broker.close()
        self._server.close()
        self._tournaments.close()
        self._store.close()

    def _news(self) -> None:
        self._server.news()
        self._tournaments.look()
        facts = self._reader.facts
        said = facts.trouble or (self._reads if facts.connected else self._said)
        if said != self._said:
            self._said = said
            tell(self._words(said))


def _tournaments(path: Path, hall: Callable[[], HallFacts], *, names: bool) -> Keeper:
    try:
        return Keeper(path, hall, names=names)
    except sqlite3.Error as error:
        raise BadInput(f"referee hall: expected tournaments in {path}, found: {error}") from error


def _open_store(path: Path) -> HallStore:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _keep_private(path)
        return HallStore(path)
    except (OSError, sqlite3.Error) as error:
        raise BadInput(f"referee hall: expected a file for the results at {path}, found: {error}") from error


def _keep_private(path: Path) -> None:
    """Let nobody but the owner read the hall's file, which has names of players; SQLite's own files follow its rights.

    Raises OSError where it belongs to somebody else.
    """
    path.touch(mode=0o600)
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if file.exists() and file.stat().st_mode & 0o077:
            file.chmod(0o600)


EVERY_S = 0.5


def hall(
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    language: Annotated[str | None, LANGUAGE] = None,
    setup: Annotated[
        Path | None,
        typer.Option("--setup", metavar="FOLDER", help="Write accounts, access list and certificates of a new club."),
    ] = None,
    tables: Annotated[
        int | None, typer.Option("--tables", metavar="N", help="With --setup: how many tables there are.")
    ] = None,
    broker: Annotated[
        list[str] | None,
        typer.Option("--broker", metavar="HOST", help="With --setup: a name or address of the broker; repeatable."),
    ] = None,
) -> int:
    """Many tables over an MQTT broker: all of them on one page, and their results."""
    keep_little()
    settings = settings_of(config, setting or [])
    if setup is not None:
        return _set_up(setup, tables, broker or [], settings)
    if tables is not None or broker:
        raise BadInput("hall: expected --tables and --broker together with --setup only")

    over, service = threading.Event(), Service(os.environ)
    before = signal.signal(signal.SIGTERM, lambda *_: over.set())
    try:
        with closing(HallProgram(settings, wording(language, settings.game.language))):
            service.ready()
            while not over.wait(EVERY_S):  # so that Ctrl-C is heard at once everywhere
                pass
            service.stopping()
    finally:
        signal.signal(signal.SIGTERM, before)
    return Code.DONE


def _set_up(folder: Path, tables: int | None, hosts: list[str], settings: Settings) -> int:
    """Write a folder with all that a club's broker, hall and tables need."""
    from referee.cli.page.lan_address import lan_address
    from referee.club.broker_setup import MOST_TABLES, plan_files, prepare_club, read_accounts, write_files

    before = read_accounts(folder)
    if tables is None and before is None:
        raise BadInput("hall --setup: expected the number of tables, such as --tables 4, found none")
    if tables is not None and not 1 <= tables <= MOST_TABLES:
        raise BadInput(f"hall --setup: expected 1 to {MOST_TABLES} --tables, found {tables}")
    if not hosts and before is None:
        hosts = [host for host in (lan_address(),) if host]
    if not hosts and before is None:
        raise BadInput("hall --setup: expected --broker HOST: this machine has no address in a network")
    topic = settings.club.topic if "club.topic" in settings.places else None
    accounts = prepare_club(folder, tables or 0, hosts, topic, secrets.token_bytes)
    write_files(folder, plan_files(accounts, secrets.token_bytes))
    count = len(accounts.tables)
    common.stdout().print(
        f"{folder}: accounts of {count} table{'s' if count != 1 else ''}, the hall and Home Assistant for a broker at "
        f"{accounts.hosts[0]}. What to do with them: {folder / 'README.txt'}"
    )
    return Code.DONE
