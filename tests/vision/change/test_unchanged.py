"""Which tiles need not be read again: never one that was exchanged, in whatever light."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.tiles import TILE_SETS, Colour, Tile
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS, Glare
from referee.sim.scene.render import render, truth
from referee.sim.scene.scene import MAKES, Placed, Scene, TileMake
from referee.vision.change.unchanged_tiles import KnownTiles, match_unchanged
from referee.vision.sighting import Floats, Image

LIKE = {1: 7, 2: 3, 3: 8, 4: 1, 5: 6, 6: 8, 7: 1, 8: 6, 9: 8, 10: 11, 11: 10, 12: 13, 13: 12}
"""The number that looks most like a number."""
LIKE_INK = {
    Colour.BLUE: Colour.BLACK,
    Colour.BLACK: Colour.BLUE,
    Colour.RED: Colour.ORANGE,
    Colour.ORANGE: Colour.RED,
    Colour.YELLOW: Colour.GREEN,
    Colour.GREEN: Colour.BLUE,
}
BOX = TILE_SETS["rummikub"]
CAMERA = Camera(width_px=760, height_px=520, x_mm=190, y_mm=130, height_mm=1000, focal=2000 / 760, k1=0)
"""As many pixels a millimetre as over a real table, of a part of it."""
DIM = replace(LIGHTS["even"], brightness=0.4, noise=3.5)
DARK_INKS: dict[Colour, tuple[int, int, int]] = {
    Colour.BLACK: (38, 36, 40),
    Colour.BLUE: (32, 40, 78),
    Colour.RED: (190, 40, 40),
    Colour.ORANGE: (205, 75, 35),
}
LIGHTS_OVER_TIME = [
    pytest.param(LIGHTS["even"], LIGHTS["even"], id="even"),
    pytest.param(LIGHTS["evening"], LIGHTS["evening"], id="evening"),
    pytest.param(LIGHTS["glare"], LIGHTS["glare"], id="glare"),
    pytest.param(DIM, DIM, id="dim"),
    pytest.param(LIGHTS["even"], LIGHTS["lamp"], id="a lamp switched on"),
    pytest.param(LIGHTS["lamp"], LIGHTS["window"], id="a curtain opened"),
]


def scene(look: TileMake, seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    kinds = [tile for tile in BOX.inventory() if tile.number]
    tiles = tuple(
        Placed(
            kinds[int(rng.integers(len(kinds)))],
            35 + 36.0 * (i % 9) + float(rng.uniform(-1, 1)),
            40 + 46.0 * (i // 9) + float(rng.uniform(-1, 1)),
            float(rng.uniform(-8, 8)) + 180.0 * int(rng.integers(2)),
            int(rng.integers(2)),
        )
        for i in range(45)
    )
    return Scene(tiles=tiles, tileset=BOX, look=look, table_mm=(380.0, 260.0), markers=(), seed=seed)


def changed(before: Scene, change: Callable[[Placed], Placed]) -> Scene:
    return replace(before, tiles=tuple(change(tile) for tile in before.tiles))


def taken(of: Scene, light: object, seed: int, jpeg: int | None = 90) -> Image:
    return render(of, CAMERA, light, np.random.default_rng(seed), jpeg_quality=jpeg)  # type: ignore[arg-type]


def known(picture: Image, corners: Floats) -> KnownTiles:
    return KnownTiles.from_picture(picture, corners, np.ones(len(corners), bool))


def other_number(tile: Placed) -> Placed:
    assert tile.tile is not None
    assert tile.tile.number is not None
    return replace(tile, tile=Tile(LIKE[tile.tile.number], tile.tile.colour))


def other_ink(tile: Placed) -> Placed:
    assert tile.tile is not None
    assert tile.tile.colour is not None
    return replace(tile, tile=Tile(tile.tile.number, LIKE_INK[tile.tile.colour]))


@pytest.mark.parametrize("change", [other_number, other_ink])
@pytest.mark.parametrize(("before", "now"), LIGHTS_OVER_TIME)
def test_a_tile_exchanged_for_the_one_most_like_it_is_never_unchanged(
    before: object, now: object, change: Callable[[Placed], Placed]
) -> None:
    there = scene(MAKES["maple" if change is other_ink else "cream"], 3)
    corners = truth(there, CAMERA)
    found = match_unchanged(known(taken(there, before, 1), corners), taken(changed(there, change), now, 2), corners)
    assert (found == -1).all()


@pytest.mark.parametrize(("before", "now"), LIGHTS_OVER_TIME[:3])
def test_inks_that_are_hard_to_tell_apart_are_told_apart_here(before: object, now: object) -> None:
    there = scene(replace(MAKES["cream"], inks=tuple(DARK_INKS.items())), 4)
    corners = truth(there, CAMERA)
    found = match_unchanged(known(taken(there, before, 1), corners), taken(changed(there, other_ink), now, 2), corners)
    assert (found == -1).all()


@pytest.mark.parametrize("turned", [6, 9])
def test_a_nine_laid_where_a_six_lay_upside_down_is_another_tile(turned: int) -> None:
    there = changed(scene(MAKES["cream"], 5), lambda tile: replace(tile, tile=Tile(turned, Colour.BLUE)))
    upside_down = changed(
        there, lambda tile: replace(tile, tile=Tile(15 - turned, Colour.BLUE), angle_deg=tile.angle_deg + 180)
    )
    corners = truth(there, CAMERA)
    found = match_unchanged(
        known(taken(there, LIGHTS["even"], 1), corners), taken(upside_down, LIGHTS["even"], 2), corners
    )
    assert (found == -1).all()


@pytest.mark.parametrize("mm", [1.0, 2.0])
def test_a_tile_that_was_pushed_is_read_again(mm: float) -> None:
    there = scene(MAKES["cream"], 6)
    corners = truth(there, CAMERA)
    pushed = changed(there, lambda tile: replace(tile, x_mm=tile.x_mm + 0.8 * mm, y_mm=tile.y_mm - 0.6 * mm))
    now = taken(pushed, LIGHTS["even"], 2)
    assert (match_unchanged(known(taken(there, LIGHTS["even"], 1), corners), now, truth(pushed, CAMERA)) == -1).all()


@pytest.mark.parametrize(
    ("now", "share"),
    [
        pytest.param(LIGHTS["lamp"], 0.95, id="the same light"),
        pytest.param(replace(LIGHTS["lamp"], brightness=0.75), 0.9, id="dimmed"),
    ],
)
def test_what_was_left_alone_is_recognised(now: object, share: float) -> None:
    there = scene(MAKES["cream"], 7)
    corners = truth(there, CAMERA)
    rng = np.random.default_rng(1)
    order = rng.permutation(len(corners))
    near = np.roll(corners[order] + rng.normal(0, 0.7, (len(corners), 1, 2)).astype(np.float32), 2, axis=1)
    found = match_unchanged(known(taken(there, LIGHTS["lamp"], 1), corners), taken(there, now, 2), near)
    assert (found == order).mean() >= share
    assert ((found == order) | (found == -1)).all()


def test_in_the_light_of_another_lamp_nothing_is_unchanged() -> None:
    there = scene(MAKES["cream"], 7)
    corners = truth(there, CAMERA)
    found = match_unchanged(known(taken(there, LIGHTS["lamp"], 1), corners), taken(there, LIGHTS["even"], 2), corners)
    assert (found == -1).all()


def test_one_exchanged_tile_among_many_is_the_only_one_that_is_read() -> None:
    there = scene(MAKES["cream"], 8)
    corners = truth(there, CAMERA)
    tiles = [*there.tiles]
    tiles[17] = other_number(tiles[17])
    now = taken(replace(there, tiles=tuple(tiles)), LIGHTS["even"], 2)
    found = match_unchanged(known(taken(there, LIGHTS["even"], 1), corners), now, corners)
    assert np.flatnonzero(found == -1).tolist() == [17]


class TestWhatIsNeverUnchanged:
    there = scene(MAKES["cream"], 9)
    corners = truth(there, CAMERA)
    before, now = taken(there, LIGHTS["even"], 1), taken(there, LIGHTS["even"], 2)

    def test_what_was_not_read_beyond_doubt(self) -> None:
        sure = np.arange(len(self.corners)) % 2 == 0
        found = match_unchanged(KnownTiles.from_picture(self.before, self.corners, sure), self.now, self.corners)
        assert (found[~sure] == -1).all()
        assert (found[sure] >= 0).all()

    def test_what_lies_where_none_lay(self) -> None:
        short = float(np.linalg.norm(self.corners[0, 1] - self.corners[0, 0]))
        beside = self.corners + np.float32([0.15 * short, 0])
        assert (match_unchanged(known(self.before, self.corners), self.now, beside) == -1).all()

    def test_two_that_were_found_in_one_place(self) -> None:
        found = match_unchanged(
            known(self.before, self.corners), self.now, np.concatenate([self.corners, self.corners[:1]])
        )
        assert found[0] == found[-1] == -1
        assert (found[1:-1] >= 0).all()

    def test_a_bare_back(self) -> None:
        backs = changed(self.there, lambda tile: replace(tile, tile=None))
        pictures = [taken(backs, LIGHTS["even"], seed) for seed in (1, 2)]
        assert (match_unchanged(known(pictures[0], self.corners), pictures[1], self.corners) == -1).all()

    def test_what_a_lamp_is_mirrored_in(self) -> None:
        light = replace(LIGHTS["even"], brightness=0.9, glare=(Glare(190.0, 130.0, 500.0, 0.6),))
        pictures = [taken(self.there, light, seed) for seed in (1, 2)]
        exchanged = taken(changed(self.there, other_ink), light, 3)
        assert (match_unchanged(known(pictures[0], self.corners), exchanged, self.corners) == -1).all()

    def test_a_tile_in_a_picture_that_is_all_white_or_all_black(self) -> None:
        for level in (0, 255):
            plain = np.full_like(self.now, level)
            assert (match_unchanged(known(self.before, self.corners), plain, self.corners) == -1).all()
            assert not known(plain, self.corners).sure.any()

    def test_nothing_at_all(self) -> None:
        none = np.zeros((0, 4, 2), np.float32)
        assert match_unchanged(known(self.before, none), self.now, self.corners).tolist() == [-1] * len(self.corners)
        assert match_unchanged(known(self.before, self.corners), self.now, none).shape == (0,)


def test_the_places_tell_where_the_tiles_lie_once_the_camera_has_moved() -> None:
    there = scene(MAKES["cream"], 10)
    corners = truth(there, CAMERA)
    moved = np.float32([[1, 0, 9], [0, 1, -6]])
    now = np.asarray(cv2.warpAffine(taken(there, LIGHTS["even"], 2), moved, (760, 520)), np.uint8)
    seen = corners + np.float32([9, -6])
    before = known(taken(there, LIGHTS["even"], 1), corners)
    assert (match_unchanged(before, now, seen) == -1).all()
    assert (match_unchanged(before, now, seen, seen) >= 0).mean() > 0.9
