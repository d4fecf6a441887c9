"""The commands of the director's desk: call the director, withdraw the call, remove an announcement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from referee.game.notice import Notice
from referee.journal.codec import codec_of
from referee.page.command import Command, Controls, NoFields, one_line, one_of, text, whole
from referee.table.desk_values import REASONS, CallDirector, DismissAnnouncement, WithdrawCall
from referee.table.output.follower import Facts

LONGEST_MORE = 100
MOST_ANNOUNCEMENTS = 10**9


@dataclass(frozen=True, slots=True)
class CallFields:
    """Why somebody calls the director, what else the director should know, and whether the turn clock is to stop."""

    reason: Annotated[str | None, one_of(*REASONS)] = None
    text: Annotated[str, text(0, LONGEST_MORE, one_line)] = ""
    stops: Annotated[bool, codec_of(bool)] = False


@dataclass(frozen=True, slots=True)
class DismissFields:
    """The number of an announcement."""

    number: Annotated[int, whole(1, MOST_ANNOUNCEMENTS)]


async def _call(fields: CallFields, _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(CallDirector(fields.reason, fields.text, fields.stops))


async def _withdraw(_: NoFields, __: Facts, controls: Controls) -> Notice | None:
    return await controls.send(WithdrawCall())


async def _dismiss(fields: DismissFields, _: Facts, controls: Controls) -> Notice | None:
    return await controls.send(DismissAnnouncement(fields.number))


COMMANDS: Mapping[str, Command[Any]] = {
    "call-director": Command(CallFields, _call),
    "withdraw-call": Command(NoFields, _withdraw),
    "dismiss": Command(DismissFields, _dismiss),
}
