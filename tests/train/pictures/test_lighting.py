"""Light over drawn pictures: what is told of a flat colour is what the camera shows of it."""

from collections.abc import Iterator

import numpy as np
import pytest

from referee.train.pictures import lighting
from referee.train.pictures.lighting import GLARE, Illumination, absorbed_light, choose_light, photograph

SIDE = 48
MIDDLE = np.asarray([[SIDE / 2, SIDE / 2]], np.float32)


class Calm(np.random.Generator):
    """Chance without noise and without a badly kept file: `random` never falls below any share."""

    def random(self, *_: object, **__: object) -> float:  # type: ignore[override]
        return 0.999


def calm(seed: int) -> np.random.Generator:
    return Calm(np.random.PCG64(seed))


def light_of(multiply: float = 1.0, veil: float = 0.0, gamma: float = 1.0) -> Illumination:
    return Illumination(np.full((SIDE, SIDE, 3), multiply, np.float32), np.full((SIDE, SIDE), veil, np.float32), gamma)


def lights() -> Iterator[Illumination]:
    for seed in range(6):
        made = choose_light(np.random.default_rng(seed), SIDE, 30.0)
        even = np.broadcast_to(made.map[SIDE // 2, SIDE // 2], made.map.shape)  # blur mixes neighbours
        yield Illumination(
            np.asarray(even), np.full((SIDE, SIDE), made.veil[SIDE // 2, SIDE // 2], np.float32), made.gamma
        )


@pytest.mark.parametrize("colour", [(235, 230, 220), (30, 60, 200), (200, 30, 30), (25, 25, 25)], ids=str)
def test_what_is_told_of_a_flat_patch_is_what_the_camera_shows(colour: tuple[int, ...]) -> None:
    patch = np.broadcast_to(np.asarray(colour, np.float32), (SIDE, SIDE, 3))
    for seed, light in enumerate(lights()):
        picture = photograph(calm(seed), patch.copy(), light, 30.0)
        told = light.light_colours(np.asarray([colour], np.float32), MIDDLE)[0]
        assert picture[SIDE // 2, SIDE // 2].astype(float) == pytest.approx(told, abs=1.1)


def test_light_falls_where_it_falls() -> None:
    light = light_of()
    light.map[:, : SIDE // 2] = 0.5
    seen = light.light_colours(np.full((2, 3), 200.0, np.float32), np.asarray([[5, 9], [40, 9]], np.float32))
    assert seen[0] == pytest.approx([100.0] * 3)
    assert seen[1] == pytest.approx([200.0] * 3)


def test_places_outside_the_picture_are_seen_as_its_edge() -> None:
    colours = np.full((2, 3), 100.0, np.float32)
    light = light_of()
    light.map[0, 0] = 2.0
    lit = light.light_colours(colours, np.asarray([[-9, -9], [500, 500]], np.float32))
    assert lit[:, 0].tolist() == [200.0, 100.0]


def test_a_veil_bleaches_and_a_bright_light_clips() -> None:
    colour = np.asarray([[20.0, 90.0, 200.0]], np.float32)
    assert light_of(veil=1.0).light_colours(colour, MIDDLE)[0] == pytest.approx([GLARE] * 3)
    assert light_of(multiply=9.0).light_colours(colour, MIDDLE)[0, 1:] == pytest.approx([255.0, 255.0])


def test_ink_takes_away_a_part_of_the_bodys_light() -> None:
    body = np.asarray([[200.0, 200.0, 200.0]], np.float32)
    assert absorbed_light(body, body)[0] == pytest.approx([0, 0, 0])
    assert absorbed_light(np.zeros((1, 3), np.float32), body)[0] == pytest.approx([1, 1, 1])
    assert absorbed_light(np.asarray([[100.0, 200.0, 50.0]], np.float32), body)[0] == pytest.approx([0.5, 0, 0.75])


@pytest.mark.parametrize("multiply", [0.4, 0.8, 1.2])
def test_without_haze_and_gamma_the_brightness_of_the_light_drops_out(multiply: float) -> None:
    ink, body = np.asarray([[30.0, 60.0, 150.0]], np.float32), np.asarray([[200.0, 190.0, 180.0]], np.float32)
    light = light_of(multiply)
    lit = absorbed_light(light.light_colours(ink, MIDDLE), light.light_colours(body, MIDDLE))
    assert lit == pytest.approx(absorbed_light(ink, body), abs=1e-4)


def test_haze_pales_what_an_ink_takes_away() -> None:
    ink, body = np.asarray([[30.0, 60.0, 150.0]], np.float32), np.asarray([[200.0, 190.0, 180.0]], np.float32)
    plain, hazy = (
        absorbed_light(light_of(veil=veil).light_colours(ink, MIDDLE), light_of(veil=veil).light_colours(body, MIDDLE))
        for veil in (0, 0.4)
    )
    assert (hazy < plain).all()


def test_a_light_has_the_size_of_its_picture_and_the_same_seed_gives_the_same() -> None:
    one, other = (choose_light(np.random.default_rng(4), SIDE, 20.0) for _ in range(2))
    assert one.map.shape == (SIDE, SIDE, 3)
    assert one.veil.shape == (SIDE, SIDE)
    assert np.array_equal(one.map, other.map)
    assert np.array_equal(one.veil, other.veil)
    assert one.gamma == other.gamma


def spread_of(severity: float) -> tuple[float, float]:
    """Standard deviation of exposures, and the mean veil, over some lights."""
    made = [choose_light(np.random.default_rng(seed), 16, 20.0, severity) for seed in range(150)]
    exposures = [float(light.map.mean()) for light in made]
    return float(np.std(exposures)), float(np.mean([light.veil.mean() for light in made]))


def test_a_table_has_milder_light_than_training() -> None:
    harsh, mild = spread_of(1.0), spread_of(0.4)
    assert mild[0] < harsh[0]
    assert mild[1] < 0.6 * harsh[1]


def test_lights_of_training_veil_never_wholly_and_never_take_all_light_away() -> None:
    for seed in range(60):
        light = choose_light(np.random.default_rng(seed), 16, 20.0)
        assert (light.map > 0.02).all()
        assert ((light.veil >= 0) & (light.veil < 1)).all()


def test_a_photograph_is_bytes_of_the_same_size_and_seeded() -> None:
    patch = np.full((SIDE, SIDE, 3), 120, np.float32)
    one, other = (photograph(np.random.default_rng(3), patch.copy(), light_of(), 20.0) for _ in range(2))
    assert one.dtype == np.uint8
    assert one.shape == patch.shape
    assert np.array_equal(one, other)
    assert lighting.GLARE < 255
