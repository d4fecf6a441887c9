"""Whether the networks are the ones described, and read a table that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.devices.camera.camera import Now
from referee.devices.onnx import load_description
from referee.doctor.camera import SLOW_READ_S
from referee.doctor.finding import Finding, attention, ok, sentence, wrong
from referee.errors import BadModel, CannotJudge
from referee.game.tiles import TileSet
from referee.game.wording import count, joined
from referee.vision.sighting import Image, Reader, Sighting

LOOKS = 3
INSTALL = "Install the program again (sudo make install): its model files are missing or damaged."
OTHER_READER = "Install the program again, and leave numpy and onnxruntime as they come with it."


@dataclass(frozen=True, slots=True)
class Known:
    """A picture of a table and the names of the tiles that lie there."""

    picture: Image
    tiles: tuple[str, ...]
    tileset: TileSet
    table_mm: tuple[float, float]


def model(models: Path, load: Callable[[], Reader], known: Callable[[], Known], now: Now) -> Iterator[Finding]:
    """The files by their checksums, the networks by a known table."""
    try:
        description = load_description(models)
        began = now()
        reader = load()
        loading = now() - began
    except BadModel as error:
        yield wrong("model", sentence(error), INSTALL)
        return
    size = sum(path.stat().st_size for path in description.files.values()) / 1e6
    yield ok("model", f"Both networks are the right ones ({size:.1f} MB) and load in {loading:.2f} s.")
    table = known()
    try:
        seconds, sighting = _timed(reader, table, now)
    except CannotJudge as error:
        yield wrong("reading", f"A known table could not be read: {sentence(error)}", OTHER_READER)
        return
    yield judge_reading(table.tiles, sighting, seconds)


def _timed(reader: Reader, table: Known, now: Now) -> tuple[float, Sighting]:
    """The best time of a few looks, for the first one also warms up, and the last sighting."""
    seconds = []
    for _ in range(LOOKS):
        began = now()
        sighting = reader.read(table.picture, table.tileset, table.table_mm)
        seconds.append(now() - began)
    return min(seconds), sighting


def judge_reading(lying: tuple[str, ...], sighting: Sighting, seconds: float) -> Finding:
    """What was read, held against what lies there."""
    read = Counter(one.name for one in sighting.reads if not one.doubtful)
    extra = sorted((read - Counter(lying)).elements())
    figures = {"tiles": len(lying), "seconds": round(seconds, 3), "doubtful": len(sighting.doubts)}
    if extra:
        return wrong(
            "reading",
            f"A known table is read wrongly: {joined(extra)} was read, but does not lie there.",
            OTHER_READER,
            **figures,
        )
    if len(sighting.reads) != len(lying):
        text = f"Of a known table with {count(len(lying), 'tile')} the referee finds {len(sighting.reads)}."
        return wrong("reading", text, OTHER_READER, **figures)
    text = f"A known table of {count(len(lying), 'tile')} is read right in {seconds:.2f} s"
    if sighting.doubts:
        text += f", {len(sighting.doubts)} of them in doubt"
    if seconds > SLOW_READ_S:
        do = (
            "Close other programs, see that the Pi is not hot, or take smaller pictures: [camera] width_px, height_px."
        )
        return attention("reading", f"{text}: slow.", do, **figures)
    return ok("reading", f"{text}.", **figures)
