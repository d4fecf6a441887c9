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
from referee.devices.update_download import check_address, fetch_bundle, is_address
from referee.devices.update_files import (
    BUNDLE,
    MOST_BYTES,
    TAKEN_S,
    UPDATES,
    ArrivingBundle,
    NotTaken,
    mark_of_bundle,
    withdraw_bundle,
)
from referee.devices.update_result import ENDED, FILE, result_folder, update_notices, update_record, update_state
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording
from referee.settings.file import PLACES

LOOK_S = 1.0
ENDED_S = 7_500.0
"""Seconds after which an installation has ended: its service is ended after two hours (`referee-update.service`)."""
WHY = "`systemctl status referee-update.path referee-update.service` says why"
REFUSED = ("failed", "back")
PIECE = 1 << 20
SETTINGS_FILE = PLACES[-1]
"""That of the machine, in which the updater looks for the folder of the journal, too."""
SENT = Notice("update.sent")
STEP = 10
"""Per cent of an update after which the next line follows where no bar can be shown."""
Sleep = Callable[[float], None]
Mark = tuple[int, int] | None


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
    result = result_folder(SETTINGS_FILE) if state == SERVICE_STATE else state
    return install_from(source, state, wording(language, as_set()), time.sleep, as_json=as_json, result=result)


def install_from(
    source: str, state: Path, words: Wording, sleep: Sleep, *, as_json: bool = False, result: Path | None = None
) -> int:
    """Hand over a bundle, a file or an address, and follow it; `sleep` waits that many seconds.

    The updater writes what becomes of it into the folder `result`, by default `state`.
    """
    say, result = _say_beside if as_json else tell, result or state
    before = _mark(result)
    if is_address(source):
        fetch(source, state, sleep, words, say)
    else:
        hand_over(common.some_path(source), state)
    say(words(SENT))  # the updater may take a while until it says something
    code = follow(state, before, words, sleep, say, result)
    if as_json:
        told = " ".join(map(ENGLISH, update_notices(result)))
        common.print_json({"installed": code == Code.DONE, **update_record(result), "text": told})
    return code


def _say_beside(text: str) -> None:
    with suppress(OSError):  # nobody reads it
        common.stderr().print(text)


def fetch(url: str, state: Path, sleep: Sleep, words: Wording, say: Callable[[str], None]) -> None:
    """Fetch a bundle and put it where the updater takes it, and show how far it is; raises BadInput."""

    def interrupted(reason: str, wait_s: float) -> None:
        say(words(Notice("update.fetch_again", address=url, reason=reason, seconds=round(wait_s))))

    check_address(url)
    say(words(Notice("update.fetching", address=url)))
    with _rights(state), common.show_bytes("Fetching the update", _in_steps(words, say)) as show:
        fetch_bundle(url, state, sleep, show, interrupted)


def _in_steps(words: Wording, say: Callable[[str], None]) -> Callable[[int, int | None], None]:
    """Return what says how much of an update has come, every `STEP` per cent if its size is known."""
    said = 0

    def show(received: int, size: int | None) -> None:
        nonlocal said
        percent = 100 * received // size // STEP * STEP if size else 0
        if percent > said:
            said = percent
            say(words(Notice("update.fetched", percent=percent)))

    return show


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
    state: Path,
    before: Mark,
    words: Wording,
    sleep: Sleep,
    say: Callable[[str], None] = tell,
    result: Path | None = None,
) -> int:
    """Tell what becomes of an update until the version is started; `before` is the mark of an older result.

    Raises BadInput if no updater takes the bundle, which is then removed again, and if none comes to an end.
    """
    result = result or state
    told, bundle, silent_s, gone_s, all_s = None, mark_of_bundle(state), 0.0, 0.0, 0.0
    while True:
        if is_begun := _mark(result) != before:
            notices = update_notices(result)
            if notices != told:
                told = notices
                for notice in notices:
                    say(words(notice))
            if (now := update_state(result)) in ENDED:
                return Code.REFUSED if now in REFUSED else Code.DONE
        is_there = bundle is not None and mark_of_bundle(state) == bundle
        if not is_there and gone_s >= TAKEN_S:
            raise BadInput(f"{result / FILE}: expected the updater to say what became of the bundle that is gone, "
                           f"found nothing after {TAKEN_S:.0f} seconds. {WHY}")  # fmt: skip
        if is_there and not is_begun and silent_s >= TAKEN_S:
            withdraw(state, bundle, lambda: _mark(result) != before)
        if all_s >= ENDED_S:
            raise BadInput(f"{result / FILE}: expected the end of the installation within {ENDED_S / 60:.0f} minutes, "
                           f"found none: it may still go on. {WHY}")  # fmt: skip
        sleep(LOOK_S)
        silent_s = 0.0 if is_begun else silent_s + LOOK_S
        gone_s = 0.0 if is_there else gone_s + LOOK_S
        all_s += LOOK_S


def withdraw(state: Path, bundle: Mark, is_begun: Callable[[], bool]) -> None:
    """Remove a bundle that nobody has taken, and raise BadInput; return if the updater has begun at this moment."""
    with _rights(state):
        is_gone = withdraw_bundle(state, bundle)
    if is_begun():
        return
    left = "could not be removed and may be installed later"
    if is_gone:
        left = "was removed again and is not installed later"
    raise BadInput(f"{state / UPDATES / BUNDLE}: expected the updater of this machine to take the bundle within "
                   f"{TAKEN_S:.0f} seconds, found no word from it; the bundle {left}. {WHY}")  # fmt: skip


@contextmanager
def _rights(state: Path) -> Iterator[None]:
    """Have the rights of the service's user, so that no link misleads root and the page owns the files."""
    if not state.is_dir():
        raise BadInput(f"{state}: expected the folder of the service, found none: `sudo make install` makes it")
    with as_owner(state):
        yield


def _mark(result: Path) -> Mark:
    """Return what tells one result from another; None without one."""
    try:
        found = (result / FILE).stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
