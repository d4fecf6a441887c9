"""What the director may ask of tables, as commands of the page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from referee.club.hall.reader import HallFacts
from referee.club.protocol import Do
from referee.game.notice import Notice
from referee.page.command import Command, one_of, text

ORDERS = (Do.PAUSE, Do.RESUME, Do.LOOK, Do.ANNOUNCE, Do.PICTURE)
LONGEST_TABLE, LONGEST_TEXT = 32, 200


class HallControls(Protocol):
    """The way from the page to the tables."""

    def order(self, table: str, do: Do, said: str) -> None:
        """Ask one table for something."""

    def forget(self, table: str) -> Future[Notice | None]:
        """Show a table no more until it speaks again; the result comes once that is so, or says why not."""


@dataclass(frozen=True, slots=True)
class ForgetFields:
    """A table, by its name."""

    table: Annotated[str, text(1, LONGEST_TABLE)]


@dataclass(frozen=True, slots=True)
class OrderFields:
    """What is asked of a table, or of all that are there; `text` is what is to be announced."""

    do: Annotated[Do, one_of(*ORDERS)]
    table: Annotated[str | None, text(1, LONGEST_TABLE)] = None
    text: Annotated[str, text(0, LONGEST_TEXT)] = ""


async def _order(fields: OrderFields, facts: HallFacts, controls: HallControls) -> Notice | None:
    """Ask one table, or all that are there; what a table does not allow it does not do."""
    if not facts.connected:
        return Notice("hall.no_line")
    do, said, name = fields.do, fields.text, fields.table
    if do is Do.ANNOUNCE and not said.strip():
        return Notice("hall.nothing_said")
    names = [table for table, view in facts.tables.items() if view.online] if name is None else [name]
    if name is not None and name not in facts.tables:
        return Notice("hall.no_such_table", table=name)
    if name is not None and not facts.tables[name].online:
        return Notice("hall.not_there")
    for table in names:
        controls.order(table, do, said)
    return None if names else Notice("hall.no_tables")


async def _forget(fields: ForgetFields, facts: HallFacts, controls: HallControls) -> Notice | None:
    """Show a table no more that has gone; what it has told stays, and it is shown again once it speaks."""
    view = facts.tables.get(fields.table)
    if view is None:
        return Notice("hall.no_such_table", table=fields.table)
    if view.online:
        return Notice("hall.still_there", table=view.name)
    if not facts.connected:
        return Notice("hall.no_line")
    return await asyncio.wrap_future(controls.forget(view.name))


COMMANDS: Mapping[str, Command[Any]] = {
    "forget": Command(ForgetFields, _forget),
    "order": Command(OrderFields, _order),
}
