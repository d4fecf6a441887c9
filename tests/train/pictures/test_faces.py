"""Type faces, and the tiles printed with them."""

from dataclasses import replace

import numpy as np
import pytest

from referee.game.tiles import JOKER, Colour, Tile
from referee.train.pictures.faces import BOXES, Style, choose_style, draw_face
from referee.train.pictures.typefaces import Faces
from referee.vision.reading.glyphs import NUMBERS, SUITS

RED_8 = Tile(8, Colour.RED)


def test_the_same_seed_gives_the_same_tile(faces: Faces) -> None:
    def made() -> np.ndarray:
        rng = np.random.default_rng(11)
        return draw_face(rng, choose_style(rng, faces, 50), RED_8)[0]

    assert np.array_equal(made(), made())


def test_other_seeds_give_other_tiles(faces: Faces) -> None:
    shapes = set()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        shapes.add(draw_face(rng, choose_style(rng, faces, 50), RED_8)[0].tobytes())
    assert len(shapes) == 4


@pytest.mark.parametrize("tile", [RED_8, Tile(13, Colour.BLUE), JOKER], ids=str)
def test_a_printed_tile_differs_from_its_back(faces: Faces, tile: Tile) -> None:
    for seed in range(8):
        style = choose_style(np.random.default_rng(seed), faces, 60)
        printed, back = (draw_face(np.random.default_rng(1), style, face)[0] for face in (tile, None))
        assert printed.shape == back.shape == (style.height_px, style.width_px, 3)
        assert np.abs(printed - back).max() > 25


@pytest.mark.parametrize("validation", [False, True], ids=["training", "calibration"])
def test_a_style_takes_its_face_from_its_own_part(faces: Faces, validation: bool) -> None:
    rng = np.random.default_rng(5)
    allowed = faces.validation if validation else faces.training
    assert all(choose_style(rng, faces, 40, validation=validation).face in allowed for _ in range(15))


@pytest.fixture(scope="module")
def styles(faces: Faces) -> list[Style]:
    rng = np.random.default_rng(6)
    return [choose_style(rng, faces, 30) for _ in range(150)]


def test_a_box_of_letters_has_no_letter_for_a_joker(styles: list[Style]) -> None:
    lettered = [style for style in styles if style.signs.cards]
    assert lettered
    assert all(style.joker != "letter" for style in lettered)


def test_boxes_of_numbers_and_of_letters_with_and_without_suits_occur(styles: list[Style]) -> None:
    assert {(style.signs.cards, style.mark == "suit") for style in styles} == {
        (cards, suit) for cards in (False, True) for suit in (False, True)
    }


def test_a_tile_has_the_glyph_of_its_box_and_a_suit_only_where_suits_are_printed(styles: list[Style]) -> None:
    for style in styles:
        for number in (1, 7, 11, 12, 13):
            assert NUMBERS[style.glyph_of(Tile(number, Colour.RED))] == number
        suits = [SUITS[style.suit_of(Tile(3, colour))] for colour in style.inks]
        assert all(suit == "none" for suit in suits) is (style.mark != "suit")
        assert [style.suit_of(tile) for tile in (JOKER, None)] == [0, 0]


def test_the_inks_of_a_style_are_those_of_a_box_in_the_shops(styles: list[Style]) -> None:
    assert {tuple(style.inks) for style in styles} == set(BOXES)


def test_print_of_a_plain_style_is_easy_to_see(faces: Faces) -> None:
    rng = np.random.default_rng(8)
    for style in (choose_style(rng, faces, 30, plain=True) for _ in range(12)):
        assert style.opacity >= 0.85


def test_the_ink_of_a_printed_tile_is_told_as_it_was_laid(faces: Faces) -> None:
    for seed in range(12):
        style = choose_style(np.random.default_rng(seed), faces, 60)
        style = replace(style, face=faces.symbols, distortion=None)  # its strokes are wider than a pixel
        picture, ink, body = draw_face(np.random.default_rng(2), style, RED_8)
        away = np.linalg.norm(picture - ink, axis=2)
        if not style.wooden and not style.engraved and not style.relief:  # grain and edges shade the ink
            assert away.min() < 12
        assert np.linalg.norm(body - picture.reshape(-1, 3).mean(axis=0)) < 0.7 * np.linalg.norm(body - ink) + 12
        assert ((ink >= 0) & (ink <= 260)).all()


def test_a_bare_back_has_no_ink_of_its_own(faces: Faces) -> None:
    style = choose_style(np.random.default_rng(1), faces, 60)
    _, ink, body = draw_face(np.random.default_rng(2), style, None)
    assert np.array_equal(ink, body)
