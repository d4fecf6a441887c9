"""The commands of the director's desk: the clock of the round, calls of tables, announcements.

Those about the clock name the state that they were meant for, so of two directors who give five minutes more at the
same moment, one is told that the other was first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

from referee.club.hall.desk.keeper import DeskKeeper
from referee.club.hall.desk.state import (
    Change,
    come,
    extend_clock,
    pause_clock,
    set_clock,
    start_clock,
    stop_clock,
)
from referee.club.hall.reader import MOST_TABLES, HallFacts
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.page.command import Command, Done, NoFields, one_line, several, text, whole
from referee.pages.hall.orders import LONGEST_TABLE, LONGEST_TEXT, no_line

MOST_MINUTES, MOST_MORE, MOST_WARNED, MOST_SHOWN = 600, 60, 60, 120
"""The longest time for a round, the most minutes that are added at once, the earliest warning, and how long an
announcement may be shown, all in minutes. Chosen by hand."""
LONGEST_WHO, LONGEST_ID = 40, 64
MINUTE_S = 60
CLOCK, CALLS = "round-clock", "calls"
"""The parts of the page that commands are about."""


class DeskControls(Protocol):
    """What the page can ask of the director's desk."""

    desk: DeskKeeper

    async def announce(self, tables: Sequence[str], text: str, seconds: int, *, for_all: bool) -> None:
        """Send an announcement to tables, which show it for so many seconds; raises BadInput if it cannot be kept.

        `for_all`: the pages of all players show it, too; otherwise those of the players at these tables.
        """


@dataclass(frozen=True, slots=True)
class SetFields:
    """The minutes that a round has, and how many minutes before the end the tables are warned (0: never).

    `each`: every round has this time: the clock is set anew when a round is drawn, and starts when it begins.
    """

    minutes: Annotated[int, whole(1, MOST_MINUTES)]
    warn: Annotated[int, whole(0, MOST_WARNED)] = 5
    each: bool = False


@dataclass(frozen=True, slots=True)
class ExtendFields:
    """The minutes that the round gets, or loses if the number is negative."""

    minutes: Annotated[int, whole(-MOST_MORE, MOST_MORE)]


@dataclass(frozen=True, slots=True)
class ComeFields:
    """The id of a call, and who is coming."""

    call: Annotated[str, text(1, LONGEST_ID)]
    who: Annotated[str, text(0, LONGEST_WHO, one_line)] = ""


@dataclass(frozen=True, slots=True)
class DoneFields:
    """The id of a call."""

    call: Annotated[str, text(1, LONGEST_ID)]


@dataclass(frozen=True, slots=True)
class AnnounceFields:
    """The text of an announcement, for how many minutes it is shown, and to which tables; None: all connected ones."""

    text: Annotated[str, text(1, LONGEST_TEXT, one_line)]
    tables: Annotated[tuple[str, ...] | None, several(text(1, LONGEST_TABLE), MOST_TABLES, 1)] = None
    minutes: Annotated[int, whole(1, MOST_SHOWN)] = 10


@dataclass(frozen=True, slots=True)
class WithdrawFields:
    """The id of an announcement."""

    announcement: Annotated[str, text(1, LONGEST_ID)]


F = TypeVar("F")


async def _wait_for_answer(future: Future[None]) -> Notice | None:
    """Wait for a change; return why it was refused, None if it was made."""
    try:
        await asyncio.wrap_future(future)
    except BadInput as error:
        return told_by(error)
    return None


def _changes(change_of: Callable[[F], Change]) -> Callable[[F, Any, Any], Awaitable[Notice | None]]:
    """Return a command that makes a change at the desk."""

    async def run(fields: F, _: HallFacts, controls: DeskControls) -> Notice | None:
        return await _wait_for_answer(controls.desk.change(change_of(fields)))

    return run


async def _finish(fields: DoneFields, _: HallFacts, controls: DeskControls) -> Notice | None:
    return await _wait_for_answer(controls.desk.finish_call(fields.call))


def _setting(told: SetFields) -> Change:
    return set_clock(told.minutes * MINUTE_S, told.warn * MINUTE_S, each=told.each)


async def _announce(fields: AnnounceFields, facts: HallFacts, controls: DeskControls) -> Notice | Done | None:
    """Send an announcement; the answer names the chosen tables that are not connected, and so do not get it.

    One for everybody also reaches the players' own pages, which need no broker.
    """
    for_all = fields.tables is None
    phones = for_all and has_players(facts)
    if not facts.connected and not phones:
        return no_line(facts)
    if not fields.text.strip():
        return Notice("hall.nothing_said")
    online = [name for name, view in facts.tables.items() if view.online and facts.connected]
    chosen = online if fields.tables is None else list(dict.fromkeys(fields.tables))
    there = [name for name in chosen if name in online]
    if not there and not phones:
        return Notice("hall.no_tables" if for_all else "hall.not_there")
    try:
        await controls.announce(there, fields.text.strip(), fields.minutes * MINUTE_S, for_all=for_all)
    except BadInput as error:
        return told_by(error)
    away = tuple(name for name in chosen if name not in online)
    return Done((Notice("desk.not_reached", tables=away),)) if away else None


async def _withdraw_announcement(fields: WithdrawFields, _: HallFacts, controls: DeskControls) -> Notice | None:
    return await _wait_for_answer(controls.desk.withdraw_announcement(fields.announcement))


def has_players(facts: HallFacts) -> bool:
    """Return whether there are players who have pages of their own, on which an announcement is shown."""
    known = facts.tournaments
    return known is not None and known.current is not None and bool(known.secret and known.current.tournament.players)


COMMANDS: Mapping[str, Command[Any]] = {
    "clock-set": Command(SetFields, _changes(_setting), (CLOCK,)),
    "clock-start": Command(NoFields, _changes(lambda _: start_clock), (CLOCK,)),
    "clock-pause": Command(NoFields, _changes(lambda _: pause_clock), (CLOCK,)),
    "clock-extend": Command(ExtendFields, _changes(lambda told: extend_clock(told.minutes * MINUTE_S)), (CLOCK,)),
    "clock-stop": Command(NoFields, _changes(lambda _: stop_clock), (CLOCK,)),
    "call-coming": Command(ComeFields, _changes(lambda told: come(told.call, told.who.strip()))),
    "call-done": Command(DoneFields, _finish),
    "announce": Command(AnnounceFields, _announce),
    "announce-withdraw": Command(WithdrawFields, _withdraw_announcement),
}
