"""Inks of a whole table, on made-up measurements: who bears which, and where that must stay open."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.tiles import TILE_SETS, Colour
from referee.vision.reading import inks
from referee.vision.reading.inks import InkPrior, InkReading, digamma, priors_from, read_inks

Doubles = npt.NDArray[np.float64]

KOBR = TILE_SETS["rummikub"].colours
PRIOR = drawn.prior(KOBR)
WIDE = drawn.prior(KOBR, own=0.2)
"""Of somebody who knows little of what orange and red look like."""
BETWEEN = (drawn.ABSORBED[Colour.RED] + drawn.ABSORBED[Colour.ORANGE]) / 2
MODELS = Path(__file__).resolve().parents[3] / "models"
ALIEN = np.asarray([0.0, 0.6, 0.1])
FOUR = ("black", "orange", "blue", "red")
ERROR = 0.02

few = settings(max_examples=12)


def measured(names: Sequence[str], seed: int = 1, noise: float = ERROR, light: Sequence[float] = (0, 0, 0)) -> Doubles:
    """What tiles of those inks absorb, in a light that shifts them all alike."""
    inks = np.asarray([drawn.ABSORBED[Colour(name)] for name in names]).reshape(-1, 3)
    return np.asarray(inks + np.asarray(light) + np.random.default_rng(seed).normal(0, noise, inks.shape))


def read(
    seen: npt.ArrayLike, prior: InkPrior = PRIOR, hints: Doubles | None = None, weight: float = 1.0,
    error: float = ERROR,
) -> InkReading:  # fmt: skip
    absorbed = np.asarray(seen, np.float32).reshape(-1, 3)
    wanted = None if hints is None else np.asarray(hints, np.float32)
    return read_inks(absorbed, np.full(absorbed.shape, error, np.float32), prior, wanted, weight)


def named(reading: InkReading, least: float = 0.98) -> list[str]:
    """The ink of each tile, `?` where none is as likely as `least`."""
    rows = reading.chances
    return [reading.colours[int(row.argmax())].value if row.max() >= least else "?" for row in rows]


@pytest.mark.parametrize("light", [(0, 0, 0), (0.1, 0.1, 0.1), (-0.12, -0.05, 0.1), (0.12, 0, -0.1)], ids=str)
@pytest.mark.parametrize("box", ["rummikub", "ravensburger", "piatnik"])
def test_inks_that_all_lie_there_are_named_right_in_any_light(box: str, light: tuple[float, ...]) -> None:
    colours = TILE_SETS[box].colours
    names = [c.value for c in colours] * 3
    found = read(measured(names, light=light), drawn.prior(colours))
    assert named(found, 0.999) == names
    assert found.borne == pytest.approx([3, 3, 3, 3], abs=0.01)


def test_a_light_that_makes_one_ink_look_like_another_is_seen_through_by_the_others() -> None:
    turned = (0.0, 0.3, 0.0)  # orange looks as red does otherwise
    prior = drawn.prior(KOBR, own=0.04, lights=((0, 0, 0), turned))
    alone = read([drawn.ABSORBED[Colour.ORANGE] + turned] * 2, prior)
    among = read(measured(FOUR * 2) + turned, prior)
    assert named(alone) == ["?", "?"]
    assert named(among) == list(FOUR * 2)


@pytest.mark.parametrize("missing", FOUR)
def test_no_tile_is_named_for_an_ink_that_is_missing(missing: str) -> None:
    names = [name for name in FOUR if name != missing] * 4
    found = read(measured(names))
    assert named(found) == names
    assert found.borne[KOBR.index(Colour(missing))] < 0.05


@pytest.mark.parametrize("present", FOUR)
def test_an_ink_that_lies_there_alone_is_not_cut_in_two(present: str) -> None:
    found = read(measured([present] * 9, noise=0.03))
    assert named(found) == [present] * 9


@pytest.mark.parametrize("missing", FOUR)
def test_what_a_missing_ink_looks_like_is_left_to_the_light_the_others_tell(missing: str) -> None:
    light = (0.25, 0.2, -0.25)
    names = [name for name in FOUR if name != missing] * 4
    found = read(measured(names, light=light), drawn.prior(KOBR, lights=((0, 0, 0), light)))
    column = KOBR.index(Colour(missing))
    assert found.means[column] == pytest.approx(drawn.ABSORBED[Colour(missing)] + light, abs=0.02)
    sizes = [block.trace() for block in found.covariances]
    assert sizes.index(max(sizes)) == column


@pytest.mark.parametrize("count", [1, 2, 8])
def test_one_ink_alone_that_two_names_would_fit_is_a_doubt_however_many_bear_it(count: int) -> None:
    found = read([BETWEEN] * count, WIDE)
    assert named(found, 0.9) == ["?"] * count
    warm = found.chances[:, [KOBR.index(Colour.ORANGE), KOBR.index(Colour.RED)]]
    assert warm.sum(axis=1) == pytest.approx(1.0, abs=0.01)
    assert warm.min() > 0.1


@pytest.mark.parametrize(("apart", "told"), [(0.11, False), (0.28, True)])
def test_inks_that_the_light_lays_beside_each_other_are_not_told_apart(apart: float, told: bool) -> None:
    absorbed = drawn.ABSORBED | {Colour.BLUE: drawn.ABSORBED[Colour.BLACK] - np.asarray([apart, 0, 0])}
    expected = replace(PRIOR, means=np.asarray([[[absorbed[colour]] for colour in KOBR]]))
    names = ["black", "orange", "blue", "red"] * 4
    found = read([absorbed[Colour(name)] for name in names], expected)
    assert named(found) == names if told else named(found) == ["?", "orange", "?", "red"] * 4
    assert found.chances.sum(axis=1) == pytest.approx(np.ones(len(names)), abs=0.02)


@pytest.mark.parametrize(
    ("places", "told"), [((0.0, 0.01, 0.21, 0.22), True), ((0.0, 0.0, 0.09, 0.13, 0.22, 0.22), False)]
)
def test_inks_with_tiles_at_every_step_between_them_are_not_told_apart(places: tuple[float, ...], told: bool) -> None:
    """So one ink looks that is seen unevenly; two inks have a gap between them."""
    absorbed = drawn.ABSORBED | {Colour.BLUE: drawn.ABSORBED[Colour.BLACK] - np.asarray([0.22, 0, 0])}
    expected = replace(drawn.prior(KOBR, own=0.04), means=np.asarray([[[absorbed[colour]] for colour in KOBR]]))
    seen = [drawn.ABSORBED[Colour.BLACK] - np.asarray([place, 0, 0]) for place in places * 3]
    found = named(read([*seen, *measured(["red", "orange"] * 3)], expected))
    assert found == (["black", "black", "blue", "blue"] * 3 if told else ["?"] * 18) + ["red", "orange"] * 3


@pytest.mark.parametrize(("step", "told"), [(0.02, True), (0.05, False)])
def test_inks_closer_still_need_a_wider_gap(step: float, told: bool) -> None:
    absorbed = drawn.ABSORBED | {Colour.BLUE: drawn.ABSORBED[Colour.BLACK] - np.asarray([0.15, 0, 0])}
    expected = replace(drawn.prior(KOBR, own=0.04), means=np.asarray([[[absorbed[colour]] for colour in KOBR]]))
    places = (-step, 0.0, step, 0.15 - step, 0.15, 0.15 + step)
    seen = [drawn.ABSORBED[Colour.BLACK] - np.asarray([place, 0, 0]) for place in places * 3]
    found = named(read([*seen, *measured(["red", "orange"] * 3)], expected))
    assert found[:18] == (["black"] * 3 + ["blue"] * 3) * 3 if told else found[:18] == ["?"] * 18


def shipped_prior(box: str) -> InkPrior:
    with np.load(MODELS / "inks.npz") as arrays:
        return next(p for p in priors_from(arrays) if set(p.colours) == set(TILE_SETS[box].colours))


@pytest.mark.parametrize("seed", [2, 4])
def test_two_inks_that_lie_close_in_strong_light_are_not_merged(seed: int) -> None:
    """A table on which people see black and red; between the distant blue and orange these two had become one ink."""
    prior = shipped_prior("rummikub")
    absorbed = {"black": (0.23, 0.52, 0.57), "orange": (0.18, 0.19, -0.12), "blue": (-0.6, 0.33, 0.62),
                "red": (0.3, 0.64, 0.42)}  # fmt: skip
    names = list(FOUR) * 8
    seen = np.asarray([absorbed[name] for name in names]) + np.random.default_rng(seed).normal(0, 0.025, (32, 3))
    assert named(read(seen, prior)) == names


def test_an_ink_that_falls_into_two_groups_while_another_is_missing_leaves_doubt() -> None:
    """Cold light clips blue on yellow tiles; then yellow looks like red in haze."""
    prior = shipped_prior("piatnik")
    red, yellow, blue = [(0.36, 0.7, 0.16)] * 3, [(0.3, 0.35, 0.12), (0.26, 0.39, 0.2)], [(0.02, 0.62, 0.65)] * 5
    assert named(read([*red, *yellow, *blue], prior, error=0.055), 0.9) == ["red"] * 3 + ["?"] * 2 + ["blue"] * 5
    assert named(read([*red, *red, *blue], prior, error=0.055), 0.9) == ["red"] * 6 + ["blue"] * 5


def test_the_second_best_naming_brings_doubt_and_no_other_name(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = []
    for seed in range(60):
        nearby = np.random.default_rng(seed).normal(0, 0.04, (2, 3))
        tables.append([*measured(["red"] * 3, seed), *(BETWEEN + nearby)])
    doubtful = [read(seen, WIDE).chances for seen in tables]
    monkeypatch.setattr(inks, "DRIFT", -500.0)
    alone = [read(seen, WIDE).chances for seen in tables]
    assert [chances.argmax(axis=1).tolist() for chances in doubtful] == [c.argmax(axis=1).tolist() for c in alone]
    assert sum(chances.max(axis=1).sum() for chances in doubtful) < sum(c.max(axis=1).sum() for c in alone)


def test_an_ink_between_two_is_named_once_one_of_them_lies_beside_it() -> None:
    prior = drawn.prior(KOBR, own=0.08)
    assert named(read([BETWEEN] * 3, prior)) == ["?"] * 3
    assert named(read([*measured(["red"] * 3), *[BETWEEN] * 3], prior)) == ["red"] * 3 + ["orange"] * 3


@pytest.mark.parametrize("others", [(), FOUR * 3], ids=["alone", "among others"])
def test_a_tile_whose_ink_fits_none_leaves_doubt(others: tuple[str, ...]) -> None:
    found = read([*measured(others), ALIEN])
    assert found.chances[-1].sum() < 0.1
    assert named(found)[:-1] == list(others)


def test_a_tile_of_no_ink_does_not_pull_the_others_away() -> None:
    seen = measured(FOUR * 2)
    alone, beside = read(seen), read([*seen, ALIEN])
    assert beside.means == pytest.approx(alone.means, abs=0.01)


@few
@given(st.lists(st.floats(0.5, 1.0), min_size=8, max_size=8))
def test_haze_pales_an_ink_and_does_not_rename_it(haze: list[float]) -> None:
    names = list(FOUR * 4)
    seen = measured(names)
    seen[:8] *= np.asarray(haze)[:, None]
    assert named(read(seen)) == names


def test_hints_decide_where_the_ink_does_not() -> None:
    column = KOBR.index(Colour.RED)
    hints = np.full((4, 4), 0.003)
    hints[:, column] = 0.99
    assert named(read([BETWEEN] * 4, WIDE)) == ["?"] * 4
    assert named(read([BETWEEN] * 4, WIDE, hints)) == ["red"] * 4


def test_hints_that_favour_none_change_nothing() -> None:
    seen = measured(FOUR * 2, noise=0.06)
    one, other = read(seen), read(seen, hints=np.full((8, 4), 0.25))
    assert one.chances == pytest.approx(other.chances, abs=1e-6)
    assert one.evidence == pytest.approx(other.evidence)


def test_a_hint_against_a_plain_ink_is_outweighed() -> None:
    hints = np.full((8, 4), 0.25)
    hints[0] = [0.01, 0.01, 0.01, 0.97]
    assert named(read(measured(FOUR * 2), hints=hints)) == list(FOUR * 2)


def test_less_weight_for_the_evidence_leaves_more_doubt() -> None:
    nearly = [0.2 * drawn.ABSORBED[Colour.RED] + 0.8 * drawn.ABSORBED[Colour.ORANGE]] * 8
    surest = [float(read(nearly, WIDE, weight=weight).chances.max()) for weight in (1.0, 0.6, 0.35, 0.1)]
    assert all(one > other - 0.01 for one, other in itertools.pairwise(surest))
    assert surest[0] > surest[-1] + 0.05


def test_less_weight_for_the_evidence_leaves_what_is_plain() -> None:
    assert named(read(measured(FOUR * 3), weight=0.35)) == list(FOUR * 3)


@pytest.mark.parametrize("right", ["rummikub", "ravensburger", "piatnik"])
def test_the_evidence_is_highest_for_the_box_whose_inks_lie_there(right: str) -> None:
    seen = measured([c.value for c in TILE_SETS[right].colours] * 2)
    boxes = ("rummikub", "ravensburger", "piatnik")
    evidence = {box: read(seen, drawn.prior(TILE_SETS[box].colours)).evidence for box in boxes}
    assert max(evidence, key=evidence.__getitem__) == right
    assert evidence[right] > 5 + sorted(evidence.values())[-2]


tables = st.lists(st.sampled_from(FOUR), min_size=1, max_size=14)
seeds = st.integers(0, 1000)


@few
@given(tables, seeds, st.floats(0.0, 0.12))
def test_chances_are_chances(names: list[str], seed: int, noise: float) -> None:
    found = read(measured(names, seed, noise), WIDE)
    assert (found.chances >= 0).all()
    assert (found.chances.sum(axis=1) <= 1 + 1e-5).all()
    assert found.borne == pytest.approx(found.chances.sum(axis=0), abs=1e-3)
    assert np.linalg.eigvalsh(found.covariances).min() > 0


@few
@given(tables, seeds)
def test_the_order_of_tiles_does_not_matter(names: list[str], seed: int) -> None:
    seen = measured(names, seed, 0.05)
    order = np.random.default_rng(seed).permutation(len(names))
    one, other = read(seen), read(seen[order])
    assert other.chances == pytest.approx(one.chances[order], abs=1e-4)
    assert other.evidence == pytest.approx(one.evidence, abs=1e-3)


@few
@given(tables, seeds)
def test_the_same_table_gives_the_same_reading(names: list[str], seed: int) -> None:
    one, other = (read(measured(names, seed, 0.05)) for _ in range(2))
    assert np.array_equal(one.chances, other.chances)
    assert one.evidence == other.evidence


@few
@given(seeds)
def test_the_order_in_which_a_box_names_its_inks_does_not_matter(seed: int) -> None:
    seen = measured(FOUR * 2, seed, 0.05)
    other = read(seen, drawn.prior(KOBR[::-1]))
    assert other.colours == KOBR[::-1]
    assert other.chances[:, ::-1] == pytest.approx(read(seen).chances, abs=1e-4)


def test_nothing_that_was_measured_is_changed() -> None:
    seen = measured(FOUR).astype(np.float32)
    spread, hints = np.full((4, 3), ERROR, np.float32), np.full((4, 4), 0.25, np.float32)
    before = [array.copy() for array in (seen, spread, hints, PRIOR.means, PRIOR.covariances)]
    read_inks(seen, spread, PRIOR, hints)
    for array, old in zip((seen, spread, hints, PRIOR.means, PRIOR.covariances), before, strict=True):
        assert np.array_equal(array, old)


def test_an_empty_table_says_nothing_of_inks() -> None:
    found = read(np.zeros((0, 3)))
    assert found.chances.shape == (0, 4)
    assert found.means == pytest.approx(PRIOR.means[0, :, 0])
    assert found.evidence == pytest.approx(0, abs=1e-6)


def test_the_likelier_of_two_lights_is_taken_where_the_table_fits_both() -> None:
    light = (0.3, -0.25, -0.2)
    prior = drawn.prior(KOBR, lights=((0, 0, 0), light))
    usual = InkPrior(KOBR, np.asarray([0.9, 0.1]), prior.shares, prior.means, prior.covariances)
    names = list(FOUR * 3)
    assert named(read(measured(names, light=light), usual)) == names
    assert read(measured(names), usual).evidence > read(measured(names, light=light), usual).evidence + 1


def test_an_ink_that_boxes_print_in_two_ways_is_known_in_both() -> None:
    teal = np.asarray([0.35, 0.45, 0.95])
    one = drawn.prior(KOBR)
    means = np.repeat(one.means, 2, axis=2)
    means[0, KOBR.index(Colour.BLUE), 1] = teal
    both = InkPrior(KOBR, one.weights, np.full((1, 4, 2), 0.5), means, np.repeat(one.covariances, 2, axis=2))
    names = list(FOUR * 3)
    seen = measured(names)
    seen[[i for i, name in enumerate(names) if name == "blue"]] = teal
    assert named(read(seen, both)) == names
    assert named(read(measured(names), both)) == names
    assert read(seen, both).means[KOBR.index(Colour.BLUE)] == pytest.approx(teal, abs=0.01)


@pytest.mark.parametrize(
    ("shares", "means", "covariances"),
    [
        ((1, 3, 1), (1, 3, 1, 3), (1, 3, 1, 3, 3)), ((2, 4, 1), (2, 4, 1, 3), (2, 4, 1, 3, 3)),
        ((1, 4, 2), (1, 4, 1, 3), (1, 4, 1, 3, 3)), ((1, 4, 1), (1, 4, 1, 3), (1, 4, 1, 3)),
    ],
    ids=["an ink too few", "a light too many", "a mean too few", "variances only"],
)  # fmt: skip
def test_a_prior_of_another_shape_is_refused(
    shares: tuple[int, ...], means: tuple[int, ...], covariances: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="expected a prior of 4 inks in 1 lights, got arrays"):
        InkPrior(KOBR, np.ones(1), np.zeros(shares), np.zeros(means), np.zeros(covariances))


@pytest.mark.parametrize("value", [0.05, 0.6, 1.0, 7.3, 140.0])
def test_digamma_is_the_slope_of_the_logarithm_of_gamma(value: float) -> None:
    slope = (math.lgamma(value * (1 + 1e-6)) - math.lgamma(value * (1 - 1e-6))) / (2e-6 * value)
    assert digamma(np.asarray([value]))[0] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_priors_come_from_arrays_one_for_each_box() -> None:
    arrays = {
        "colours": np.asarray([[c.value for c in prior.colours] for prior in drawn.KNOWN.priors]),
        **{
            part: np.stack([getattr(prior, part) for prior in drawn.KNOWN.priors]).astype(np.float32)
            for part in ("weights", "shares", "means", "covariances")
        },
    }
    for found, prior in zip(priors_from(arrays), drawn.KNOWN.priors, strict=True):
        assert found.colours == prior.colours
        assert found.means.dtype == np.float64
        for part in ("weights", "shares", "means", "covariances"):
            assert getattr(found, part) == pytest.approx(getattr(prior, part), abs=1e-6)


def test_a_full_table_that_seems_to_lack_an_ink_leaves_doubt_where_a_few_tiles_would_not() -> None:
    nearly = [0.25 * drawn.ABSORBED[Colour.RED] + 0.75 * drawn.ABSORBED[Colour.ORANGE]]
    few, many = (float(read(nearly * count, WIDE).chances.max()) for count in (3, 24))
    assert few > many + 0.1


def test_two_inks_that_could_as_well_be_each_other_are_doubts_however_many_tiles_bear_them() -> None:
    """What each is does not follow from what it looks like alone, and nothing else at the table tells."""
    orange, red = drawn.ABSORBED[Colour.ORANGE], drawn.ABSORBED[Colour.RED]
    middle, apart = (orange + red) / 2, (red - orange) / np.linalg.norm(red - orange)
    seen = measured(["black", "blue"] * 5)
    nearly = [middle - 0.1 * apart] * 10 + [middle + 0.1 * apart] * 10
    found = read([*seen, *nearly], drawn.prior(KOBR, own=0.12))
    assert named(found, 0.9) == ["black", "blue"] * 5 + ["?"] * 20
    plainly = [orange] * 10 + [red] * 10
    assert named(read([*seen, *plainly]), 0.9) == ["black", "blue"] * 5 + ["orange"] * 10 + ["red"] * 10


def test_a_glossy_print_is_still_named_for_the_nearest_ink() -> None:
    seen = measured(FOUR * 3)
    seen[0] -= 0.2  # the lamp adds as much light in every colour
    assert named(read(seen)) == list(FOUR * 3)
    assert read(seen).chances[0].max() > 0.9


def test_what_is_far_from_all_inks_stays_with_none() -> None:
    seen = measured(FOUR * 3)
    seen[0] = [-1.2, -1.2, -1.2]
    assert read(seen).chances[0].sum() < 0.1
