"""Mined crops: what the finder's candidates are told to be."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("PIL", reason="Pillow is not installed")

from referee.game.tiles import Colour, Tile
from referee.train.data import READER_PARTS
from referee.train.mine import as_model, label_candidate, mine_picture
from referee.train.nets import FinderNet
from referee.train.pictures.scenes import Truth
from referee.train.pictures.typefaces import Faces
from referee.vision.reading.glyphs import NONE_KIND

TILE = np.asarray([[100, 100], [140, 100], [140, 156], [100, 156]], np.float32)
RED_7 = Truth(Tile(7, Colour.RED), TILE, cut=False)


@pytest.mark.parametrize(
    ("corners", "what"),
    [
        pytest.param(TILE + 2, 1, id="a little beside it is the tile"),
        pytest.param(np.roll(TILE, 2, axis=0), 1, id="upside down, too"),
        pytest.param(TILE + np.asarray((22, 0)), 0, id="across its edge is no tile"),
        pytest.param(TILE + np.asarray((14, 0)), -1, id="in between is not learned from"),
        pytest.param((TILE - 120) * 2.5 + 120, 0, id="much too large is no tile"),
        pytest.param(TILE + 300, 0, id="elsewhere is no tile"),
    ],
)
def test_a_candidate_is_the_tile_or_none_or_neither(corners: np.ndarray, what: int) -> None:
    assert label_candidate(np.asarray(corners, np.float32), (RED_7,))[0] == what


def test_the_true_corners_come_in_the_candidates_order() -> None:
    turned = np.roll(TILE, 2, axis=0)
    _, exact, truth = label_candidate(turned + 1, (RED_7,))
    assert exact is not None
    assert np.array_equal(exact, turned)
    assert truth is RED_7


def test_a_tile_cut_by_the_edge_is_never_learned_as_none() -> None:
    assert label_candidate(TILE, (Truth(None, TILE, cut=True),))[0] == -1


def test_a_bare_picture_gives_only_places_without_tiles(faces: Faces) -> None:
    made = mine_picture(4, as_model(FinderNet().eval()), faces)
    assert len({len(getattr(made, part)) for part in READER_PARTS}) == 1
    assert set(made.kinds) <= {NONE_KIND}
