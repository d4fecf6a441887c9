"""`referee update`: gives a bundle to the machine's updater, and follows what becomes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from referee.backup.rights import as_owner
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import LANGUAGE, as_set, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import tell
from referee.devices.installed_versions import SERVICE_STATE
from referee.devices.update_download import fetch_bundle, is_address
from referee.devices.update_files import MOST_BYTES, ArrivingBundle, NotTaken
from referee.devices.update_result import ENDED, FILE, update_notices, update_record, update_state
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording

LOOK_S = 1.0
REFUSED = ("failed", "back")
PIECE = 1 << 20
SENT = Notice("update.sent")
Sleep = Callable[[float], None]


def update(
    source: Annotated[
        str, typer.Argument(metavar="FILE|URL", help="The bundle with the update: a file, or where to fetch it.")
    ],
    *,
    state: Annotated[
        Path, typer.Option("--state", metavar="FOLDER", parser=common.some_path, help="Folder of the service.")
    ] = SERVICE_STATE,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object; progress goes to standard error.")
    ] = False,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Install another version from a signed bundle; it is used between matches, and taken back if it fails."""
    return install_from(source, state, wording(language, as_set()), time.sleep, as_json=as_json)


def install_from(source: str, state: Path, words: Wording, sleep: Sleep, *, as_json: bool = False) -> int:
    """Hand over a bundle, a file or an address, and follow it; `sleep` waits that many seconds."""
    say = _say_beside if as_json else tell
    before = _mark(state)
    if is_address(source):
        fetch(source, state, sleep)
    else:
        hand_over(common.some_path(source), state)
    say(words(SENT))  # the updater may take a while until it says something
    code = follow(state, before, words, sleep, say)
    if as_json:
        told = " ".join(map(ENGLISH, update_notices(state)))
        common.print_json({"installed": code == Code.DONE, **update_record(state), "text": told})
    return code


def _say_beside(text: str) -> None:
    with suppress(OSError):  # nobody reads it
        common.stderr().print(text)


def fetch(url: str, state: Path, sleep: Sleep) -> None:
    """Fetch a bundle and put it where the updater takes it, with a bar that shows its progress; raises BadInput."""
    with _rights(state), common.show_bytes("Fetching the update") as show:
        fetch_bundle(url, state, sleep, show)


def hand_over(file: Path, state: Path) -> None:
    """Put a copy of a bundle where the updater takes it, all at once; raises BadInput."""
    if not file.is_file():
        raise BadInput(f"{file}: expected the file of an update, found {'a folder' if file.is_dir() else 'none'}")
    if (size := file.stat().st_size) > MOST_BYTES:
        raise BadInput(f"{file}: expected at most {MOST_BYTES:,} bytes, found {size:,}")
    try:
        with file.open("rb") as source, _rights(state), ArrivingBundle(state, size) as bundle:
            while piece := source.read(PIECE):
                bundle.write(piece)
            bundle.finish()
    except NotTaken as error:
        raise BadInput(f"{file}: {error}" if error.reason == "no_bundle" else str(error)) from error
    except OSError as error:
        raise BadInput(f"{file}: expected a file that can be read, found: {error.strerror}") from error


def follow(
    state: Path, before: tuple[int, int] | None, words: Wording, sleep: Sleep, say: Callable[[str], None] = tell
) -> int:
    """Tell what becomes of an update until the version is started; `before` is the mark of an older result."""
    told = None
    while True:
        if _mark(state) != before:
            notices = update_notices(state)
            if notices != told:
                told = notices
                for notice in notices:
                    say(words(notice))
            if (now := update_state(state)) in ENDED:
                return Code.REFUSED if now in REFUSED else Code.DONE
        sleep(LOOK_S)


@contextmanager
def _rights(state: Path) -> Iterator[None]:
    """Have the rights of the service's user, so that no link misleads root and the page owns the files."""
    if not state.is_dir():
        raise BadInput(f"{state}: expected the folder of the service, found none: `sudo make install` makes it")
    with as_owner(state):
        yield


def _mark(state: Path) -> tuple[int, int] | None:
    """Return what tells one result from another; None without one."""
    try:
        found = (state / FILE).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
