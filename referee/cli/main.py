"""The command line's entry: light enough that Ctrl-C is answered quietly from its first moment.

Typer, OpenCV and the networks take seconds to load on a Pi. Nothing is loaded with this module. While the rest is
loaded, until a verb begins, an interruption ends the process at once: a `KeyboardInterrupt` within an import leaves a
traceback, or is lost in a callback of the import machinery.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.cli.terminal.stopping import STOPPED, ProcessEnd, hold_standard_streams, quiet_stop, stop_at_once

if TYPE_CHECKING:
    from referee.cli.parts.readers import Parts


def main(argv: Sequence[str] | None = None, parts: Callable[[], Parts] | None = None) -> int:
    """Run one verb; the exit code says how it went. Without `argv` this is the program, which ends with it."""
    hold_standard_streams()
    end = ProcessEnd() if argv is None else None
    code = 1
    try:
        with quiet_stop():
            from referee.cli.verbs.verbs import run

            code = run(list(sys.argv[1:] if argv is None else argv), parts)
    except KeyboardInterrupt:
        code = STOPPED
    finally:
        if end is not None:
            end.code = code
            stop_at_once()
    return code
