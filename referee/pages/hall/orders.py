"""The commands with which the director asks something of tables."""

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
    """What the page can ask of the tables."""

    def order(self, table: str, do: Do, said: str) -> None:
        """Send a command to one table; `said` is the text of an announcement."""

    def forget(self, table: str) -> Future[Notice | None]:
        """Hide a table until it sends a message again; the result is None once it is hidden, or says why it is not."""


@dataclass(frozen=True, slots=True)
class ForgetFields:
    """The name of a table."""

    table: Annotated[str, text(1, LONGEST_TABLE)]


@dataclass(frozen=True, slots=True)
class OrderFields:
    """What a table is to do, or all tables that are online; `text` is the text of an announcement."""

    do: Annotated[Do, one_of(*ORDERS)]
    table: Annotated[str | None, text(1, LONGEST_TABLE)] = None
    text: Annotated[str, text(0, LONGEST_TEXT)] = ""


def no_line(facts: HallFacts) -> Notice:
    """Return why the hall, which is not connected to a broker, reaches no table."""
    return Notice("hall.alone" if facts.alone else "hall.no_line")


async def _order(fields: OrderFields, facts: HallFacts, controls: HallControls) -> Notice | None:
    """Ask one table, or all that are online. A table ignores commands that its settings do not allow."""
    if not facts.connected:
        return no_line(facts)
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
    """Hide a table that is offline. Its results are kept, and it appears again once it sends a message."""
    view = facts.tables.get(fields.table)
    if view is None:
        return Notice("hall.no_such_table", table=fields.table)
    if view.online:
        return Notice("hall.still_there", table=view.name)
    if not facts.connected:
        return no_line(facts)
    return await asyncio.wrap_future(controls.forget(view.name))


COMMANDS: Mapping[str, Command[Any]] = {
    "forget": Command(ForgetFields, _forget),
    "order": Command(OrderFields, _order),
}
