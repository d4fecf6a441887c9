"""The referee as a library."""

import doctest
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import referee
from referee.errors import BadInput, UnreadablePicture
from referee.game.notation import parse_table
from referee.game.tiles import TILE_SETS
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import Lighting
from referee.sim.scene.render import render
from referee.sim.scene.scene import MAKES, Placed, Scene

DOCS = Path(__file__).parent.parent / "docs" / "python-api.md"


def photograph(path: Path) -> None:
    """A picture of two sets on a virtual table."""
    tiles = [
        Placed(tile, 200.0 + 32 * column, 200.0 + 150 * row, 0.0)
        for row, tiles in enumerate(parse_table("B5 B6 B7 | R9 K9 O9 B9"))
        for column, tile in enumerate(tiles)
    ]
    scene = Scene(tuple(tiles), TILE_SETS["rummikub"], MAKES["cream"])
    cv2.imwrite(str(path), render(scene, Camera(height_mm=1020), Lighting(), np.random.default_rng(1)))


def test_the_page_of_the_library_tells_the_truth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photograph(tmp_path / "table.jpg")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(DOCS), module_relative=False)
    assert result.attempted >= 10
    assert result.failed == 0


def test_importing_the_package_loads_nothing_of_it() -> None:
    program = "import referee, sys; print(sorted(name for name in sys.modules if name.startswith('referee')))"
    command = [sys.executable, "-c", program]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own program
    assert loaded.stdout.strip() == "['referee']"


def test_there_is_nothing_else_in_the_package() -> None:
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = referee.no_such_thing  # type: ignore[attr-defined]


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table.jpg").write_text("no picture", encoding="utf-8")
    with pytest.raises(UnreadablePicture, match=r"table\.jpg"):
        referee.read(tmp_path / "table.jpg")
    with pytest.raises(BadInput, match="no-such-box"):
        referee.read(tmp_path / "table.jpg", tileset="no-such-box")


def test_a_turn_is_judged_with_options_and_a_table_that_was_read() -> None:
    table = parse_table("** R9 R10")
    as_laid = referee.judge("", table, rules="rummikub", hand=14)
    assert [fault.kind for fault in as_laid.faults][:1] == ["opening-too-low"]
    assert referee.judge("", table, rules="rummikub", options={"joker-place": "best"}, hand=14).opens


@pytest.mark.parametrize(
    ("before", "rules", "options", "expected"),
    [
        pytest.param("R7 B7 K8", "classic", {}, "legal table before the turn", id="an illegal table before"),
        pytest.param("R7 B7", "chess", {}, "out of ravensburger", id="no such rule book"),
        pytest.param("", "classic", {"speed": "9"}, "expected an option of classic", id="no such option"),
        pytest.param("", "gin", {}, "laid turn by turn", id="a game without turns to judge"),
        pytest.param("R99", "classic", {}, "R99", id="no such tile"),
    ],
)
def test_what_cannot_be_judged_is_refused(before: str, rules: str, options: dict[str, str], expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        referee.judge(before, "", rules=rules, options=options)


def test_the_solver_follows_the_runs_of_the_rule_book() -> None:
    cyclic = referee.solve("", "R12 R13 R1", rules="classic")
    assert cyclic is not None
    assert len(cyclic.tiles) == 3
    straight = referee.solve("", "R12 R13 R1")
    assert straight is not None
    assert straight.tiles == ()
