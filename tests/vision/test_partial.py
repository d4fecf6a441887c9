"""Pictures read in part: always as if all of them were read, and never more of them than has changed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import drawn_tiles as drawn
import numpy as np
import pytest

from benchmarks.virtual import scene
from referee.cli.parts.readers import build_reader
from referee.errors import CannotJudge
from referee.game.tiles import TILE_SETS, Tile, TileSet
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import Placed, Scene
from referee.vision.finding.finder import STRIDE
from referee.vision.partial_reader import MOST_LOOKS, PartialReader
from referee.vision.pipeline import TableReader
from referee.vision.sighting import Image, Sighting

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
BOX = TILE_SETS["rummikub"]
CAMERA = Camera(x_mm=455, y_mm=299, height_mm=1020, tilt_deg=0.6, pan_deg=-0.8, roll_deg=1.5)
TABLE_MM = (900.0, 600.0)
EMPTY = render(Scene(), CAMERA, LIGHTS["even"], np.random.default_rng(1))
PLACES = [Placed(None, 110.0 + 45 * (i % 15), 130.0 + 90 * (i // 15), 7.0 * (i % 5)) for i in range(45)]
NAMES = [f"{colour}-{n}" for n in range(2, 14) for colour in ("red", "blue", "black", "orange")][: len(PLACES)]


def taken(names: Sequence[str | None], noise: int | None = None) -> Image:
    """A picture of these tiles at the PLACES, none where it says None; `noise` seeds one level of it."""
    picture = EMPTY.copy()
    for name, place in zip(names, PLACES, strict=True):
        if name is not None:
            drawn.paint(picture, CAMERA.project_flat(place.corners(BOX.size_mm[:2]), BOX.size_mm[2]), name)
    if noise is None:
        return picture
    levels = np.random.default_rng(noise).normal(0, 1.0, picture.shape)
    return np.clip(np.rint(picture + levels), 0, 255).astype(np.uint8)


class Watched:
    """A partial reader of drawn tiles, the plain one beside it, and how many crops it reads."""

    def __init__(self, rule: Callable[[Any], tuple[Any, ...]] = drawn.reader) -> None:
        self.crops = 0

        def counted(array: Any) -> tuple[Any, ...]:
            self.crops += len(array)
            return rule(array)

        self.plain = TableReader(drawn.nets(reads=rule), {}, drawn.KNOWN)
        self.partial = PartialReader(TableReader(drawn.nets(reads=counted), {}, drawn.KNOWN))

    def read(
        self, picture: Image, box: TileSet | None = BOX, table_mm: tuple[float, float] = TABLE_MM
    ) -> tuple[Sighting, int]:
        """The sighting, and how many crops were read for it."""
        before = self.crops
        sighting = self.partial.read(picture, box, table_mm, marked_only=True)
        return sighting, self.crops - before

    def same(self, picture: Image) -> int:
        """The same, once the sighting is what the plain reader makes of the picture."""
        sighting, crops = self.read(picture)
        assert shown(sighting) == shown(self.plain.read(picture, BOX, TABLE_MM))
        return crops


def shown(sighting: Sighting) -> tuple[Any, ...]:
    """What a sighting comes to, in whatever order."""
    reads = {(r.name, r.doubtful, round((r.x_mm or 0) / 5), round((r.y_mm or 0) / 5)) for r in sighting.reads}
    assert len(reads) == len(sighting.reads)
    return reads, {tuple(sighting.reads[i].name for i in s) for s in sighting.sets}, sighting.scale


def test_the_very_same_picture_is_read_the_same_and_no_tile_again() -> None:
    watched = Watched()
    picture = taken(NAMES)
    first, every = watched.read(picture)
    again, crops = watched.read(picture)
    assert (every, crops) == (len(NAMES), 0)
    for one, other in zip(first.reads, again.reads, strict=True):
        assert (one.name, one.confidence, one.alternatives) == (other.name, other.confidence, other.alternatives)
        assert np.array_equal(one.corners_px, other.corners_px)
        assert (one.x_mm, one.y_mm, one.angle_deg) == (other.x_mm, other.y_mm, other.angle_deg)
    assert first.sets == again.sets
    assert first.quality == again.quality


@pytest.mark.parametrize("count", [3, 7, 14])
@pytest.mark.parametrize("noise", [None, 5])
def test_new_tiles_are_read_and_hardly_any_other(count: int, noise: int | None) -> None:
    watched = Watched()
    rng = np.random.default_rng(count)
    late = set(rng.permutation(len(NAMES))[:count].tolist())
    watched.same(taken([None if i in late else name for i, name in enumerate(NAMES)], noise))
    crops = watched.same(taken(NAMES, None if noise is None else noise + 1))
    assert count <= crops <= count + 3


@pytest.mark.parametrize(
    ("before", "now"),
    [("red-6", "red-9"), ("red-9", "red-6"), ("orange-8", "orange-3"), ("blue-5", "black-5"), ("black-12", "blue-12"),
     ("red-1", "orange-1"), ("joker", "red-7"), ("red-7", "joker"), ("face-down", "red-7"), ("red-7", "face-down")],
)  # fmt: skip
def test_a_tile_exchanged_on_the_spot_is_read_as_what_it_is(before: str, now: str) -> None:
    watched = Watched()
    names: list[str | None] = [*NAMES]
    names[22] = before
    watched.same(taken(names, 1))
    names[22] = now
    assert watched.same(taken(names, 2)) >= 1


def test_two_tiles_that_change_places_are_seen() -> None:
    watched = Watched()
    watched.same(taken(NAMES, 1))
    names = [*NAMES]
    names[4], names[40] = names[40], names[4]
    assert 2 <= watched.same(taken(names, 2)) <= 4


def test_a_tile_that_is_gone_is_gone() -> None:
    watched = Watched()
    watched.same(taken(NAMES, 1))
    names: list[str | None] = [*NAMES]
    names[30] = None
    sighting, crops = watched.read(taken(names, 2))
    assert len(sighting.reads) == len(NAMES) - 1
    assert crops <= 3
    assert watched.same(taken(NAMES, 3)) <= 4


def test_small_changes_from_picture_to_picture_are_all_seen() -> None:
    watched = Watched()
    names: list[str | None] = [*NAMES]
    for i, rest in enumerate((3, 17, 18, 41, 8)):
        names[rest] = None if i % 2 else f"red-{i + 1}"
        watched.same(taken(names, i))


def test_a_tile_in_doubt_is_read_anew_every_time() -> None:
    def unsure(array: Any) -> tuple[Any, ...]:
        (columns,) = drawn.reader(array)
        columns[:, :26] *= 0.02
        return (columns,)

    watched = Watched(unsure)
    picture = taken(NAMES)
    watched.same(picture)
    assert watched.same(picture) >= len(NAMES)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda p: np.clip(p * 0.85, 0, 255).astype(np.uint8), id="exposed for less long"),
        pytest.param(lambda p: np.clip(p * 1.08, 0, 255).astype(np.uint8), id="exposed for longer"),
        pytest.param(lambda p: np.clip(p * np.float64([0.9, 1, 1]), 0, 255).astype(np.uint8), id="a warmer lamp"),
        pytest.param(lambda p: np.asarray(np.roll(p, 2, axis=1)), id="the camera was bumped"),
        pytest.param(lambda p: np.asarray(cv2.resize(p, None, fx=0.9, fy=0.9), np.uint8), id="another size"),
    ],
)
def test_in_another_light_from_elsewhere_or_in_another_size_all_is_read_anew(
    change: Callable[[Image], Image],
) -> None:
    watched = Watched()
    picture = taken(NAMES, 1)
    watched.same(picture)
    assert watched.same(change(picture)) >= len(NAMES)


def test_for_another_box_or_table_all_is_read_anew() -> None:
    watched = Watched()
    picture = taken(NAMES, 1)
    for box, table_mm in (
        (BOX, TABLE_MM),
        (TILE_SETS["ravensburger"], TABLE_MM),
        (BOX, (903.0, 600.0)),
        (None, TABLE_MM),
    ):
        assert watched.read(picture, box, table_mm)[1] >= len(NAMES)


def test_once_in_a_while_all_is_read_anew_and_when_told_so() -> None:
    watched = Watched()
    picture = taken(NAMES, 1)
    counts = [watched.read(picture)[1] for _ in range(MOST_LOOKS + 2)]
    assert [bool(count) for count in counts] == [True, *[False] * MOST_LOOKS, True]
    watched.partial.forget()
    assert watched.read(picture)[1] == len(NAMES)


def test_a_marker_that_is_covered_is_told_though_nothing_else_has_changed() -> None:
    watched = Watched()
    picture = taken(NAMES, 1)
    watched.same(picture)
    covered = picture.copy()
    x, y = CAMERA.project_flat(np.float32([[900, 600]]), 0.0)[0].astype(int)
    covered[y - 60 : y + 60, x - 60 : x + 60] = (90, 120, 180)
    sighting, crops = watched.read(covered)
    assert sighting.quality.hand
    assert crops >= len(NAMES)
    assert not watched.read(picture)[0].quality.hand


def test_a_picture_that_cannot_be_judged_leaves_nothing() -> None:
    watched = Watched()
    picture = taken(NAMES, 1)
    watched.same(picture)
    with pytest.raises(CannotJudge):
        watched.read(np.full_like(picture, 90))
    assert watched.same(picture) == len(NAMES)


def test_a_picture_without_markers_is_read_as_ever_where_that_is_allowed() -> None:
    watched = Watched()
    picture = np.full((600, 800, 3), (40, 60, 90), np.uint8)
    drawn.paint(picture, drawn.quad(300, 300), "red-7")
    for _ in range(2):
        sighting = watched.partial.read(picture, BOX, TABLE_MM)
        assert [read.name for read in sighting.reads] == ["red-7"]


@pytest.mark.usefixtures("without_prints")  # noise may look like one
def test_an_empty_table_fills_and_empties() -> None:
    watched = Watched()
    none: list[str | None] = [None] * len(PLACES)
    assert watched.same(taken(none, 1)) == 0
    assert watched.same(taken(NAMES, 2)) >= len(NAMES)
    assert watched.same(taken(none, 3)) <= 3


def unsure_of(*numbers: int) -> Callable[[Any], tuple[Any, ...]]:
    """A reader that hardly believes what it reads of these numbers."""

    def rule(array: Any) -> tuple[Any, ...]:
        (columns,) = drawn.reader(array)
        for row in columns:
            if int(row[:26].argmax()) % 13 + 1 in numbers:
                row[:26] *= 0.02
        return (columns,)

    return rule


@pytest.mark.usefixtures("without_prints")
@pytest.mark.parametrize("factor", [0.8, 1.0, 1.04])
def test_of_one_more_picture_only_what_was_in_doubt_is_read_again_in_whatever_light(factor: float) -> None:
    watched = Watched(unsure_of(3, 8))
    doubtful = sum(name.endswith(("-3", "-8")) for name in NAMES)
    first, _ = watched.read(taken(NAMES, 1))
    assert len(first.doubts) == doubtful
    other = np.clip(np.rint(taken(NAMES, 2) * factor), 0, 255).astype(np.uint8)
    before = watched.crops
    closer = watched.partial.read_closer(other, BOX, TABLE_MM, marked_only=True)
    assert watched.crops - before == 2 * doubtful  # once more on their heads
    assert shown(closer) == shown(watched.plain.read(other, BOX, TABLE_MM))


def test_one_more_picture_shows_a_tile_that_was_exchanged_meanwhile_and_leaves_nothing_behind() -> None:
    watched = Watched()
    picture, names = taken(NAMES, 1), [*NAMES]
    watched.same(picture)
    names[10], names[11] = names[11], names[10]
    other = np.clip(np.rint(taken(names, 2) * 0.8), 0, 255).astype(np.uint8)
    closer = watched.partial.read_closer(other, BOX, TABLE_MM, marked_only=True)
    assert shown(closer) == shown(watched.plain.read(other, BOX, TABLE_MM))
    assert watched.same(picture) == 0


def test_one_more_picture_without_a_first_is_read_whole() -> None:
    watched = Watched()
    sighting = watched.partial.read_closer(taken(NAMES, 1), BOX, TABLE_MM, marked_only=True)
    assert len(sighting.reads) == watched.crops == len(NAMES)


@pytest.fixture(scope="module", name="reader")
def shipped() -> TableReader:
    return build_reader(MODELS)


@pytest.mark.skipif(
    not (MODELS / "tiles.toml").is_file(), reason="models/tiles.toml is missing: make it with `make model`"
)
class TestWithTheShippedModel:
    """Rendered pictures, each with noise of its own."""

    made, _, camera = scene(200, BOX, 36)

    def taken(self, tiles: Sequence[Placed], seed: int) -> Image:
        shown = replace(self.made, tiles=tuple(tiles))
        return render(shown, self.camera, LIGHTS["lamp"], np.random.default_rng(seed), jpeg_quality=90)

    def agree(self, reader: TableReader, before: Sequence[Placed], now: Sequence[Placed]) -> None:
        """The second picture read in part is as read whole; in doubt there may be one tile more or less."""
        partial, later = PartialReader(reader), self.taken(now, 2)
        partial.read(self.taken(before, 1), BOX, TABLE_MM)
        found, whole = (one.read(later, BOX, TABLE_MM) for one in (partial, reader))
        seen = [sorted((r.name, r.x_mm or 0.0) for r in s.reads) for s in (found, whole)]
        assert len(found.reads) == len(now)
        assert [name for name, _ in seen[0]] == [name for name, _ in seen[1]]
        assert [x for _, x in seen[0]] == pytest.approx([x for _, x in seen[1]], abs=2.0)
        assert abs(len(found.doubts) - len(whole.doubts)) <= 1

    @pytest.mark.parametrize("count", [3, 14])
    def test_tiles_that_are_laid(self, reader: TableReader, count: int) -> None:
        self.agree(reader, self.made.tiles[:-count], self.made.tiles)

    def test_tiles_that_are_taken_away(self, reader: TableReader) -> None:
        self.agree(reader, self.made.tiles, self.made.tiles[7:])

    @pytest.mark.parametrize("like", [7, 3, 8])
    def test_tiles_exchanged_on_the_spot(self, reader: TableReader, like: int) -> None:
        tiles = list(self.made.tiles)
        numbered = [i for i, t in enumerate(tiles) if t.tile is not None and t.tile.number][::5]
        for i in numbered:
            tile = tiles[i].tile
            assert tile is not None
            tiles[i] = replace(tiles[i], tile=Tile(like, tile.colour))
        self.agree(reader, self.made.tiles, tiles)


@pytest.mark.parametrize("jitter", [-0.7, 0.7])
def test_a_tile_at_the_rim_of_what_has_changed_is_never_lost(jitter: float) -> None:
    """Its middle, found a little differently each time, lies once within what is searched again and once without."""
    looks = [0]

    def jittering(array: Any) -> tuple[Any]:
        (maps,) = drawn.finder(array)
        maps[0, 1] += jitter / STRIDE * (looks[0] % 2) * (maps[0, 0] > 0)
        return (maps,)

    def picture(*places: Placed) -> Image:
        result = EMPTY.copy()
        for place, name in zip(places, ("red-7", "blue-9"), strict=False):
            drawn.paint(result, CAMERA.project_flat(place.corners(BOX.size_mm[:2]), BOX.size_mm[2]), name)
        return result

    there = Placed(None, 300.0, 300.0, 0.0)
    before = picture(there)
    for distance in np.arange(33.0, 41.0, 0.25):
        reader = PartialReader(TableReader(drawn.nets(jittering), {}, drawn.KNOWN))
        looks[0] = 0
        reader.read(before, BOX, TABLE_MM)
        looks[0] = 1
        seen = reader.read(picture(there, Placed(None, 300.0 + float(distance), 300.0, 0.0)), BOX, TABLE_MM)
        assert drawn.names_of(seen.reads) == ["blue-9", "red-7"], distance
