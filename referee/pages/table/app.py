"""The application of the page, with its routes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.backup.contents import Places
from referee.devices.panel.real_buttons import ButtonsProof
from referee.devices.update_result import update_notices
from referee.devices.wiring.pins import PAUSE, PinMap
from referee.page.access import Access
from referee.page.access.answers import answer_failure
from referee.page.broadcast import Broadcast
from referee.page.openapi import DOCUMENT, document
from referee.page.pages import Pages
from referee.page.static_files import StaticFiles
from referee.page.stream import Streams
from referee.pages.table.backups import BackupPages, Saving
from referee.pages.table.coach.api import DESCRIBED as COACH_DESCRIBED
from referee.pages.table.coach.routes import Coach
from referee.pages.table.commands import COMMANDS, CommandEndpoint
from referee.pages.table.help import HelpPages
from referee.pages.table.machine.api import DESCRIBED as MACHINE_DESCRIBED
from referee.pages.table.machine.routes import MachinePages
from referee.pages.table.pictures import Pictures
from referee.pages.table.presence.api import DESCRIBED as PRESENCE_DESCRIBED
from referee.pages.table.presence.routes import Presence
from referee.pages.table.puzzle.api import DESCRIBED as PUZZLE_DESCRIBED
from referee.pages.table.puzzle.routes import DailyPuzzles, PuzzlePages
from referee.pages.table.read_pictures import PictureReader
from referee.pages.table.restore_api import DESCRIBED as RESTORES_DESCRIBED
from referee.pages.table.restores import RestorePages
from referee.pages.table.scores import Scores
from referee.pages.table.setup.pages import SetUpPages
from referee.pages.table.update_api import DESCRIBED as UPDATES_DESCRIBED
from referee.pages.table.updates import UpdatePages, Updating
from referee.table.output.follower import Facts

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "page"


def application(
    broadcast: Broadcast,
    language: str,
    access: Access,
    folder: Path | None = None,
    saving: Saving | None = None,
    updating: Updating | None = None,
) -> Starlette:
    """Return the application: `language` is the table's, `access` the rules of access, `folder` holds the journal.

    `saving` says what a backup contains; None: what is in `folder`. `updating` is the updater of this machine; None on
    a machine without one.
    """
    streams, pictures, commands = Streams(broadcast), Pictures(broadcast), CommandEndpoint(broadcast, COMMANDS)
    pages = Pages(HERE / "templates", PAGE / "templates", commands=COMMANDS)
    scores, puzzles, reader = Scores(pages, folder), DailyPuzzles(folder), PictureReader(commands)
    presence = Presence(pages, broadcast, commands, ButtonsProof(folder))
    saving = saving or (None if folder is None else Saving(Places(folder)))
    restores = RestorePages(pages, None if saving is None else saving.places, broadcast, presence)
    helps, machine = HelpPages(pages, presence), MachinePages(pages, broadcast, presence, access)
    static = StaticFiles(PAGE / "static", HERE / "static")

    def page(template: str) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            return pages.page(request, template)

        return answer

    async def more(request: Request) -> Response:
        told = () if folder is None else await asyncio.to_thread(update_notices, folder)
        return pages.page(
            request, "more.html", help=helps.making is not None, update=told, machine=machine.care is not None
        )

    async def now(_: Request) -> Response:
        return JSONResponse({"now": broadcast.now()}, headers={"Cache-Control": "no-store"})

    async def openapi(_: Request) -> Response:
        return JSONResponse(described)

    app = Starlette(
        routes=[
            Route("/", page("table.html")),
            Route("/panel", page("panel.html")),
            Route("/more", more),
            Route("/display", page("display.html")),  # for a television
            Route("/overlay", page("overlay.html")),  # for streaming software
            Route("/api/stream", streams.answer),
            Route("/api/now", now),
            Route("/api/command", commands.answer, methods=["POST"]),
            Route("/picture/{look}.jpg", pictures.answer),
            Route("/picture/{look}/{read}.jpg", pictures.answer),
            Route("/before/{look}/{number}.jpg", pictures.answer_before),
            *scores.routes(),
            *PuzzlePages(pages, broadcast, puzzles, reader).routes(),
            *Coach(broadcast, pages, commands, reader).routes(),
            *BackupPages(pages, saving, presence, restores).routes(),
            *restores.routes(),
            *UpdatePages(pages, updating, presence).routes(),
            *helps.routes(),
            *machine.routes(),
            *presence.routes(),
            *SetUpPages(broadcast, pages, scores.known_matches).routes(),
            Route(DOCUMENT, openapi),
            *access.routes,
            Route("/static/scripts/{names}.js", static.scripts),
            Route("/static/{name}", static.answer),
        ],
        middleware=access.middleware(),
        exception_handlers={HTTPException: answer_failure, Exception: answer_failure},
    )
    described = document(
        app.routes,
        COMMANDS,
        described={
            **COACH_DESCRIBED,
            **PUZZLE_DESCRIBED,
            **RESTORES_DESCRIBED,
            **UPDATES_DESCRIBED,
            **MACHINE_DESCRIBED,
            **PRESENCE_DESCRIBED,
        },
    )
    app.state.language, app.state.pages = language, pages
    app.state.streams, app.state.commands, app.state.puzzles = streams, commands, puzzles
    app.state.restores = restores
    app.state.helps, app.state.machine, app.state.presence = helps, machine, presence
    app.state.start_button = lambda: _has_start_button(broadcast.facts)
    return app


def _has_start_button(facts: Facts) -> bool:
    """Return whether the table has a real start button to hold; the one on the page would require the PIN itself."""
    return facts.setup.values.get("panel.kind", PinMap().kind) == "gpio" and PAUSE in facts.contacts
