"""Commands of the page: small JSON posts that become requests to the loop.

Each names the number of the state it was meant for. It is refused as stale if the parts that it is about have changed
since. Each has its own id: if the same id comes again, it gets the same answer and nothing is done.
"""

from collections.abc import Mapping
from typing import Any

from referee.page.command import Command, Controls, Malformed
from referee.page.endpoint import CommandEndpoint
from referee.pages.table.commands import buttons, desk, rounds, setup, tiles

__all__ = ["COMMANDS", "Command", "CommandEndpoint", "Controls", "Malformed"]

COMMANDS: Mapping[str, Command[Any]] = {
    **tiles.COMMANDS,
    **buttons.COMMANDS,
    **rounds.COMMANDS,
    **setup.COMMANDS,
    **desk.COMMANDS,
}
"""The commands of the page of one table."""
