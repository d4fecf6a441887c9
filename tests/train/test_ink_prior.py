"""What the inks of boxes look like: mixtures fitted to drawn boxes in drawn lights."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

from referee.train import main
from referee.train.calibrate import CLASSES, LEAST, NARROWEST, fit_mixture, priors, sample_inks
from referee.train.pictures.faces import BOXES
from referee.vision.reading.inks import InkPrior, priors_from

MEANS = np.asarray([[0.1, 0.2, 0.9], [0.9, 0.8, 0.1]])
SIZES = (0.05, 0.12)
SHARE = 0.3


def mixture(count: int) -> np.ndarray:
    """Points of a mixture of two round normal distributions."""
    rng = np.random.default_rng(1)
    which = (rng.random(count) >= SHARE).astype(int)
    return np.asarray(MEANS[which] + rng.normal(0, 1, (count, 3)) * np.asarray(SIZES)[which, None])


def test_a_mixture_is_found_again_in_its_points() -> None:
    weights, means, covariances = fit_mixture(mixture(3000), 2, np.random.default_rng(2))
    order = np.argsort(means[:, 0])
    assert weights[order] == pytest.approx([SHARE, 1 - SHARE], abs=0.03)
    assert means[order] == pytest.approx(MEANS, abs=0.02)
    for found, size in zip(covariances[order], SIZES, strict=True):
        assert found == pytest.approx((size**2 + NARROWEST**2) * np.eye(3), abs=0.003)


def test_no_component_is_narrower_than_lights_differ() -> None:
    points = np.repeat([[0.5, 0.5, 0.5]], 40, axis=0) + np.random.default_rng(1).normal(0, 1e-6, (40, 3))
    _, _, covariances = fit_mixture(points, 2, np.random.default_rng(2))
    assert np.linalg.eigvalsh(covariances).min() >= NARROWEST**2 - 1e-9


@pytest.mark.parametrize("colours", BOXES, ids=lambda colours: "".join(c.letter for c in colours))
def test_drawn_inks_are_parts_of_the_light_and_lights_have_a_class(colours: tuple[object, ...]) -> None:
    seen = [sample_inks(np.random.default_rng(seed), colours) for seed in range(60)]  # type: ignore[arg-type]
    inks = np.asarray([taken for taken, _ in seen])
    assert inks.shape == (60, len(colours), 3)
    assert inks.min() >= LEAST
    assert inks.max() <= 1.0
    assert {light for _, light in seen} <= set(range(CLASSES))
    assert len({light for _, light in seen}) > 2


def test_dark_inks_take_most_light_away_and_yellow_most_of_the_blue() -> None:
    colours = BOXES[2]
    inks = np.median([sample_inks(np.random.default_rng(seed), colours)[0] for seed in range(80)], axis=0)
    named = {colour.value: taken for colour, taken in zip(colours, inks, strict=True)}
    assert named["black"].min() > 0.6
    assert named["yellow"][0] > named["yellow"][1] + 0.2 > named["yellow"][2] + 0.2
    assert named["blue"].argmax() == 2
    assert named["red"].argmin() == 2


@pytest.fixture(scope="module")
def made() -> list[InkPrior]:
    return priors(1, samples=420, components=2)


def test_there_is_a_prior_for_every_box_in_the_shops(made: list[InkPrior]) -> None:
    assert tuple(prior.colours for prior in made) == BOXES
    for prior in made:
        assert prior.weights.shape == (CLASSES,)
        assert prior.means.shape == (CLASSES, 4, 2, 3)
        assert prior.weights.sum() == pytest.approx(1.0)
        assert prior.shares.sum(axis=2) == pytest.approx(np.ones((CLASSES, 4)))
        assert np.isfinite(prior.means).all()
        assert np.linalg.eigvalsh(prior.covariances).min() > 0


def test_priors_come_back_from_their_file(made: list[InkPrior], tmp_path: object) -> None:
    path = tmp_path / "inks.npz"  # type: ignore[operator]
    main.save_priors(made, path)
    with np.load(path, allow_pickle=False) as arrays:
        again = priors_from(dict(arrays))
    for one, other in zip(made, again, strict=True):
        assert one.colours == other.colours
        for part in ("weights", "shares", "means", "covariances"):
            assert getattr(other, part) == pytest.approx(getattr(one, part), abs=1e-5)
