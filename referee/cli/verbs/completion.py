"""`referee completion`: the script with which a shell completes verbs and options."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.terminal.command_tree import verbs_of
from referee.cli.terminal.common import Code
from referee.cli.terminal.shells import SHELLS
from referee.errors import BadInput


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(metavar="SHELL", help=f"The shell: {', '.join(SHELLS)}.")],
) -> int:
    """Print the script with which bash, zsh or fish completes verbs and options."""
    if shell not in SHELLS:
        raise BadInput(f"completion: expected one of {', '.join(SHELLS)}, found {shell!r:.40}")
    typer.echo(SHELLS[shell](list(verbs_of(context.find_root().command))), nl=False)
    return Code.DONE
