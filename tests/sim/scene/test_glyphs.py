from itertools import combinations

import numpy as np
import pytest

from referee.errors import BadInput
from referee.sim.scene.glyphs import FACES, text_mask
from referee.sim.scene.texture import symbol_mask

LETTERS = "0123456789ABDK"
TEXTS = [*LETTERS, "10", "11", "12", "13"]


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
@pytest.mark.parametrize("text", TEXTS)
def test_ink_fills_the_height_and_stays_inside(text: str, face: object) -> None:
    mask = text_mask(text, face, 100)

    inked = np.flatnonzero(mask.max(axis=1) > 0.5)
    assert mask.shape[0] == 100
    assert inked[0] <= 4
    assert inked[-1] >= 95
    assert 0.15 < mask.mean() < 0.75


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_no_two_digits_look_alike(face: object) -> None:
    masks = {text: text_mask(text, face, 60) for text in LETTERS}
    width = max(mask.shape[1] for mask in masks.values())
    padded = {text: np.pad(mask, ((0, 0), (0, width - mask.shape[1]))) for text, mask in masks.items()}

    for (a, one), (b, other) in combinations(padded.items(), 2):
        assert np.abs(one - other).mean() > 0.04, f"{a} and {b}"


@pytest.mark.parametrize("face", FACES.values(), ids=FACES)
def test_a_nine_is_a_six_upside_down(face: object) -> None:
    turned = text_mask("6", face, 80)[::-1, ::-1]

    assert np.abs(text_mask("9", face, 80) - turned).mean() < 0.06


@pytest.mark.parametrize("name", ["smile", "star", "jester", "heart", "diamond", "spade", "club", "dot", "ring"])
def test_symbols_are_mirror_images_of_themselves(name: str) -> None:
    mask = symbol_mask(name, 60)

    assert np.abs(mask - mask[:, ::-1]).mean() < 0.02
    assert 0.1 < mask.mean() < 0.8


def test_an_unknown_symbol_is_named() -> None:
    with pytest.raises(BadInput, match="'anchor'"):
        symbol_mask("anchor", 20)
