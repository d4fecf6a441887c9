"""The command line: one entry, errors as exit codes and one line each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import cast

import typer

from referee.app import Parts, compose
from referee.commands.calibrate import calibrate
from referee.commands.common import Code, code_of, complain
from referee.commands.demo import demo
from referee.commands.doctor import doctor
from referee.commands.enrol import enrol
from referee.commands.init import init
from referee.commands.judge import judge
from referee.commands.output import finish, forgive_letters
from referee.commands.play import play
from referee.commands.read import read
from referee.commands.rules import rules
from referee.commands.scores import scores
from referee.commands.train import train
from referee.errors import RefereeError

STOPPED = 130
UNREAD = 141
"""As shells call the end of a program whose reader went away, for instance `head`."""

app = typer.Typer(
    name="referee",
    help="A referee for real tile Rummy on a real table. Without a verb, `--help` is shown.",
    epilog="Exit codes: 0 done or accepted, 1 refused, 2 bad input, 3 cannot be judged, 4 no camera.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _verb in (demo, play, doctor, calibrate, read, judge, enrol, rules, scores, init, train):
    app.command()(_verb)


@app.callback()
def _verbs() -> None:
    """Keep `referee VERB` the form of every call."""


# Whatever is wrong with the arguments; Typer names only its best known leaf.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])


def main(argv: Sequence[str] | None = None, parts: Callable[[], Parts] = compose) -> int:
    """Run one verb; the exit code says how it went."""
    arguments = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    forgive_letters()
    try:
        code = int(app(arguments, prog_name="referee", standalone_mode=False, obj=parts()) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (RefereeError, typer.Abort, _UsageError, OSError, SystemExit) as error:
        code = _told(error)
    finish()
    return code


def _told(error: BaseException) -> int:
    """Say in one line what went wrong; the exit code for it."""
    match error:
        case RefereeError():
            complain(error)
            return int(code_of(error))
        case typer.Abort():
            complain("stopped")
            return STOPPED
        case _UsageError():
            complain(error.format_message())
            return 2
        # Typer ends the program by itself when the reader went away.
        case BrokenPipeError() | SystemExit(__context__=BrokenPipeError()):
            return UNREAD
        case OSError(strerror=reason, filename=name):
            wanted = f"to use {os.fsdecode(name)}" if isinstance(name, str | bytes) else "to write the results"
            complain(f"expected {wanted}, found: {reason or error}")
            return int(Code.BAD_INPUT)
    raise error
