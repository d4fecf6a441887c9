"""Commands of the page: small JSON posts that become events of the loop.

Each has the number of the state it was meant for: where what it is about has changed since it is refused as late. Each
has an id of its own: one that comes again is answered as before, and does nothing.
"""

from collections.abc import Mapping
from typing import Any

from referee.page.command import Command, Controls, Malformed
from referee.page.endpoint import CommandEndpoint
from referee.pages.table.commands import buttons, rounds, setup, tiles

__all__ = ["COMMANDS", "Command", "CommandEndpoint", "Controls", "Malformed"]

COMMANDS: Mapping[str, Command[Any]] = {**tiles.COMMANDS, **buttons.COMMANDS, **rounds.COMMANDS, **setup.COMMANDS}
"""Those of the page of one table."""
