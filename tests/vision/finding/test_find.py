"""From the finder's maps to tiles."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.finding.finder import (
    CHANNELS,
    STRIDE,
    Candidates,
    decode,
    decode_vectors,
    encode_vectors,
    suppress,
    to_input,
)

Floats = npt.NDArray[np.float32]


def quad(x: float, y: float, degrees: float = 0.0, short: float = 21.0, tall: float = 30.0) -> Floats:
    """A tile's corners (4, 2), top left first, clockwise, turned clockwise by `degrees`."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    box = np.asarray([[-short, -tall], [short, -tall], [short, tall], [-short, tall]]) / 2
    return np.asarray(box @ np.asarray([[c, s], [-s, c]]) + [x, y], np.float32)


def maps_of(quads: list[Floats], logits: list[float] | None = None, cells: tuple[int, int] = (32, 40)) -> Floats:
    """What a perfect finder answers for `quads`."""
    maps = np.zeros((CHANNELS, *cells), np.float32)
    maps[0] = -20
    for corners, logit in zip(quads, logits or [5.0] * len(quads), strict=True):
        inside = (corners + 0.5) / STRIDE
        centre = inside.mean(axis=0)
        up = (inside[0] + inside[1] - inside[2] - inside[3]) / 4
        across = (inside[1] + inside[2] - inside[0] - inside[3]) / 4
        column, row = (int(v) for v in centre)
        maps[0, row, column] = logit
        maps[1:3, row, column] = centre - (column + 0.5, row + 0.5)
        maps[3:, row, column] = np.concatenate([encode_vectors(up[None])[0], encode_vectors(across[None])[0]])
    return maps


def same_outline(one: Floats, other: Floats) -> bool:
    """Whether two quads agree, upside down or not."""
    return any(np.allclose(np.roll(one, turn, axis=0), other, atol=0.02) for turn in (0, 2))


vectors = st.tuples(st.floats(0.01, 50), st.floats(-3.2, 3.2)).map(
    lambda polar: np.asarray([[polar[0] * np.cos(polar[1]), polar[0] * np.sin(polar[1])]], np.float32)
)


@given(vectors)
def test_a_vector_comes_back_up_to_its_sign(vector: Floats) -> None:
    back = decode_vectors(encode_vectors(vector))
    assert min(np.abs(back - vector).max(), np.abs(back + vector).max()) < 1e-3 * np.abs(vector).max()


@given(vectors)
def test_a_vector_and_its_opposite_have_one_code(vector: Floats) -> None:
    assert np.array_equal(encode_vectors(vector), encode_vectors(-vector))


@given(vectors)
def test_a_code_is_as_long_as_its_vector(vector: Floats) -> None:
    assert np.linalg.norm(encode_vectors(vector)) == pytest.approx(np.linalg.norm(vector), rel=1e-3)


def test_a_vector_without_length_has_a_code_without_length() -> None:
    assert decode_vectors(encode_vectors(np.zeros((1, 2), np.float32))).tolist() == [[0.0, 0.0]]


@given(
    x=st.floats(40, 110), y=st.floats(40, 80), degrees=st.floats(-180, 180), short=st.floats(14, 31),
    aspect=st.floats(1.3, 1.6),
)  # fmt: skip
def test_a_tile_is_decoded_where_it_lies_whatever_its_turn(
    x: float, y: float, degrees: float, short: float, aspect: float
) -> None:
    corners = quad(x, y, degrees, short, short * aspect)
    found = decode(maps_of([corners]), 0.3)
    assert len(found.scores) == 1
    assert same_outline(found.corners[0], corners)


@given(degrees=st.floats(-180, 180))
def test_decoded_corners_run_clockwise_in_the_picture(degrees: float) -> None:
    a, b, c, _ = decode(maps_of([quad(80, 60, degrees)]), 0.3).corners[0]
    assert (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0] > 0


def test_the_best_tile_comes_first() -> None:
    quads = [quad(30, 40), quad(80, 40), quad(130, 40)]
    found = decode(maps_of(quads, [1.0, 4.0, 2.5]), 0.3)
    assert found.corners.mean(axis=1)[:, 0] == pytest.approx(np.asarray([80, 130, 30]), abs=0.01)


def test_scores_are_probabilities_of_the_logits() -> None:
    found = decode(maps_of([quad(30, 40), quad(80, 40)], [0.0, 2.0]), 0.3)
    assert found.scores.tolist() == pytest.approx([1 / (1 + np.exp(-2.0)), 0.5])


@pytest.mark.parametrize(("threshold", "kept"), [(0.3, 2), (0.6, 1), (0.95, 0)])
def test_what_scores_below_the_threshold_is_no_tile(threshold: float, kept: int) -> None:
    assert len(decode(maps_of([quad(30, 40), quad(80, 40)], [0.0, 2.0]), threshold).scores) == kept


def test_a_slope_of_scores_is_one_tile() -> None:
    maps = maps_of([quad(80, 60)])
    row, column = np.unravel_index(int(maps[0].argmax()), maps[0].shape)
    maps[0, row, column + 1] = 4.9
    maps[1:, row, column + 1] = maps[1:, row, column]
    assert len(decode(maps, 0.3).scores) == 1


def test_one_tile_seen_from_two_peaks_is_one_tile() -> None:
    maps = maps_of([quad(80, 60)])
    row, column = np.unravel_index(int(maps[0].argmax()), maps[0].shape)
    maps[0, row + 3, column] = 4.0
    maps[1:, row + 3, column] = maps[1:, row, column]
    found = decode(maps, 0.3)
    assert len(found.scores) == 1
    assert same_outline(found.corners[0], quad(80, 60))


def test_touching_tiles_stay_apart() -> None:
    quads = [quad(60 + 21.0 * i, 60, 3.0) for i in range(4)]
    assert len(decode(maps_of(quads), 0.3).scores) == 4


def test_nothing_found_is_no_tile() -> None:
    found = decode(maps_of([]), 0.3)
    assert found.corners.shape == (0, 4, 2)
    assert found.scores.shape == (0,)


@pytest.mark.parametrize(
    ("beside", "kept"),
    [
        pytest.param((0.0, 0.0), [0], id="the same place"),
        pytest.param((10.0, 0.0), [0], id="half a tile to the right"),
        pytest.param((20.0, 0.0), [0, 1], id="one tile to the right"),
        pytest.param((0.0, 14.0), [0], id="half a tile below"),
        pytest.param((0.0, 30.0), [0, 1], id="one tile below"),
        pytest.param((13.0, 19.0), [0, 1], id="across the corner"),
    ],
)
def test_of_tiles_nearer_than_tiles_can_lie_the_first_stays(beside: tuple[float, float], kept: list[int]) -> None:
    centres = np.asarray([[0.0, 0.0], beside], np.float32)
    up = np.asarray([[0.0, -15.0]] * 2, np.float32)
    across = np.asarray([[10.5, 0.0]] * 2, np.float32)
    assert suppress(centres, up, across) == kept


def test_a_tile_that_is_hidden_hides_nothing() -> None:
    centres = np.asarray([[0, 0], [10, 0], [20, 0], [30, 0]], np.float32)
    up, across = np.tile(np.float32([0, 15]), (4, 1)), np.tile(np.float32([10, 0]), (4, 1))
    assert suppress(centres, up, across) == [0, 2]


def test_many_tiles_are_thinned_out_like_few() -> None:
    rng = np.random.default_rng(4)
    centres = rng.uniform(0, 300, (400, 2)).astype(np.float32)
    up, across = np.tile(np.float32([0, 15]), (400, 1)), np.tile(np.float32([10, 0]), (400, 1))
    kept: list[int] = []
    for i, (x, y) in enumerate(centres.tolist()):
        if all(abs(x - centres[j, 0]) >= 12 or abs(y - centres[j, 1]) >= 18 for j in kept):
            kept.append(i)
    assert suppress(centres, up, across) == kept


def test_a_tile_without_size_hides_nothing() -> None:
    centres = np.zeros((2, 2), np.float32)
    up = np.asarray([[0.0, 0.0], [0.0, -15.0]], np.float32)
    across = np.asarray([[0.0, 0.0], [10.5, 0.0]], np.float32)
    assert suppress(centres, up, across) == [0, 1]


@pytest.mark.parametrize(
    "shape", [(CHANNELS - 1, 8, 8), (1, CHANNELS, 8, 8), (8, 8)], ids=["a channel too few", "a batch", "one map"]
)
def test_maps_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=rf"expected maps of shape \({CHANNELS}, h, w\)"):
        decode(np.zeros(shape, np.float32), 0.3)


def test_corners_that_do_not_match_their_scores_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected corners of shape \(3, 4, 2\), got \(2, 4, 2\)"):
        Candidates(np.zeros((2, 4, 2), np.float32), np.zeros(3, np.float32))


@pytest.mark.parametrize(
    ("height", "width", "shape"),
    [
        pytest.param(32, 48, (1, 3, 32, 48), id="fits"),
        pytest.param(33, 47, (1, 3, 48, 48), id="is padded"),
        pytest.param(1, 1, (1, 3, 16, 16), id="a pixel"),
    ],
)
def test_the_finders_input_has_sides_of_sixteens(height: int, width: int, shape: tuple[int, ...]) -> None:
    made = to_input(np.full((height, width, 3), 255, np.uint8))
    assert made.shape == shape
    assert made.dtype == np.float32
    assert (made == 1.0).all()


def test_the_finders_input_keeps_colours_and_places() -> None:
    picture = np.zeros((16, 16, 3), np.uint8)
    picture[2, 5] = (255, 0, 51)
    made = to_input(picture)[0]
    assert made[:, 2, 5] == pytest.approx([1.0, -1.0, 51 / 127.5 - 1])
    assert (made[:, 3:] == -1.0).all()
