"""The entry point of the command line. It is loaded quickly, so that Ctrl-C ends it quietly from the first moment.

Typer, OpenCV and the networks take seconds to load on a Pi, so this module imports none of them. While they are
loaded, until a verb begins, an interruption ends the process at once: a `KeyboardInterrupt` within an import would
print a traceback, or be lost in a callback of the import machinery.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.cli.terminal.stopping import STOPPED, ProcessEnd, hold_standard_streams, quiet_stop, stop_at_once

if TYPE_CHECKING:
    from referee.cli.parts.readers import Parts


def main(argv: Sequence[str] | None = None, parts: Callable[[], Parts] | None = None) -> int:
    """Run one verb and return its exit code. Without `argv`, sys.argv is used and the process ends with that code."""
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
