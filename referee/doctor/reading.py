"""Checks of what pictures are read with: the networks, the box that was enrolled, and the lens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.cli.parts import lens_profiles
from referee.cli.parts.lens_profiles import Optics
from referee.devices.box_file import box_path, boxes_folder, load_box
from referee.devices.camera.camera import Now
from referee.devices.onnx import load_description
from referee.doctor.camera import SLOW_READ_S
from referee.doctor.finding import Finding, attention, error_notice, ok, sentence, skip_check, together, wrong
from referee.errors import BadInput, BadModel, CannotJudge
from referee.game.notice import Notice, Value
from referee.game.tiles import TileSet
from referee.settings.settings import Settings
from referee.vision.geometry.pose import Lens
from referee.vision.sighting import Image, Reader, Sighting

LOOKS = 3
INSTALL = Notice("doctor.install_again")
OTHER_READER = Notice("doctor.other_reader")
HOW = Notice("doctor.enrol")
POOR_PX = 0.35
"""If the residual is larger than this, per 2304 pixels of width, the lens should be calibrated again."""
AGAIN = Notice("machine.calibrate")


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
    """Yield findings about the model files, by their checksums, and about the networks, by reading a known table."""
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
    """Return the shortest time of a few reads, since the first one also warms up, and the last sighting."""
    seconds = []
    for _ in range(LOOKS):
        began = now()
        sighting = reader.read(table.picture, table.tileset, table.table_mm)
        seconds.append(now() - began)
    return min(seconds), sighting


def judge_reading(lying: tuple[str, ...], sighting: Sighting, seconds: float) -> Finding:
    """Return a finding that compares what was read with what lies there."""
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


def check_box(settings: Settings, state: Path, reader: Callable[[], str], tileset: TileSet) -> Finding:
    """Check the box that `[table] box` names, or else the one enrolled at this table.

    `reader` returns the checksum of the reader network.
    """
    chosen = settings.table.box
    wanted = tileset if settings.table.tileset or not chosen else None
    try:
        path = box_path(chosen or tileset.name, boxes_folder(state))
        if not chosen and not path.is_file():
            return skip_check("box", Notice("doctor.no_box", tileset=tileset.name), HOW)
        box = load_box(path, reader(), wanted)
    except BadInput as error:
        if chosen:
            return wrong("box", error_notice(error), together(Notice("doctor.correct_box"), HOW))
        return attention("box", Notice("doctor.without_box", why=sentence(error)), HOW)
    except OSError as error:
        return attention("box", Notice("doctor.box_unreadable", why=str(error.strerror)), HOW)
    width, height, _ = box.size_mm
    text = Notice(
        "doctor.box_enrolled", box=box.name, pictures=len(box.inks), tileset=box.tileset, width=width, height=height
    )
    return ok("box", text, name=box.name, tileset=box.tileset, file=str(path))


def check_lens(settings: Settings, folder: Path, known: Optics) -> tuple[Finding, Lens | None]:
    """Return a finding about the lens, and the lens to read with."""
    try:
        found, chosen = lens_profiles.lens_for(settings, folder, known)
    except BadInput as error:
        return wrong("lens", error_notice(error), AGAIN), None
    if chosen is None:
        stated = Notice("machine.lens_of_maker", sensor=known.sensor)
        text = stated if found is not None else Notice("machine.lens_usual")
        return ok("lens", text, calibrated=False, sensor=known.sensor), found
    profile, path = chosen
    figures = {
        "calibrated": True,
        "file": str(path),
        "residual_px": round(profile.residual_px, 3),
        "residual_mm": round(profile.residual_mm, 3),
        "coverage": round(profile.coverage, 2),
        "made": profile.made,
    }
    text = Notice(
        "machine.lens_calibrated", made=profile.made, views=profile.views, share=100 * profile.coverage,
        pixels=profile.residual_px, millimetres=profile.residual_mm,
    )  # fmt: skip
    width = 2304 if known.size_px is None else known.size_px[0]
    if profile.residual_px > POOR_PX * width / 2304:
        return attention("lens", text, Notice("machine.calibrate_again"), **figures), found
    return ok("lens", text, **figures), found
