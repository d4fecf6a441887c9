"""`referee init`: writes a settings file that explains every setting."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.terminal import common
from referee.cli.terminal.common import Code
from referee.devices.whole_file import end_of_links
from referee.devices.wiring.pins import example as panel_example
from referee.errors import BadInput, RefereeError
from referee.settings.settings import example


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", parser=common.some_path, help="The file to write.")] = Path(
        "referee.toml"
    ),
    *,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Write a settings file with every key, its meaning and its default, commented out."""
    if str(path) == "-":
        raise BadInput("init: expected the name of a file, found -; /dev/stdout shows the settings")
    try:
        if path.is_dir():
            raise BadInput(f"{path}: expected a file to write settings to, found a folder")
        if os.path.lexists(path) and not force:
            raise BadInput(f"{path}: expected no such file yet, found one; --force writes over it")
        _write(path, example() + "\n" + panel_example().rstrip() + "\n")
    except RefereeError:
        raise
    except OSError as error:
        raise BadInput(f"{path}: expected a place to write settings, found: {error.strerror}") from error
    if as_json:
        common.print_json({"file": str(path)})
        return Code.DONE
    common.stdout().print(f"Settings written to {path}; every line that starts with # is a default.")
    return Code.DONE


def _write(path: Path, text: str) -> None:
    """Write a file completely or not at all: if the disk is full, the old file is unchanged and no new one is left."""
    if path.exists() and not path.is_file():  # a terminal or a pipe; without a reader a pipe would wait for ever
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_NONBLOCK), "w", encoding="utf-8") as file:
            file.write(text)
        return
    path = end_of_links(path)
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:  # also after Ctrl-C, no draft is left
        draft.unlink(missing_ok=True)
        raise
