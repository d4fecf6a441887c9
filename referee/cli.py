"""The command line: one entry, errors as exit codes and one line each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import cast

import typer

from referee.app import Parts, compose
from referee.commands.common import code_of, complain
from referee.commands.demo import demo
from referee.commands.doctor import doctor
from referee.commands.init import init
from referee.commands.judge import judge
from referee.commands.play import play
from referee.commands.read import read
from referee.commands.rules import rules
from referee.commands.scores import scores
from referee.commands.train import train
from referee.errors import RefereeError

STOPPED = 130

app = typer.Typer(
    name="referee",
    help="A referee for real tile Rummy on a real table. Without a verb, `--help` is shown.",
    epilog="Exit codes: 0 done or accepted, 1 refused, 2 bad input, 3 cannot be judged, 4 no camera.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _verb in (demo, play, doctor, read, judge, rules, scores, init, train):
    app.command()(_verb)


@app.callback()
def _verbs() -> None:
    """Keep `referee VERB` the form of every call."""


# Whatever is wrong with the arguments; Typer names only its best known leaf.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])


def main(argv: Sequence[str] | None = None, parts: Callable[[], Parts] = compose) -> int:
    """Run one verb; the exit code says how it went."""
    arguments = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    try:
        return int(app(arguments, prog_name="referee", standalone_mode=False, obj=parts()) or 0)
    except RefereeError as error:
        complain(error)
        return int(code_of(error))
    except typer.Abort:
        complain("stopped")
        return STOPPED
    except _UsageError as error:
        complain(error.format_message())
        return 2
