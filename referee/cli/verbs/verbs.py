"""The verbs by name, each loaded when it is called. Their errors become exit codes and one line each."""

from __future__ import annotations

import contextlib
import copy
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup

from referee import __version__
from referee.cli.terminal.common import Code, code_of, complain, print_json
from referee.cli.terminal.output import finish, forgive_letters, ignore_odd_sizes
from referee.cli.terminal.stopping import STOPPED, interruptible, quiet_stop
from referee.errors import BadInput, RefereeError

if TYPE_CHECKING:
    from referee.cli.parts.readers import Parts

UNREAD = 141
"""The exit code by which shells report a program whose reader, such as `head`, went away (128 + SIGPIPE)."""

_LONGEST_SHOWN = 80
"""The most characters of a value that is quoted in a message."""
_EXPECTED = {"int_parsing": "a whole number", "int_from_float": "a whole number", "float_parsing": "a number"}
_BOUNDS = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}

VERBS = {
    "demo": "Play a whole match at the virtual table: rendered pictures, real vision, real rules.",
    "play": "Referee a real match, with camera, panel, clock and journal.",
    "doctor": "Check camera, light, markers, model, pins, disk, clock and power, and say what to do.",
    "calibrate": "Learn the camera's lens from pictures of a printed sheet.",
    "read": "Read the tiles in pictures of a table.",
    "judge": "Judge one turn: find out whether there is a legal way from one table to the other.",
    "solve": "Show the best legal turn from a table and a hand, step by step.",
    "print": "Write the table's markers and the calibration sheet to a file for printing.",
    "enrol": "Learn a box of tiles from a few pictures that show all its tiles face up.",
    "rules": "Show the rule books and their options.",
    "scores": "Show or correct the score sheets of the matches in the journal.",
    "hall": "Follow many tables over an MQTT broker, on one page with their results.",
    "tournament": "List a hall's tournaments, export, save or restore one, or enter players from a file.",
    "backup": "Save journal, boxes, lens, settings, voices, hall and tournaments to one file. A match may be running.",
    "restore": "Bring back everything from a backup. A match that was under way continues when `referee play` starts.",
    "reset": "Delete everything that a table has gathered, as on its first day; a backup is made first.",
    "init": "Write a settings file with every key, its meaning and its default, commented out.",
    "config": "Check a settings file, and tell everything that is wrong in it, line by line.",
    "completion": "Print the script with which bash, zsh or fish completes verbs and options.",
    "update": "Install another version from a signed bundle; it is used between matches, and taken back if it fails.",
    "train": "Train the model again, from generated pictures to checked ONNX files.",
}
"""Every verb with the first line of its help; it is a function in the module of the same name."""
WITHOUT_OUTPUT = frozenset({"play"})
"""Verbs that work at the table, and do not need standard output."""


JSON = "--json"
"""The option with which a verb answers a program; then its failures are objects, too."""


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
    """The commands of the verbs, each created when it is first used."""

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
    """All verbs. Printing the help about all of them loads none."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = cast("dict[str, Any]", _Loaded())

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as the library calls it
        """Write one line for each verb."""
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
    version: Annotated[  # noqa: ARG001 - its callback handles it
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Keep `referee VERB` the form of every call."""
    # If standard error is closed too, no message is wanted at all.
    if sys.stdout is None and sys.stderr is not None and context.invoked_subcommand not in WITHOUT_OUTPUT:
        raise BadInput("expected standard output for the results, found it closed")


# The class of all errors in arguments; Typer itself exports only one subclass of it.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])


def run(arguments: list[str], parts: Callable[[], Parts] | None = None) -> int:
    """Run one verb and return its exit code; `parts` makes the parts that it uses, the real ones by default."""
    forgive_letters()
    ignore_odd_sizes(os.environ)
    given = arguments or ["--help"]
    try:
        code = int(app(given, prog_name="referee", standalone_mode=False, obj=parts or _real_parts) or 0)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (RefereeError, typer.Abort, _UsageError, OSError, SystemExit) as error:
        code, line = _report_error(error)
        if line and JSON in given:
            with contextlib.suppress(OSError):  # standard output takes nothing, which may be the error
                print_json({"error": line, "code": code})
    finish()
    return code


def _real_parts() -> Parts:
    with quiet_stop():
        from referee.cli.parts.readers import compose
    return compose()


def _report_error(error: BaseException) -> tuple[int, str]:
    """Print in one line what went wrong; return the exit code and that line, which is empty if nobody is told."""
    match error:
        case RefereeError():
            return int(code_of(error)), complain(error)
        case typer.Abort():
            if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
                return STOPPED, ""
            return STOPPED, complain("stopped")
        case _UsageError():
            return int(Code.BAD_INPUT), complain(_describe_usage_error(error))
        # Typer itself ends the program if the reader has gone away.
        case BrokenPipeError() | SystemExit(__context__=BrokenPipeError()):
            return UNREAD, ""
        case OSError(strerror=reason, filename=name):
            wanted = f"to use {os.fsdecode(name)}" if isinstance(name, str | bytes) else "to write the results"
            return int(Code.BAD_INPUT), complain(f"expected {wanted}, found: {reason or error}")
    raise error


def _describe_usage_error(error: Any) -> str:
    """Return one line about an error of Typer, in the referee's words if it is known here, or else in Typer's."""
    said = str(error.format_message())
    context = getattr(error, "ctx", None)
    # The name of the verb, or nothing for the program itself, whose name every message begins with.
    where = f"{context.info_name}: " if context is not None and context.parent is not None else ""
    for pattern, describe in _MESSAGES.items():
        if (match := re.fullmatch(pattern, said, re.DOTALL)) is not None:
            return describe(match, where)
    match = re.fullmatch(r"Invalid value for '([^']+)': (?:Value error, )?(.*)", said, re.DOTALL)
    return said if match is None else f"{match[1]}: {_describe_value(error, match[2])}"


def _describe_value(error: Any, said: str) -> str:
    """Return what is wrong with a value: by the error that Pydantic found, or else in Typer's words."""
    faults = error.__cause__.errors() if hasattr(error.__cause__, "errors") else []
    if faults and (expected := _expectation(faults[0])):
        return f"expected {expected}, found {str(faults[0]['input'])[:_LONGEST_SHOWN]}"
    if (match := re.fullmatch(r"'(.*)' is not one of (.*?)\.?", said, re.DOTALL)) is not None:
        return f"expected one of {match[2].replace(chr(39), '')}, found {match[1]!r:.{_LONGEST_SHOWN}}"
    return said


def _expectation(fault: Mapping[str, Any]) -> str:
    """Return what Pydantic expected, in the referee's words; empty if there are none for it."""
    kind = str(fault["type"])
    if kind in _BOUNDS:
        how, bound = _BOUNDS[kind]
        return f"{how} {fault['ctx'][bound]:g}"
    return _EXPECTED.get(kind, "")


def _missing_argument(match: re.Match[str], where: str) -> str:
    return f"{where}expected {match[1]}, found none"


def _unknown_option(match: re.Match[str], where: str) -> str:
    nearest = re.findall(r"--?[\w-]+", match[2])
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else "--help lists them"
    return f"{where}expected an option that exists, found {match[1]}; {hint}"


def _unknown_verb(match: re.Match[str], where: str) -> str:
    nearest = re.findall(r"'([^']+)'", match[2])
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else "`referee --help` lists them"
    return f"{where}expected a verb, found {match[1]!r:.{_LONGEST_SHOWN}}; {hint}"


def _too_many(match: re.Match[str], where: str) -> str:
    return f"{where}expected no further argument, found {match[1][:_LONGEST_SHOWN]}"


def _no_value(match: re.Match[str], _: str) -> str:
    return f"{match[1]}: expected a value, found none"


def _needless_value(match: re.Match[str], _: str) -> str:
    return f"{match[1]}: expected no value, found one"


_MESSAGES: Mapping[str, Callable[[re.Match[str], str], str]] = {
    r"Missing (?:argument|option|parameter) '([^']+?)(?:\.\.\.)?'\..*": _missing_argument,
    r"No such option: (\S+)(.*)": _unknown_option,
    r"No such command '(.*?)'\.(.*)": _unknown_verb,
    r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)": _too_many,
    r"Option '([^']+)' requires .*": _no_value,
    r"Option '([^']+)' does not take a value\.": _needless_value,
}
"""Messages of Typer, as regular expressions, with functions that return the referee's own words for them."""
