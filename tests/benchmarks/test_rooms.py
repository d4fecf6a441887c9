"""Rooms by chance: seeded, each its own, and a box laid out whole in them."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from benchmarks import rooms
from referee.game.rulebooks import ruleset
from referee.game.tiles import TILE_SETS
from referee.sim.scene.light import LIGHTS


@pytest.mark.parametrize("box", TILE_SETS)
def test_the_same_chance_makes_the_same_room(box: str) -> None:
    one, other = (rooms.any_room(TILE_SETS[box], np.random.default_rng(4)) for _ in range(2))
    assert one == other != rooms.any_room(TILE_SETS[box], np.random.default_rng(5))


def test_light_differs_from_the_usual_one_and_stays_possible() -> None:
    rng = np.random.default_rng(1)
    for usual in LIGHTS.values():
        light = rooms.any_light(usual, rng)
        assert light != usual
        assert 0.5 < light.brightness < 1.2
        assert 0 <= light.gradient <= 0.45
        assert len(light.glare) == len(usual.glare)
        assert all(spot.strength <= 0.6 for spot in light.glare)


def test_a_camera_treats_every_picture_of_an_evening_alike() -> None:
    picture = np.full((54, 96, 3), 120, np.uint8)
    camera = rooms.Camera.any(np.random.default_rng(2))
    means = [camera(picture).mean(axis=(0, 1)) for _ in range(5)]
    assert np.ptp(means, axis=0).max() < 1.5
    assert means[0] == pytest.approx(120 * np.asarray(camera.gains), abs=3.0)


@pytest.mark.parametrize("box", ["classic", "gin"])
def test_a_whole_box_is_laid_out_every_tile_once(box: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = []

    def rendered(scene, *_):
        scenes.append(scene)
        return np.zeros((4, 4, 3), np.uint8)

    monkeypatch.setattr(rooms, "render", rendered)
    setting = rooms.any_room(TILE_SETS[box], np.random.default_rng(1))
    pictures = rooms.batches(setting, lambda picture: picture, np.random.default_rng(3))
    assert len(pictures) == len(scenes) == rooms.BATCHES
    placed = [tile for scene in scenes for tile in scene.tiles]
    assert Counter(tile.tile for tile in placed) == Counter(TILE_SETS[box].inventory())
    assert len({(tile.tile, tile.copy) for tile in placed}) == len(placed)
    width, height = setting.table_mm
    for scene in scenes:
        spots = np.asarray([(tile.x_mm, tile.y_mm) for tile in scene.tiles])
        apart = np.linalg.norm(spots[:, None] - spots[None], axis=2) + 1e3 * np.eye(len(spots))
        assert apart.min() > 46  # no two tiles can touch, however they are turned
        assert (spots > 40).all()
        assert (spots < np.asarray([width, height]) - 40).all()


def test_the_camera_of_a_match_sees_what_lies_there() -> None:
    book = ruleset("gin")
    setting = rooms.any_room(book.box, np.random.default_rng(1))
    small = replace(setting, camera=replace(setting.camera, width_px=192, height_px=108))
    match = rooms.SpoiltMatch(book, np.random.default_rng(1), players=("Ann", "Ben"), setting=small)
    match.lens = lambda picture: 255 - picture
    match.start(0.0)
    assert match.picture().shape == (108, 192, 3)
    assert match.taken.mean() > 100
