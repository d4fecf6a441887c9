"""Answers for `/machine` and for what its script asks; both only for those who may set up the table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.devices.system.bus import BusError
from referee.devices.system.clock import ClockState, SystemClock, known_zones, zones
from referee.devices.system.network import NoWifi, Seen, Used
from referee.devices.system.power import Going
from referee.devices.wiring.pins import PAUSE
from referee.game.notice import Notice
from referee.journal.codec import PLAIN, codec_of
from referee.journal.score_formats import local_time
from referee.page.access import Access
from referee.page.access.answers import NO_STORE
from referee.page.access.authorization import ENTER
from referee.page.access.secret import DIGITS, PIN_FORM
from referee.page.broadcast import Broadcast
from referee.page.command import Malformed, Refused, read_object, read_posted
from referee.page.pages import Pages, input_limits
from referee.page.wording import notice_response
from referee.pages.table.machine.api import (
    CLOCK,
    JOINED,
    NETWORKS,
    PAGE,
    PIN,
    POWER,
    RESET,
    SAFE,
    WIFI,
    ZONE,
    ClockFields,
    PinFields,
    PowerFields,
    ResetFields,
    SafeFields,
    WifiFields,
    ZoneFields,
)
from referee.pages.table.machine.care import Care, Checked
from referee.pages.table.machine.joining import Joining
from referee.pages.table.match_first import END_IT, why_match_first
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.presence.routes import Presence
from referee.table.preparation.values import SetupStage

NOT_HERE = Notice("system.not_from_here")
MATCH_GOES_ON, UNWRITTEN = Notice("system.match_goes_on"), Notice("system.match_unwritten")
AT_TABLE, JOINED_IT = Notice("system.at_table"), "system.wifi_joined"
NO_WIFI, NOT_ALLOWED = Notice("system.no_wifi"), Notice("system.not_allowed")
GONE = {Going.OFF: Notice("system.goes_off"), Going.RESTART: Notice("system.restarts")}
NEEDS_PIN = Notice("help.needs_pin")
RESET_WORD = Notice("system.reset_word")
PIN_SET, PIN_DROPPED = Notice("system.pin_is_set"), Notice("system.pin_dropped")
FORBIDDEN, NOT_FOUND, CONFLICT, UNAVAILABLE, FULL = 403, 404, 409, 503, 507
NOT_SURE = 412
"""What would end the machine during a match is only done if the same is asked for again, with `sure`."""
LEAST_BUTTONS = 2


class MachinePages:
    """The page of the machine, and its requests."""

    def __init__(self, pages: Pages, broadcast: Broadcast, presence: Presence, access: Access) -> None:
        self._pages, self._broadcast, self._presence, self._access = pages, broadcast, presence, access
        self.care: Care | None = None
        """The machine; None if there is none to be looked after, as in a demo."""
        self._joining: Joining | None = None

    def routes(self) -> list[Route]:
        """Return the routes."""
        posts = {
            POWER: self._end,
            CLOCK: self._set_clock,
            ZONE: self._set_zone,
            WIFI: self._join,
            SAFE: self._change_mode,
            RESET: self._reset,
        }
        return [
            Route(PAGE, self._page),
            Route(NETWORKS, self._networks),
            Route(JOINED, self._joined),
            Route(PIN, self._set_pin, methods=["POST"]),
            *(Route(path, _answer(run), methods=["POST"]) for path, run in posts.items()),
        ]

    async def _page(self, request: Request) -> Response:
        if not request.state.may_write:
            return RedirectResponse(f"{ENTER}?next={PAGE}", 303, NO_STORE)
        care = self.care
        checked = [] if care is None else await run_in_threadpool(care.check)
        network = None if care is None else care.network
        used = None if network is None else await run_in_threadpool(network.used)
        clock = None if care is None or care.clock is None else await run_in_threadpool(_clock_shown, care.clock)
        facts = self._broadcast.facts
        safe = () if care is None or care.safe is None or care.safe.why is None else (care.safe.why,)
        told = (*_missing(facts), *(one for one in facts.troubles if one not in safe), *safe)
        troubles = [Checked(AT_TABLE, "wrong", one) for one in told]
        return self._pages.page(
            request,
            "machine.html",
            care=care,
            checked=_worst_first([*troubles, *checked]),
            under_way=self._told_of_match if self._match_is_under_way else None,
            by_hand=_by_hand(facts.contacts),
            clock=clock,
            password_limits=input_limits(codec_of(WifiFields, PLAIN).schema["properties"]["password"]),
            used=None if used is None else [_network_notice(one) for one in used],
            pin="" if not self._access.is_open else "asked" if self._access.asks_by_choice else "open",
            confirms=self._presence.proof.proven,
            digits=DIGITS,
            reset_word=RESET_WORD,
            joined=None if self._joining is None else self._joining.state[1],
        )

    @property
    def _match_is_under_way(self) -> bool:
        scene = self._broadcast.facts.scene
        return scene is not None and scene.state.phase.in_match

    @property
    def _told_of_match(self) -> Notice:
        """What becomes of the match under way if the machine is switched off now."""
        return UNWRITTEN if self._broadcast.facts.is_unwritten else MATCH_GOES_ON

    async def _set_clock(self, request: Request) -> Notice:
        fields: ClockFields = await _fields(request, ClockFields)
        clock = self._clock
        if (refused := await run_in_threadpool(clock.set_time, fields.at)) is not None:
            raise Refused(CONFLICT, refused)
        return Notice("system.clock_set", when=_now())

    async def _set_zone(self, request: Request) -> Notice:
        fields: ZoneFields = await _fields(request, ZoneFields)
        clock = self._clock
        if fields.zone not in await run_in_threadpool(frozenset, known_zones()):
            raise Malformed(f"zone: expected a time zone such as Europe/Rome, found {fields.zone!r}")
        if (refused := await run_in_threadpool(clock.set_zone, fields.zone)) is not None:
            raise Refused(CONFLICT, refused)
        return Notice("system.zone_set", zone=fields.zone, when=_now())

    async def _networks(self, request: Request) -> Response:
        """Answer with the Wi-Fis around, the strongest first; only to those who may set up the table."""
        if not request.state.may_write:
            return notice_response(request, NEEDS_PIN, FORBIDDEN)
        network = None if self.care is None else self.care.network
        if network is None:
            return notice_response(request, NO_WIFI, NOT_FOUND)
        try:
            seen = await run_in_threadpool(network.seen)
        except BusError as error:
            if isinstance(error, NoWifi):
                return notice_response(request, NO_WIFI, NOT_FOUND)
            return notice_response(request, error.told, UNAVAILABLE)
        words = self._pages.words(request)
        networks = [
            {"name": one.name, "signal": one.signal, "locked": one.locked, "known": one.known,
             "text": ", ".join(words(told) for told in _wifi_notices(one))}
            for one in seen
        ]  # fmt: skip
        return JSONResponse({"networks": networks}, headers=NO_STORE)

    async def _joined(self, request: Request) -> Response:
        """Answer whether the machine is changing its Wi-Fi, and what became of the last change."""
        if not request.state.may_write:
            return notice_response(request, NEEDS_PIN, FORBIDDEN)
        busy, told = (False, None) if self._joining is None else self._joining.state
        words = self._pages.words(request)
        return JSONResponse(
            {"busy": busy, "well": told is None or told.key == JOINED_IT, "told": "" if told is None else words(told)},
            headers=NO_STORE,
        )

    async def _join(self, request: Request) -> Notice:
        fields: WifiFields = await _fields(request, WifiFields)
        network = None if self.care is None else self.care.network
        if network is None:
            raise Refused(CONFLICT, NO_WIFI)
        self._presence.check(request, Action.WIFI)
        self._joining = self._joining or Joining()
        if not self._joining.begin(network, fields.name, fields.password):
            raise Refused(CONFLICT, Notice("system.joining_already"))
        return Notice("system.joining", name=fields.name)

    async def _change_mode(self, request: Request) -> Notice:
        fields: SafeFields = await _fields(request, SafeFields)
        care = self.care
        safe = None if care is None else care.safe
        if care is None or safe is None or care.rebuild is None:
            raise Refused(CONFLICT, NOT_ALLOWED)
        if self._match_is_under_way:
            raise Refused(CONFLICT, END_IT)
        if (unwritten := await run_in_threadpool(lambda: safe.change(on=fields.on))) is not None:
            raise Refused(FULL, unwritten)
        if (refused := await asyncio.wrap_future(care.rebuild())) is not None:
            raise Refused(CONFLICT, refused)
        return Notice("system.safe_entered" if fields.on else "system.safe_left")

    async def _reset(self, request: Request) -> Notice:
        """Delete everything, once the word was typed and those at the table have confirmed it, where they must."""
        fields: ResetFields = await _fields(request, ResetFields)
        reset = None if self.care is None else self.care.reset
        if reset is None:
            raise Refused(CONFLICT, NOT_ALLOWED)
        if (first := why_match_first(self._broadcast.facts)) is not None:
            raise Refused(CONFLICT, first)
        if fields.word.strip().casefold() != self._pages.words(request)(RESET_WORD).casefold():
            raise Refused(CONFLICT, Notice("system.reset_other_word", word=RESET_WORD))
        self._presence.check(request, Action.RESET)
        if (refused := await asyncio.wrap_future(reset(fields.backups))) is not None:
            raise Refused(CONFLICT, refused)
        return Notice("system.resetting")

    async def _set_pin(self, request: Request) -> Response:
        """Ask for a PIN from now on, or no longer; only where the settings ask for none."""
        try:
            fields: PinFields = await _fields(request, PinFields)
            if fields.pin and not PIN_FORM.fullmatch(fields.pin):
                raise Malformed(f"pin: expected {DIGITS} digits, found something else")
            if not self._access.is_open:
                raise Refused(CONFLICT, NOT_ALLOWED)
            self._presence.check(request, Action.PIN)
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)
        except Refused as error:
            return notice_response(request, error.told, error.status, error.headers)
        answer = notice_response(request, PIN_SET if fields.pin else PIN_DROPPED, 200)
        if fields.pin:
            self._access.set_pin(fields.pin, answer)
        else:
            self._access.stop_asking()
        return answer

    @property
    def _clock(self) -> SystemClock:
        if self.care is None or self.care.clock is None:
            raise Refused(CONFLICT, NOT_ALLOWED)
        return self.care.clock

    async def _end(self, request: Request) -> Notice:
        fields: PowerFields = await _fields(request, PowerFields)
        power = None if self.care is None else self.care.power
        if power is None:
            raise Refused(CONFLICT, NOT_HERE)
        if self._match_is_under_way and not fields.sure:
            raise Refused(NOT_SURE, self._told_of_match)
        # Without a table there is nobody to press start, and a machine that is switched off gives nothing away.
        if self._broadcast.facts.setup.stage is SetupStage.READY:
            self._presence.check(request, Action.POWER)
        refused = await run_in_threadpool(power.end, fields.how)
        if refused is not None:
            raise Refused(CONFLICT, refused)
        return GONE[fields.how]


async def _fields(request: Request, kind: type[Any]) -> Any:
    """Return the fields of a post; raises Malformed."""
    return read_posted(codec_of(kind, PLAIN), read_object(await request.body()))


@dataclass(frozen=True, slots=True)
class _ClockShown:
    """The clock as the page shows it; `at` in seconds since 1970. `state` is None if the system does not answer."""

    when: str
    at: float
    known: bool
    state: ClockState | None
    zones: Mapping[str, Sequence[str]]

    def lists(self, zone: str) -> bool:
        """Return whether a zone can be chosen; the system may use another one, such as Etc/UTC."""
        return any(zone in listed for listed in self.zones.values())

    @property
    def takes_phone(self) -> bool:
        """Whether the time of a phone may be better than the machine's own."""
        return self.state is not None and not self.state.synchronised


def _clock_shown(clock: SystemClock) -> _ClockShown:
    return _ClockShown(_now(), time.time(), clock.is_known, clock.state(), zones())


def _network_notice(used: Used) -> Notice:
    told = Notice("system.on_wifi", name=used.name, signal=used.signal) if used.wifi else Notice("system.on_cable")
    return Notice("system.at_address", network=told, address=used.address) if used.address else told


def _wifi_notices(seen: Seen) -> Iterator[Notice]:
    yield Notice("system.wifi_signal", signal=seen.signal)
    if not seen.locked:
        yield Notice("system.wifi_open")
    if seen.known:
        yield Notice("system.wifi_known")


def _now() -> str:
    return local_time(datetime.now(UTC))


def _by_hand(contacts: Sequence[str]) -> Notice | None:
    """Return how the machine is switched off at a panel with these buttons; None if it has too few."""
    if len(contacts) < LEAST_BUTTONS:
        return None
    return Notice("system.by_start_button" if PAUSE in contacts else "system.by_two_buttons")


def _missing(facts: Any) -> Iterable[Notice]:
    return () if facts.setup.missing is None else (facts.setup.missing,)


def _worst_first(checked: Iterable[Checked]) -> list[Checked]:
    order = ("wrong", "attention", "ok", "skipped")
    return sorted(checked, key=lambda one: order.index(one.result))


def _answer(run: Callable[[Request], Awaitable[Notice]]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that answers with the sentence that `run` returns, or why it refuses."""

    async def answer(request: Request) -> Response:
        try:
            return notice_response(request, await run(request), 200)
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)
        except Refused as error:
            return notice_response(request, error.told, error.status, error.headers)

    return answer
