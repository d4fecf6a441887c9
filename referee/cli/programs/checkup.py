"""All checks of the doctor, one after the other, with the real parts."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from referee.cli.parts import from_settings as build
from referee.cli.parts import lens_profiles
from referee.cli.parts.lens_profiles import Optics
from referee.cli.parts.readers import Parts, models_dir
from referee.cli.terminal.chosen_settings import journal_folder
from referee.club.table_side.club import broker_probe, endpoint_of
from referee.devices.panel.gpio import open_panel
from referee.devices.panel.panel import OnEdge, Panel
from referee.devices.wiring.pins import PinMap
from referee.doctor import camera as cameras
from referee.doctor import machine as machines
from referee.doctor import panel as panels
from referee.doctor import setup, storage
from referee.doctor.finding import STOP_SERVICE, Finding, Result, error_notice, run_check, sentence, skip_check, wrong
from referee.doctor.place import judge_view
from referee.doctor.reading import LabelledPicture, check_box, check_lens, model
from referee.doctor.seeing import flicker, judge_seeing
from referee.doctor.view import measure_view
from referee.errors import BadInput, CameraLost
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.game.tiles import TileSet, tile_set
from referee.i18n import ENGLISH
from referee.settings.settings import CameraSettings, Settings
from referee.sim.table import Setting, VirtualTable
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Image

REPORT = Notice("doctor.tell_the_makers")
KNOWN = "R7 B7 K7 O7 | R1 R2 R3 R4 R5 | B9 B10 B11 | K11 K12 K13 | O1 R1 K1 | B4 B5 ** B7 | O8 O9 O10 | K6 R6 B6"
"""The tiles of the model check: every digit, every colour and a joker."""


class Checks:
    """Runs the checks one after the other, and yields findings at once. An error in one does not stop the others."""

    def __init__(self, parts: Parts, chosen: setup.Chosen, *, interview: bool, tell: panels.Tell) -> None:
        self._parts, self._chosen, self._interview, self._tell = parts, chosen, interview, tell
        self._settings: Settings = chosen.settings
        self._now = time.monotonic
        self._table_mm = (self._settings.table.width_mm, self._settings.table.height_mm)
        self._folder = journal_folder(self._settings)
        self._holder = storage.running_process(self._folder)
        self._lens: Lens | None = None

    def run_all(self) -> Iterator[Finding]:
        """Yield the findings about settings, camera and its picture, model, journal, machine and panel."""
        yield self._chosen.finding
        pins, findings = self._pins()
        yield from findings
        if pins is not None:
            yield from run_check("game", REPORT, lambda: [setup.game(self._settings, pins)])
        yield from self._camera(pins)
        yield from run_check("model", REPORT, self._model)
        yield from self._stored(pins)
        if self._settings.club.on:
            yield from run_check("broker", REPORT, self._broker)
        yield from self._machine()
        if pins is not None:
            yield from self._panel(pins)

    def run_beside_match(self) -> Iterator[Finding]:
        """Yield the findings that need neither camera, pins, broker nor networks, so that no running match notices."""
        yield self._chosen.finding
        pins, findings = self._pins()
        yield from findings
        if pins is not None:
            yield from run_check("game", REPORT, lambda: [setup.game(self._settings, pins)])
        yield from self._stored(pins)
        yield from self._machine()

    def _stored(self, pins: PinMap | None) -> Iterator[Finding]:
        """Yield the findings about the enrolled box, the journal and the disk."""
        if (tiles := None if pins is None else setup.box_or_none(self._settings, pins)) is not None:
            yield from run_check("box", REPORT, lambda: [self._box(tiles)])
        yield from run_check("journal", REPORT, lambda: storage.journal(self._folder, self._holder))
        limit = self._settings.storage.pictures_mb
        yield from run_check("disk", REPORT, lambda: [storage.room(self._folder, limit)])

    def _machine(self) -> Iterator[Finding]:
        for name, check in machines.CHECKS.items():
            yield from run_check(name, REPORT, lambda check=check: [check(machines.Machine(state=self._folder))])  # type: ignore[misc]

    def of_picture(self, picture: Image) -> Iterator[Finding]:
        """Yield the findings about the settings and a picture."""
        yield self._chosen.finding
        yield from self._check_lens(Optics((picture.shape[1], picture.shape[0])))
        yield from self._check_picture(picture, self._pins()[0])

    def _broker(self) -> Iterable[Finding]:
        try:
            return setup.check_broker(endpoint_of(self._settings), broker_probe())
        except BadInput as error:
            return [wrong("broker", error_notice(error), Notice("club.see_to_broker"))]

    def _box(self, tiles: TileSet) -> Finding:
        checksum = self._parts.checksum
        if checksum is None:
            return skip_check("box", Notice("doctor.boxes_unknown"))
        return check_box(self._settings, self._folder, checksum, tiles)

    def _pins(self) -> tuple[PinMap | None, list[Finding]]:
        try:
            pins = build.pins_of(self._settings)
        except BadInput as error:
            return None, [wrong("pins", error_notice(error), Notice("panel_test.correct_panel"))]
        return pins, run_check("pins", REPORT, lambda: [panels.advice(pins)])

    def _as_calibrated(self) -> CameraSettings:
        """Return the camera's settings as a match uses them; a wrong lens profile is reported by another check."""
        try:
            found = lens_profiles.profile_in_use(self._settings, self._folder)
        except BadInput:
            return self._settings.camera
        return lens_profiles.with_calibrated_focus(self._settings, found)

    def _camera(self, pins: PinMap | None) -> Iterator[Finding]:
        settings = self._settings.camera
        if settings.kind == "virtual":
            yield skip_check("camera", Notice("machine.camera_virtual"))
            return
        if self._holder is not None and settings.kind in ("pi", "usb", "network"):
            yield skip_check("camera", Notice("machine.camera_in_use"), STOP_SERVICE)
            return
        try:
            taken = cameras.take_capture(lambda: cameras.open_bare_camera(self._as_calibrated(), self._now), self._now)
        except (CameraLost, BadInput) as error:
            yield wrong("camera", error_notice(error), cameras.what_to_do(error, settings.kind))
            return
        except Exception as error:  # noqa: BLE001 - drivers' errors share no base; the other checks go on
            text = Notice("machine.camera_failed", error=type(error).__name__, text=sentence(error))
            yield wrong("camera", text, STOP_SERVICE)
            return
        yield from run_check("camera", REPORT, lambda: cameras.judge_camera(taken, settings))
        yield from self._check_lens(taken.optics)
        yield from self._check_picture(taken.picture, pins)
        yield from run_check("flicker", REPORT, lambda: [flicker(taken.flicker)])

    def _check_lens(self, known: Optics) -> Iterator[Finding]:
        def judge_lens() -> Iterator[Finding]:
            found, self._lens = check_lens(self._settings, self._folder, known)
            yield found

        yield from run_check("lens", REPORT, judge_lens)

    def _check_picture(self, picture: Image, pins: PinMap | None) -> Iterator[Finding]:
        try:
            view = measure_view(picture, self._table_mm, self._lens)
        except Exception as error:  # noqa: BLE001 - no picture may end the doctor, nor an error in measuring it
            yield wrong("markers", Notice("doctor.picture_unmeasured", error=type(error).__name__), REPORT)
            return
        yield from run_check("markers", REPORT, lambda: judge_view(view))
        yield from run_check("light", REPORT, lambda: judge_seeing(view))
        box = None if pins is None else setup.box_or_none(self._settings, pins)
        yield from run_check("tiles", REPORT, lambda: self._tiles(picture, box))

    def _tiles(self, picture: Image, box: TileSet | None) -> Iterable[Finding]:
        reader = self._parts.reader_through(self._lens)
        return cameras.tiles(reader, picture, box, self._table_mm, self._now)

    def _model(self) -> Iterator[Finding]:
        return model(models_dir(os.environ), self._parts.reader, known_table, self._now)

    def _panel(self, pins: PinMap) -> Iterator[Finding]:
        if self._holder is not None and pins.kind == "gpio":
            yield skip_check("panel", Notice("panel_test.pins_in_use"), STOP_SERVICE)
            return

        told: list[str] = []

        def open_with_edges(on_edge: OnEdge) -> Panel:
            return open_panel(pins, self._now, on_edge, lambda notice: told.append(ENGLISH(notice)))

        found = run_check("panel", REPORT, lambda: [panels.at_rest(pins, open_with_edges)])
        yield from found
        if found[0].result in (Result.OK, Result.ATTENTION):
            yield from run_check("display", REPORT, lambda: panels.display(pins, told))
        if self._interview and found[0].result in (Result.OK, Result.ATTENTION):
            yield from run_check("panel", STOP_SERVICE, lambda: self._ask_about_panel(pins, open_with_edges))

    def _ask_about_panel(self, pins: PinMap, opened: Callable[[OnEdge], Panel]) -> Iterator[Finding]:
        inbox: queue.Queue[panels.PanelEvent] = queue.Queue()

        def edge(contact: str, closed: bool, at: float) -> None:
            if closed:
                inbox.put(panels.ContactClosed(contact, at))

        def wait(seconds: float) -> panels.PanelEvent | None:
            with contextlib.suppress(queue.Empty):
                return inbox.get(timeout=seconds)
            return None

        threading.Thread(target=_listen, args=(inbox, sys.stdin.fileno()), daemon=True).start()
        with contextlib.closing(opened(edge)) as panel:
            yield from panels.Interview(panel, wait, self._tell, self._now).run(pins)


def _listen(inbox: queue.Queue[panels.PanelEvent], source: int) -> None:
    """Pass on typed lines; at the end of the input, pass on "q", which skips all remaining questions.

    The descriptor is read without Python's buffer: a thread that waits in that buffer crashes the program at its end.
    """
    rest = b""
    with contextlib.suppress(OSError):
        while data := os.read(source, 4096):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                inbox.put(panels.TypedLine(line.decode("utf-8", "replace").strip()))
    inbox.put(panels.TypedLine("q"))


def known_table() -> LabelledPicture:
    """Return a rendered table with known tiles, as large as a real one and always the same."""
    box = tile_set("rummikub")
    lying = parse_table(KNOWN)
    table = VirtualTable(replace(Setting.usual(box), cup=False), np.random.default_rng(3))
    table.lay(lying)
    names = tuple(tile.name for tiles in lying for tile in tiles)
    return LabelledPicture(table.picture(), names, box, table.setting.table_mm)
