"""Standard output that is full, closed, or has no such letter: that ends no game, and shows no traceback."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import MutableMapping
from typing import TextIO

from referee.cli.terminal.common import complain


def forgive_letters() -> None:
    """From now on letters that a terminal does not know come out as question marks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def ignore_odd_sizes(environ: MutableMapping[str, str]) -> None:
    """From now on a terminal's size that is no size, such as `COLUMNS=0`, counts as unknown.

    Libraries read these variables for themselves, and some of them stumble over 0, or over digits that are not ASCII.
    """
    for name in ("COLUMNS", "LINES"):
        if name in environ and not re.fullmatch(r"0*[1-9][0-9]{0,4}", environ[name], re.ASCII):
            del environ[name]


def tell(text: str) -> None:
    """One line for whoever reads along, at once; when nobody can read along, that is said once on standard error."""
    try:
        print(" ".join(text.split()), flush=True)
    except BlockingIOError:  # a terminal that was stopped takes nothing just now
        return
    except OSError as error:
        _let_go(sys.stdout)
        complain(f"standard output takes nothing any more, and the game goes on without: {error.strerror}")


def finish() -> None:
    """Write what still waits; whatever cannot be written does not matter any more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _let_go(stream)


def _let_go(stream: TextIO) -> None:
    """Let what is written from now on vanish, as what waits would otherwise fail again and again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except OSError:  # no file behind it
        return
