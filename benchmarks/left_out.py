"""What makes a read of an enrolled box sure, chosen on all drawn boxes but one and measured on that one, in turn.

The networks look once at every crop; with other constants only their answers are weighed anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from benchmarks.enrolled import ENROLLED, Measured, bound
from benchmarks.report import Figures, Row, rate_row
from benchmarks.sight import table_of
from benchmarks.truth import Tally, scene_label
from referee.cli.parts.readers import Reader
from referee.devices.onnx import OnnxModel, load_arrays, load_description
from referee.vision.boxes import box as enrolled_box
from referee.vision.boxes.box import Box
from referee.vision.pipeline import Nets, TableReader
from referee.vision.reading import joint as reading
from referee.vision.reading.answers import Model
from referee.vision.reading.inks import priors_from
from referee.vision.sighting import Floats, Image, Quality

LEFT_OUT = "drawn boxes, enrolled, constants chosen on the others"
NEAR_MM = 12.0
PLACES: Mapping[str, Any] = {"SHIFT": enrolled_box, "SHARP": enrolled_box, "CONTRADICTION": reading}
"""Where each constant stands."""


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """Constants of `vision/boxes/box.py` and `vision/reading/joint.py`, and the least confidence without doubt."""

    SHIFT: float
    SHARP: float
    CONTRADICTION: float
    sure_from: float

    def __str__(self) -> str:
        constants = ", ".join(f"{name} {getattr(self, name):g}" for name in PLACES)
        return f"{constants}, sure from {self.sure_from:g}"


def shipped(sure_from: float) -> Setting:
    """What stands in the code now."""
    return Setting(enrolled_box.SHIFT, enrolled_box.SHARP, reading.CONTRADICTION, sure_from)


TRIED: Mapping[str, tuple[float, ...]] = {
    "SHIFT": (0.5, 2.0), "SHARP": (0.5, 2.0), "CONTRADICTION": (0.25, 4.0),
}  # fmt: skip
"""Each constant times these;"""
SURE_TRIED = (0.9, 0.95, 0.98, 0.99, 0.995)
"""and confidences."""


def settings(now: Setting) -> list[Setting]:
    """What is tried: the shipped constants first, then one of them changed, or the confidence."""
    changed = [replace(now, **{name: getattr(now, name) * by}) for name, factors in TRIED.items() for by in factors]
    return [now, *changed, *(replace(now, sure_from=sure) for sure in SURE_TRIED if sure != now.sure_from)]


@contextmanager
def trying(setting: Setting) -> Iterator[None]:
    """Replace the constants in the code by those of `setting` while the context lasts."""
    with ExitStack() as stack:
        for name, module in PLACES.items():
            stack.enter_context(mock.patch.object(module, name, getattr(setting, name)))
        yield


class Remembered:
    """A network that looks at each crop once, whatever crops it comes with."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[bytes, Floats] = {}

    def __call__(self, batch: Any) -> tuple[Any, ...]:
        """The first output (n, k) for a batch (n, ...)."""
        keys = [one.tobytes() for one in batch]
        fresh = [i for i, key in enumerate(keys) if key not in self._known]
        if fresh:
            for i, row in zip(fresh, self._model(batch[fresh])[0], strict=True):
                self._known[keys[i]] = row
        return (np.stack([self._known[key] for key in keys]),)


@dataclass(frozen=True)
class Seen:
    """One table: its picture, where tiles were found (n, 4, 2), pixels, and what they are; "" for none."""

    picture: Image
    corners: Floats
    names: tuple[str, ...]
    quality: Quality


@dataclass
class Weigher:
    """Reads what was seen with any constants."""

    nets: Nets
    tables: Mapping[str, Any]
    known: reading.Known

    @classmethod
    def of(cls, models: Path) -> Weigher:
        """With the networks of a folder."""
        description = load_description(models)
        finder, aligner, reader = (OnnxModel(description.files[part]) for part in ("finder", "aligner", "reader"))
        known = reading.Known(priors_from(load_arrays(description.files["inks"])))
        return cls(Nets(finder, Remembered(aligner), Remembered(reader)), description.tables, known)

    @property
    def calibration(self) -> reading.Calibration:
        """The calibration that was chosen for boxes that are not enrolled."""
        return reading.Calibration.from_description(self.tables["reader"])

    def tally(self, box: Box, tables: Sequence[Seen], setting: Setting, tileset: Any) -> Tally:
        """What the tables of a box come to with these constants."""
        total = Tally()
        with trying(setting):
            for seen in tables:
                sure = max(setting.sure_from, self.calibration.for_picture(seen.quality).sure_from)
                reader = TableReader(self.nets, self.tables, replace(self.known, box=box),
                                     calibration=replace(self.calibration, sure_from=sure))  # fmt: skip
                reads = reader.read_at(seen.picture, seen.corners, box.measure(tileset))
                pairs = [(read, name) for read, name in zip(reads, seen.names, strict=True) if name]
                wrong = [read for read, name in pairs if read.name != name]
                total.add(Tally(tiles=len(pairs), found=len(pairs), right=len(pairs) - len(wrong), pictures=1,
                                silent_wrong=sum(not read.doubtful for read in wrong),
                                doubtful=sum(read.doubtful for read, _ in pairs),
                                sure=sum(not read.doubtful and read.name == name for read, name in pairs),
                                asked=any(read.doubtful for read, _ in pairs)))  # fmt: skip
        return total


def seen_of(reader: Reader, one: Measured) -> list[Seen]:
    """The tables of a box as a reader sees them that knows it."""
    found = []
    for _, picture, truth in one.tables:
        sighting = reader.read(picture, one.tileset, table_of(truth))
        names = []
        for read in sighting.reads:
            far = [float(np.hypot(t["x_mm"] - read.x_mm, t["y_mm"] - read.y_mm)) for t in truth["tiles"]]
            near = int(np.argmin(far))
            names.append(scene_label(truth["tiles"][near]) if far[near] <= NEAR_MM else "")
        corners = np.asarray([read.corners_px for read in sighting.reads], np.float32).reshape(-1, 4, 2)
        found.append(Seen(picture, corners, tuple(names), sighting.quality))
    return found


Tallies = Mapping[Setting, Mapping[str, Tally]]
"""By setting and box."""


def best(tallies: Tallies, boxes: Sequence[str]) -> Setting:
    """The setting with the fewest silent errors on these boxes, of those the one with the fewest doubts; the first."""

    def cost(setting: Setting) -> tuple[int, int]:
        own = [tallies[setting][name] for name in boxes]
        return sum(t.silent_wrong for t in own), sum(t.doubtful for t in own)

    return min(tallies, key=cost)


@dataclass
class LeftOut:
    """What the boxes left out come to together, and what was chosen each time."""

    tally: Tally = field(default_factory=Tally)
    chosen: Counter[Setting] = field(default_factory=Counter)


def left_out(tallies: Tallies) -> LeftOut:
    """Choose on all boxes but one and measure that one, each in turn."""
    names = list(next(iter(tallies.values())))
    result = LeftOut()
    for name in names:
        setting = best(tallies, [other for other in names if other != name])
        result.chosen[setting] += 1
        result.tally.add(tallies[setting][name])
    return result


def measure(reader: TableReader, models: Path, measured: Sequence[Measured]) -> Figures:
    """The pooled figures of the boxes left out, and of every setting on all boxes."""
    weigher = Weigher.of(models)
    learnt = [(one, one.box) for one in measured if one.box is not None]
    if len(learnt) < 2:
        return Figures()
    tables = {one.name: seen_of(reader.reader_for(box), one) for one, box in learnt}
    now = shipped(weigher.calibration.for_picture(Quality(), enrolled=True).sure_from)
    tallies = {
        setting: {one.name: weigher.tally(box, tables[one.name], setting, one.tileset) for one, box in learnt}
        for setting in settings(now)
    }
    return figures(tallies, now)


def figures(tallies: Tallies, now: Setting) -> Figures:
    """Rows, and every setting with what it comes to on all boxes."""
    found = left_out(tallies)
    chosen = "; ".join(f"{number} times {setting}" for setting, number in found.chosen.most_common())
    rows = [
        rate_row("right without doubt", LEFT_OUT, found.tally.sure, found.tally.tiles, None),
        rate_row("wrong without doubt", LEFT_OUT, found.tally.silent_wrong, found.tally.tiles, 0.0, at_most=True),
        bound(found.tally, LEFT_OUT),
        Row("constants chosen", LEFT_OUT, chosen, f"{sum(found.chosen.values())} boxes", "", None),
    ]
    lines = []
    for setting, boxes in tallies.items():
        total = Tally()
        for tally in boxes.values():
            total.add(tally)
        mark = " (as shipped)" if setting == now else ""
        lines.append(f"{setting}{mark}: {total.silent_wrong} wrong without doubt, {total.doubtful} in doubt of "
                     f"{total.tiles}, {total.asked} of {total.pictures} tables asked about")  # fmt: skip
    return Figures(rows, {f"{ENROLLED}, by constants": lines})
