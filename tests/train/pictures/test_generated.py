"""Generated pictures, and the material for both nets made of them."""

from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.train import data
from referee.train.data import (
    CELLS,
    SIDE,
    Samples,
    kind_of,
    load_samples,
    make_chunk,
    make_samples,
    target_maps,
)
from referee.train.pictures.scenes import TrainingSample, Truth, make_scene
from referee.train.pictures.typefaces import Faces
from referee.vision.finding import finder as find
from referee.vision.reading import crops
from referee.vision.reading.glyphs import BACK_KIND, GLYPHS, INVERTED, JOKER_KIND, NONE_KIND, NUMBERS

Floats = npt.NDArray[np.float32]


def quad(x: float, y: float, degrees: float = 0.0, short: float = 21.0, tall: float = 30.0) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-short, -tall], [short, -tall], [short, tall], [-short, tall]]) / 2
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


def scene_of(seed: int, faces: Faces, side: int = 240, short_px: float = 36.0) -> TrainingSample:
    return make_scene(np.random.default_rng(seed), faces, side=side, short_px=short_px)


@pytest.fixture(scope="module")
def scenes(faces: Faces) -> list[TrainingSample]:
    return [scene_of(seed, faces) for seed in range(16)]


@pytest.fixture(scope="module")
def chunk(faces: Faces) -> Samples:
    return make_chunk(range(40, 52), faces, validation=False, copies=2)


def test_the_same_seed_gives_the_same_picture(faces: Faces, scenes: list[TrainingSample]) -> None:
    again = scene_of(3, faces)
    assert np.array_equal(again.picture, scenes[3].picture)
    assert [t.tile for t in again.tiles] == [t.tile for t in scenes[3].tiles]


def test_other_seeds_give_other_pictures(scenes: list[TrainingSample]) -> None:
    assert len({scene.picture.tobytes() for scene in scenes}) == len(scenes)


def test_every_tile_has_its_middle_in_the_picture(scenes: list[TrainingSample]) -> None:
    middles = np.concatenate([[t.corners.mean(axis=0) for t in s.tiles] or np.zeros((0, 2)) for s in scenes])
    assert len(middles) > 50
    assert ((middles > 0) & (middles < 240)).all()


def test_a_tile_that_is_not_cut_lies_inside_with_all_its_corners(scenes: list[TrainingSample]) -> None:
    for truth in (t for s in scenes for t in s.tiles):
        inside = bool(((truth.corners > 0) & (truth.corners < 240)).all())
        assert inside is not truth.cut


def test_corners_run_clockwise(scenes: list[TrainingSample]) -> None:
    for truth in (t for s in scenes for t in s.tiles):
        a, b, c, _ = truth.corners
        assert (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0] > 0


def test_tiles_are_about_as_large_as_asked(scenes: list[TrainingSample]) -> None:
    shorts = [crops.short_sides(t.corners[None])[0] for s in scenes for t in s.tiles]
    assert 25 < np.median(shorts) < 50


def test_tiles_do_not_hide_one_another(scenes: list[TrainingSample]) -> None:
    for scene in scenes:
        whole = [truth for truth in scene.tiles if not truth.cut]
        for i, one in enumerate(whole):
            for other in whole[:i]:
                shared, _ = cv2.intersectConvexConvex(one.corners, other.corners)
                assert shared < 0.35 * cv2.contourArea(one.corners)


def test_all_kinds_of_tiles_occur(scenes: list[TrainingSample]) -> None:
    tiles = {t.tile for s in scenes for t in s.tiles}
    assert {None, JOKER} <= tiles
    assert {t.colour for t in tiles if t is not None and t.colour} == set(Colour)
    assert {t.number for t in tiles if t is not None and t.colour} == set(range(1, HIGHEST + 1))


@pytest.mark.parametrize("degrees", range(0, 180, 20))
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_target_maps_decode_back_to_the_tiles_corners(degrees: int, scale: float) -> None:
    tiles = tuple(
        Truth(None, quad(x / scale, y / scale, degrees, 21 / scale, 30 / scale), cut=False)
        for x, y in ((60, 60), (150.3, 70.8), (99, 190))
    )
    maps = target_maps(tiles, scale).astype(np.float32)
    maps[0] = np.where(maps[0] > 0.999, 5.0, -20.0)
    found = find.decode(maps[: find.CHANNELS], 0.3)
    assert len(found.scores) == 3
    for truth in tiles:
        wanted = (truth.corners + 0.5) * scale - 0.5
        ways = [np.abs(np.roll(f, turn, axis=0) - wanted).max() for f in found.corners for turn in (0, 2)]
        assert min(ways) < 0.1


def test_every_cell_near_a_tiles_middle_points_to_it() -> None:
    corners = quad(100, 100, 30, 28, 40)
    maps = target_maps((Truth(None, corners, cut=False),), 1.0).astype(np.float32)
    rows, columns = np.nonzero(maps[7] > 0)
    assert len(rows) > 10
    pointed = (np.stack([columns, rows], 1) + 0.5 + maps[1:3, rows, columns].T) * find.STRIDE - 0.5
    assert pointed == pytest.approx(np.broadcast_to([100, 100], pointed.shape), abs=0.1)


def test_the_score_is_one_at_each_middle_and_falls_off() -> None:
    maps = target_maps((Truth(None, quad(101, 101), cut=False),), 1.0)[0]
    assert maps.max() == 1.0
    assert maps[25, 25] == 1.0
    assert 0 < maps[25, 26] < 1
    assert maps[:10].max() < 0.01


def test_a_cut_tile_is_neither_wanted_nor_unwanted() -> None:
    maps = target_maps((Truth(None, quad(2, 100), cut=True),), 1.0)
    assert maps[0].max() == 0
    assert maps[7, 25, 0] == -1


def test_a_picture_without_tiles_wants_nothing() -> None:
    assert not target_maps((), 1.0).any()


@pytest.mark.parametrize(
    ("tile", "sign", "inverted", "kind"),
    [
        pytest.param(Tile(1, Colour.RED), "1", False, 0, id="upright one"),
        pytest.param(Tile(1, Colour.RED), "1", True, INVERTED, id="one on its head"),
        pytest.param(Tile(1, Colour.RED), "A", False, GLYPHS.index("A"), id="ace"),
        pytest.param(Tile(13, Colour.BLUE), "K", True, INVERTED + GLYPHS.index("K"), id="king on its head"),
        pytest.param(JOKER, "", True, JOKER_KIND, id="joker"),
        pytest.param(None, "", False, BACK_KIND, id="back"),
    ],
)
def test_a_tile_has_the_readers_class(tile: Tile | None, sign: str, inverted: bool, kind: int) -> None:
    truth = Truth(tile, quad(9, 9), cut=False, glyph=GLYPHS.index(sign) if sign else -1)
    assert kind_of(truth, inverted=inverted) == kind


def test_every_tile_knows_its_glyph_its_suit_and_what_its_ink_takes_away(scenes: list[TrainingSample]) -> None:
    for scene in scenes:
        for truth in scene.tiles:
            if truth.tile is None or truth.tile.is_joker:
                assert (truth.glyph, truth.suit) == (-1, 0)
            else:
                assert NUMBERS[truth.glyph] == truth.tile.number
                assert bool(truth.suit) is (scene.style.mark == "suit")
            assert max(abs(part) for part in truth.absorbed) <= 1.0 or truth.tile is None or min(truth.absorbed) < 0
            if truth.tile is None:
                assert truth.absorbed == pytest.approx((0, 0, 0), abs=1e-5)


def test_a_chunk_holds_one_picture_and_one_map_for_each_seed(chunk: Samples) -> None:
    assert chunk.pictures.shape == (12, SIDE, SIDE, 3)
    assert chunk.pictures.dtype == np.uint8
    assert chunk.maps.shape == (12, find.CHANNELS + 1, CELLS, CELLS)


def test_a_chunk_has_a_label_for_every_crop(chunk: Samples) -> None:
    count = len(chunk.crops)
    assert count > 100
    assert chunk.crops.shape == (count, crops.HEIGHT, crops.WIDTH, 3)
    assert all(len(getattr(chunk, part)) == count for part in data.READER_PARTS)
    assert chunk.absorbed.shape == (count, 3)
    assert chunk.shifts.shape == (count, 8)


def test_upright_and_inverted_tiles_are_about_as_many(chunk: Samples) -> None:
    upright = int((chunk.kinds < INVERTED).sum())
    inverted = int(((chunk.kinds >= INVERTED) & (chunk.kinds < JOKER_KIND)).sum())
    assert 0.5 < upright / inverted < 2


def test_what_is_no_tile_has_no_corners_to_shift_to(chunk: Samples) -> None:
    nothing = chunk.kinds == NONE_KIND
    assert nothing.any()
    assert not chunk.shifts[nothing].any()
    assert np.abs(chunk.shifts[~nothing]).mean() > 0.005
    assert np.abs(chunk.shifts[~nothing]).max() < 0.6


def test_a_chunk_is_the_same_for_the_same_seeds(faces: Faces, chunk: Samples) -> None:
    again = make_chunk(range(41, 42), faces, validation=False, copies=2)
    assert np.array_equal(again.pictures[0], chunk.pictures[1])
    assert np.array_equal(again.maps[0], chunk.maps[1])


def test_training_and_calibration_never_share_a_picture(faces: Faces, chunk: Samples) -> None:
    other = make_chunk(range(40, 41), faces, validation=True, copies=1)
    assert not np.array_equal(other.pictures[0], chunk.pictures[0])


def painted_scene() -> TrainingSample:
    """Tiles whose upper half is red, on a grey table; pictures of scenes are RGB."""
    picture = np.full((400, 400, 3), 90, np.uint8)
    tiles = []
    for i in range(9):
        corners = quad(70 + 130 * (i % 3), 70 + 130 * (i // 3), 40 * i, 50, 72)
        face = np.full((72, 50, 3), 235, np.uint8)
        face[:36] = (220, 30, 30)
        source = np.asarray([[0, 0], [50, 0], [50, 72], [0, 72]], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(source, corners)
        cv2.warpPerspective(face, matrix, (400, 400), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
        tiles.append(Truth(Tile(i + 1, Colour.RED), corners, cut=i == 8, glyph=i, absorbed=(0.9, 0.9, 0.1)))
    return TrainingSample(picture, tuple(tiles), 50.0, cast("Any", None))


def test_a_crop_labelled_inverted_shows_its_tile_on_its_head() -> None:
    made = data.cut_scene(np.random.default_rng(1), painted_scene(), 6)
    seen = {True: 0, False: 0}
    for crop, kind in zip(made.crops, made.kinds, strict=True):
        if kind != NONE_KIND:
            redness = crop[..., 2].astype(int) - crop[..., 1]
            upper, lower = redness[: crops.HEIGHT // 2].mean(), redness[crops.HEIGHT // 2 :].mean()
            assert bool(lower > upper) is bool(INVERTED <= kind < JOKER_KIND)
            seen[bool(kind >= INVERTED)] += 1
    assert min(seen.values()) > 5


def test_shifts_lead_from_the_crop_to_the_tiles_true_corners() -> None:
    scene = painted_scene()
    made = data.cut_scene(np.random.default_rng(2), scene, 2)
    tile = made.crops[made.kinds != NONE_KIND]
    moved = made.shifts[made.kinds != NONE_KIND].astype(np.float32).reshape(-1, 4, 2)
    nominal = crops.apply_shifts(np.asarray([[[0, 0], [1, 0], [1, 1], [0, 1]]], np.float32), np.zeros((1, 8)))
    assert nominal[0] == pytest.approx(np.asarray([[0, 0], [1, 0], [1, 1], [0, 1]]), abs=1e-5)
    frame = np.asarray([[0, 0], [crops.WIDTH, 0], [crops.WIDTH, crops.HEIGHT], [0, crops.HEIGHT]]) - 0.5
    inner = (frame - frame.mean(axis=0)) / crops.MARGIN + frame.mean(axis=0)
    for crop, shift in zip(tile, moved, strict=True):
        corners = inner + shift * crops.WIDTH
        mask = np.zeros(crop.shape[:2], np.uint8)
        cv2.fillConvexPoly(
            mask, np.round((corners - corners.mean(axis=0)) * 0.9 + corners.mean(axis=0)).astype(int), 1
        )
        assert (crop[mask == 1].max(axis=1) > 150).mean() > 0.97  # paper or red, not the table


def test_cut_tiles_give_no_crops() -> None:
    kinds = data.cut_scene(np.random.default_rng(3), painted_scene(), 1).kinds
    assert {k % INVERTED for k in kinds if k != NONE_KIND} == set(range(8))


def test_half_of_the_copies_lie_as_the_finder_gives_them_and_the_others_nearly_right() -> None:
    made = data.cut_scene(np.random.default_rng(5), painted_scene(), 6)
    tiles = made.kinds != NONE_KIND
    loose, near = (made.shifts[tiles & (made.loose == value)].astype(np.float32) for value in (1, 0))
    assert len(loose) == len(near) == 24
    assert np.abs(loose).mean() > 2 * np.abs(near).mean()
    assert (made.loose[~tiles] == 1).all()


def test_every_crop_of_a_tile_knows_what_its_ink_takes_away() -> None:
    made = data.cut_scene(np.random.default_rng(6), painted_scene(), 2)
    tiles = made.kinds != NONE_KIND
    assert made.absorbed[tiles].astype(np.float32) == pytest.approx(np.tile([0.9, 0.9, 0.1], (16, 1)), abs=1e-3)
    assert not made.absorbed[~tiles].any()
    assert not made.suits[~tiles].any()


def test_crops_can_be_picked_and_joined_without_pictures() -> None:
    made = data.cut_scene(np.random.default_rng(7), painted_scene(), 1)
    both = data.join_samples([made.crops_only([0, 2]), made.crops_only(np.asarray([1]))])
    assert np.array_equal(both.crops, made.crops[[0, 2, 1]])
    assert np.array_equal(both.kinds, made.kinds[[0, 2, 1]])
    assert len(both.pictures) == len(both.maps) == 0


def test_mild_pictures_are_others_than_harsh_ones(faces: Faces) -> None:
    harsh, mild = (
        [make_scene(np.random.default_rng(seed), faces, side=160, short_px=36, severity=severity).picture
         for seed in range(3, 9)]
        for severity in (1.0, 0.4)
    )  # fmt: skip
    # Not each picture is disturbed, and which ones are depends on the typefaces of the machine.
    assert not all(map(np.array_equal, harsh, mild))


def test_what_is_labelled_no_tile_is_nowhere_nearly_a_tile(scenes: list[TrainingSample]) -> None:
    rng = np.random.default_rng(4)
    for scene in [painted_scene(), *scenes]:
        for wrong in data.wrong_quads(rng, scene, 30):
            for truth in scene.tiles:
                hull = cv2.convexHull(wrong)
                shared, _ = cv2.intersectConvexConvex(hull, truth.corners)
                together = cv2.contourArea(hull) + cv2.contourArea(truth.corners) - shared
                assert shared < 0.66 * together


def test_samples_are_read_back_as_they_were_made(faces: Faces, tmp_path: Path) -> None:
    counts: list[int] = []
    make_samples(60, 3, faces, tmp_path, validation=False, workers=1, report=counts.append)
    whole, again = load_samples(tmp_path), make_chunk(range(60, 63), faces, validation=False, copies=2)
    for part in data.PARTS:
        assert np.array_equal(getattr(whole, part), getattr(again, part))
    assert counts == [0, 3]


def test_samples_that_were_made_are_kept(faces: Faces, tmp_path: Path) -> None:
    (tmp_path / "60.npz").write_bytes(b"made before")
    counts: list[int] = []
    make_samples(60, 3, faces, tmp_path, validation=False, workers=1, report=counts.append)
    assert (tmp_path / "60.npz").read_bytes() == b"made before"
    assert counts == [3]


def small_file(folder: Path, name: str, value: int) -> None:
    np.savez(folder / name, **{part: np.full((2, 1), value, np.uint8) for part in data.PARTS})


def test_only_the_wanted_parts_are_loaded(tmp_path: Path) -> None:
    small_file(tmp_path, "0.npz", 1)
    small_file(tmp_path, "200.npz", 2)
    loaded = load_samples(tmp_path, parts=data.FINDER_PARTS)
    assert loaded.pictures.ravel().tolist() == [1, 1, 2, 2]
    assert [len(getattr(loaded, part)) for part in data.READER_PARTS] == [0] * len(data.READER_PARTS)


def test_half_written_samples_are_not_loaded(tmp_path: Path) -> None:
    small_file(tmp_path, "0.npz", 1)
    (tmp_path / "200.part.npz").write_bytes(b"half")
    assert len(load_samples(tmp_path).kinds) == 2


def test_a_folder_without_samples_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="expected made samples in"):
        load_samples(tmp_path)
