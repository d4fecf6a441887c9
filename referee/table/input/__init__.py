"""What people want: presses, words at the console, answers to what the referee asks.

Everything becomes an event or a command before the controller sees it.
"""

from referee.table.input.commands import Command
from referee.table.input.requests import PendingRequest, Request
from referee.table.input.touches import Touch

__all__ = ["Command", "PendingRequest", "Request", "Touch"]
