"""The last confirmed table helps a doubtful read, with finite weight."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import Tile
from referee.vision.change.tracking import NEAR_MM, PUSH_MM, TURN_DEG, with_confirmed, with_seen
from referee.vision.sighting import Read, Sighting


def read(name: str | None, confidence: float = 0.9, *alternatives: tuple[str, float], x: float | None = 100.0,
         turn: float = 0.0) -> Read:  # fmt: skip
    tile = None if name is None else Tile.from_name(name)
    y = None if x is None else 200.0
    return Read(tile, confidence, confidence < 0.98, alternatives, np.zeros((4, 2), np.float32), turn, x, y)


def fused(seen: Read, *confirmed: Read) -> Read:
    (result,) = with_confirmed(Sighting("rummikub", "markers", (seen,), (), sure_from=0.98), confirmed).reads
    return result


RED_7 = read("red-7", 1.0)
DOUBTFUL_7 = read("red-7", 0.8, ("red-1", 0.15))


@pytest.mark.parametrize(
    "confirmed",
    [
        pytest.param(RED_7, id="in the same place"),
        pytest.param(replace(RED_7, x_mm=100 + 0.9 * NEAR_MM), id="a trifle beside it"),
        pytest.param(replace(RED_7, angle_deg=360 - 0.9 * TURN_DEG), id="a trifle turned"),
        pytest.param(replace(RED_7, x_mm=100 + 0.9 * PUSH_MM), id="pushed a little"),
    ],
)
def test_a_tile_that_was_not_moved_is_still_that_tile(confirmed: Read) -> None:
    settled = fused(DOUBTFUL_7, confirmed)
    assert (settled.name, settled.doubtful) == ("red-7", False)
    assert settled.confidence >= 0.98
    assert settled.alternatives == (("red-1", 0.15),)


@pytest.mark.parametrize(
    "confirmed",
    [
        pytest.param(replace(RED_7, x_mm=100 + 1.1 * PUSH_MM), id="it lay elsewhere"),
        pytest.param(replace(RED_7, angle_deg=180.0), id="it lay the other way up"),
        pytest.param(replace(RED_7, doubtful=True), id="it was doubtful itself"),
        pytest.param(read("red-1", 1.0), id="another tile lay there"),
        pytest.param(read("blue-13", 1.0), id="a tile lay there that is not even thought of"),
        pytest.param(read("red-7", 1.0, x=None), id="the confirmed table had no markers"),
    ],
)
def test_otherwise_the_doubt_stays(confirmed: Read) -> None:
    assert fused(DOUBTFUL_7, confirmed) == DOUBTFUL_7


def test_two_tiles_in_one_place_settle_nothing() -> None:
    assert fused(DOUBTFUL_7, RED_7, replace(RED_7, x_mm=101.0)).doubtful


def test_a_picture_without_markers_is_left_alone() -> None:
    seen = replace(DOUBTFUL_7, x_mm=None, y_mm=None)
    assert fused(seen, RED_7) is seen


def test_a_sure_read_is_never_changed_by_what_lay_there() -> None:
    exchanged = read("red-1", 0.99)
    assert fused(exchanged, RED_7) is exchanged


def test_a_tile_of_which_there_are_too_many_stays_doubted() -> None:
    contested = replace(read("red-7", 0.999), doubtful=True)
    assert fused(contested, RED_7) is contested


def seen_again(seen: Read, *earlier: Read) -> Read:
    (result,) = with_seen(Sighting("rummikub", "markers", (seen,), (), sure_from=0.98), earlier).reads
    return result


def test_what_a_surer_look_has_shown_is_still_there() -> None:
    assert not seen_again(DOUBTFUL_7, RED_7).doubtful


@pytest.mark.parametrize(
    ("seen", "earlier"),
    [
        pytest.param(DOUBTFUL_7, replace(RED_7, x_mm=100 + 2 * NEAR_MM), id="it was pushed"),
        pytest.param(read("red-7", 0.5, ("red-1", 0.4)), RED_7, id="it looks like something else as much"),
        pytest.param(read("red-1", 0.6, ("red-7", 0.4)), RED_7, id="it looks more like something else"),
    ],
)
def test_but_less_surely_than_what_was_confirmed(seen: Read, earlier: Read) -> None:
    assert seen_again(seen, earlier) is seen


def test_a_tile_that_looks_most_like_what_lay_there_is_that_tile() -> None:
    assert not fused(read("red-7", 0.5, ("red-1", 0.4)), RED_7).doubtful
    assert fused(read("red-1", 0.5, ("red-7", 0.4)), RED_7).doubtful
    assert fused(read("red-7", 0.5, ("red-1", 0.4)), replace(RED_7, x_mm=120.0)).doubtful
