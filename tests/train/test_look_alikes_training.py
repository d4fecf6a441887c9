"""Prints for the network that tells look-alikes apart, and its training on next to no material."""

import numpy as np
import pytest

from referee.vision.reading.crops import HEIGHT, WIDTH, relative_ink
from referee.vision.reading.look_alikes import PAIRS, TURNED, with_print

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")
pytest.importorskip("PIL", reason="Pillow is not installed")

from referee.train.look_alikes import (  # noqa: E402
    LETTER_NUMBERS,
    SEVERITIES,
    Prints,
    fit_look_alikes,
    make_picture,
    make_prints,
    pair_of,
)
from referee.train.pictures.typefaces import Faces  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize("numbers", [LETTER_NUMBERS, TURNED])
def test_a_picture_has_only_numbers_that_look_alike_and_a_seed_always_gives_the_same(
    faces: Faces, numbers: tuple[int, ...]
) -> None:
    made = [make_picture(seed, 0.45, numbers, faces) for seed in (3, 4, 3)]
    assert {int(number) for number in np.concatenate([part.numbers for part in made])} == set(numbers)
    assert all(len(part.crops) == len(part.numbers) > 0 for part in made)
    assert np.array_equal(made[0].crops, made[2].crops)
    assert made[0].crops.shape != made[1].crops.shape or not np.array_equal(made[0].crops, made[1].crops)


def test_the_second_number_of_a_pair_is_a_positive_answer_in_its_column() -> None:
    columns, targets = pair_of(np.asarray([8, 11, 4, 1, 6, 9]))
    assert columns.tolist() == [0, 0, 1, 1, 2, 2]
    assert targets.tolist() == [0, 1, 0, 1, 0, 1]


def test_half_of_the_pictures_are_of_letters_and_half_of_sixes_and_nines(faces: Faces) -> None:
    told: list[int] = []
    prints = make_prints(3, 2, faces, lambda *figures: told.append(figures[1]), workers=1)
    parts = [make_picture(3, SEVERITIES[0], LETTER_NUMBERS, faces), make_picture(4, SEVERITIES[1], TURNED, faces)]
    assert prints.numbers.tolist() == [number for part in parts for number in part.numbers.tolist()]
    assert told == [1, 2]


def bars(count: int) -> Prints:
    """White tiles with a bar: upright for the first number of a pair, and level for the second."""
    rng = np.random.default_rng(1)
    crops = np.full((count, HEIGHT, WIDTH, 3), 230, np.uint8)
    numbers = np.asarray([PAIRS[i // 2 % len(PAIRS)][i % 2] for i in range(count)], np.int64)
    for crop, i in zip(crops, range(count), strict=True):
        high, wide = ((24, 6), (6, 24))[i % 2]
        crop[20 : 20 + high, 12 : 12 + wide] = rng.integers(20, 180, 3)
    return Prints(crops, numbers)


def test_it_learns_what_is_easy() -> None:
    told: list[str] = []
    prints = bars(64)
    net = fit_look_alikes(prints, seed=5, epochs=12, report=lambda *figures: told.append(figures[3]), batch=16)
    with torch.no_grad():
        answer = net(torch.from_numpy(with_print(relative_ink(prints.crops)))).numpy()
    columns, targets = pair_of(prints.numbers)
    found = answer[np.arange(64), columns.numpy()] > 0
    assert (found == (targets.numpy() > 0.5)).mean() > 0.9
    assert told
    assert not net.training
