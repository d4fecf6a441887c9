"""Asks the table to allow something, says what became of that, and refuses what was not allowed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.devices.panel.real_buttons import ButtonsProof
from referee.devices.wiring.pins import PAUSE
from referee.game.notice import Notice
from referee.journal.codec import PLAIN, codec_of
from referee.page.access.answers import NO_STORE
from referee.page.broadcast import Broadcast
from referee.page.command import Malformed, Refused, read_object, read_posted
from referee.page.endpoint import NOT_READY, PATIENCE_S, CommandEndpoint
from referee.page.pages import Pages
from referee.page.wording import notice_response
from referee.pages.table.commands.setup import ConfigureFields
from referee.pages.table.presence.api import ASK, HEADER, LEAVE, NAMED, QUERY, AskFields, LeaveFields
from referee.pages.table.presence.confirmations import Action, Confirmations
from referee.table.input.requests import AskPresence, LeavePresence
from referee.table.output.follower import Facts
from referee.table.preparation.values import SetupStage

FORBIDDEN, CONFLICT, UNAVAILABLE, CONFIRM = 403, 409, 503, 428
NEEDED, NEEDS_PIN = Notice("presence.needed"), Notice("help.needs_pin")
PRESS_START, PRESS_ANY = Notice("presence.press_start"), Notice("presence.press_button")
PANEL_KIND, REAL = "panel.kind", "gpio"
Answered = Callable[[bool], None]


class Presence:
    """Decides who needs a press of start at the table, and knows for what there was one."""

    def __init__(
        self, pages: Pages, broadcast: Broadcast, commands: CommandEndpoint, proof: ButtonsProof,
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`commands` has the controls of the running loop; `proof` knows whether there are real buttons."""
        self._pages, self._broadcast, self._commands = pages, broadcast, commands
        self.proof = proof
        self._confirmations = Confirmations(now)
        self._waiting: dict[str, Answered] = {}
        commands.guard = self._check_command

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(ASK, self._ask, methods=["POST"]),
            Route(LEAVE, self._leave, methods=["POST"]),
            Route(f"{ASK}/{{id}}", self._state),
        ]

    def is_needed(self, request: Request) -> bool:
        """Return whether those at the table must allow what this request asks for, if it is one of the actions.

        Whoever has entered the PIN, or uses the machine itself, needs nobody's leave.
        """
        return self.proof.proven and not (request.state.known or request.state.at_machine)

    def check(self, request: Request, action: Action) -> None:
        """Raise Refused unless the action was allowed, or nobody needs to allow it. This uses up what was allowed."""
        if not self.is_needed(request):
            return
        name = request.headers.get(HEADER) or request.query_params.get(QUERY, "")
        if not self._confirmations.take(name, action, request.state.session):
            raise Refused(CONFIRM, NEEDED, {NAMED: action.value})

    def _check_command(self, request: Request, fields: Any) -> None:
        """Raise Refused if real buttons are to be given up: after that, nobody at the table could allow anything.

        While there is no table, it is possible, because the panel itself may be what is missing. But then they still
        count as there.
        """
        facts: Facts = self._broadcast.facts
        if not isinstance(fields, ConfigureFields) or facts.setup.stage is not SetupStage.READY:
            return
        kind = fields.settings.get(PANEL_KIND, REAL)
        if kind != REAL and facts.setup.values.get(PANEL_KIND, REAL) == REAL and self.proof.proven:
            self.check(request, Action.PANEL)
            self.proof.forget()

    async def _ask(self, request: Request) -> Response:
        try:
            fields: AskFields = read_posted(codec_of(AskFields, PLAIN), read_object(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)
        if not self.is_needed(request):
            return JSONResponse({"id": "", "told": ""}, 200, NO_STORE)
        name = self._confirmations.begin(fields.action, request.state.session)

        def answered(allowed: bool) -> None:
            self._waiting.pop(name, None)
            self._confirmations.answer(name, allowed=allowed)

        what = Notice("presence.asked", what=Notice(f"presence.to_{fields.action}"))
        self._waiting[name] = answered
        refused = await self._send(AskPresence(what, answered))
        if refused is not None:
            answered(False)
            status = UNAVAILABLE if refused in (NOT_READY, Notice("page.not_ready")) else CONFLICT
            return notice_response(request, refused, status)
        told = PRESS_START if PAUSE in self._broadcast.facts.contacts else PRESS_ANY
        return JSONResponse({"id": name, "told": self._pages.words(request)(told)}, 200, NO_STORE)

    async def _state(self, request: Request) -> Response:
        """Answer whether it was allowed: "waiting", "allowed" or "refused", and for people why not."""
        state = self._confirmations.state(request.path_params["id"], request.state.session)
        word = "waiting" if state is None else "allowed" if state else "refused"
        told = "" if word != "refused" else self._pages.words(request)(Notice("presence.nobody"))
        return JSONResponse({"state": word, "told": told}, headers=NO_STORE)

    async def _leave(self, request: Request) -> Response:
        try:
            fields: LeaveFields = read_posted(codec_of(LeaveFields, PLAIN), read_object(await request.body()))
        except Malformed as error:
            return JSONResponse({"error": str(error)}, 400, NO_STORE)
        answered = self._waiting.get(fields.id)
        if answered is not None and self._confirmations.state(fields.id, request.state.session) is None:
            await self._send(LeavePresence(answered))
        return JSONResponse({"told": ""}, 200, NO_STORE)

    async def _send(self, what: AskPresence | LeavePresence) -> Notice | None:
        if self._commands.controls is None:
            return NOT_READY
        try:
            refused: Notice | None = await asyncio.wait_for(self._commands.controls.send(what), PATIENCE_S)
        except TimeoutError:
            return NOT_READY
        return refused
