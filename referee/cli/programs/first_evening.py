"""`referee doctor --first-evening`: nine checks on a Pi, with their measurements in one file."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from referee.cli.parts import from_settings as build
from referee.cli.parts.readers import known_of, load_nets, models_dir
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.common import Code
from referee.devices.onnx import load_arrays, load_description
from referee.devices.panel.gpio import open_panel
from referee.doctor import camera as cameras
from referee.doctor import setup, storage
from referee.doctor.finding import Finding, Result
from referee.doctor.first.bench import Bench, Effort, Left, Stopped
from referee.doctor.first.record import FILE, SETTLED, Record, load_record
from referee.doctor.first.session import StepRunner
from referee.doctor.first.steps import STEPS
from referee.doctor.machine import Machine
from referee.doctor.reading import LabelledPicture
from referee.errors import BadInput
from referee.game.notation import parse_table
from referee.game.tiles import tile_set
from referee.i18n import ENGLISH
from referee.sim.table import Setting, VirtualTable
from referee.vision.pipeline import TableReader
from referee.vision.reading.inks import priors_from
from referee.vision.reading.joint import Known
from referee.vision.sighting import Reader

FULL = (
    "K1 K2 K3 K4 K5 | K6 K7 K8 K9 K10 | B1 B2 B3 B4 B5 | B6 B7 B8 B9 B10 | R1 R2 R3 R4 R5 | R6 R7 R8 R9 R10 | "
    "O1 O2 O3 O4 O5 | O6 O7 O8 O9 O10 | K11 B11 R11 O11 | K12 B12 R12 O12 | K13 B13 R13 O13 | K1 B1 R1 O1 | "
    "K2 B2 R2 O2 | K3 B3 R3 O3 | K4 B4 ** O4 | K5 B5 R5 O5 | K6 B6 R6 O6 | K7 B7 R7 O7 | K8 B8 R8 O8 | K9 B9 R9 | "
    "K10 B10 R10 O10"
)
"""91 tiles, as many as are on the table at the end of a long round."""
SEED = 3
SENT = "Every check is done. The record can be sent: {path}"


class Console:
    """A person at a terminal: Enter continues, `s` and a reason skips a check, `q` stops for today."""

    def __init__(self, tell: Callable[[str], None], line: Callable[[], str] | None = None) -> None:
        self._tell, self._line = tell, line or _typed_line

    def tell(self, text: str) -> None:
        """Print a text."""
        self._tell(text)

    def wait_until_done(self, text: str) -> None:
        """Wait for Enter; raises Left to skip the check, with a reason, and Stopped to stop for today."""
        self._tell(f"{text} Then press Enter; s and why leaves this out, q stops for today.")
        while line := self._line():
            letter, _, reason = line.strip().partition(" ")
            if not letter:
                return
            if letter == "s" and reason.strip():
                raise Left(reason.strip())
            if letter == "q":
                raise Stopped("Stopped. The same command goes on here.")
            self._tell("Enter, s and why, or q." if letter != "s" else "s, and why: s the camera is glued in.")
        raise Stopped("Nobody is there to ask. The same command goes on here.")


def _typed_line() -> str:
    """Return one typed line; empty at the end of the input, or if there is no input."""
    return "" if sys.stdin is None else sys.stdin.readline()


def first_evening(
    chosen: setup.Chosen, out: Path | None, steps: Sequence[str], left: Sequence[str], *,
    tell: Callable[[str], None], show: Callable[[Finding], None], effort: Effort | None = None,
) -> tuple[Code, Record]:  # fmt: skip
    """Run the open checks; return the exit code and the record.

    Raises BadInput for unknown steps, and for a record of another machine.

    `chosen`: the settings in use, and where they come from.
    `out`: the file of the record. None: the usual file in the folder of the journal.
    `steps`: names of the steps to run, even if they are done already; empty: all open ones.
    `left`: steps to skip, each as STEP=REASON.
    `tell`: called with each line for the person who goes through the checks.
    `show`: called with each finding.
    `effort`: how often and how long to measure. None: the usual effort.
    """
    bench = bench_of(chosen, Console(tell))
    bench = bench if effort is None else replace(bench, effort=effort)
    path = out or journal_folder(chosen.settings) / FILE
    session = StepRunner(bench, path, load_record(path, bench.machine), STEPS)
    wrong = False
    for finding in session.run(steps, reasons_of(left)):
        show(finding)
        wrong = wrong or finding.result is Result.WRONG
    tell(summary_line(session.record, path))
    return (Code.REFUSED if wrong else Code.DONE), session.record


def reasons_of(left: Sequence[str]) -> dict[str, str]:
    """Return the reasons given with `--skip`, by step; raises BadInput for anything but STEP=REASON."""
    reasons = {}
    for item in left:
        name, _, reason = item.partition("=")
        if not reason.strip():
            raise BadInput(f"--skip: expected STEP=REASON such as heat='no time today', found {item!r:.60}")
        reasons[name.strip()] = reason.strip()
    return reasons


def summary_line(record: Record, path: Path) -> str:
    """Return the last line: which steps are still open, and where the record is."""
    still = [step.name for step in STEPS if not record.is_settled(step.name)]
    if not still:
        return SENT.format(path=path)
    counts = Counter(entry.status for entry in record.entries.values())
    done = sum(counts[status] for status in SETTLED)
    return f"{done} of {len(STEPS)} steps are done. Open: {', '.join(still)}. The record so far: {path}"


def bench_of(chosen: setup.Chosen, hands: Console) -> Bench:
    """Return the bench with the real parts."""
    settings = chosen.settings
    folder = journal_folder(settings)
    try:
        pins = build.pins_of(settings)
    except BadInput:
        pins = None
    return Bench(
        settings=settings, pins=pins, machine=Machine(), folder=folder, hands=hands,
        now=time.monotonic, wait=time.sleep, holder=lambda: storage.running_process(folder),
        camera=lambda camera: cameras.open_bare_camera(camera, time.monotonic),
        panel=lambda on_edge: open_panel(
            pins or build.pins_of(settings), time.monotonic, on_edge, lambda told: hands.tell(ENGLISH(told))
        ),
        reader=reader_on, full_table=full_table,
    )  # fmt: skip


def reader_on(threads: int) -> Reader:
    """Return a reader whose networks run on this many threads."""
    description = load_description(models_dir(os.environ))
    nets = load_nets(description.files, threads)
    prior = Known(priors_from(load_arrays(description.files["inks"])))
    return TableReader(nets, description.tables, known_of(prior, None, None))


def full_table() -> LabelledPicture:
    """Return a rendered full table with known tiles, the same everywhere, so that machines can be compared."""
    box, lying = tile_set("rummikub"), parse_table(FULL)
    table = VirtualTable(replace(Setting.usual(box), cup=False), np.random.default_rng(SEED))
    table.lay(lying)
    names = tuple(tile.name for tiles in lying for tile in tiles)
    return LabelledPicture(table.picture(), names, box, table.setting.table_mm)
