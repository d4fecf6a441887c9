"""Input from people: presses, lines at the console, requests of pages and clubs, and answers to questions.

Everything becomes an event, a command or a request before the controller receives it.
"""

from referee.table.input.commands import Command
from referee.table.input.requests import PendingRequest, Request
from referee.table.input.touches import Touch

__all__ = ["Command", "PendingRequest", "Request", "Touch"]
