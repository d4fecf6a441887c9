"""Pictures that have lost their colours: black must be told from inks that only look black."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cli.parts.readers import build_reader
from referee.game.tiles import TILE_SETS, Colour, Tile
from referee.sim.scene.camera import Camera
from referee.sim.scene.light import LIGHTS
from referee.sim.scene.render import render
from referee.sim.scene.scene import MAKES, Placed, Scene
from referee.vision.faint_colours import are_colours_faint, measure_colours
from referee.vision.pipeline import TableReader
from referee.vision.sighting import Floats, Image

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
RUMMIKUB = TILE_SETS["rummikub"]
BLACK, PALE_BLACK, HAZY_RED, RED = (0.80, 0.82, 0.81), (0.55, 0.56, 0.57), (0.58, 0.57, 0.48), (0.7, 0.75, 0.15)
WHITE = (215, 230, 235)
needs_model = pytest.mark.skipif(not (MODELS / "tiles.toml").is_file(), reason="models/tiles.toml is missing")


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return build_reader(MODELS)


def wash(picture: Image, part: float) -> Image:
    """Return a picture with this part of its colours."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None]
    return np.asarray(np.rint(grey + part * (picture - grey)), np.uint8)


def tone(picture: Image) -> Image:
    """Return a picture in sepia, whose brightest parts are clipped in red, as JPEG."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None]
    toned = np.clip(np.rint(grey * np.float32([0.94, 1.2, 1.35])), 0, 255).astype(np.uint8)
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", toned)[1], cv2.IMREAD_COLOR), np.uint8)


def take_picture(inks: tuple[Colour, ...], light: str = "even", surface: str = "walnut") -> Image:
    """Return a drawn picture of a run of five tiles in each ink."""
    tiles = [
        Placed(Tile(3 + i, ink), 300 + 26.2 * i, 150 + 80.0 * row, 0) for row, ink in enumerate(inks) for i in range(5)
    ]
    scene = Scene(tuple(tiles), RUMMIKUB, MAKES["cream"], surface=surface, seed=3)
    return render(scene, Camera(height_mm=1010), LIGHTS[light], np.random.default_rng(2), jpeg_quality=90)


@needs_model
@pytest.mark.parametrize("inks", [(Colour.BLUE,), (Colour.RED,), RUMMIKUB.colours], ids=["blue", "red", "all inks"])
@pytest.mark.parametrize("part", [0.05, 0.1, 0.2, None])
def test_no_ink_of_a_picture_with_faint_colours_is_beyond_doubt(
    reader: TableReader, inks: tuple[Colour, ...], part: float | None
) -> None:
    """Before, whole runs of blue and of red tiles were black without doubt."""
    picture = take_picture(inks)
    seen = reader.read(tone(picture) if part is None else wash(picture, part), RUMMIKUB)
    assert seen.quality.grey
    assert [read.name for read in seen.reads if not read.doubtful] == []
    assert len(seen.reads) == 5 * len(inks)


@needs_model
@pytest.mark.parametrize("surface", ["white", "green", "walnut"])
@pytest.mark.parametrize("light", LIGHTS)
def test_black_tiles_alone_on_a_table_are_no_reason_to_ask(reader: TableReader, light: str, surface: str) -> None:
    seen = reader.read(take_picture((Colour.BLACK,), light, surface), RUMMIKUB)
    assert not seen.quality.grey
    assert sorted(read.name for read in seen.reads) == [f"black-{3 + i}" for i in range(5)]
    assert seen.doubts == ()


@needs_model
def test_an_ink_is_in_doubt_where_the_light_lacks_a_channel(reader: TableReader) -> None:
    """Before, black tiles in the light of a red lamp could be blue or orange without doubt."""
    red = np.rint(take_picture((Colour.BLACK,), "evening") * np.float32([0.05, 0.2, 1.0])).astype(np.uint8)
    seen = reader.read(red, RUMMIKUB)
    assert seen.reads
    assert all(read.doubtful for read in seen.reads)


def plain(colour: tuple[int, int, int], size: int = 320) -> Image:
    """Return a picture of a plain table with a white and a black field."""
    picture = np.full((size, size, 3), colour, np.uint8)
    picture[:80], picture[80:160] = WHITE, (30, 32, 33)
    return picture


@pytest.mark.parametrize(
    ("inks", "table", "faint"),
    [
        pytest.param([BLACK, BLACK], (128, 137, 140), False, id="black on grey"),
        pytest.param([BLACK, PALE_BLACK], (128, 137, 140), True, id="pale without colours"),
        pytest.param([BLACK, PALE_BLACK], (60, 90, 150), False, id="pale black on brown"),
        pytest.param([BLACK, HAZY_RED], (128, 137, 140), True, id="a tinge in a picture without colours"),
        pytest.param([BLACK, HAZY_RED], (120, 137, 145), True, id="a tinge in a picture with faint colours"),
        pytest.param([BLACK, RED], (128, 137, 140), False, id="red"),
        pytest.param([], (128, 137, 140), False, id="no number"),
    ],
)
def test_what_makes_colours_faint(inks: list[tuple[float, ...]], table: tuple[int, int, int], *, faint: bool) -> None:
    bodies: Floats = np.float32([WHITE] * len(inks)).reshape(-1, 3)
    assert are_colours_faint(plain(table), bodies, np.float32(inks).reshape(-1, 3)) is faint


def test_tones_of_one_colour_are_no_colours() -> None:
    picture = np.repeat(np.arange(1, 240, dtype=np.uint8), 8)[None].repeat(64, axis=0)[..., None].repeat(3, axis=2)
    toned = np.asarray(np.rint(picture * np.float32([0.5, 0.8, 1.0])), np.uint8)
    assert measure_colours(toned) < 1.0
    toned[:, 400:600] = (40, 60, 160)
    assert measure_colours(toned) > 10.0


@pytest.mark.parametrize("level", [0, 255])
def test_a_picture_that_is_clipped_everywhere_has_no_colours(level: int) -> None:
    assert measure_colours(np.full((64, 64, 3), level, np.uint8)) == 0.0
