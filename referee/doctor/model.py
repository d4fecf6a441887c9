"""Whether the networks are those described, and whether they read a known table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.devices.camera.camera import Now
from referee.devices.onnx import load_description
from referee.doctor.camera import SLOW_READ_S
from referee.doctor.finding import Finding, attention, error_notice, ok, sentence, wrong
from referee.errors import BadModel, CannotJudge
from referee.game.notice import Notice, Value
from referee.game.tiles import TileSet
from referee.vision.sighting import Image, Reader, Sighting

LOOKS = 3
INSTALL = Notice("doctor.install_again")
OTHER_READER = Notice("doctor.other_reader")


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """A picture of a table and the names of the tiles that lie there."""

    picture: Image
    tiles: tuple[str, ...]
    tileset: TileSet
    table_mm: tuple[float, float]


def model(
    models: Path, load: Callable[[], Reader], known: Callable[[], LabelledPicture], now: Now
) -> Iterator[Finding]:
    """Check the files by their checksums, and the networks by a known table."""
    try:
        description = load_description(models)
        began = now()
        reader = load()
        loading = now() - began
    except BadModel as error:
        yield wrong("model", error_notice(error), INSTALL)
        return
    size = sum(path.stat().st_size for path in description.files.values()) / 1e6
    yield ok("model", Notice("doctor.networks_right", megabytes=size, seconds=loading))
    table = known()
    try:
        seconds, sighting = _time_reads(reader, table, now)
    except CannotJudge as error:
        yield wrong("reading", Notice("doctor.known_table_unread", why=sentence(error)), OTHER_READER)
        return
    yield judge_reading(table.tiles, sighting, seconds)


def _time_reads(reader: Reader, table: LabelledPicture, now: Now) -> tuple[float, Sighting]:
    """Return the best time of a few looks, since the first one also warms up, and the last sighting."""
    seconds = []
    for _ in range(LOOKS):
        began = now()
        sighting = reader.read(table.picture, table.tileset, table.table_mm)
        seconds.append(now() - began)
    return min(seconds), sighting


def judge_reading(lying: tuple[str, ...], sighting: Sighting, seconds: float) -> Finding:
    """Return what was read, compared with what lies there."""
    read = Counter(one.name for one in sighting.reads if not one.doubtful)
    extra = sorted((read - Counter(lying)).elements())
    figures = {"tiles": len(lying), "seconds": round(seconds, 3), "doubtful": len(sighting.doubts)}
    if extra:
        return wrong("reading", Notice("doctor.known_table_wrong", tiles=tuple(extra)), OTHER_READER, **figures)
    if len(sighting.reads) != len(lying):
        text = Notice("doctor.known_table_missed", tiles=len(lying), found=len(sighting.reads))
        return wrong("reading", text, OTHER_READER, **figures)
    text = _read_right(len(lying), len(sighting.doubts), seconds)
    if seconds > SLOW_READ_S:
        return attention("reading", text, Notice("doctor.read_faster"), **figures)
    return ok("reading", text, **figures)


def _read_right(tiles: int, doubts: int, seconds: float) -> Notice:
    told: dict[str, Value] = {"tiles": tiles, "seconds": seconds}
    slow = seconds > SLOW_READ_S
    if doubts:
        key = "doctor.known_table_doubted_slow" if slow else "doctor.known_table_doubted"
        return Notice(key, **told, doubts=doubts)
    return Notice("doctor.known_table_slow" if slow else "doctor.known_table_read", **told)
