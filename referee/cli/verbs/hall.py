"""`referee hall`: follows many tables over an MQTT broker, on one page."""

from __future__ import annotations

import os
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, LANGUAGE, SETTING, settings_of, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import tell
from referee.devices.heap import keep_little
from referee.devices.service import Service
from referee.errors import BadInput
from referee.i18n import error_text
from referee.settings.settings import Settings

EVERY_S = 0.5


def hall(
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    language: Annotated[str | None, LANGUAGE] = None,
    setup: Annotated[
        Path | None,
        typer.Option("--setup", metavar="FOLDER", help="Write accounts, access list and certificates for a club."),
    ] = None,
    tables: Annotated[
        int | None, typer.Option("--tables", metavar="N", help="With --setup: number of tables.")
    ] = None,
    broker: Annotated[
        list[str] | None,
        typer.Option(
            "--broker", metavar="HOST", help="With --setup: a name or address of the broker; may be repeated."
        ),
    ] = None,
    other_hall: Annotated[
        Path | None,
        typer.Option(
            "--other-hall",
            metavar="FOLDER",
            help="With --setup: connect the broker to that of another hall, whose set-up is in FOLDER.",
        ),
    ] = None,
) -> int:
    """Follow many tables over an MQTT broker, on one page with their results."""
    keep_little()
    settings = settings_of(config, setting or [])
    if setup is not None:
        return _set_up(setup, tables, broker or [], settings, other_hall)
    if tables is not None or broker or other_hall is not None:
        raise BadInput("hall: expected --tables, --broker and --other-hall together with --setup only")
    from referee.cli.parts.backup_places import places_of
    from referee.cli.programs.hall import HallProgram
    from referee.cli.programs.nightly_backup import backups_of_hall

    over, service = threading.Event(), Service(os.environ)
    before = signal.signal(signal.SIGTERM, lambda *_: over.set())
    try:
        words = wording(language, settings.game.language)
        backups = backups_of_hall(places_of(settings), settings.backup, lambda told: tell(words(told)))
        with closing(HallProgram(settings, words)) as program, backups:
            service.ready()
            while not over.wait(EVERY_S):  # so that Ctrl-C is noticed at once on every system
                program.beat()
            service.stopping()
    finally:
        signal.signal(signal.SIGTERM, before)
    return Code.DONE


def _set_up(folder: Path, tables: int | None, hosts: list[str], settings: Settings, other: Path | None) -> int:
    """Write a folder with everything that a club's broker, hall and tables need."""
    from referee.cli.page.lan_address import lan_address
    from referee.club.broker_setup import (
        MOST_TABLES,
        connect_halls,
        plan_files,
        prepare_club,
        read_accounts,
        write_files,
    )
    from referee.club.protocol.topics import root_topic

    common.refuse_file("--setup", folder)
    before = read_accounts(folder)
    if tables is None and before is None:
        raise BadInput("hall --setup: expected the number of tables, such as --tables 4, found none")
    if tables is not None and not 1 <= tables <= MOST_TABLES:
        raise BadInput(f"hall --setup: expected 1 to {MOST_TABLES} --tables, found {tables}")
    if not hosts and before is None:
        hosts = [host for host in (lan_address(),) if host]
    if not hosts and before is None:
        raise BadInput("hall --setup: expected --broker HOST: this machine has no address in a network")
    where, topic = settings.places.get("club.topic"), None
    if where is not None:
        with _naming(where):
            topic = root_topic(settings.club.topic)
    with _naming("--broker"):
        accounts = prepare_club(folder, tables or 0, hosts, topic, secrets.token_bytes)
    if other is not None:
        waiting = read_accounts(other)
        if waiting is None:
            raise BadInput(f"--other-hall: expected a folder that --setup wrote, found {other}")
        with _naming("--other-hall"):
            waiting, accounts = connect_halls(waiting, accounts, secrets.token_bytes)
        write_files(other, plan_files(waiting, secrets.token_bytes))
    write_files(folder, plan_files(accounts, secrets.token_bytes))
    count = len(accounts.tables)
    common.stdout().print(
        f"{folder}: accounts of {count} table{'s' if count != 1 else ''}, the hall and Home Assistant for a broker at "
        f"{accounts.hosts[0]}. What to do with them: {folder / 'README.txt'}"
    )
    if other is not None:
        common.stdout().print(
            f"Two halls: the broker of {folder} connects to that of {other}. Install the files of both brokers."
        )
    return Code.DONE


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """Add to the message of a BadInput the option or setting that is wrong."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{where}: {error_text(error)}") from None
