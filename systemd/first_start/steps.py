"""The first start of a card, from the folder on its boot partition to a referee that is ready.

1. Every step may be cut off by a power cut. The next start of the machine starts the service again, and every step
   finds what is there already: what is installed counts only when it is complete (`updater.slots`, `install.sh`).
2. The boot partition is written to at the end only: a FAT file system does not survive every power cut.
3. The folder on the boot partition is removed last of all: the bundle first, which says that everything is installed,
   `first-start.pyz` at the very end, without which the service is not started any more.
"""

from __future__ import annotations

import contextlib
import errno
import json
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from updater.bundle import SIGNERS
from updater.disk import remove_file, write_whole
from updater.installing import SERVICES, install_bundle
from updater.journal import state_folder
from updater.slots import Slots
from updater.switching import Change

from first_start.lamps import Lamps
from first_start.stages import PACKAGES, stage_of
from first_start.words import REPORT, failed_text, ready_text

FOLDER, PROGRAM, BUNDLE = "referee-card", "first-start.pyz", "referee.bundle"
SETTINGS = "etc/referee/referee.toml"
PUT = "etc/referee/referee.toml.from-card"
"""A copy of the settings that were put there, until all is done: with it they may be corrected on the card."""
UNIT = "etc/systemd/system/referee-card.service"
WANTED = "etc/systemd/system/multi-user.target.wants/referee-card.service"
HOTSPOT = "hotspot"
"""With a file of this name in the folder, the referee opens a Wi-Fi of its own if it knows none."""
OF_THE_IMAGE = ("", "raspberrypi", "localhost")
"""Names of machines that nobody has chosen."""
NAME = "referee"
TRIES, PAUSE_S = 20, 30.0
"""For what may change by itself within ten minutes: the file system grows, the Wi-Fi connects."""
READY_S, LOOK_S = 90, 1.0
FAT_MODE = 0o755
"""The only one that a FAT file system takes, as Raspberry Pi OS mounts it; it refuses any other."""


class Running(Protocol):
    """What is asked about the service of the referee."""

    def is_ready(self) -> bool: ...  # noqa: D102
    def last_messages(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Card:
    """A system, and the boot partition of its card."""

    root: Path
    boot: Path

    @property
    def folder(self) -> Path:
        """The folder that people have copied to the card."""
        return self.boot / FOLDER

    def panel(self) -> Mapping[str, Any]:
        """Return the table `[panel]` of the settings; empty if there is none, or none that can be read."""
        for path in (self.root / SETTINGS, self.folder / "referee.toml"):
            with contextlib.suppress(OSError, ValueError):
                # Editors on Windows put a mark in front of the text.
                found = tomllib.loads(path.read_text(encoding="utf-8-sig")).get("panel", {})
                return found if isinstance(found, dict) else {}
        return {}

    def host_name(self) -> str:
        """Return the name of the machine."""
        with contextlib.suppress(OSError, ValueError):
            return (self.root / "etc/hostname").read_text(encoding="ascii").strip().lower()
        return ""


class Failed(Exception):
    """The referee could not be installed. `reason` is the word by which people are told; the text says more."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Attempt(Change):
    """The change from no version to the first one: why it failed is kept, because the page cannot tell it yet."""

    detail = ""

    def report_progress(self, state: str, version: str) -> None:
        """Write nothing: the folder of the journal is made by the service."""

    def report_failure(self, version: str, reason: str, detail: str) -> None:  # noqa: ARG002 - as the updater calls it
        """Keep why the version was not installed."""
        self.detail = detail


class FirstStart:
    """The first start of one card."""

    def __init__(
        self, card: Card, attempt: Attempt, running: Running, lamps: Lamps, pause: Callable[[float], None]
    ) -> None:
        self._card, self._attempt, self._running, self._lamps, self._pause = card, attempt, running, lamps, pause
        self._stage = 0

    def run(self) -> bool:
        """Install the referee, and tell what became of it; return whether it is ready."""
        self._lamps.work()
        try:
            self._install_all()
        except Failed as failed:
            sys.stderr.write(f"first_start: {failed.reason}: {failed}\n")
            self._lamps.fail(pins=not self._running.is_ready())
            self._report(failed_text(failed.reason, str(failed)))
            return False
        self._lamps.finish()
        self._finish()
        return True

    def _install_all(self) -> None:
        """Do what is left to do until the referee is ready; raises Failed."""
        try:
            if not self._is_installed():
                self._put_settings()
                self._put_signers()
                self._install_patiently()
            self._wait_until_ready()
        except OSError as error:  # the card is full, broken, or cannot be written any more
            reason = "no_room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "disk"
            raise Failed(reason, str(error)) from error

    def _put_settings(self) -> None:
        """Write the settings that lie on the card, unless the referee has some that are not from there.

        A wrong value is noticed only when the referee starts; then people correct it on the card.
        """
        source, target, put = self._card.folder / "referee.toml", self._card.root / SETTINGS, self._card.root / PUT
        if target.exists() and (not source.exists() or not _is_same(target, put)):
            return
        if not source.exists():  # without them nobody could open the page; an editor may have given it another name
            raise Failed("damaged", f"{source}: expected the first settings, found no file")
        try:
            text = source.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
            tomllib.loads(text)
        except ValueError as error:
            raise Failed("settings", str(error)) from error
        if target.exists() and target.read_text(encoding="utf-8") == text:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        remove_file(target)  # after a power cut there are no settings, or those of which there is a copy
        write_whole(put, text)
        write_whole(target, text)

    def _put_signers(self) -> None:
        """Take updates from those who signed the card."""
        source, target = self._card.folder / "update-signers", self._card.root / SIGNERS
        try:
            text = source.read_text(encoding="ascii").replace("\r\n", "\n")
        except (OSError, ValueError) as error:
            raise Failed("no_key", str(error)) from error
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text)

    def _is_installed(self) -> bool:
        """Return whether a power cut came after the installation, while the folder was being removed."""
        slots = Slots(self._card.root)
        current = slots.current()
        return current is not None and slots.is_complete(current) and not (self._card.folder / BUNDLE).exists()

    def _install_patiently(self) -> None:
        """Install the bundle; raises Failed if that is impossible, or still impossible after some minutes."""
        for left in reversed(range(TRIES)):
            reason = self._install()
            if not reason:
                return
            if reason not in ("no_room", "packages") or not left:
                raise Failed(reason, self._attempt.detail)
            self._pause(PAUSE_S)

    def _install(self) -> str:
        options = ["--hotspot"] if (self._card.folder / HOTSPOT).exists() else []
        if self._card.host_name() in OF_THE_IMAGE:
            options += ["--hostname", NAME]
        self._stage = 0
        bundle = self._card.folder / BUNDLE
        slots = Slots(self._card.root)
        reason = install_bundle(self._card.root, slots, self._attempt, bundle, options, self._heed, holds=True)
        return "packages" if reason == "install" and self._stage == PACKAGES else reason

    def _heed(self, line: str) -> None:
        """Show how far the installer has come; before it starts the referee, leave the pins to that."""
        if (stage := stage_of(line)) is not None:
            self._stage = stage
            self._lamps.reach(stage)
        if line == SERVICES:
            self._lamps.hand_over()

    def _wait_until_ready(self) -> None:
        """Wait for the referee, which the installer has started; raises Failed if it does not become ready."""
        for _ in range(READY_S):
            if self._running.is_ready():
                return
            self._pause(LOOK_S)
        raise Failed("service", f"expected a referee that is ready, found: {self._running.last_messages()}")

    def _finish(self) -> None:
        """Tell where the page is, and remove what only the first start needs."""
        name = self._card.host_name() or NAME
        self._report(ready_text(f"http://{name}.local", self._pin()))
        # The bundle first, because it takes half of the partition, on which new kernels must find room.
        for path in sorted(self._card.folder.iterdir(), key=lambda path: path.name != BUNDLE):
            if path.name != PROGRAM:
                with contextlib.suppress(OSError):
                    remove_file(path)
        for name in (PUT, WANTED, UNIT):
            remove_file(self._card.root / name)
        with contextlib.suppress(OSError):
            remove_file(self._card.folder / PROGRAM)
            self._card.folder.rmdir()

    def _pin(self) -> str:
        """Return the PIN of the page, if its settings ask for one."""
        with contextlib.suppress(OSError, ValueError):
            web = tomllib.loads((self._card.root / SETTINGS).read_text(encoding="utf-8")).get("web", {})
            if web.get("writing", "pin") == "open" and web.get("reading", "open") == "open":
                return ""
            found = json.loads((state_folder(self._card.root) / "page.json").read_text(encoding="utf-8"))
            return str(found.get("pin", "")) if isinstance(found, dict) else ""
        return ""

    def _report(self, text: str) -> None:
        path = self._card.boot / REPORT
        with contextlib.suppress(OSError):
            if not path.exists() or path.read_bytes() != text.encode():
                write_whole(path, text, FAT_MODE)


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two files have the same content; False if one cannot be read."""
    with contextlib.suppress(OSError):
        return one.read_bytes() == other.read_bytes()
    return False
