"""Type faces, and the tiles printed with them."""

from pathlib import Path

import numpy as np
import pytest

from referee.game.tiles import JOKER, Colour, Tile
from referee.train.faces import HELD_OUT, Faces, choose_style, draw_face, find_faces, ink

RED_8 = Tile(8, Colour.RED)


def hue_of(colour: np.ndarray) -> float:
    """Degrees around the colour wheel of an RGB colour."""
    red, green, blue = (float(v) for v in colour)
    return float(np.degrees(np.arctan2(np.sqrt(3) * (green - blue), 2 * red - green - blue)) % 360)


def test_held_out_families_are_in_no_training_material(faces: Faces) -> None:
    assert [p.name for p in (*faces.training, *faces.validation) if p.name.startswith(HELD_OUT)] == []


def test_no_family_is_both_trained_on_and_calibrated_on(faces: Faces) -> None:
    families = [
        {p.stem.split("-")[0].split("_")[0].rstrip("0123456789") for p in part}
        for part in (faces.training, faces.validation)
    ]
    assert families[0] & families[1] == set()
    assert len(families[0]) > 4 * len(families[1]) > 0


def test_the_same_machine_gives_the_same_faces(faces: Faces) -> None:
    assert find_faces() == faces


def test_a_machine_without_type_faces_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"expected at least 20 families .*, found 0"):
        find_faces(tmp_path)


def test_files_that_are_no_type_faces_are_passed_over(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"Broken{chr(65 + number % 26)}{number // 26}-Bold.ttf").write_bytes(b"no type face")
    with pytest.raises(FileNotFoundError, match="found 0"):
        find_faces(tmp_path)


@pytest.mark.parametrize("colour", Colour)
def test_an_ink_stays_within_what_people_call_by_its_name(colour: Colour) -> None:
    rng = np.random.default_rng(3)
    inks = np.asarray([ink(rng, colour) for _ in range(50)])
    low, high = {
        Colour.BLUE: (200, 242), Colour.RED: (340, 370), Colour.YELLOW: (35, 58), Colour.ORANGE: (13, 37),
        Colour.GREEN: (93, 170), Colour.BLACK: (0, 360),
    }[colour]  # fmt: skip
    hues = np.asarray([hue_of(i) for i in inks])
    assert ((hues >= low) & (hues <= high) | (hues + 360 <= high)).all()
    assert (inks.max(axis=1) < 70).all() == (colour is Colour.BLACK)


def test_the_same_seed_gives_the_same_tile(faces: Faces) -> None:
    def made() -> np.ndarray:
        rng = np.random.default_rng(11)
        return draw_face(rng, choose_style(rng, faces, 50), RED_8)

    assert np.array_equal(made(), made())


def test_other_seeds_give_other_tiles(faces: Faces) -> None:
    shapes = set()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        shapes.add(draw_face(rng, choose_style(rng, faces, 50), RED_8).tobytes())
    assert len(shapes) == 4


@pytest.mark.parametrize("tile", [RED_8, Tile(13, Colour.BLACK), JOKER], ids=str)
def test_a_printed_tile_differs_from_its_back(faces: Faces, tile: Tile) -> None:
    for seed in range(8):
        style = choose_style(np.random.default_rng(seed), faces, 60)
        printed, back = (draw_face(np.random.default_rng(1), style, face) for face in (tile, None))
        assert printed.shape == back.shape == (style.height_px, style.width_px, 3)
        assert np.abs(printed - back).max() > 25


@pytest.mark.parametrize("validation", [False, True], ids=["training", "calibration"])
def test_a_style_takes_its_face_from_its_own_part(faces: Faces, validation: bool) -> None:
    rng = np.random.default_rng(5)
    allowed = faces.validation if validation else faces.training
    assert all(choose_style(rng, faces, 40, validation=validation).face in allowed for _ in range(15))


def test_a_style_with_letters_for_jacks_has_no_letter_for_a_joker(faces: Faces) -> None:
    rng = np.random.default_rng(6)
    styles = [choose_style(rng, faces, 30) for _ in range(150)]
    lettered = [style for style in styles if style.letters]
    assert lettered
    assert all(style.joker != "letter" for style in lettered)
