"""Temperatures, errors of inks and the threshold of doubt, on answers and tables made up for the purpose."""

from functools import cache

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest

from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.train.calibrate import SCALES, THRESHOLDS, MadeTable, Measured, calibrate, temperature
from referee.vision.reading.glyphs import BACK_KIND, INVERTED, JOKER_KIND

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]

BOX = TILE_SETS["rummikub"]


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


NAMES = [
    "red-1 blue-2 black-3 orange-4 red-5 blue-6 black-8 orange-9 red-10 blue-11 black-12 orange-13 joker face-down",
    "red-2 blue-3 black-4 orange-5 red-6 blue-8 black-9 orange-10 red-11 blue-12 black-13 orange-1 red-12 blue-1",
    "red-3 blue-4 black-5 orange-6 red-8 blue-9 black-10 orange-11 red-13 blue-13 black-1 orange-2 joker black-2",
]
SEVEN = "red-7"


def table_of(names: str) -> MadeTable:
    """Drawn tiles without markers, every second quad with its tile on its head."""
    listed = names.split()
    picture = drawn.bare(90 * ((len(listed) + 6) // 7) + 30, 70 * 7 + 30)
    quads, kinds = [], []
    for i, name in enumerate(listed):
        corners = drawn.quad(50 + 70 * (i % 7), 60 + 90 * (i // 7), short=48, tall=70)
        drawn.paint(picture, corners, name)
        inverted = i % 2 == 1
        quads.append(np.roll(corners, 2, axis=0) if inverted else corners)
        tile = None if name == FACE_DOWN else Tile.from_name(name)
        if tile is None or tile.colour is None:
            kinds.append(BACK_KIND if tile is None else JOKER_KIND)
        else:
            kinds.append(tile.number - 1 + (INVERTED if inverted else 0))
    count = len(listed)
    return MadeTable(picture, np.asarray(quads, np.float32), tuple(listed), BOX, np.asarray(kinds, np.int8),
                     np.zeros(count, np.int8))  # fmt: skip


@cache
def tables() -> tuple[MadeTable, ...]:
    return tuple(table_of(names) for names in [*NAMES, f"{SEVEN} {NAMES[0]}"])


def taking_sevens_for_eights(array: Floats) -> tuple[Floats]:
    """As the reader of drawn tiles, but a 7 is read as an 8, and less surely."""
    (answers,) = drawn.reader(array)
    for row in answers:
        for seven in (6, INVERTED + 6):
            if row[seven] > 0:
                row[seven], row[seven + 1] = 0.0, 11.5
    return (answers,)


@pytest.fixture(scope="module")
def faultless() -> Measured:
    return calibrate(drawn.nets(), drawn.KNOWN, tables())


def test_a_reader_without_mistakes_gets_the_lowest_threshold(faultless: Measured) -> None:
    assert faultless.calibration.sure_from == THRESHOLDS[0]
    assert (faultless.tables, faultless.tiles) == (4, 57)
    assert (faultless.right, faultless.silent_wrong, faultless.doubtful) == (57, 0, 0)


def test_temperatures_are_chosen_as_well(faultless: Measured) -> None:
    assert faultless.calibration.kind_temperature == 0.5
    assert faultless.calibration.suit_temperature == 1.0
    assert faultless.calibration.ink_scale in SCALES


def test_the_threshold_is_raised_until_few_enough_mistakes_pass_in_silence() -> None:
    found = calibrate(drawn.nets(reads=taking_sevens_for_eights), drawn.KNOWN, tables())
    assert found.calibration.sure_from > THRESHOLDS[0]
    assert found.silent_wrong == 0
    assert found.right == 56
    assert found.doubtful >= 1


def test_a_table_of_which_much_is_misread_is_left_out() -> None:
    illegible = table_of(f"{SEVEN} {SEVEN} {SEVEN} {NAMES[0]}")
    found = calibrate(drawn.nets(reads=taking_sevens_for_eights), drawn.KNOWN, (*tables(), illegible))
    assert (found.tables, found.tiles) == (4, 57)


def test_calibrating_twice_gives_the_same(faultless: Measured) -> None:
    assert calibrate(drawn.nets(), drawn.KNOWN, tables()) == faultless
