"""The director's desk on the pages of players and of tables: the clock, announcements, and calls for the director.

In a hall whose tables have no boxes these pages are all that players see of the desk. A call takes nothing but the
token of the page. What a page sends is done once, by the id that the page gave it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Annotated, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.club.hall.desk.keeper import DeskFacts
from referee.club.hall.desk.phone_calls import (
    PhoneCall,
    call_from_phone,
    call_seen_by,
    may_withdraw,
    place_in_queue,
    was_closed,
    withdraw_from_phone,
)
from referee.club.hall.desk.state import Caller, DeskState, OpenCall, RoundClock
from referee.club.hall.reader import HallFacts
from referee.club.hall.tournaments.state import Hosted
from referee.club.protocol.documents import LONGEST_CALL_TEXT, Reason
from referee.errors import BadInput
from referee.game.notice import Notice, told_by
from referee.journal.codec import PLAIN, codec_of
from referee.page.access.limits import Buckets
from referee.page.access.policy import Rate
from referee.page.broadcast import Broadcast
from referee.page.command import Malformed, Refused, one_line, one_of, read_object, read_posted, text
from referee.page.endpoint import NOT_READY, CommandEndpoint
from referee.page.openapi import Described
from referee.page.wording import PageWording, language_of, notice_response
from referee.pages.hall.desk_commands import LONGEST_ID

NO_STORE = {"Cache-Control": "no-store"}
CALL, WITHDRAW = "call", "withdraw"
RATE = Rate(6, 1 / 20)
"""How often one page may call or withdraw: six times at once, then once in 20 seconds. Chosen by hand."""
SHORTEST_ID, LONGEST_OWN_ID = 8, 40
NOW = "Referee-Now"
"""The header with the hall's clock: the times on the page are moments of it."""


@dataclass(frozen=True, slots=True)
class CallFields:
    """A call for the director, or its withdrawal; `id` is that of the call."""

    do: Annotated[str, one_of(CALL, WITHDRAW)]
    id: Annotated[str, text(SHORTEST_ID, LONGEST_ID)]
    reason: Annotated[Reason | None, one_of(*Reason)] = None
    text: Annotated[str, text(0, LONGEST_CALL_TEXT, one_line)] = ""


_FIELDS = codec_of(CallFields, PLAIN)
DESCRIBED = Described(
    "Call the director, or withdraw the call; each call once, by its id.",
    _FIELDS.schema,
    {
        "type": "object",
        "required": ["done", "told"],
        "properties": {"done": {"const": True}, "told": {"type": "string", "minLength": 1}},
    },
)


def caller_of(hosted: Hosted, table: int | None, player: int | None = None) -> Caller:
    """Return who calls from a page of the tournament: of a player, who may have no table, or of a table."""
    name = "" if player is None else hosted.tournament.players[player - 1].name
    return Caller(hosted.slug, len(hosted.rounds), table, player, name)


def call_key(hosted: Hosted, caller: Caller) -> str:
    """Return the key of the caller's table for calls: its table of the hall, or a key that is no such name.

    A player without a table, as before the first draw, has a key of their own.
    """
    if caller.table is None:
        return f"{hosted.slug}#p{caller.player}"
    return place_key(hosted, caller.table)


def place_key(hosted: Hosted, table: int) -> str:
    """Return the key of a table of the last round for calls and announcements."""
    places = hosted.rounds[-1].places if hosted.rounds else ()
    at = places[table - 1] if table <= len(places) else None
    return f"{hosted.slug}#{table}" if at is None else at


FindCaller = Callable[[Request], tuple[Hosted, Caller | None]]
"""Returns the tournament and the caller of the page whose token a request has; None if nobody can call from there now.
Raises 404 if the token is nobody's."""


def call_route(path: str, broadcast: Broadcast, commands: CommandEndpoint, find_caller: FindCaller) -> Route:
    """Return the route to which the pages below `path` post their calls."""
    buckets = Buckets(RATE, broadcast.now)

    async def carry_out(fields: CallFields, hosted: Hosted, caller: Caller | None, *, wait: float) -> None:
        if wait:
            seconds = ceil(wait)
            raise Refused(429, Notice("access.too_often", seconds=seconds), {"Retry-After": str(seconds)})
        if caller is None:
            raise Refused(409, Notice("desk.no_calls_now"))
        if commands.controls is None:
            raise Refused(503, NOT_READY)
        await asyncio.wrap_future(commands.controls.desk.phone(_change_of(fields, hosted, caller)))

    async def call(request: Request) -> Response:
        hosted, caller = find_caller(request)
        try:
            fields = read_posted(_FIELDS, read_object(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)
        try:
            await carry_out(fields, hosted, caller, wait=buckets.take(request.path_params["token"]))
        except Refused as error:
            return notice_response(request, error.told, error.status, error.headers)
        except BadInput as error:
            return notice_response(request, told_by(error), 409)
        done = Notice("desk.called" if fields.do == CALL else "desk.withdrawn")
        return JSONResponse({"done": True, "told": PageWording(language_of(request))(done)}, headers=NO_STORE)

    return Route(f"{path}{{token}}/call", call, methods=["POST"])


def _change_of(fields: CallFields, hosted: Hosted, caller: Caller) -> Callable[[DeskState, float], DeskState]:
    """Return the change of the desk at a time of day."""
    if fields.do == WITHDRAW:
        return lambda state, wall: withdraw_from_phone(state, fields.id, caller, wall)
    # The ids of one page are none of another's, whatever somebody sends.
    own = f"{'t' if caller.player is None else 'p'}{caller.player or caller.table}-{fields.id[:LONGEST_OWN_ID]}"
    call = PhoneCall(own, call_key(hosted, caller), caller, fields.reason, fields.text.strip())
    return lambda state, wall: call_from_phone(state, call, wall)


def desk_values(
    desk: DeskFacts | None, now: float, hosted: Hosted, table: int | None, player: int | None
) -> Mapping[str, Any]:
    """Return the values for the templates: the clock, the announcements, the newest first, and the call.

    `now`: the hall's monotonic clock. `table`: the number of the table in the draw; None if the player has none.
    `player`: the number of the player; None on the page of a table.
    """
    desk = desk or DeskFacts()
    ended, nobody = hosted.tournament.ended, table is None and player is None
    at = None if table is None else place_key(hosted, table)
    shown = [one for one in reversed(desk.announced) if one.is_shown(now, at)]
    return {
        "clock": None if desk.state.clock is None or ended else _clock(desk.state.clock, now),
        "announced": [{"id": one.id, "text": one.text, "until": round(one.until, 3)} for one in shown],
        "call": None if nobody or ended else _call(desk.state, hosted, caller_of(hosted, table, player)),
        "reasons": [(reason.value, f"desk.reason_{reason.value}") for reason in Reason],
        "longest_call": LONGEST_CALL_TEXT,
    }


def _clock(clock: RoundClock, now: float) -> dict[str, Any]:
    """Return the clock of the round; `ends_at` is a moment of the hall's clock, None while it stands."""
    left = clock.left_at(now)
    return {
        "number": clock.number,
        "left": round(left, 3),
        "ends_at": None if clock.since is None else round(clock.since + clock.left, 3),
        "warn": clock.warn,
        "started": clock.started,
        "changed": Notice("desk.time_changed", minutes=ceil(left / 60)),
        "warning": Notice("desk.minutes_left", minutes=max(1, round(clock.warn / 60))),
    }


def _call(state: DeskState, hosted: Hosted, caller: Caller) -> dict[str, Any]:
    """Return what a page shows of its call or that of its table, and what can be done."""
    call = call_seen_by(state, call_key(hosted, caller), caller)
    if call is None:
        told = (Notice("desk.over"),) if was_closed(state, caller) else ()
        return {"open": False, "told": told, "id": ""}
    mine = call.caller is not None and call.caller.is_same(caller)
    name = "" if mine or call.caller is None else call.caller.name
    by = (Notice("desk.called_by", player=name),) if name else ()
    return {"open": True, "told": (*by, _state_of(state, call)), "id": call.id if may_withdraw(call, caller) else ""}


def _state_of(state: DeskState, call: OpenCall) -> Notice:
    if call.coming:
        return Notice("desk.comes_by_name", who=call.who) if call.who else Notice("desk.comes")
    before = place_in_queue(state, call)
    return Notice("desk.state_waiting_behind", tables=before) if before else Notice("desk.state_waiting")


def player_caller(find: Callable[[str], tuple[Hosted, int] | None]) -> FindCaller:
    """Return what finds the caller of a player's page; `find` finds the tournament and the player of a token."""

    def find_caller(request: Request) -> tuple[Hosted, Caller | None]:
        hosted, player = _found(find(request.path_params["token"]))
        ended = hosted.tournament.ended
        return hosted, None if ended else caller_of(hosted, table_of(hosted, player), player)

    return find_caller


def table_caller(find: Callable[[str], tuple[Hosted, int] | None]) -> FindCaller:
    """Return what finds the caller of a table's page; `find` finds the tournament and the table of a token."""

    def find_caller(request: Request) -> tuple[Hosted, Caller | None]:
        hosted, table = _found(find(request.path_params["token"]))
        return hosted, caller_of(hosted, table) if is_in_round(hosted, table) else None

    return find_caller


def _found(found: tuple[Hosted, int] | None) -> tuple[Hosted, int]:
    if found is None:
        raise HTTPException(404)
    return found


def table_of(hosted: Hosted, player: int) -> int | None:
    """Return the table of a player in the last round, unless the tournament is over; None if they have none."""
    round_ = hosted.last_round
    return None if hosted.tournament.ended or round_ is None else round_.table_of(player)


def enters_on_phones(facts: HallFacts, hosted: Hosted, table: int | None = None) -> bool:
    """Return whether results are entered on phones at a table of the tournament, or anywhere if `table` is None.

    They are where no box records them: at a table of the last round that has no table of the hall, and, before one is
    drawn, in a hall without boxes.
    """
    places = hosted.rounds[-1].places if hosted.rounds else ()
    if places and table is None:
        return None in places
    if table is not None and table <= len(places):
        return places[table - 1] is None
    return facts.alone or not facts.tables


def is_in_round(hosted: Hosted, table: int) -> bool:
    """Return whether the last round has a table with this number, and the tournament is not over."""
    round_ = hosted.last_round
    return not hosted.tournament.ended and round_ is not None and table <= len(round_.tables)
