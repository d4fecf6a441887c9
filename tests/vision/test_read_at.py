"""Reading at known places, with drawn tiles: alignment, the second reading on the head, batches for enrolment."""

from typing import Any

import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest

from referee.game.tiles import TILE_SETS, TileSet
from referee.vision.pipeline import TableReader
from referee.vision.reading import crops
from referee.vision.reading.answers import BATCH, COLUMNS, SHIFTS
from referee.vision.reading.glyphs import INVERTED, JOKER_KIND, KINDS
from referee.vision.sighting import Image, Read

Floats = npt.NDArray[np.float32]

RUMMIKUB = TILE_SETS["rummikub"]
NAMES = ["red-7", "blue-7", "black-7", "orange-3", "joker", "orange-6", "face-down", "red-1"]


def laid(names: list[str], spare: float = 70) -> tuple[Image, Floats]:
    """Drawn tiles in rows of eight without markers, and their corners (n, 4, 2)."""
    quads = [drawn.quad(50 + spare * (i % 8), 60 + 95 * (i // 8), 4 * (i % 3)) for i in range(len(names))]
    picture = drawn.bare(120 + 95 * (len(names) // 8), 640)
    for name, corners in zip(names, quads, strict=True):
        drawn.paint(picture, corners, name)
    return picture, np.asarray(quads, np.float32).reshape(-1, 4, 2)


PICTURE, QUADS = laid(NAMES)


def reader_of(reads: drawn.Model = drawn.reader, aligner: drawn.Model = drawn.aligner) -> TableReader:
    return TableReader(drawn.nets(reads=reads, aligns=aligner), {}, drawn.KNOWN)


def names_of(reads: tuple[Read, ...]) -> list[str]:
    return [read.name for read in reads]


def test_tiles_are_read_where_they_are_said_to_lie_in_the_given_order() -> None:
    reads = reader_of().read_at(PICTURE, QUADS, RUMMIKUB)
    assert names_of(reads) == NAMES
    assert not any(read.doubtful for read in reads)
    assert names_of(reader_of().read_at(PICTURE, QUADS[::-1].copy(), RUMMIKUB)) == NAMES[::-1]


def test_quads_given_upside_down_are_read_and_turned_to_the_print() -> None:
    reads = reader_of().read_at(PICTURE, np.roll(QUADS, 2, axis=1), RUMMIKUB)
    assert names_of(reads) == NAMES
    for read, corners in zip(reads, QUADS, strict=True):
        if read.tile is not None and not read.tile.is_joker:
            assert read.corners_px == pytest.approx(corners, abs=0.1)


def test_no_places_give_no_reads() -> None:
    nothing = np.zeros((0, 4, 2), np.float32)
    for box in (RUMMIKUB, None):
        assert reader_of().read_at(PICTURE, nothing, box) == ()
    assert len(reader_of().answers_at(PICTURE, nothing)) == 0


def test_corners_are_aligned_before_a_tile_is_read() -> None:
    off = QUADS + np.asarray([6.0, -5.0], np.float32)
    wanted = crops.shifts_between(off, QUADS)

    def aligner(array: Floats) -> tuple[Floats]:
        return (wanted[: len(array)],)

    reads = reader_of(aligner=aligner).read_at(PICTURE, off, RUMMIKUB)
    assert names_of(reads) == NAMES
    assert reads[0].corners_px == pytest.approx(QUADS[0], abs=0.1)


def test_the_readers_own_shifts_move_the_corners_a_last_time() -> None:
    def shifting(array: Floats) -> tuple[Floats]:
        (answers,) = drawn.reader(array)
        at = COLUMNS - drawn.LOOKS.shape[1] - SHIFTS
        answers[:, at : at + SHIFTS] = 0.05
        return (answers,)

    moved = reader_of(shifting).read_at(PICTURE, QUADS, RUMMIKUB)[0].corners_px
    expected = crops.apply_shifts(QUADS[:1], np.full((1, SHIFTS), 0.05, np.float32))[0]
    assert moved == pytest.approx(expected, abs=0.01)


def counting(sizes: list[int], model: drawn.Model) -> drawn.Model:
    def run(array: Any) -> tuple[Any, ...]:
        sizes.append(len(array))
        return model(array)

    return run


def test_aligner_and_reader_work_in_small_batches() -> None:
    names = NAMES * 5
    picture, quads = laid(names)
    read_sizes: list[int] = []
    align_sizes: list[int] = []
    reader = reader_of(counting(read_sizes, drawn.reader), counting(align_sizes, drawn.aligner))
    assert len(reader.answers_at(picture, quads)) == len(names)
    assert sum(read_sizes) == sum(align_sizes) == len(names)
    assert max(read_sizes + align_sizes) <= BATCH


def test_a_table_beyond_doubt_is_read_once() -> None:
    sizes: list[int] = []
    reader_of(counting(sizes, drawn.reader)).read_at(PICTURE, QUADS, RUMMIKUB)
    assert sum(sizes) == len(NAMES)


def unsure_upright(array: Floats) -> tuple[Floats]:
    """Takes an upright red 7 for a 1 as well as for a 7, and is sure once it stands on its head."""
    (answers,) = drawn.reader(array)
    for row in answers:
        if row[6] > 0:
            row[0] = row[6]
        if row[INVERTED + 6] > 0:
            row[INVERTED + 6] *= 2
    return (answers,)


def test_only_tiles_in_doubt_are_read_again_on_their_heads_and_both_readings_count() -> None:
    sizes: list[int] = []
    reads = reader_of(counting(sizes, unsure_upright)).read_at(PICTURE, QUADS, RUMMIKUB)
    assert sum(sizes) == len(NAMES) + 3  # the three sevens
    assert names_of(reads) == NAMES
    assert not any(read.doubtful for read in reads)


def test_what_both_readings_leave_open_stays_in_doubt() -> None:
    def unsure(array: Floats) -> tuple[Floats]:
        (answers,) = drawn.reader(array)
        for row in answers:
            for seven, one in ((6, 0), (INVERTED + 6, INVERTED)):
                row[one] = max(row[one], row[seven])
        return (answers,)

    reads = reader_of(unsure).read_at(PICTURE, QUADS, RUMMIKUB)
    assert [i for i, read in enumerate(reads) if read.doubtful] == [0, 1, 2]
    assert {reads[0].name, reads[0].alternatives[0][0]} == {"red-1", "red-7"}


def test_a_read_tells_what_its_ink_absorbs_and_what_its_print_looks_like() -> None:
    reads = reader_of().read_at(PICTURE, QUADS, RUMMIKUB)
    for name, read in zip(NAMES, reads, strict=True):
        if read.tile is None or read.tile.colour is None:
            assert read.absorbed is None
        else:
            assert read.absorbed == pytest.approx(tuple(drawn.ABSORBED[read.tile.colour]), abs=0.08)
        assert (read.embedding is None) is (name == "face-down")


def test_more_of_a_tile_than_the_box_holds_is_in_doubt_wherever_it_lies() -> None:
    picture, quads = laid(["red-7", "red-7", "blue-2", "red-7"])
    reads = reader_of().read_at(picture, quads, RUMMIKUB)
    assert [read.doubtful for read in reads] == [True, True, False, True]


@pytest.mark.parametrize("box", ["rummikub", "piatnik", "ravensburger"])
def test_a_table_is_read_for_the_box_that_is_named(box: str) -> None:
    names = [f"{colour.value}-{n}" for n, colour in enumerate(TILE_SETS[box].colours, 3)]
    picture, quads = laid(names)
    assert names_of(reader_of().read_at(picture, quads, TILE_SETS[box])) == names


def sure_of_a_joker(array: Floats) -> tuple[Floats]:
    """So sure of a joker that nothing else is left, not even in the last digit."""
    (answers,) = drawn.reader(array)
    answers[:, :KINDS] = 0.0
    answers[:, JOKER_KIND] = 150.0
    return (answers,)


def test_a_joker_beyond_any_doubt_in_a_box_without_jokers_is_a_doubt() -> None:
    (read,) = reader_of(sure_of_a_joker).read_at(*laid(["joker"]), TILE_SETS["gin"])
    assert read.doubtful


def test_the_same_places_give_the_same_reads_and_no_picture_is_changed() -> None:
    before = PICTURE.copy()
    one, other = (reader_of().read_at(PICTURE, QUADS, None) for _ in range(2))
    assert [(r.name, r.confidence, r.alternatives) for r in one] == [
        (r.name, r.confidence, r.alternatives) for r in other
    ]
    assert np.array_equal(PICTURE, before)


def test_only_the_inks_of_a_box_are_named() -> None:
    other = TileSet("other", TILE_SETS["ravensburger"].colours)
    reads = reader_of().read_at(PICTURE, QUADS, other)
    printed = [read.tile for read in reads if read.tile is not None and not read.tile.is_joker]
    assert printed
    assert {tile.colour for tile in printed} <= set(other.colours)
