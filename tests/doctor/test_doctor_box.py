"""The enrolled box: whether its file can be used with this model and this game."""

from pathlib import Path

import pytest
from made_up import READER, box_for

from referee.devices.box_file import save_box
from referee.doctor.finding import Result
from referee.doctor.reading import check_box
from referee.game.tiles import tile_set
from referee.i18n import ENGLISH
from referee.settings.settings import load

GIN = tile_set("gin")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    save_box(tmp_path / "boxes" / "ours.json", box_for(GIN))
    save_box(tmp_path / "boxes" / "gin.json", box_for(GIN, "gin"))
    return tmp_path


def found(state: Path, flags: dict[str, str], reader: str = READER, tiles: str = "gin"):
    return check_box(load(None, {}, flags), state, lambda: reader, tile_set(tiles))


def test_the_box_that_is_named_or_was_enrolled_here_is_in_order(state: Path) -> None:
    for flags, name in (({"table.box": "ours"}, "ours"), ({}, "gin")):
        finding = found(state, flags)
        assert finding.result is Result.OK
        assert f"The box {name} was enrolled in 4 pictures" in ENGLISH(finding.found)


def test_without_any_box_the_check_says_how_to_enrol_one(tmp_path: Path) -> None:
    finding = found(tmp_path, {})
    assert finding.result is Result.SKIPPED
    assert "referee enrol" in ENGLISH(finding.do)


@pytest.mark.parametrize(
    ("flags", "reader", "tiles", "result"),
    [
        ({"table.box": "theirs"}, READER, "gin", Result.WRONG),
        ({"table.box": "ours"}, "feed", "gin", Result.WRONG),
        ({"table.box": "ours", "table.tileset": "classic"}, READER, "classic", Result.WRONG),
        ({}, "feed", "gin", Result.ATTENTION),
    ],
)
def test_a_box_that_cannot_be_used_is_wrong_where_the_settings_name_it(state, flags, reader, tiles, result) -> None:
    finding = found(state, flags, reader, tiles)
    assert finding.result is result
    assert ENGLISH(finding.do)
