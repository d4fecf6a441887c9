"""What is wrong with a picture, as a notice."""

import numpy as np
import pytest

from referee.game.notice import Notice
from referee.i18n import ENGLISH
from referee.vision.quality import BLURRED, BRIGHT, CUT_OFF, DARK, GREY, PACKED, complaint, places_of
from referee.vision.sighting import Quality, Sighting

OUTLINE = np.float32([[100, 50], [1100, 50], [1100, 750], [100, 750]])
UPSIDE_DOWN = np.roll(OUTLINE, 2, axis=0)
LAMP = Notice("reading.mirrored_at", places=(Notice("place.top_left"),))


def seen(quality: Quality, outline: np.ndarray | None = OUTLINE) -> Sighting:
    return Sighting("rummikub", "markers", (), (), quality, outline_px=outline)


@pytest.mark.parametrize(
    ("quality", "told"),
    [
        pytest.param(Quality(), None, id="a good picture"),
        pytest.param(Quality(hand=True), None, id="a hand is asked about otherwise"),
        pytest.param(Quality(bright=True), BRIGHT, id="too bright"),
        pytest.param(Quality(dark=True), DARK, id="too dark"),
        pytest.param(Quality(sharp=False), BLURRED, id="blurred"),
        pytest.param(Quality(grey=True, packed=True), GREY, id="without colours"),
        pytest.param(Quality(packed=True), PACKED, id="compressed"),
        pytest.param(Quality(packed=True, colourless=True), PACKED, id="compressed until inks are lost"),
        pytest.param(Quality(sharp=False, dark=True), DARK, id="a dark picture is blurred, too"),
        pytest.param(Quality(glare=True, glare_px=((150.0, 80.0),)), LAMP, id="lamp"),
        pytest.param(Quality(cut_off_px=((1.0, 80.0),)), CUT_OFF, id="tiles at the edge"),
        pytest.param(
            Quality(glare=True, glare_px=((600.0, 400.0), (1000.0, 700.0), (1020.0, 690.0))),
            Notice("reading.mirrored_at", places=(Notice("place.bottom_right"), Notice("place.middle"))),
            id="in two places",
        ),
    ],
)
def test_the_worst_about_a_picture_is_told(quality: Quality, told: Notice | None) -> None:
    assert complaint(seen(quality)) == told


def test_a_lamp_is_told_with_the_places_where_it_is_mirrored() -> None:
    assert ENGLISH(LAMP) == "A lamp is reflected at the top left."
    two = Notice("reading.mirrored_at", places=(Notice("place.bottom_right"), Notice("place.middle")))
    assert ENGLISH(two) == "A lamp is reflected at the bottom right and in the middle."


def test_without_markers_no_place_is_told() -> None:
    quality = Quality(glare=True, glare_px=((150.0, 80.0),))
    told = complaint(seen(quality, None))
    assert told is not None
    assert ENGLISH(told) == "A lamp is reflected in the tiles."


def test_places_are_those_of_the_table_also_where_the_camera_hangs_upside_down() -> None:
    corner = np.float32([[150, 80]])
    assert places_of(corner, OUTLINE) == (Notice("place.top_left"),)
    assert places_of(corner, UPSIDE_DOWN) == (Notice("place.bottom_right"),)
