"""What was printed before the program failed, and the error: the service itself may not read the system's log.

The file beside the journal is only read for help that can be sent, which removes what is private.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from referee.cli.terminal.chosen_settings import journal_folder
from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput
from referee.report.bundle import names_known_since
from referee.report.log import Printed
from referee.report.shown_settings import private_texts
from referee.settings.settings import Settings

FILE = "last-failure.json"
LINES = 100
"""How many of the last printed lines are kept, and how many of the error."""
MOST_BYTES = 500_000
LATEST_S = 4e9
"""In 2096. A later time is none that this program has written."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What was printed before the program failed, and the report of the error.

    `private`: what must be removed from it besides names that the journal and the present settings have.
    """

    printed: tuple[Printed, ...] = ()
    private: tuple[str, ...] = ()


def keep_failure(settings: Settings, error: BaseException, printed: Sequence[Printed]) -> None:
    """Keep an error that ends the program, with what was printed before; without room, nothing is kept."""
    now, folder = time.time(), journal_folder(settings)
    report = [line for part in traceback.format_exception(error) for line in part.splitlines() if line.strip()]
    lines = [*list(printed)[-LINES:], *((now, line.strip()) for line in report[-LINES:])]
    private = [*settings.game.players, *private_texts(settings)]
    kept = {"lines": lines, "private": private, "since": names_known_since(folder)}
    with suppress(BadInput):
        write_whole(folder / FILE, json.dumps(kept).encode(), FILE, 0o600)


def last_failure(folder: Path) -> Failure:
    """Return the last failure; an empty one if there was none.

    It is empty as well if the journal has been set aside since then, as damaged: nobody knows the names in it. The
    times of the lines do not tell that, because after a power cut the clock may be behind.
    """
    try:
        found = json.loads(read_whole(folder / FILE, MOST_BYTES, FILE))
        if found["since"] != names_known_since(folder):
            return Failure()
        lines = tuple((float(at), str(text)) for at, text in found["lines"] if 0 <= float(at) < LATEST_S)
        return Failure(lines, tuple(map(str, found["private"])))
    except (BadInput, ValueError, TypeError, KeyError, RecursionError):
        return Failure()
