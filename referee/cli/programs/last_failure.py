"""What was printed before the program failed, and the error: the service itself may not read the system's log.

The file beside the journal is only read for help that can be sent, which removes what is private.
"""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from referee.devices.whole_file import read_whole, write_whole
from referee.errors import BadInput
from referee.report.log import Printed

FILE = "last-failure.json"
LINES = 100
"""How many of the last printed lines are kept, and how many of the error."""
MOST_BYTES = 500_000
LATEST_S = 4e9
"""In 2096. A later time is none that this program has written."""


def keep_failure(folder: Path, error: BaseException, printed: Sequence[Printed]) -> None:
    """Keep an error that ends the program, with what was printed before; without room, nothing is kept."""
    now = time.time()
    report = [line for part in traceback.format_exception(error) for line in part.splitlines() if line.strip()]
    lines = [*list(printed)[-LINES:], *((now, line.strip()) for line in report[-LINES:])]
    with suppress(BadInput):
        write_whole(folder / FILE, json.dumps(lines).encode(), "a place for the report of an error", 0o600)


def last_failure(folder: Path) -> list[Printed]:
    """Return the lines of the last failure and when they were printed; empty if there was none."""
    try:
        found = json.loads(read_whole(folder / FILE, MOST_BYTES, FILE))
        return [(float(at), str(text)) for at, text in found if 0 <= float(at) < LATEST_S]
    except (BadInput, ValueError, TypeError, RecursionError):
        return []
