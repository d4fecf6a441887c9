"""Crops that are deformed at random, so that more type faces are learnt."""

import numpy as np
import pytest

from referee.vision.reading.crops import HEIGHT, WIDTH

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from referee.train import deformation  # noqa: E402
from referee.train.deformation import PALE, Deformation  # noqa: E402

COUNT = 200


def bars():
    """Crops without ink but for a bar in the middle, which absorbs most of the light."""
    ink = torch.zeros(COUNT, 3, HEIGHT, WIDTH)
    ink[:, :, 24:40, 20:28] = -0.8
    return ink


def deform(seed=1, *, shift=0.0, pale_share=0.0):
    return Deformation(shift, pale_share).apply(np.random.default_rng(seed), bars())


def middles(ink):
    """Return where the ink is: (n, 2), in pixels."""
    share = (-ink.mean(1)).clamp(min=0.2) - 0.2
    share = share / share.sum((1, 2), keepdim=True)
    down, across = torch.arange(HEIGHT), torch.arange(WIDTH)
    return torch.stack([(share.sum(1) * across).sum(1), (share.sum(2) * down).sum(1)], 1)


def test_a_seed_always_gives_the_same_and_another_seed_something_else():
    assert torch.equal(deform(1), deform(1))
    assert not torch.equal(deform(1), deform(2))


def test_crops_stay_in_the_range_of_ink_and_nearly_as_they_were():
    changed = deform(shift=0.04, pale_share=0.5)
    assert changed.shape == bars().shape
    assert bool(torch.isfinite(changed).all())
    assert 0.01 < float((changed - bars()).abs().mean()) < 0.2


@pytest.fixture
def rigid(monkeypatch):
    """Nothing but moves and strokes: no bends, turns, light and noise."""
    for name in ("TURN", "STRETCH", "SHEAR", "BEND", "BLUR_SHARE", "RAMP", "STROKE_SHARE"):
        monkeypatch.setattr(deformation, name, 0.0)
    monkeypatch.setattr(deformation, "NOISE", (0.0, 0.0))


@pytest.mark.usefixtures("rigid")
def test_crops_are_moved_as_far_as_is_wanted():
    across, down = middles(deform(shift=0.1)).std(0).tolist()
    assert across == pytest.approx(0.1 * WIDTH / 2, rel=0.2)
    assert down == pytest.approx(0.1 * HEIGHT / 2, rel=0.2)


def test_as_many_inks_are_made_paler_as_is_wanted():
    def darkest(pale_share):
        return deform(pale_share=pale_share).mean(1)[:, 28:36, 22:26].mean((1, 2))

    assert float(darkest(0.0).mean()) < float(darkest(0.5).mean()) < float(darkest(1.0).mean())
    expected = -0.8 * sum(PALE) / 2
    assert float(darkest(1.0).mean()) == pytest.approx(expected, abs=0.08)


@pytest.mark.usefixtures("rigid")
def test_strokes_are_broadened_and_narrowed(monkeypatch):
    monkeypatch.setattr(deformation, "STROKE_SHARE", 0.3)
    ink = (deform().mean(1) - bars().mean(1)).mean((1, 2))
    assert 0.1 < float((ink < -0.001).float().mean()) < 0.5
    assert 0.1 < float((ink > 0.001).float().mean()) < 0.5
    assert 0.2 < float((ink.abs() < 1e-6).float().mean()) < 0.8
