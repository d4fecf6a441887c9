"""Leave-one-out check of the constants that decide when a read of an enrolled box is sure.

The constants are chosen on all drawn boxes except one, and measured on that one, for each box in turn. The networks
process every crop only once; other constants are applied to the same outputs.
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
from referee.devices.onnx import NETWORKS, OnnxModel, load_arrays, load_description
from referee.vision.boxes import box as enrolled_box
from referee.vision.boxes.box import Box
from referee.vision.pipeline import TableReader
from referee.vision.placing import Nets
from referee.vision.reading import certainty
from referee.vision.reading import joint as reading
from referee.vision.reading.answers import Model
from referee.vision.reading.certainty import Trust
from referee.vision.reading.inks import priors_from
from referee.vision.sighting import Floats, Image, Quality, Reader

LEFT_OUT = "drawn boxes, enrolled, constants chosen on the others"
NEAR_MM = 12.0
PLACES: Mapping[str, Any] = {"SHIFT": enrolled_box, "SHARP": enrolled_box, "CONTRADICTION": reading}
"""The module of each constant."""


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """Values for constants of `vision/boxes/box.py` and `vision/reading/joint.py`, and how far they are believed.

    `temperature` is that of `ENROLLED` in `vision/reading/certainty.py`.
    """

    SHIFT: float
    SHARP: float
    CONTRADICTION: float
    temperature: float

    def __str__(self) -> str:
        constants = ", ".join(f"{name} {getattr(self, name):g}" for name in PLACES)
        return f"{constants}, temperature {self.temperature:g}"


def shipped() -> Setting:
    """Return the setting in the present code."""
    return Setting(enrolled_box.SHIFT, enrolled_box.SHARP, reading.CONTRADICTION, certainty.ENROLLED.number)


TRIED: Mapping[str, tuple[float, ...]] = {
    "SHIFT": (0.5, 2.0), "SHARP": (0.5, 2.0), "CONTRADICTION": (0.25, 4.0),
}  # fmt: skip
"""The factors with which each constant is tried."""
TEMPERATURES_TRIED = (1.0, 1.4, 1.8, 2.4, 3.0)
"""The temperatures that are tried."""


def settings(now: Setting) -> list[Setting]:
    """Return the settings to try: the present one first, then those with one constant or the temperature changed."""
    changed = [replace(now, **{name: getattr(now, name) * by}) for name, factors in TRIED.items() for by in factors]
    return [now, *changed, *(replace(now, temperature=t) for t in TEMPERATURES_TRIED if t != now.temperature)]


@contextmanager
def trying(setting: Setting) -> Iterator[None]:
    """Replace the constants in the code by those of `setting` while the context lasts."""
    with ExitStack() as stack:
        for name, module in PLACES.items():
            stack.enter_context(mock.patch.object(module, name, getattr(setting, name)))
        believed = Trust(number=setting.temperature, ink=setting.temperature)
        stack.enter_context(mock.patch.object(certainty, "ENROLLED", believed))
        yield


class Remembered:
    """A network with a cache: it processes each crop only once, whatever other crops are in the batch."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[bytes, Floats] = {}

    def __call__(self, batch: Any) -> tuple[Any, ...]:
        """Return the first output (n, k) for a batch (n, ...)."""
        keys = [one.tobytes() for one in batch]
        fresh = [i for i, key in enumerate(keys) if key not in self._known]
        if fresh:
            for i, row in zip(fresh, self._model(batch[fresh])[0], strict=True):
                self._known[keys[i]] = row
        return (np.stack([self._known[key] for key in keys]),)


@dataclass(frozen=True)
class Seen:
    """One table: its picture, the corners of tiles found, (n, 4, 2) in pixels, and their true names ("" for none)."""

    picture: Image
    corners: Floats
    names: tuple[str, ...]
    quality: Quality


@dataclass
class Weigher:
    """Reads tables with any constants, from the cached outputs of the networks."""

    nets: Nets
    tables: Mapping[str, Any]
    known: reading.Known

    @classmethod
    def of(cls, models: Path) -> Weigher:
        """Return a weigher with the networks of a folder."""
        description = load_description(models)
        finder, aligner, reader, look_alikes = (OnnxModel(description.files[part]) for part in NETWORKS)
        known = reading.Known(priors_from(load_arrays(description.files["inks"])))
        nets = Nets(finder, Remembered(aligner), Remembered(reader), Remembered(look_alikes), threads=1)
        return cls(nets, description.tables, known)

    def tally(self, box: Box, tables: Sequence[Seen], setting: Setting, tileset: Any) -> Tally:
        """Return the counts for the tables of a box with these constants."""
        total = Tally()
        with trying(setting):
            for seen in tables:
                reader = TableReader(self.nets, self.tables, replace(self.known, box=box))
                reads = reader.read_at(seen.picture, seen.corners, box.measure(tileset), seen.quality)
                pairs = [(read, name) for read, name in zip(reads, seen.names, strict=True) if name]
                wrong = [read for read, name in pairs if read.name != name]
                total.add(Tally(tiles=len(pairs), found=len(pairs), right=len(pairs) - len(wrong), pictures=1,
                                silent_wrong=sum(not read.doubtful for read in wrong),
                                doubtful=sum(read.doubtful for read, _ in pairs),
                                sure=sum(not read.doubtful and read.name == name for read, name in pairs),
                                asked=any(read.doubtful for read, _ in pairs)))  # fmt: skip
        return total


def seen_of(reader: Reader, one: Measured) -> list[Seen]:
    """Return the tables of a box as seen by a reader that has enrolled it."""
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
"""The counts by setting and box."""


def best(tallies: Tallies, boxes: Sequence[str]) -> Setting:
    """Return the first setting with the fewest silent errors on these boxes, and among those the fewest doubts."""

    def cost(setting: Setting) -> tuple[int, int]:
        own = [tallies[setting][name] for name in boxes]
        return sum(t.silent_wrong for t in own), sum(t.doubtful for t in own)

    return min(tallies, key=cost)


@dataclass
class LeftOut:
    """The counts of all boxes when they were left out, and how often each setting was chosen."""

    tally: Tally = field(default_factory=Tally)
    chosen: Counter[Setting] = field(default_factory=Counter)


def left_out(tallies: Tallies) -> LeftOut:
    """Choose the setting on all boxes except one, and measure that one, for each box in turn."""
    names = list(next(iter(tallies.values())))
    result = LeftOut()
    for name in names:
        setting = best(tallies, [other for other in names if other != name])
        result.chosen[setting] += 1
        result.tally.add(tallies[setting][name])
    return result


def measure(reader: TableReader, models: Path, measured: Sequence[Measured]) -> Figures:
    """Return the pooled figures of the boxes left out, and those of every setting on all boxes."""
    weigher = Weigher.of(models)
    learnt = [(one, one.box) for one in measured if one.box is not None]
    if len(learnt) < 2:
        return Figures()
    tables = {one.name: seen_of(reader.reader_for(box), one) for one, box in learnt}
    now = shipped()
    tallies = {
        setting: {one.name: weigher.tally(box, tables[one.name], setting, one.tileset) for one, box in learnt}
        for setting in settings(now)
    }
    return figures(tallies, now)


def figures(tallies: Tallies, now: Setting) -> Figures:
    """Return the rows, and a list of all settings with their counts on all boxes."""
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
