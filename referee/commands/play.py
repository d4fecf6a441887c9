"""`referee play`: a real match at a real table."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import cv2
import typer

from referee.commands import common
from referee.commands.common import Code
from referee.commands.settings import CONFIG, SETTING, journal_folder, settings_of
from referee.devices.gpio import open_panel
from referee.devices.panel import OnEdge, Panel, RecordingPanel
from referee.devices.pins import PAUSE, PinMap
from referee.devices.service import Service
from referee.errors import BadInput
from referee.journal.opening import Opened, open_journal
from referee.journal.pictures import FOLDER, Pictures
from referee.loop import build
from referee.loop.desk import Desk
from referee.loop.looking import Looker
from referee.loop.loop import Loop
from referee.loop.outside import Outside
from referee.vision.sighting import Image

SHORT_S, LONG_S = 0.1, 1.2
JPEG_QUALITY = 85


def play(
    context: typer.Context,
    *,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="Press buttons from standard input: 1, 1! (long), s (start or pause), q.")
    ] = False,
) -> int:
    """Referee a real match: camera, panel, clock, journal."""
    settings, text = settings_of(config, setting or [])
    pins = build.pins_of(settings, text)
    plan = build.plan_of(settings, pins)
    now = time.monotonic
    folder = journal_folder(settings)
    opened = open_journal(folder)
    try:
        for notice in (*opened.notices, *pins.advice()):
            tell(notice)
        kept = None if opened.kept is None or opened.kept.over else opened.kept
        reader = common.parts_of(context).reader()
        camera = build.camera_of(settings.camera, now)
        table_mm = (settings.table.width_mm, settings.table.height_mm)
        looker = Looker(camera, reader, build.box_of(settings, plan), table_mm, now)
        keeper = PictureKeeper(Pictures(folder / FOLDER, settings.storage.pictures_mb * 1_000_000))
        panels: list[Panel] = []

        def panel(on_edge: OnEdge) -> Panel:
            panels.append(open_panel(pins, now, on_edge, tell))
            return panels[0]

        outside = Outside(now, panel, Service(os.environ), tell, keeper.keep)
        desk = Desk(opened.journal, plan.setup, kept)
        loop = Loop(desk, looker, plan, pins, build.watch_of(settings), outside, 0.0 if kept is None else kept.t)
        asyncio.run(_run(loop, (lambda: Keys(loop, panels[0], pins)) if keys else None))
        keeper.close()
    finally:
        _close(opened)
    return Code.DONE


def tell(text: str) -> None:
    """One line for whoever reads along, at once."""
    print(" ".join(text.split()), flush=True)


async def _run(loop: Loop, keys: Callable[[], Keys] | None) -> None:
    """Run the loop until it is told to stop, by a signal or by a key."""
    running = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, loop.stop)
    task = asyncio.ensure_future(loop.run())
    await asyncio.sleep(0)
    if keys is not None and not task.done():
        keys().listen()
    await task


def _close(opened: Opened) -> None:
    opened.journal.close()


class Keys:
    """Buttons pressed on a keyboard, or by another program, in lines: `1`, `1!` held, `s` start or pause, `q` end."""

    def __init__(self, loop: Loop, panel: Panel, pins: PinMap) -> None:
        if not isinstance(panel, RecordingPanel):
            raise BadInput('--keys: expected a panel of kind "console" or "none", found real buttons')
        self._loop, self._panel = loop, panel
        self._contacts = {str(seat): name for seat, name in enumerate(pins.contacts, 1) if name != PAUSE}
        if PAUSE in pins.contacts:
            self._contacts["s"] = PAUSE

    def listen(self) -> None:
        """Take lines from standard input from now on."""
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._line)

    def _line(self) -> None:
        data = os.read(sys.stdin.fileno(), 4096)
        if not data:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        for word in data.decode("utf-8", "replace").split():
            self._word(word)

    def _word(self, word: str) -> None:
        contact = self._contacts.get(word.rstrip("!"))
        if word == "q":
            self._loop.stop()
        elif contact is None:
            tell(f"Known keys: {' '.join(self._contacts)}, with ! held; q ends.")
        else:
            self._panel.edge(contact, True)
            hold = LONG_S if word.endswith("!") else SHORT_S
            asyncio.get_running_loop().call_later(hold, self._panel.edge, contact, False)


class PictureKeeper:
    """Keeps the pictures of verdicts in a thread of its own, so that no disk delays a lamp."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._thread = ThreadPoolExecutor(1, "pictures")

    def keep(self, match: int, number: int, picture: Image) -> None:
        """Keep a picture soon."""
        self._thread.submit(self._write, match, number, picture)

    def close(self) -> None:
        """Wait for the last picture."""
        self._thread.shutdown(wait=True)

    def _write(self, match: int, number: int, picture: Image) -> None:
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        before = self._pictures.trouble
        self._pictures.keep(match, number, data)
        if self._pictures.trouble not in (None, before):
            tell(str(self._pictures.trouble))
