"""The connections that SQLite gives to whoever writes a journal."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Connections:
    """Keeps every connection that may write, and lets it begin with the statement that `begin` has for its file."""

    def __init__(self, connect: Callable[..., sqlite3.Connection]) -> None:
        self.made: list[sqlite3.Connection] = []
        self.begin: Callable[[Path], str] = lambda _: ""
        self._connect = connect

    def connect(self, database: Any, **how: Any) -> sqlite3.Connection:
        """In place of `sqlite3.connect`; an address is opened to read only, and left alone."""
        made = self._connect(database, **how)
        if isinstance(database, Path):
            made.execute(self.begin(database))
            self.made.append(made)
        return made
