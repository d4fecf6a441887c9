"""Temperatures and the threshold of doubt, on answers made up for the purpose."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from referee.train.calibrate import SILENT_MISTAKES, Measured, calibrate, read_logits, temperature
from referee.train.data import BACK_CLASS, CLASSES, INVERTED, JOKER_CLASS, NO_COLOUR, NONE_CLASS, Samples
from referee.vision import crops
from referee.vision.read import COLUMNS

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]


def drawn_labels(logits: Floats, rng: np.random.Generator) -> Labels:
    """A label for each row, drawn with the probabilities the logits stand for."""
    noise = rng.gumbel(size=logits.shape)
    return np.asarray((logits + noise).argmax(axis=1))


@pytest.mark.parametrize("true", [0.6, 1.0, 1.7, 3.0])
def test_the_temperature_is_the_factor_by_which_answers_are_too_sure(true: float) -> None:
    rng = np.random.default_rng(7)
    honest = rng.normal(0, 2, (6000, 5)).astype(np.float32)
    assert temperature(honest * np.float32(true), drawn_labels(honest, rng)) == pytest.approx(true, rel=0.08)


def test_answers_that_are_always_right_are_made_as_sure_as_the_grid_allows() -> None:
    logits = np.eye(4, dtype=np.float32)[np.arange(200) % 4] * 3
    assert temperature(logits, np.arange(200) % 4) == 0.5


def test_answers_that_are_worth_nothing_are_made_as_unsure_as_the_grid_allows() -> None:
    rng = np.random.default_rng(8)
    logits = rng.normal(0, 5, (2000, 4)).astype(np.float32)
    assert temperature(logits, rng.integers(0, 4, 2000)) == 4.0


# A crop's first pixel says what the made-up reader shall answer: which row of a table of answers.
def written(count: int) -> npt.NDArray[np.uint8]:
    made = np.full((count, crops.HEIGHT, crops.WIDTH, 3), 200, np.uint8)
    numbers = np.arange(count)
    for corner in ((0, 0), (-1, -1)):  # upright and on its head
        made[:, corner[0], corner[1], 0], made[:, corner[0], corner[1], 1] = numbers % 100, numbers // 100
    return made


def answering(rows: Floats) -> Any:
    """A reader that looks up what it was told to answer; a number stands upright and, turned, on its head."""

    def model(ink: Floats) -> tuple[Floats]:
        low, high = (np.round((ink[:, channel, 0, 0] + 1) * 200).astype(int) for channel in (0, 1))
        return (rows[low + 100 * high],)

    return model


def samples(kinds: Labels, colours: Labels) -> Samples:
    count = len(kinds)
    return Samples(np.zeros((0,), np.uint8), np.zeros((0,), np.float16), written(count), kinds.astype(np.int8),
                   colours.astype(np.int8), np.zeros((count, 8), np.float16))  # fmt: skip


def both_ways(kind: int, colour: int, strength: float) -> Floats:
    """An answer that joined with itself on its head still says `kind`, either way up."""
    row = np.zeros(COLUMNS + 8, np.float32)
    row[kind] = strength
    if kind < JOKER_CLASS:
        row[(kind + INVERTED) % JOKER_CLASS] = strength
    if colour != NO_COLOUR:
        row[CLASSES + colour] = strength
    return row


def measured(wrong: int) -> Measured:
    """2000 crops, `wrong` of them answered with another number, and the less surely the less often."""
    rng = np.random.default_rng(9)
    kinds = rng.integers(0, INVERTED, 2000)
    colours = rng.choice([0, 1, 2, 5], 2000)
    rows = [both_ways(int(k), int(c), float(rng.uniform(3, 16))) for k, c in zip(kinds, colours, strict=True)]
    for i in range(wrong):
        rows[i] = both_ways(int(kinds[i] + 1) % INVERTED, int(colours[i]), float(rng.uniform(3, 10)))
    return calibrate(answering(np.stack(rows)), samples(kinds, colours))


def test_a_reader_without_mistakes_gets_the_lowest_threshold() -> None:
    found = measured(0)
    assert (found.sure_from, found.crops, found.right, found.silent_wrong) == (0.8, 2000, 2000, 0)


def test_the_threshold_is_raised_until_few_enough_mistakes_pass_in_silence() -> None:
    found = measured(60)
    assert 0.8 < found.sure_from < 1
    assert found.silent_wrong <= SILENT_MISTAKES * found.crops
    assert found.right == 1940
    assert found.doubtful >= 60


def test_way_up_is_no_mistake() -> None:
    kinds = np.arange(200) % JOKER_CLASS
    rows = np.stack([both_ways(int(k + INVERTED) % JOKER_CLASS, 2, 14.0) for k in kinds])
    assert calibrate(answering(rows), samples(kinds, np.full(200, 2))).right == 200


def test_the_colour_of_a_joker_or_a_back_is_no_mistake() -> None:
    kinds = np.asarray([JOKER_CLASS, BACK_CLASS, 3, 4] * 50)
    colours = np.where(kinds < JOKER_CLASS, 1, NO_COLOUR)
    rows = np.stack([both_ways(int(k), 1 if k < JOKER_CLASS else 5, 14.0) for k in kinds])
    assert calibrate(answering(rows), samples(kinds, colours)).right == 200


def test_what_is_no_tile_counts_neither_right_nor_wrong() -> None:
    kinds = np.asarray([NONE_CLASS, 3] * 100)
    colours = np.where(kinds < JOKER_CLASS, 1, NO_COLOUR)
    rows = np.stack([both_ways(int(k), 1, 14.0) for k in kinds])
    found = calibrate(answering(rows), samples(kinds, colours))
    assert (found.crops, found.right) == (100, 100)


def test_crops_are_read_in_pieces_and_stay_in_order() -> None:
    rows = np.stack([both_ways(i % INVERTED, 0, float(i + 1)) for i in range(23)])
    found = read_logits(answering(rows), samples(np.zeros(23, int), np.zeros(23, int)), batch=5)
    assert found.shape == (23, COLUMNS)
    assert found.max(axis=1).tolist() == pytest.approx(list(range(1, 24)))
