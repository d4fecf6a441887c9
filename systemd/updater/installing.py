"""The installation of a bundle into the slot that is not in use, with the network off.

1. The bundle is unpacked below /opt/referee, which only root can write, as far as its signature covers it.
2. The installer in it builds the version, and tries it: it plays one match at the virtual table.
3. Then the version is asked for; `switching` does the rest. Until then nothing of the version in use has changed.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

from updater.bundle import SIGNERS, BadBundle, unpack
from updater.disk import remove_file
from updater.slots import Slots
from updater.switching import Change

INCOMING = "incoming"
WAITING = "updates/bundle"
"""Where `referee update` and the page put a bundle, in the folder of the journal."""
INSTALL_S = 3600.0


def install_bundle(root: Path, slots: Slots, change: Change, bundle: Path) -> str:
    """Install a bundle; return an empty text, or the word for why not, which is written for people as well."""
    folder = slots.home / INCOMING
    shutil.rmtree(folder, ignore_errors=True)  # what an interrupted installation has left
    version = ""
    try:
        if change.trial() is not None:
            raise BadBundle("on_trial", "expected no version on trial, found one")
        change.report_progress("checking", "")
        folder.mkdir(parents=True, mode=0o700)
        version = unpack(bundle, root / SIGNERS, _release(root), folder).version
        change.report_progress("installing", version)
        _run_installer(root, folder)
    except BadBundle as error:
        sys.stderr.write(f"updater: {error}\n")
        change.report_failure(version, error.reason, str(error))
        return error.reason
    except OSError as error:
        sys.stderr.write(f"updater: {error}\n")
        change.report_failure(version, "no_room", str(error))
        return "no_room"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ""


def install_waiting(root: Path, slots: Slots, change: Change, state: Path) -> str:
    """Install the bundle that was put into the folder of the journal, and remove it, whatever became of it."""
    bundle = state / WAITING
    if not bundle.is_file() or bundle.is_symlink():
        return "damaged"
    try:
        return install_bundle(root, slots, change, bundle)
    finally:
        with contextlib.suppress(OSError):
            remove_file(bundle)


def _run_installer(root: Path, folder: Path) -> None:
    """Run the installer of the bundle; raises BadBundle if it fails."""
    command = ["bash", str(folder / "systemd/install.sh"), "--as-before"]
    command += [] if root == Path("/") else ["--root", str(root)]
    try:
        done = subprocess.run(  # noqa: S603
            command, stdout=None, stderr=subprocess.PIPE, text=True, check=False, timeout=INSTALL_S, cwd="/"
        )
    except subprocess.TimeoutExpired as error:
        raise BadBundle("install", "expected the installer to end within an hour, found it running") from error
    if done.returncode:
        lines = [line for line in done.stderr.strip().splitlines() if "run it again" not in line]
        full = any("No space left" in line for line in lines)
        raise BadBundle("no_room" if full else "install", (lines or ["the installer failed"])[-1])


def _release(root: Path) -> str:
    for line in (root / "etc/os-release").read_text(encoding="utf-8").splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip().strip('"')
    return ""
