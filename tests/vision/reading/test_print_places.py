"""Where numbers stand on their tiles, and the doubts between 6 and 9 that this settles."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.game.tiles import JOKER, Colour, Tile
from referee.vision.reading import crops
from referee.vision.reading.crops import HEIGHT, MARGIN, WIDTH, relative_ink
from referee.vision.reading.print_places import is_six_or_nine, print_heights, settle_turned
from referee.vision.sighting import Read

BODY, INK = (200, 215, 225), (40, 40, 190)
SURE_FROM = 0.9
SIDE, LINE = 60, 12
"""Tiles lie in a line; each is `SIDE` px wide and half as high again."""
USUAL = 0.12


def drawn(height: float, *, high: float = 0.4, specks: bool = False) -> np.ndarray:
    """A crop with a print whose middle is `height` above that of its tile; `specks` are lost colours at the edge."""
    crop = np.full((HEIGHT, WIDTH, 3), BODY, np.uint8)
    tile = HEIGHT / MARGIN
    top, bottom = (round(HEIGHT / 2 - (height + part * high) * tile) for part in (0.5, -0.5))
    cv2.rectangle(crop, (20, top), (27, bottom - 1), INK, -1)
    if specks:
        cv2.rectangle(crop, (10, 10), (12, 11), INK, -1)
    return crop


@pytest.mark.parametrize("height", [-0.15, 0.0, 0.1, 0.2])
@pytest.mark.parametrize("specks", [False, True])
def test_the_height_of_a_print_is_told_from_the_middle_of_its_tile(height: float, specks: bool) -> None:
    (found,) = print_heights(relative_ink(drawn(height, specks=specks)[None]))
    assert found == pytest.approx(height, abs=0.02)


def test_what_counts_is_where_ink_begins_and_ends_not_where_most_of_it_is() -> None:
    crop = drawn(0.0)
    cv2.circle(crop, (24, 38), 8, INK, -1)  # as heavy below as a 6 is
    assert print_heights(relative_ink(crop[None]))[0] == pytest.approx(-0.02, abs=0.03)


def test_without_a_print_there_is_no_height() -> None:
    assert np.isnan(print_heights(relative_ink(np.full((1, HEIGHT, WIDTH, 3), BODY, np.uint8)))).all()
    assert print_heights(np.zeros((0, 3, HEIGHT, WIDTH), np.float32)).shape == (0,)


def table(*prints: tuple[int, float], doubtful: Read | None = None) -> tuple[np.ndarray, list[Read]]:
    """A picture of tiles with these numbers, printed this high, and reads of them; the last one is like `doubtful`."""
    picture = np.full((200, LINE * 2 * SIDE, 3), 60, np.uint8)
    reads = []
    for i, (number, height) in enumerate(prints):
        left = SIDE // 2 + i * (SIDE + 20)
        corners = np.asarray([[left, 40], [left + SIDE, 40], [left + SIDE, 120], [left, 120]], np.float32)
        crop = cv2.getPerspectiveTransform(_frame(), corners)
        shown = cv2.warpPerspective(drawn(height), crop, picture.shape[1::-1], flags=cv2.INTER_LINEAR)
        inside = cv2.warpPerspective(np.ones((HEIGHT, WIDTH), np.uint8), crop, picture.shape[1::-1])
        picture[inside > 0] = shown[inside > 0]
        reads.append(Read(Tile(number, Colour.RED), 0.99, False, (), corners, 0.0))
    if doubtful is not None:
        reads[-1] = replace(doubtful, corners_px=reads[-1].corners_px)
    return picture, reads


def _frame() -> np.ndarray:
    """Where the corners of a tile are in its crop."""
    across, along = WIDTH / MARGIN / 2, HEIGHT / MARGIN / 2
    corners = np.asarray([[-across, -along], [across, -along], [across, along], [-across, along]], np.float32)
    return corners + np.asarray([WIDTH - 1, HEIGHT - 1], np.float32) / 2


def maybe_nine(name: str = "red-6", confidence: float = 0.8, **others: float) -> Read:
    alternatives = tuple((key.replace("_", "-"), chance) for key, chance in (others or {"red_9": 0.19}).items())
    return Read(Tile.from_name(name), confidence, True, alternatives, np.zeros((4, 2), np.float32), 0.0)


OTHERS = [(number, USUAL) for number in (1, 2, 3, 4, 5)]


def is_settled(others, height: float, doubtful: Read) -> bool:
    picture, reads = table(*others, (6, height), doubtful=doubtful)
    turned = [len(others)] if is_six_or_nine(reads[-1]) else []
    settled = settle_turned(picture, reads, turned, SURE_FROM)
    assert settled[:-1] == tuple(reads[:-1])
    last = settled[-1]
    assert (last.tile, last.alternatives) == (doubtful.tile, doubtful.alternatives)
    assert last.confidence == (doubtful.confidence if last.doubtful else SURE_FROM)
    return not last.doubtful


def test_a_six_above_the_middle_like_all_the_others_is_a_six() -> None:
    assert is_settled(OTHERS, USUAL, maybe_nine())
    assert is_settled(OTHERS, USUAL, maybe_nine("red-9", red_6=0.19))


@pytest.mark.parametrize(
    (
        "others",
        "height",
        "doubtful",
    ),  # 0.12 is usual; from 0.4 of that on it counts, and from 0.06 on as above the middle
    [
        pytest.param(OTHERS, -USUAL, maybe_nine(), id="below the middle: perhaps a 9"),
        pytest.param(OTHERS, 0.03, maybe_nine(), id="in the middle"),
        pytest.param([(n, 0.04) for n, _ in OTHERS], 0.04, maybe_nine(), id="a box that prints in the middle"),
        pytest.param([(n, -USUAL) for n, _ in OTHERS], USUAL, maybe_nine(), id="a box that prints below the middle"),
        pytest.param(OTHERS[1:], USUAL, maybe_nine(), id="four other numbers"),
        pytest.param([*OTHERS[1:], *OTHERS[1:]], USUAL, maybe_nine(), id="four other numbers, twice"),
        pytest.param([*OTHERS[1:], (6, USUAL)], USUAL, maybe_nine(), id="a 6 says nothing about itself"),
        pytest.param(OTHERS, USUAL, maybe_nine(red_9=0.13, blue_6=0.06), id="the ink is in doubt as well"),
        pytest.param(
            OTHERS, USUAL, maybe_nine(confidence=0.45, red_9=0.54), id="the networks prefer the other number"
        ),
        pytest.param(OTHERS, USUAL, maybe_nine("red-8", red_3=0.19), id="neither 6 nor 9"),
        pytest.param(OTHERS, USUAL, maybe_nine(confidence=0.8, red_9=0.1), id="what else it may be is not told"),
    ],
)
def test_otherwise_the_doubt_stays(others, height: float, doubtful: Read) -> None:
    assert not is_settled(others, height, doubtful)


@pytest.mark.parametrize("height", [0.08, 0.16])
def test_prints_need_not_stand_exactly_as_high(height: float) -> None:
    assert is_settled(OTHERS, height, maybe_nine())
    assert is_settled([(n, 0.08) for n, _ in OTHERS], height, maybe_nine())


def test_a_tile_that_is_in_doubt_for_another_reason_stays_so() -> None:
    picture, reads = table(*OTHERS, (6, USUAL), doubtful=maybe_nine())
    assert settle_turned(picture, reads, (), SURE_FROM) == tuple(reads)


def test_without_any_print_nothing_is_settled() -> None:
    _, reads = table(*OTHERS, (6, USUAL), doubtful=maybe_nine())
    blank = np.full((200, LINE * 2 * SIDE, 3), BODY, np.uint8)
    assert settle_turned(blank, reads, (len(OTHERS),), SURE_FROM) == tuple(reads)


def test_a_suit_below_the_number_counts_as_a_part_of_the_print() -> None:
    crop = drawn(0.15, high=0.3)
    cv2.rectangle(crop, (18, 44), (29, 52), INK, -1)
    assert abs(print_heights(relative_ink(crop[None]))[0]) < 0.06


@pytest.mark.parametrize("odd", [{"doubtful": True}, {"tile": JOKER}, {"tile": None}], ids=str)
def test_numbers_in_doubt_and_tiles_without_a_number_show_nothing(odd) -> None:
    picture, reads = table(*OTHERS, (6, USUAL), doubtful=maybe_nine())
    assert settle_turned(picture, [replace(reads[0], **odd), *reads[1:]], (len(OTHERS),), SURE_FROM)[-1].doubtful


def test_nothing_is_measured_without_such_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, reads = table(*OTHERS, (6, USUAL))
    monkeypatch.setattr(crops, "cut", None)
    assert not is_six_or_nine(reads[-1])
    assert settle_turned(picture, reads, (), SURE_FROM) == tuple(reads)
