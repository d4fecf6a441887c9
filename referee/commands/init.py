"""`referee init`: write a settings file that explains every setting."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.commands import common
from referee.commands.common import Code
from referee.config import example
from referee.devices.pins import example as panel_example
from referee.errors import BadInput


def init(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path("referee.toml"),
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> int:
    """Write a settings file: every key with its meaning and default, commented out."""
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(example() + "\n" + panel_example().rstrip() + "\n")
    except FileExistsError:
        raise BadInput(f"{path}: expected no such file yet, found one; --force writes over it") from None
    except OSError as error:
        raise BadInput(f"{path}: expected a place to write settings, found: {error.strerror}") from error
    common.stdout().print(f"Settings written to {path}; every line that starts with # is a default.")
    return Code.DONE
