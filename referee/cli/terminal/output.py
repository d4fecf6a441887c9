"""Standard output that is full, closed, or has no such letter: that ends no game, and shows no traceback."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import unicodedata
from collections.abc import MutableMapping
from typing import TextIO

from referee.cli.terminal.common import complain

_PLAIN = {
    "\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MULTIPLICATION SIGN}": "x",
    "\N{LEFT SINGLE QUOTATION MARK}": "'", "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"', "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{DOUBLE LOW-9 QUOTATION MARK}": '"', "\N{SINGLE LOW-9 QUOTATION MARK}": "'",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": '"', "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": '"',
    "\N{LATIN SMALL LETTER SHARP S}": "ss", "\N{LATIN CAPITAL LETTER SHARP S}": "SS",
    "\N{LATIN SMALL LETTER AE}": "ae", "\N{LATIN CAPITAL LETTER AE}": "AE",
    "\N{LATIN SMALL LIGATURE OE}": "oe", "\N{LATIN CAPITAL LIGATURE OE}": "OE",
    "\N{LATIN SMALL LETTER O WITH STROKE}": "o", "\N{LATIN CAPITAL LETTER O WITH STROKE}": "O",
    "\N{LATIN SMALL LETTER L WITH STROKE}": "l", "\N{LATIN CAPITAL LETTER L WITH STROKE}": "L",
    "\N{RIGHTWARDS ARROW}": "->",
}  # fmt: skip
"""What stands for letters that no decomposition makes plain."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """An error handler of codecs: letters without their accents where the console has no accents, else "?".

    Every letter by itself: the console may well know the one beside it.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = "".join(map(_plain, error.object[error.start : error.end]))
    try:
        written.encode(error.encoding)
    except UnicodeEncodeError:  # an encoding that has no plain letters either
        written = "?" * (error.end - error.start)
    return written, error.end


def _plain(letter: str) -> str:
    """A letter in ASCII; nothing for an accent by itself."""
    if unicodedata.combining(letter):
        return ""
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    return "".join(one if one.isascii() else _PLAIN.get(one, "?") for one in bare)


def forgive_letters() -> None:
    """From now on letters that a terminal does not know come out without their accents, or as question marks."""
    codecs.register_error("plain letters", plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain letters")


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
