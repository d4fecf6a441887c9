"""The set-up pages, one plain page for each step and for each further setting, and their pictures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from referee.devices.wiring.pins import PinMap
from referee.game.match.phases import Phase
from referee.game.tiles import TILE_SETS
from referee.journal.scores import MatchScore
from referee.letters import NAME_LETTERS
from referee.page.access.authorization import ENTER
from referee.page.broadcast import Broadcast, number_in
from referee.page.pages import Pages
from referee.page.wording import missing_picture
from referee.pages import qr
from referee.pages.table.commands.setup import ENTRIES
from referee.pages.table.pictures import width_of
from referee.pages.table.setup.books import books
from referee.pages.table.setup.evenings import begun_last, earlier_players
from referee.settings.settings import SETTINGS
from referee.table.output.follower import Facts
from referee.table.output.rectified import jpeg
from referee.vision.boxes.contact_sheet import unpack_picture
from referee.vision.sighting import Image

STEPS = ("camera", "game", "start")
"""What leads to the first turn, in this order; `/setup` is the first of them."""
FURTHER = ("language", "table", "panel", "lens", "box", "extra")
"""What most families never change; `/setup/more` leads to each."""
SHEETS = {"markers": "markers-a4.svg", "calibration": "charuco-a4.svg"}
CAMERAS = ("usb", "network", "pi", "virtual", "folder", "video")
"""The kinds of camera, in the order in which the page offers them."""
COLUMNS = 16
"""Columns of the sheet of tiles; `setup_box.js` has the same number."""


@dataclass(frozen=True, slots=True)
class SetUpPages:
    """Answers everything below `/setup`."""

    broadcast: Broadcast
    pages: Pages
    matches: Callable[[], Awaitable[Sequence[MatchScore]]]
    """Returns every match in the journal, oldest first."""

    def routes(self) -> list[BaseRoute]:
        """Return the routes of all set-up pages and pictures."""
        return [
            Route("/setup", self.first_step),
            *(Route(f"/setup/{step}", self.step) for step in (*STEPS, *FURTHER, "more")),
            Route("/setup/camera/{number}.jpg", self.camera),
            Route("/setup/box/{number}.jpg", self.sheet),
            Route("/setup/box/picture/{number}.jpg", self.photo),
            Route("/setup/{name}.svg", self.drawing),
        ]

    async def first_step(self, request: Request) -> Response:
        """Answer with the first step."""
        return await self._page(request, STEPS[0])

    async def step(self, request: Request) -> Response:
        """Answer with the page of one step, of a further setting, or of all further settings."""
        return await self._page(request, request.url.path.rpartition("/")[2])

    async def camera(self, request: Request) -> Response:
        """Answer with the last picture that was taken for the camera step."""
        view = self.broadcast.facts.prepared.view
        if view is None or view.seen.picture is None or view.number != number_in(request.path_params["number"]):
            return missing_picture(request)
        data = await run_in_threadpool(jpeg, view.seen.picture)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    async def sheet(self, request: Request) -> Response:
        """Answer with all tiles of the enrolment in one picture, row by row."""
        box = self.broadcast.facts.prepared.box
        if box is None or not box.crops or box.sheet != number_in(request.path_params["number"]):
            return missing_picture(request)
        tag = f'"{self.broadcast.epoch}-box-{box.sheet}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        data = await run_in_threadpool(sheet_jpeg, box.crops)
        return Response(data, media_type="image/jpeg", headers=headers)

    async def photo(self, request: Request) -> Response:
        """Answer with one picture of the enrolment; `w` is the width in pixels."""
        box, number = self.broadcast.facts.prepared.box, number_in(request.path_params["number"])
        kept = None if box is None else next((one for one in box.kept if one.number == number), None)
        if kept is None:
            return missing_picture(request)
        width = width_of(request.query_params.get("w", ""))
        tag = f'"{self.broadcast.epoch}-photo-{kept.number}-{width}"'
        headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        data = await run_in_threadpool(photo_jpeg, kept.jpeg, width)
        return Response(data, media_type="image/jpeg", headers=headers)

    async def drawing(self, request: Request) -> Response:
        """Answer with a QR code, or with a sheet to print."""
        name, setup = request.path_params["name"], self.broadcast.facts.setup
        data: bytes | None = None
        if name == "qr" and setup.address:
            data = qr.svg(setup.address)
        elif name == "wifi" and setup.wifi and may_write(request):
            data = qr.svg(setup.wifi)
        elif name in SHEETS:
            data = await run_in_threadpool(_file, [folder / SHEETS[name] for folder in setup.sheets])
        if data is None:
            return missing_picture(request)
        return Response(data, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    async def _page(self, request: Request, name: str) -> Response:
        if not may_write(request):  # all that is entered here would be refused, and lost on the way to the PIN
            return RedirectResponse(f"{ENTER}?next={request.url.path}", 303, {"Cache-Control": "no-store"})
        facts = self.broadcast.facts
        offered = books(facts.setup.values)
        matches = await self.matches()
        boxes = await run_in_threadpool(facts.setup.boxes) if name == "box" else ()
        number = STEPS.index(name) + 1 if name in STEPS else 0
        return self.pages.page(
            request,
            f"setup_{name}.html",
            step=name,
            steps=STEPS,
            further=FURTHER,
            number=number,
            following=STEPS[number] if 0 < number < len(STEPS) else "",
            begun=begun_last(matches),
            earlier=earlier_players(matches),
            boxes=boxes,
            handicaps=_handicaps(facts.setup.values),
            setup=facts.setup,
            chosen=_current_settings(facts),
            books=offered,
            tilesets=[{"name": name, "tiles": box.total} for name, box in TILE_SETS.items()],
            cameras=[kind for kind in CAMERAS if kind in facts.setup.cameras],
            name_letters=NAME_LETTERS,
            most_players=facts.setup.buttons if facts.setup.buttons > 1 else max(book.most for book in offered),
            lobby=facts.scene is not None and facts.scene.state.phase is Phase.LOBBY,
        )


def may_write(request: Request) -> bool:
    """Return whether this browser may change things."""
    return bool(request.state.may_write)


def _current_settings(facts: Facts) -> Mapping[str, Any]:
    """Return the settings in use by `table.key`, with defaults for those that are not set."""
    usual = {name: SETTINGS[name].default for name in ENTRIES if name in SETTINGS} | {"panel.kind": PinMap().kind}
    return {**usual, **facts.setup.values}


def _handicaps(values: Mapping[str, Any]) -> dict[str, int]:
    """Return the extra seconds of each player who has some, by name."""
    names, seconds = values.get("game.players", ()), values.get("game.handicaps", ())
    return {name: extra for name, extra in zip(names, seconds, strict=False) if extra}


def _file(places: list[Path]) -> bytes | None:
    """Return the content of the first of these files that exists; None if none does."""
    return next((place.read_bytes() for place in places if place.is_file()), None)


def sheet_jpeg(crops: Sequence[Image]) -> bytes:
    """Return crops of equal size in rows, the first at the top left. A JPEG has room for the tiles of ten boxes."""
    height, width = crops[0].shape[:2]
    rows = -(-len(crops) // COLUMNS)
    sheet = np.zeros((rows * height, COLUMNS * width, *crops[0].shape[2:]), np.uint8)
    for number, crop in enumerate(crops):
        top, left = number // COLUMNS * height, number % COLUMNS * width
        sheet[top : top + height, left : left + width] = crop
    return jpeg(sheet)


def photo_jpeg(packed: bytes, width: int) -> bytes:
    """Return a picture that was kept as a JPEG, at most `width` pixels wide."""
    picture = unpack_picture(packed)
    high, wide = picture.shape[:2]
    if wide <= width:
        return packed
    size = width, max(1, round(high * width / wide))
    return jpeg(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
