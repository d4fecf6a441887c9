"""Checks of the settings: whether they are valid, which match they describe, and whether their broker answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from referee.cli.parts import from_settings as build
from referee.club.mqtt.line import Endpoint
from referee.devices.wiring.pins import PinMap
from referee.doctor.finding import Finding, attention, error_notice, ok, wrong
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.tiles import TileSet, tile_set
from referee.settings.settings import Settings, load


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings for the other checks, and the finding about them."""

    settings: Settings
    finding: Finding


def load_chosen(
    path: Path | None,
    environ: Mapping[str, str],
    flags: Mapping[str, str],
    state: Callable[[str], Path] | None = None,
) -> Chosen:
    """Load the settings in use.

    If the file or the environment is faulty, the finding says so, and the defaults with the flags are used. Raises
    BadInput for faulty flags, since the user who gave them sees the message at once.
    """
    defaults = load(None, {}, flags)
    try:
        settings = load(path, environ, flags, state=state)
    except (BadInput, OSError) as error:
        return Chosen(defaults, wrong("settings", error_notice(error), Notice("doctor.correct_settings")))
    in_order = Notice("doctor.settings_in_order", path=str(path))
    where = in_order if path else Notice("doctor.no_settings_file")
    return Chosen(settings, ok("settings", where, file=None if path is None else str(path)))


def game(settings: Settings, pins: PinMap) -> Finding:
    """Check whether rules, names and box fit together."""
    try:
        plan = build.plan_of(settings, pins)
        box = tile_set(settings.table.tileset) if settings.table.tileset else plan.rules.box
    except BadInput as error:
        return wrong("game", error_notice(error), Notice("doctor.correct_game"))
    rules, names = settings.game.rules, tuple(plan.names)
    if settings.game.players:
        text = Notice("doctor.next_match", rules=rules, players=names, tileset=box.name)
    else:
        text = Notice("doctor.next_match_up_to", rules=rules, players=len(names), tileset=box.name)
    return ok("game", text, rules=settings.game.rules, tileset=box.name)


def box_or_none(settings: Settings, pins: PinMap) -> TileSet | None:
    """Return the box of tiles that the settings name; None if the settings are not valid."""
    try:
        return tile_set(settings.table.tileset) if settings.table.tileset else build.plan_of(settings, pins).rules.box
    except BadInput:
        return None


Probe = Callable[[Endpoint], Notice | None]
"""Connects to a broker and disconnects again; returns what prevented it."""


def check_broker(endpoint: Endpoint, probe: Probe) -> Iterator[Finding]:
    """Check whether a connection can be made, under another client name so that a running referee stays connected."""
    found = probe(replace(endpoint, client=f"{endpoint.client}-doctor"))
    if found is not None:
        yield wrong("broker", found, Notice("club.see_to_broker"))
        return
    yield ok("broker", Notice("club.reached", address=endpoint.address))
    if endpoint.password and not endpoint.tls and endpoint.host not in ("localhost", "127.0.0.1", "::1"):
        yield attention("broker", Notice("club.password_readable"), Notice("club.use_tls"))
