"""The installation of a bundle into the slot that is not in use, with the network off.

1. The bundle is unpacked below /opt/referee, which only root can write, as far as its signature covers it.
2. The installer in it builds the version, and tries it: it plays one match at the virtual table.
3. Then the version is asked for; `switching` does the rest. Until then nothing of the version in use has changed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from updater.bundle import SIGNERS, BadBundle, unpack
from updater.disk import is_in_memory, remove_file
from updater.journal import USUAL
from updater.slots import Slots
from updater.switching import Change

INCOMING = "incoming"
WAITING = "updates/bundle"
"""Where `referee update` and the page put a bundle, in the folder of the service: `referee-update.path` watches it."""
INSTALL_S = 3600.0
TIMED_OUT = 124
"""What timeout(1) ends with then."""
AS_BEFORE = ("--as-before",)
SERVICES = "Service"
"""The line that the installer prints before it starts the referee, to which the pins belong then."""


def install_bundle(
    root: Path, slots: Slots, change: Change, bundle: Path,
    options: Sequence[str] = AS_BEFORE, heed: Callable[[str], None] = lambda _: None, *, holds: bool = False,
) -> str:  # fmt: skip
    """Install a bundle; return an empty text, or the word for why not, which is written for people as well.

    `options` are those of the installer; `heed` is called with each line that it prints.
    `holds`: whether it starts the referee only after `heed` has returned from the line SERVICES.
    """
    folder = slots.home / INCOMING
    shutil.rmtree(folder, ignore_errors=True)  # what an interrupted installation has left
    version = ""
    try:
        # First of all, so that whoever waits for the result can tell it from an older one that says the same.
        change.report_progress("checking", "")
        if is_in_memory(root):
            raise BadBundle("in_memory", "expected a system that keeps what is installed, found overlayroot")
        if change.trial() is not None:
            raise BadBundle("on_trial", "expected no version on trial, found one")
        folder.mkdir(parents=True, mode=0o700)
        version = unpack(bundle, root / SIGNERS, release_of(root), folder).version
        change.report_progress("installing", version)
        _run_installer(root, folder, options, heed, holds=holds)
        change.report_unchanged(version)
    except BadBundle as error:
        failed, why = error.reason, str(error)
    except OSError as error:
        failed, why = "no_room", str(error)
    else:
        failed = why = ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if failed:
        slots.remove_incomplete()  # it would take the room that the next update needs
        # Now that there is room again to write it.
        sys.stderr.write(f"updater: {why}\n")
        change.report_failure(version, failed, why)
    return failed


def install_waiting(root: Path, slots: Slots, change: Change) -> str:
    """Install the bundle that waits, and remove it, whatever became of it."""
    bundle = root / USUAL / WAITING
    try:
        if not bundle.is_file() or bundle.is_symlink():
            return "damaged"
        return install_bundle(root, slots, change, bundle)
    finally:
        _remove(bundle)


def _remove(path: Path) -> None:
    """Remove whatever lies there: systemd would start this again and again for a folder, too."""
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            remove_file(path)


def _run_installer(
    root: Path, folder: Path, options: Sequence[str], heed: Callable[[str], None], *, holds: bool
) -> None:  # fmt: skip
    """Run the installer of the bundle; raises BadBundle if it fails."""
    held, go_on = os.pipe()  # not its standard input: nothing that the installer calls may wait for an answer there
    command = ["timeout", f"{INSTALL_S:.0f}", "bash", str(folder / "systemd/install.sh"), *options]
    command += [] if root == Path("/") else ["--root", str(root)]
    command += ["--hold", str(held)] if holds else []
    with (
        os.fdopen(held),
        os.fdopen(go_on, "w") as door,
        tempfile.TemporaryFile("w+", errors="replace") as errors,
        subprocess.Popen(  # noqa: S603
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
            cwd="/",
            pass_fds=[held] if holds else [],
        ) as installer,
    ):
        for line in installer.stdout or ():
            print(line, end="", flush=True)
            heed(line.rstrip("\n"))
            if line.rstrip("\n") == SERVICES:
                print(file=door, flush=True)
        installer.wait()
        errors.seek(0)
        said = errors.read()
    if installer.returncode == TIMED_OUT:
        raise BadBundle("install", "expected the installer to end within an hour, found it running")
    if installer.returncode:
        lines = [line for line in said.splitlines() if line.strip() and "run it again" not in line]
        full = [line for line in lines if "No space left" in line]
        raise BadBundle("no_room" if full else "install", (full or lines or ["the installer failed"])[-1].strip())


def release_of(root: Path) -> str:
    """Return the name of the system's release, such as trixie; empty if it has none."""
    for line in (root / "etc/os-release").read_text(encoding="utf-8").splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip().strip('"')
    return ""
