"""Tiles that only their print shows: read by the shipped networks where the finder sees nothing."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.virtual import scene
from referee.cli.parts.readers import build_reader, load_nets
from referee.devices.onnx import load_description
from referee.game.tiles import TILE_SETS
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.vision.finding.prints import find_prints
from referee.vision.finding.search import BORDER_MM, PLANE_SHORT_PX
from referee.vision.partial_reader import PartialReader
from referee.vision.pipeline import TableReader
from referee.vision.reading.glyphs import NONE_KIND
from referee.vision.sighting import Image

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
BOX = TILE_SETS["rummikub"]
TABLE_MM = (900.0, 600.0)
PX_PER_MM = PLANE_SHORT_PX / BOX.size_mm[0]
MADE, _, CAMERA = scene(200, BOX, 36)
LONE = max(
    (t for t in MADE.tiles if t.tile is not None and not t.tile.is_joker),
    key=lambda tile: min(np.hypot(tile.x_mm - o.x_mm, tile.y_mm - o.y_mm) for o in MADE.tiles if o is not tile),
)
"""The numbered tile that is farthest from its neighbours."""


def picture(seed: int = 1) -> Image:
    return render(MADE, CAMERA, LIGHTS["lamp"], np.random.default_rng(seed), jpeg_quality=90)


def reader_overlooking(x_mm: float, y_mm: float, change: Callable[[Any], Any] = np.asarray) -> TableReader:
    """The shipped reader, whose finder sees nothing within 25 mm of a point, and whose answers `change` alters."""
    described = load_description(MODELS)
    nets = load_nets(described.files)
    column, row = ((part + BORDER_MM) * PX_PER_MM / 4 for part in (x_mm, y_mm))

    def finder(array: Any) -> tuple[Any, ...]:
        (maps, *rest) = nets.finder(array)
        maps = np.array(maps)
        rows, columns = np.indices(maps.shape[2:])
        maps[0, 0][np.hypot(rows - row, columns - column) < 25 * PX_PER_MM / 4] = -20.0
        return (maps, *rest)

    def reads(array: Any) -> tuple[Any, ...]:
        return (change(np.array(nets.reader(array)[0])),)

    return TableReader(replace(nets, finder=finder, reader=reads), described.tables, build_reader(MODELS).known)


def names_near(reader: Any, shown: Image, x_mm: float, y_mm: float) -> list[tuple[str, bool]]:
    seen = reader.read(shown, BOX, TABLE_MM)
    return [(r.name, r.doubtful) for r in seen.reads if np.hypot((r.x_mm or 0) - x_mm, (r.y_mm or 0) - y_mm) < 15]


def test_a_tile_that_the_finder_does_not_see_is_read_by_its_print() -> None:
    reader = reader_overlooking(LONE.x_mm, LONE.y_mm)
    assert names_near(reader, picture(), LONE.x_mm, LONE.y_mm) == [(LONE.tile.name, False)]


def test_it_stays_while_the_table_is_read_in_part() -> None:
    partial = PartialReader(reader_overlooking(LONE.x_mm, LONE.y_mm))
    for seed in range(1, 5):
        assert names_near(partial, picture(seed), LONE.x_mm, LONE.y_mm) == [(LONE.tile.name, False)]


def test_a_print_in_doubt_stays_in_doubt_and_is_never_dropped() -> None:
    def hesitate(columns: Any) -> Any:
        columns[:, NONE_KIND] = columns[:, :NONE_KIND].max(axis=1) - 10  # as if the table might be bare
        return columns

    partial = PartialReader(reader_overlooking(LONE.x_mm, LONE.y_mm, hesitate))
    for seed in range(1, 5):
        ((_, doubtful),) = names_near(partial, picture(seed), LONE.x_mm, LONE.y_mm)
        assert doubtful


def test_a_tile_that_is_taken_away_is_gone() -> None:
    partial = PartialReader(reader_overlooking(LONE.x_mm, LONE.y_mm))
    assert len(names_near(partial, picture(), LONE.x_mm, LONE.y_mm)) == 1
    left = replace(MADE, tiles=tuple(tile for tile in MADE.tiles if tile is not LONE))
    without = render(left, CAMERA, LIGHTS["lamp"], np.random.default_rng(2), jpeg_quality=90)
    assert names_near(partial, without, LONE.x_mm, LONE.y_mm) == []


def test_a_number_on_a_sheet_of_paper_is_no_tile_beyond_doubt() -> None:
    shown = picture()
    middle = np.mean([CAMERA.project_flat(np.asarray([[x, y]]), 0.0)[0] for x, y in ((60, 560), (200, 590))], axis=0)
    x, y = (round(float(part)) for part in middle)
    cv2.rectangle(shown, (x - 170, y - 170), (x + 170, y + 90), (235, 235, 235), -1)
    for i, number in enumerate(("12", "7", "31", "5", "24", "10")):
        place = (x - 145 + 110 * (i % 3), y - 75 + 100 * (i // 3))
        cv2.putText(shown, number, place, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.2, (60, 30, 30), 3)
    seen = build_reader(MODELS).read(shown, BOX, TABLE_MM)
    assert len(seen.reads) >= len(MADE.tiles)
    assert all(read.doubtful for read in seen.reads if np.abs(read.corners_px.mean(axis=0) - (x, y - 40)).max() < 170)


@pytest.mark.parametrize("ink", [(40, 40, 40), (30, 30, 170), (150, 60, 20)], ids=["black", "red", "blue"])
def test_prints_of_each_ink_are_found_on_wood_in_whatever_light(ink: tuple[int, int, int]) -> None:
    view = np.full((200, 300, 3), (90, 130, 170), np.uint8)
    cv2.putText(view, "8", (100, 100), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, 1, cv2.LINE_AA)
    for light in (1.0, 0.3):
        (found,) = find_prints(np.asarray(view * light, np.uint8), PLANE_SHORT_PX)
        assert found == pytest.approx((104, 96), abs=3)


def test_lines_blots_and_grain_are_no_prints() -> None:
    rng = np.random.default_rng(1)
    view = np.full((200, 300, 3), (90, 130, 170), np.float32) + rng.normal(0, 4, (200, 300, 3))
    view *= 1 + 0.05 * np.sin(np.arange(200) / 3)[:, None, None]
    view = np.asarray(np.clip(view, 0, 255), np.uint8)
    cv2.line(view, (10, 50), (290, 60), (30, 30, 30), 2)
    cv2.circle(view, (150, 130), 20, (40, 40, 40), -1)
    cv2.circle(view, (50, 150), 1, (40, 40, 40), -1)
    assert find_prints(view, PLANE_SHORT_PX).shape == (0, 2)
