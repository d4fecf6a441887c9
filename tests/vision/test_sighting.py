"""What a look gives, and its JSON."""

import json

import numpy as np
import pytest

from referee.game.tiles import JOKER, Colour, Tile
from referee.vision.sighting import Quality, Read, Sighting

SQUARE = np.asarray([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
RED_7 = Tile(7, Colour.RED)


def a_read(tile: Tile | None = RED_7, *, doubtful: bool = False, angle_deg: float = 91.5) -> Read:
    return Read(tile, 0.99998, doubtful, (("red-1", 0.00001),), SQUARE, angle_deg, 211.4, 305.0)


def test_the_json_is_the_one_of_the_design() -> None:
    sighting = Sighting("rummikub", "markers", (a_read(),), ((0,),), Quality(), {"total": 61.0})
    assert sighting.to_json("t.jpg") == {
        "image": "t.jpg", "tileset": "rummikub", "scale": "markers",
        "tiles": [{"id": 0, "tile": "red-7", "confidence": 0.99998, "doubtful": False,
                   "alternatives": [["red-1", 0.00001]], "x_mm": 211.4, "y_mm": 305.0, "angle_deg": 91.5,
                   "corners_px": [[0, 0], [1, 0], [1, 1], [0, 1]]}],
        "sets": [[0]], "quality": {"sharp": True, "glare": False, "dark": False, "hand": False,
                                   "bright": False, "packed": False, "colourless": False, "grey": False,
                                   "glare_px": [], "too_small": 0, "cut_off": 0, "cut_off_px": []},
        "timings_ms": {"total": 61.0},
    }  # fmt: skip


def test_the_json_can_be_written_whatever_numbers_were_put_in() -> None:
    read = Read(
        RED_7, float(np.float32(0.3)), bool(np.True_), (("red-1", float(np.float32(0.1))),), SQUARE * 3.14159, 0.0
    )
    text = json.dumps(Sighting("rummikub", "tiles", (read,), ((0,),)).to_json("t.jpg"))
    assert json.loads(text)["tiles"][0]["corners_px"][2] == [3.1, 3.1]


def test_without_markers_places_are_null() -> None:
    read = Read(RED_7, 0.9, doubtful=False, alternatives=(), corners_px=SQUARE, angle_deg=12.0)
    seen = Sighting("rummikub", "tiles", (read,), ((0,),)).to_json("t.jpg")
    assert seen["scale"] == "tiles"
    assert (seen["tiles"][0]["x_mm"], seen["tiles"][0]["y_mm"]) == (None, None)


@pytest.mark.parametrize(
    ("angle", "shown"), [(0.0, 0.0), (359.97, 0.0), (-90.0, 270.0), (360.0, 0.0), (91.54, 91.5)], ids=str
)
def test_angles_are_shown_from_nought_to_below_360(angle: float, shown: float) -> None:
    assert Sighting("gin", "tiles", (a_read(angle_deg=angle),), ()).to_json("")["tiles"][0]["angle_deg"] == shown


@pytest.mark.parametrize(
    ("tile", "name"), [(RED_7, "red-7"), (JOKER, "joker"), (None, "face-down")], ids=["number", "joker", "back"]
)
def test_a_read_has_the_long_name_of_what_it_shows(tile: Tile | None, name: str) -> None:
    assert a_read(tile).name == name


def test_the_table_is_the_sets_as_tiles_without_backs() -> None:
    reads = (a_read(), a_read(None), a_read(JOKER))
    assert Sighting("rummikub", "markers", reads, ((2, 0), (1,))).table == ((JOKER, RED_7), ())


def test_doubts_are_told_by_their_index() -> None:
    reads = (a_read(), a_read(doubtful=True), a_read(doubtful=True))
    assert Sighting("rummikub", "markers", reads, ()).doubts == (1, 2)


@pytest.mark.parametrize("flag", ["sharp", "glare", "dark", "hand", "bright", "packed", "colourless", "grey"])
def test_each_flag_of_quality_stands_by_itself(flag: str) -> None:
    plain = Quality().to_json()
    changed = Quality(**{flag: not plain[flag]}).to_json()
    assert [name for name in plain if plain[name] != changed[name]] == [flag]


@pytest.mark.parametrize("flag", ["sharp", "dark", "bright", "packed", "grey"])
def test_a_picture_that_is_bad_all_over_is_a_poor_one(flag: str) -> None:
    assert Quality(**{flag: not Quality().to_json()[flag]}).poor


def test_a_lamp_or_a_hand_in_one_place_leaves_the_picture_good() -> None:
    assert not Quality(glare=True, hand=True).poor


def test_corners_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected corners_px of shape \(4, 2\), got \(2, 4\)"):
        Read(RED_7, 1.0, doubtful=False, alternatives=(), corners_px=SQUARE.reshape(2, 4), angle_deg=0.0)
