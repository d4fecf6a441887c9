"""The reader's columns, taken apart, run in batches, and two readings of one crop joined."""

import numpy as np
import numpy.typing as npt
import pytest
import told

from referee.game.tiles import Colour
from referee.vision.reading.answers import (
    BATCH,
    COLUMNS,
    EMBEDDING,
    INK,
    SHIFTS,
    WIDTHS,
    Predictions,
    batches,
    join_answers,
)
from referee.vision.reading.glyphs import KINDS, SUITS

Floats = npt.NDArray[np.float32]
PARTS = tuple(Predictions.__slots__)


def test_columns_are_taken_apart_in_order() -> None:
    columns = np.arange(2 * COLUMNS, dtype=np.float32).reshape(2, COLUMNS)
    parts = [getattr(Predictions.from_columns(columns), name) for name in PARTS]
    assert [part.shape[1] for part in parts] == list(WIDTHS) == [KINDS, len(SUITS), INK, INK, SHIFTS, EMBEDDING]
    assert np.array_equal(np.concatenate(parts, axis=1), columns)


@pytest.mark.parametrize("shape", [(2, COLUMNS - 1), (COLUMNS,), (1, 2, COLUMNS)], ids=str)
def test_answers_of_another_reader_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected answers of shape \(n, \d+\), got"):
        Predictions.from_columns(np.zeros(shape, np.float32))


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("count", [0, 1, 3, BATCH, BATCH + 1, 2 * BATCH + 3, 91])
def test_crops_are_divided_evenly_among_the_threads_and_stay_in_order(count: int, threads: int) -> None:
    parts = batches(count, threads)
    assert [crop for part in parts for crop in range(count)[part]] == list(range(count))
    sizes = [len(range(count)[part]) for part in parts]
    assert all(0 < size <= BATCH for size in sizes)
    assert max(sizes, default=0) - min(sizes, default=0) <= 1
    assert len(parts) == count or len(parts) % threads == 0


def test_answers_can_be_thinned_out_and_put_in_another_order() -> None:
    whole = told.tiles("red-1 blue-2 black-3")
    for rows in ([2, 0], np.asarray([2, 0]), np.asarray([True, False, True])):
        part = whole[rows]
        assert len(part) == 2
        for name in PARTS:
            assert np.array_equal(getattr(part, name), getattr(whole, name)[rows])


@pytest.mark.parametrize("sign", ["1", "6", "13", "9^", "J", "B^", "R", "joker", "back", "none"])
def test_the_answer_to_the_crop_on_its_head_is_turned_back(sign: str) -> None:
    bare = sign in ("joker", "back", "none")
    on_its_head = sign if bare else sign.removesuffix("^") if sign.endswith("^") else f"{sign}^"
    found = join_answers(told.one(sign), told.one(on_its_head), [0])
    assert found.kinds == pytest.approx(told.one(sign).kinds)


def test_two_answers_that_contradict_each_other_share_the_belief() -> None:
    found = join_answers(told.one("6"), told.one("6"), [0]).kinds[0]  # an upright 6, also on its head
    assert found[told.kind_of("6")] == pytest.approx(found[told.kind_of("6^")])
    assert found[told.kind_of("6")] > found[told.kind_of("9^")]


def test_ink_and_suit_of_both_readings_count_the_same() -> None:
    found = join_answers(told.one("5", (0.2, 0.4, 0.6), "heart"), told.one("5^", (0.4, 0.4, 0.2), "spade"), [0])
    assert found.absorbed[0] == pytest.approx([0.3, 0.4, 0.4])
    assert found.suits[0, SUITS.index("heart")] == pytest.approx(found.suits[0, SUITS.index("spade")])


def test_only_what_was_read_again_changes_and_the_first_reading_is_kept_as_it_was() -> None:
    first = told.tiles("red-1 blue-2 black-3")
    before = told.tiles("red-1 blue-2 black-3")
    found = join_answers(first, told.one("8^", Colour.GREEN), [1])
    for name in PARTS:
        assert np.array_equal(getattr(first, name), getattr(before, name))
        assert np.array_equal(getattr(found, name)[[0, 2]], getattr(first, name)[[0, 2]])
    assert not np.array_equal(found.kinds[1], first.kinds[1])
    for name in ("shifts", "embedding", "spread"):
        assert np.array_equal(getattr(found, name), getattr(first, name))
