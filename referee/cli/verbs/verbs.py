"""The verbs by name, each loaded when it is called; their errors as exit codes and one line each."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from referee import __version__
from referee.cli.terminal.common import Code, code_of, complain
from referee.cli.terminal.output import finish, forgive_letters, ignore_odd_sizes
from referee.cli.terminal.stopping import STOPPED, interruptible, quiet_stop
from referee.cli.terminal.usage_errors import describe_usage_error
from referee.errors import BadInput, RefereeError

if TYPE_CHECKING:
    from referee.cli.parts.readers import Parts

UNREAD = 141
"""The exit code by which shells report a program whose reader, such as `head`, went away (128 + SIGPIPE)."""

VERBS = {
    "demo": "Play a whole match at the virtual table: rendered pictures, real vision, real rules.",
    "play": "Referee a real match, with camera, panel, clock and journal.",
    "doctor": "Check camera, light, markers, model, pins, disk, clock and power, and say what to do.",
    "calibrate": "Learn the camera's lens from pictures of a printed sheet.",
    "read": "Read the tiles in pictures of a table.",
    "judge": "Judge one turn: find out whether there is a legal way from one table to the other.",
    "print": "Write the table's markers and the calibration sheet to a file for printing.",
    "enrol": "Learn a box of tiles from a few pictures that show all its tiles face up.",
    "rules": "Show the rule books and their options.",
    "scores": "Show or correct the score sheets of the matches in the journal.",
    "hall": "Follow many tables over an MQTT broker, on one page with their results.",
    "init": "Write a settings file with every key, its meaning and its default, commented out.",
    "train": "Train the model again, from generated pictures to checked ONNX files.",
}
"""Every verb, the function of the same name in the module of the same name, with the first line of its help."""
WITHOUT_OUTPUT = frozenset({"play"})
"""Verbs that do their work at the table, whoever reads along."""


_LONGEST_SHOWN = 80


class _Verb(TyperCommand):
    """One verb. An option that may be given once must not be given with two values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse options that are given with different values, of which Typer would silently take the last one."""
        every = copy.copy(self)
        every.params = [_all_values(parameter) for parameter in self.params]
        values, *_ = every.make_parser(ctx).parse_args(list(args))
        for once in (parameter for parameter in self.params if _takes_one_value(parameter)):
            given = list(dict.fromkeys(values.get(once.name) or ()))
            if len(given) > 1:
                found = " and ".join(f"{value!r:.{_LONGEST_SHOWN}}" for value in given[:2])
                raise BadInput(f"{once.opts[0]}: expected one value, found both {found}")
        return super().parse_args(ctx, args)


def _takes_one_value(parameter: Any) -> bool:
    return parameter.param_type_name == "option" and not (parameter.is_flag or parameter.multiple)


def _all_values(parameter: Any) -> Any:
    """Return the parameter, or a copy that collects the values of an option that is given more than once."""
    if not _takes_one_value(parameter):
        return parameter
    every = copy.copy(parameter)
    every.multiple = True
    return every


class _Loaded(Mapping[str, Any]):
    """The verbs' commands, each made when it is asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in VERBS:
            raise KeyError(name)
        if name not in self._made:
            verb = getattr(import_module(f"referee.cli.verbs.{name}"), name)
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(name, cls=_Verb)(interruptible()(verb))
            self._made[name] = typer.main.get_command(alone)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class _Verbs(TyperGroup):
    """All verbs; the help of them all loads none."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = cast("dict[str, Any]", _Loaded())

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as the library calls it
        """One line for each verb."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


app = typer.Typer(
    cls=_Verbs,
    name="referee",
    help="A referee for tile Rummy played with real tiles on a real table. Without a verb, this help is shown.",
    epilog="Exit codes: 0 done or accepted, 1 refused, 2 bad input, 3 cannot be judged, 4 no camera.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def _verbs(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - seen to as it is met
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Keep `referee VERB` the form of every call."""
    # Whoever closes standard error as well wants to hear nothing at all.
    if sys.stdout is None and sys.stderr is not None and context.invoked_subcommand not in WITHOUT_OUTPUT:
        raise BadInput("expected standard output for the results, found it closed")


# Whatever is wrong with the arguments; Typer names only its best known leaf.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])


def run(arguments: list[str], parts: Callable[[], Parts] | None = None) -> int:
    """Run one verb with the parts that `parts` makes, the real ones if not given; the exit code says how it went."""
    forgive_letters()
    ignore_odd_sizes(os.environ)
    try:
        given = arguments or ["--help"]
        code = int(app(given, prog_name="referee", standalone_mode=False, obj=parts or _real_parts) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (RefereeError, typer.Abort, _UsageError, OSError, SystemExit) as error:
        code = _report_error(error)
    finish()
    return code


def _real_parts() -> Parts:
    with quiet_stop():
        from referee.cli.parts.readers import compose
    return compose()


def _report_error(error: BaseException) -> int:
    """Say in one line what went wrong; the exit code for it."""
    match error:
        case RefereeError():
            complain(error)
            return int(code_of(error))
        case typer.Abort():
            if not isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
                complain("stopped")
            return STOPPED
        case _UsageError():
            complain(describe_usage_error(error))
            return 2
        # Typer ends the program by itself when the reader went away.
        case BrokenPipeError() | SystemExit(__context__=BrokenPipeError()):
            return UNREAD
        case OSError(strerror=reason, filename=name):
            wanted = f"to use {os.fsdecode(name)}" if isinstance(name, str | bytes) else "to write the results"
            complain(f"expected {wanted}, found: {reason or error}")
            return int(Code.BAD_INPUT)
    raise error
