"""Temperatures, errors of inks and the threshold of doubt, on answers and tables made up for the purpose."""

from functools import cache

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest
import told

from referee.game.tiles import FACE_DOWN, TILE_SETS, Tile
from referee.train.calibrate import LEAST_SCALE, THRESHOLDS, MadeTable, Measured, calibrate, ink_scale, temperature
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


def scale_of(factor: float, along: float = 0.0) -> float:
    """For inks whose errors are `factor` times what the reader says, and larger by `along` along the ink itself."""
    rng = np.random.default_rng(9)
    true = rng.uniform(0.2, 0.9, (3000, 3))
    seen = true * (1 + rng.normal(0, 1, (3000, 1)) * along) + rng.normal(0, 0.05 * factor, true.shape)
    answers = told.table(*[told.one("7", error=0.05)])[np.zeros(3000, int)]
    return ink_scale(type(answers)(answers.kinds, answers.suits, seen.astype(np.float32), answers.spread,
                                   answers.shifts, answers.embedding), true.astype(np.float32))  # fmt: skip


@pytest.mark.parametrize("factor", [0.8, 1.0, 2.5])
def test_the_scale_of_inks_is_the_factor_by_which_their_errors_are_understated(factor: float) -> None:
    assert scale_of(factor) == pytest.approx(factor, rel=0.06)


def test_what_haze_takes_along_the_ink_is_no_error() -> None:
    assert scale_of(1.0, along=0.3) == pytest.approx(1.0, rel=0.1)


def test_a_reader_that_measures_better_than_it_says_is_believed_to_a_limit() -> None:
    assert scale_of(0.01) == LEAST_SCALE


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
    quads, kinds, inks = [], [], []
    for i, name in enumerate(listed):
        corners = drawn.quad(50 + 70 * (i % 7), 60 + 90 * (i // 7), short=48, tall=70)
        drawn.paint(picture, corners, name)
        inverted = i % 2 == 1
        quads.append(np.roll(corners, 2, axis=0) if inverted else corners)
        tile = None if name == FACE_DOWN else Tile.from_name(name)
        if tile is None or tile.colour is None:
            kinds.append(BACK_KIND if tile is None else JOKER_KIND)
            inks.append(np.zeros(3))
        else:
            kinds.append(tile.number - 1 + (INVERTED if inverted else 0))
            inks.append(drawn.ABSORBED[tile.colour])
    count = len(listed)
    return MadeTable(picture, np.asarray(quads, np.float32), tuple(listed), BOX, np.asarray(kinds, np.int8),
                     np.zeros(count, np.int8), np.asarray(inks, np.float32))  # fmt: skip


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


def test_temperatures_and_errors_are_measured_along(faultless: Measured) -> None:
    assert faultless.calibration.kind_temperature == 0.5
    assert faultless.calibration.suit_temperature == 1.0
    assert LEAST_SCALE <= faultless.calibration.ink_scale < 4


def test_the_threshold_is_raised_until_few_enough_mistakes_pass_in_silence() -> None:
    found = calibrate(drawn.nets(reads=taking_sevens_for_eights), drawn.KNOWN, tables())
    assert found.calibration.sure_from > THRESHOLDS[0]
    assert found.silent_wrong == 0
    assert found.right == 56
    assert found.doubtful >= 1


def test_calibrating_twice_gives_the_same(faultless: Measured) -> None:
    assert calibrate(drawn.nets(), drawn.KNOWN, tables()) == faultless
