"""Pictures and models that cannot be used, through the whole command line: one line each, nothing half-written."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import cv2
import drawn_tiles as drawn
import numpy as np
import numpy.typing as npt
import pytest

from referee.cli.main import main
from referee.cli.parts.readers import Parts
from referee.game.tiles import TILE_SETS, Tile
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import Lighting
from referee.sim.scene.render import render
from referee.sim.scene.scene import MAKES, Placed, Scene
from referee.vision.overlay import draw
from referee.vision.pipeline import TableReader
from referee.vision.placing import Nets
from referee.vision.reading.answers import COLUMNS, SHIFTS
from referee.vision.reading.glyphs import NONE_KIND
from referee.vision.reading.inks import InkPrior
from referee.vision.reading.joint import Known
from referee.vision.sighting import Image

Captured = pytest.CaptureFixture[str]
Floats = npt.NDArray[np.float32]
SHIPPED = Path(__file__).parents[3] / "models"

needs_model = pytest.mark.skipif(not (SHIPPED / "tiles.toml").exists(), reason="needs the model: make model")


def finds_nothing(array: Floats) -> tuple[Floats, ...]:
    _, _, height, width = array.shape
    return (np.full((1, 7, height // 4, width // 4), -20.0, np.float32),)


def aligns_nothing(array: Floats) -> tuple[Floats, ...]:
    return (np.zeros((len(array), SHIFTS), np.float32),)


def reads_nothing(array: Floats) -> tuple[Floats, ...]:
    answers = np.zeros((len(array), COLUMNS), np.float32)
    answers[:, NONE_KIND] = 20.0
    return (answers,)


PRIORS = tuple(
    InkPrior(
        TILE_SETS[name].colours,
        np.ones(1),
        np.ones((1, 4, 1)),
        np.zeros((1, 4, 1, 3)),
        np.full((1, 4, 1, 3, 3), np.eye(3)),
    )
    for name in ("rummikub", "ravensburger", "piatnik")
)
"""What somebody expects of inks who knows nothing."""


def parts() -> Parts:
    nets = Nets(finds_nothing, aligns_nothing, reads_nothing, drawn.undecided)
    return Parts(lambda: TableReader(nets, {}, Known(PRIORS)), draw)


@cache
def table(markers: tuple[int, ...] = (0, 1, 2, 3), tiles: tuple[Placed, ...] = ()) -> Image:
    return render(
        Scene(tiles=tiles, markers=markers, look=MAKES["cream"]), Camera(), Lighting(), np.random.default_rng(1)
    )


def foreign_markers() -> Image:
    picture = np.full((1296, 2304, 3), 160, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_6X6_250)
    for number, (x, y) in enumerate(((200, 100), (2000, 100), (2000, 1100), (200, 1100))):
        marker = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(dictionary, number, 80), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255,)
        )
        picture[y : y + 120, x : x + 120] = marker[..., None]
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def saved(folder: Path, picture: Image) -> Path:
    path = folder / "t.png"
    cv2.imwrite(str(path), picture)
    return path


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        pytest.param(table(), "no tile", id="bare table"),
        pytest.param(np.full((300, 400, 3), 90, np.uint8), "no tile", id="bare picture"),
        pytest.param(np.full((8, 8, 3), 90, np.uint8), "no tile", id="a few pixels"),
        pytest.param(table((0, 2)), "marker", id="two markers only"),
        pytest.param(foreign_markers(), "marker", id="markers of another dictionary"),
    ],
)
def test_a_picture_that_shows_too_little_cannot_be_judged(
    folder: Path, picture: Image, told: str, capsys: Captured
) -> None:
    path, overlay = saved(folder, picture), folder / "drawn.png"
    assert main(["read", str(path)], parts) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert err.count("\n") == 1
    main(["read", str(path), "--overlay", str(overlay)], parts)
    assert sorted(p.name for p in folder.iterdir()) in (["drawn.png", "t.png"], ["t.png"])


def test_without_markers_or_tiles_a_turn_cannot_be_judged(folder: Path, capsys: Captured) -> None:
    path = saved(folder, np.full((300, 400, 3), 90, np.uint8))
    assert main(["judge", "--rules", "rummikub", "--before", "", "--after", str(path), "--json"], parts) == 3
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert json.loads(out) == {"error": err.removeprefix("referee: ").strip(), "code": 3}


def test_a_bare_table_between_markers_is_an_empty_table(folder: Path) -> None:
    path = str(saved(folder, table()))
    assert main(["judge", "--rules", "rummikub", "--before", path, "--after", "R10 B10 K10"], parts) == 0


SETS = (("red-7", "blue-7", "black-7"), ("orange-3", "orange-4", "orange-5", "orange-6"))


def two_sets() -> tuple[Placed, ...]:
    return tuple(
        Placed(Tile.from_name(name), 300.0 + 26.5 * column, 200.0 + 150.0 * row, 0.0)
        for row, names in enumerate(SETS)
        for column, name in enumerate(names)
    )


@needs_model
def test_a_rendered_table_is_read_as_it_was_laid(folder: Path, capsys: Captured) -> None:
    path, overlay = saved(folder, table(tiles=two_sets())), folder / "drawn.png"
    assert main(["read", str(path), "--json", "--tileset", "rummikub", "--overlay", str(overlay)]) == 0
    out, err = capsys.readouterr()
    seen = json.loads(out)
    assert seen["scale"] == "markers"
    assert sorted(tuple(seen["tiles"][i]["tile"] for i in members) for members in seen["sets"]) == sorted(SETS)
    first = next(tile for tile in seen["tiles"] if tile["tile"] == "red-7")
    assert (first["x_mm"], first["y_mm"]) == pytest.approx((300.0, 200.0), abs=2.0)
    assert err == ""
    assert cv2.imread(str(overlay)).shape == (1296, 2304, 3)


@needs_model
def test_a_rendered_turn_is_judged(folder: Path, capsys: Captured) -> None:
    path = str(saved(folder, table(tiles=two_sets())))
    rules = ["judge", "--rules", "rummikub", "--before", "", "--after", path]
    assert main([*rules, "--not-opened"]) == 0
    assert "39 points" in capsys.readouterr().out
    assert main([*rules, "--hand", "6"]) == 1


def spoil_nothing_there(models: Path) -> None:
    shutil.rmtree(models)


def spoil_file_missing(models: Path) -> None:
    (models / "reader.onnx").unlink()


def spoil_one_byte(models: Path) -> None:
    data = bytearray((models / "reader.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (models / "reader.onnx").write_bytes(data)


def spoil_description(models: Path) -> None:
    (models / "tiles.toml").write_text("[finder\n")


@pytest.mark.parametrize("spoil", [spoil_nothing_there, spoil_file_missing, spoil_one_byte, spoil_description])
@needs_model
def test_a_model_that_is_not_the_described_one_is_never_run(
    folder: Path, spoil: object, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    models = folder / "models"
    shutil.copytree(SHIPPED, models)
    assert callable(spoil)
    spoil(models)
    monkeypatch.setenv("REFEREE_MODELS", str(models))
    path = saved(folder, table())
    for arguments in (
        ["read", str(path), "--overlay", str(folder / "drawn.png")],
        ["demo", "--out", str(folder / "o")],
    ):
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "models" in err
        assert "expected" in err
        assert err.count("\n") == 1
    assert not (folder / "drawn.png").exists()


def test_a_missing_model_is_told_without_a_traceback(folder: Path) -> None:
    path = saved(folder, np.full((30, 40, 3), 90, np.uint8))
    command = [sys.executable, "-m", "referee", "read", str(path)]
    environ = {**os.environ, "REFEREE_MODELS": str(folder / "none")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environ, check=False)  # noqa: S603
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "tiles.toml" in done.stderr
