"""Table tops: every kind is drawn, seeded, and has the detail that makes tiles hard to find on it."""

import numpy as np
import pytest

from referee.train.pictures.surfaces import mirror_lights, table_top, tile_body

SIDE, SHORT_PX = 160, 24.0


def tops(count: int) -> list[np.ndarray]:
    return [table_top(np.random.default_rng([seed, 9]), SIDE, SHORT_PX) for seed in range(count)]


def test_a_top_is_a_picture_of_finite_colours_and_seeded() -> None:
    for one, again in zip(tops(40), tops(40), strict=True):
        assert one.shape == (SIDE, SIDE, 3)
        assert one.dtype == np.float32
        assert np.isfinite(one).all()
        assert np.array_equal(one, again)


def test_some_tops_have_coarse_detail_as_large_as_print() -> None:
    """Strips, granules and sackcloth have edges at a tenth of a tile's width and more; plain tops have none."""
    step = round(SHORT_PX / 8)
    coarse = []
    for top in tops(120):
        small = top.mean(axis=2)[: SIDE // step * step, : SIDE // step * step]
        small = small.reshape(SIDE // step, step, -1, step).mean(axis=(1, 3))
        coarse.append(float(np.abs(np.diff(small, axis=0)).mean() / small.mean()))
    assert np.mean(np.asarray(coarse) > 0.05) > 0.2
    assert np.mean(np.asarray(coarse) < 0.01) > 0.05


@pytest.mark.parametrize("seed", range(6))
def test_mirrored_lights_brighten_a_part_of_the_table(seed: int) -> None:
    before = np.full((SIDE, SIDE, 3), 60, np.float32)
    after = before.copy()
    mirror_lights(np.random.default_rng(seed), after, SHORT_PX)
    assert (after >= before - 1e-3).all()
    assert after.max() <= 255
    assert not np.array_equal(before, after)


def test_plain_wood_has_no_strong_grain() -> None:
    def grain(*, plain: bool) -> list[float]:
        bodies = [tile_body(np.random.default_rng(seed), True, 96, 24.0, plain=plain) for seed in range(60)]
        return sorted(float((body.std(axis=(0, 1)) / body.mean(axis=(0, 1))).mean()) for body in bodies)

    assert grain(plain=True)[-1] < grain(plain=False)[-1]
