"""What the verbs share: exit codes, consoles, values of options, and a sighting in words."""

from __future__ import annotations

import contextlib
import enum
import errno
import json
import math
import os
import re
import sys
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import typer
from rich.console import Console

from referee.errors import BadInput, CameraLost, CannotJudge, Loss, RefereeError
from referee.game.tiles import TileSet, tile_set
from referee.i18n import error_text

if TYPE_CHECKING:  # most verbs read no pictures, and need not load what does
    from referee.cli.parts.readers import Parts
    from referee.vision.sighting import Reader, Sighting


def some_path(text: object) -> Path:
    """Return the path of an option; an empty text is refused, because it would mean the current folder."""
    if not str(text).strip():
        raise typer.BadParameter("expected a name, found nothing")
    return Path(str(text))


_Item = TypeVar("_Item")
AUTO = "auto"
DEFAULT_TABLE = "900x600"
TABLE = typer.Option(metavar="WxH", help="Distances between the markers' centres, in millimetres.")
BOX = typer.Option("--box", metavar="BOX", help="The enrolled box in use, a name or a file.")
LENS = typer.Option(
    "--lens", metavar="FILE", parser=some_path, help="The camera's lens profile, written by `referee calibrate`."
)
CHOICE = typer.Option("--option", metavar="NAME=CHOICE", help="An option of the rule book; may be repeated.")
SMALLEST_MM, LARGEST_MM = 100.0, 5000.0


class Code(enum.IntEnum):
    """The exit codes; if several apply, the highest is used."""

    DONE = 0
    REFUSED = 1
    BAD_INPUT = 2
    CANNOT_JUDGE = 3
    NO_CAMERA = 4


def code_of(error: RefereeError) -> Code:
    """Return the exit code for an error."""
    if isinstance(error, CannotJudge):
        return Code.CANNOT_JUDGE
    # Missing software stays missing until somebody installs it; a camera may be there at the next start.
    if isinstance(error, CameraLost) and error.kind is not Loss.UNUSABLE:
        return Code.NO_CAMERA
    return Code.BAD_INPUT


def parts_of(context: typer.Context) -> Parts:
    """Return the parts that this run of the command line uses."""
    if not callable(context.obj):
        raise TypeError(f"expected what makes the parts of the application in the context, got {context.obj!r}")
    return cast("Parts", context.obj())


def reader_of(parts: Parts, lens: Path | None) -> Reader:
    """Return the reader, with the lens of a profile if one is named."""
    if lens is None:
        return parts.reader()
    from referee.cli.parts import lens_profiles as optics

    profile = optics.load(lens)
    return optics.Through(parts.reader_through(profile.lens), profile, str(lens))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raise an ordinary error if the reader of a pipe has gone away, instead of ending the program."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def stdout() -> Console:
    """Return standard output, with colour only on a terminal, and without interpreting file names as markup."""
    return _Console(highlight=False, markup=False, soft_wrap=True)


def stderr() -> Console:
    """Return standard error, for messages and progress."""
    return _Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


PRINTED: deque[tuple[float, str]] = deque(maxlen=400)
"""The last lines that were printed for people, and when: help that can be sent has them if there is no log."""


def remember_line(text: str) -> None:
    """Remember a line that is printed; only in memory."""
    PRINTED.append((time.time(), text))


STEERING = ("Cc", "Cf")
"""Categories of signs that steer a terminal or the direction of writing."""


def complain(text: object) -> str:
    """Print a text or an error on standard error, as one line, and return that line.

    It may quote the name of a file or the answer of a server: signs that steer a terminal are left out.
    """
    said = error_text(text) if isinstance(text, BaseException) else str(text)
    remember_line(said)
    line = "".join(letter for letter in " ".join(said.split()) if unicodedata.category(letter) not in STEERING)
    with contextlib.suppress(OSError):  # nobody reads it
        stderr().print(f"referee: {line}", style="red")
    return line


def at_a_terminal() -> bool:
    """Return whether somebody can be asked, that is, whether standard input is a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask_line(question: str) -> str:
    """Ask a question and return the typed line; empty at the end of the input."""
    stderr().print(question, end="")
    return sys.stdin.readline().strip()


def show_progress(items: Sequence[_Item], text: str) -> Iterator[_Item]:
    """Yield the items, with a bar on standard error that shows how many are done; no bar unless it is a terminal."""
    console = stderr()
    if not console.is_terminal or len(items) < 2:
        yield from items
        return
    from rich.progress import track

    yield from track(items, text, console=console, transient=True)


@contextlib.contextmanager
def show_part(text: str) -> Iterator[Callable[[int, int], None]]:
    """Provide what takes how much of how much is done; on a terminal, standard error has a bar that shows it."""
    console = stderr()
    if not console.is_terminal:
        yield lambda _, __: None
        return
    from rich.progress import Progress

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextlib.contextmanager
def show_bytes(
    text: str, otherwise: Callable[[int, int | None], None] = lambda _, __: None
) -> Iterator[Callable[[int, int | None], None]]:
    """Provide what shows how many bytes of how many have come: a bar on a terminal, or else `otherwise`."""
    console = stderr()
    if not console.is_terminal:
        yield otherwise
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda received, size: bar.update(task, completed=received, total=size)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line of standard output.

    If that cannot have some letter, as in the name of a file that is no UTF-8, it is escaped: a program needs it as it
    is.
    """
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value)
    typer.echo(text)


def named_tile_set(name: str) -> TileSet:
    """Return the tile set that `--tileset` names."""
    try:
        return tile_set(name)
    except BadInput as error:
        raise BadInput(f"--tileset: {error}") from None


def table_size(text: str) -> tuple[float, float]:
    """Return width and height in millimetres from a text such as `900x600`."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)\s*", text)  # noqa: RUF001 - people type both
    size = (float(match[1]), float(match[2])) if match else (0.0, 0.0)
    if not all(SMALLEST_MM <= side <= LARGEST_MM for side in size):
        limits = f"{SMALLEST_MM:g} to {LARGEST_MM:g} mm"
        raise BadInput(f"--table: expected WIDTHxHEIGHT of {limits} such as {DEFAULT_TABLE}, found {text!r}")
    return size


def check_finite(option: str, value: float | None) -> None:
    """Raise BadInput for `nan` and `inf`, which parse as numbers and which not every version of Typer refuses."""
    if value is not None and not math.isfinite(value):
        raise BadInput(f"{option}: expected a number, found {value}")


def end_of_path(path: Path) -> Path:
    """Return the target of a path, to compare it with others; a link to itself is its own target.

    `Path.resolve` raises RuntimeError for such a link.
    """
    return Path(os.path.realpath(path))


def folder(option: str, path: Path) -> Path:
    """Return the folder that an option names, and create it if necessary."""
    refuse_file(option, path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{option}: expected a folder to write to, found: {error.strerror} ({path})") from error
    return path


def refuse_file(option: str, path: Path) -> None:
    """Raise BadInput if there is a file in place of the folder that an option names, or of one of its parents."""
    for place in (path, *path.absolute().parents):
        with contextlib.suppress(OSError):  # this user may not enter it; creating the folder reports that
            if place.exists() and not place.is_dir():
                raise BadInput(f"{option}: expected a folder to write to, found a file ({place})")


def set_in_words(sighting: Sighting, members: tuple[int, ...]) -> str:
    """Return one set of a sighting in notation, with doubtful tiles marked."""
    from referee.cli.terminal.reads import in_words

    return " ".join(in_words(sighting.reads[i]) for i in members)
