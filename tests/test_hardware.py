"""The building instructions agree with their own geometry, with the drawings and with the panel."""

import importlib.util
import math
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from referee.devices.wiring.pins import Duty, PinMap

HARDWARE = Path(__file__).parent.parent / "hardware"
CAMERA_PAGE = (HARDWARE / "camera.md").read_text(encoding="utf-8")
OPENSCAD = shutil.which("openscad")
needs_openscad = pytest.mark.skipif(OPENSCAD is None, reason="openscad is not installed")
PARTS = [
    ("mount.scad", "assembly"), ("mount.scad", "clamp"), ("mount.scad", "pad"), ("mount.scad", "corner"),
    ("mount.scad", "head"), ("mount.scad", "carrier"), ("box.scad", "assembly"), ("box.scad", "lid"),
    ("box.scad", "base"), ("box.scad", "seat"), ("box.scad", "seat_floor"),
]  # fmt: skip


def load_geometry() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hardware_geometry", HARDWARE / "geometry.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


geometry = load_geometry()


def number(name: str, file: str) -> float:
    """A number from the top of a drawing."""
    found = re.search(rf"^{name} = ([\d.]+);", (HARDWARE / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, name
    return float(found[1])


def openscad(file: str, output: Path, *settings: str) -> str:
    """Render; what was said about it."""
    assert OPENSCAD
    defined = [part for setting in settings for part in ("-D", setting)]
    command = [OPENSCAD, *defined, "-o", str(output), str(HARDWARE / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("row", [*geometry.heights_table(), *geometry.lamps_table()])
def test_the_page_shows_what_is_computed(row: str) -> None:
    assert row in CAMERA_PAGE


@pytest.mark.parametrize(
    ("length", "angle", "stated_cm"),
    [
        pytest.param(600, 41, 80, id="centres"),
        pytest.param(656, 41, 88, id="sheets"),
        pytest.param(600, math.degrees(2 * math.atan(3.63 / 2 / 4.74)), 78, id="centres, by lens and sensor"),
        pytest.param(656, math.degrees(2 * math.atan(3.63 / 2 / 4.74)), 86, id="sheets, by lens and sensor"),
    ],
)
def test_the_least_height_is_the_stated_one(length: float, angle: float, stated_cm: int) -> None:
    assert round(geometry.least_height_mm(length, angle) / 10) == stated_cm
    assert f" {stated_cm} cm " in CAMERA_PAGE


@pytest.mark.parametrize("name", geometry.FIGURES)
def test_the_drawn_figures_are_up_to_date(name: str) -> None:
    drawn = geometry.FIGURES[name]()
    assert (HARDWARE / name).read_text(encoding="utf-8") == drawn
    ET.fromstring(drawn)  # noqa: S314
    assert f"({name})" in CAMERA_PAGE


def test_the_glare_lies_where_angle_in_is_angle_out() -> None:
    for lamp_out, lamp_height in ((600, 1650), (300, 900), (1000, 200)):
        at = geometry.glare_at_mm(lamp_out, lamp_height)
        assert math.isclose(at / geometry.CAMERA_MM, (lamp_out - at) / lamp_height)


def mirrored_to(lamp_height: float, tilt: float) -> np.ndarray:
    """Where at the lamps' height the camera looks by way of the play area: every place, tilted every way."""
    x, y = np.meshgrid(np.linspace(-450, 450, 19), np.linspace(-300, 300, 13))
    places = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=1)
    steep, turn = np.radians([0, tilt / 2, tilt]), np.radians(np.arange(0, 360, 5))
    normals = np.array(
        [(math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a)) for a in steep for b in turn]
    )
    seen = np.array([0, 0, geometry.CAMERA_MM]) - places
    rays = 2 * (seen @ normals.T)[..., None] * normals - seen[:, None]
    return places[:, None, :2] + lamp_height * rays[..., :2] / rays[..., 2:]


@pytest.mark.parametrize("tilt", geometry.TILTS)
@pytest.mark.parametrize("lamp_height", geometry.LAMP_HEIGHTS_MM)
def test_no_tile_mirrors_a_lamp_outside_the_border_and_some_do_inside(lamp_height: float, tilt: float) -> None:
    reached = np.abs(mirrored_to(lamp_height, tilt)).reshape(-1, 2).max(axis=0)
    border = [geometry.keep_out_mm(side / 2, lamp_height, tilt) for side in geometry.PLAY_MM]
    assert reached == pytest.approx(border, abs=10)  # corners reach a little farther, as the page says
    assert (reached >= np.array(border) - 1e-6).all()


def test_a_lamp_is_safe_nowhere_where_the_tilt_is_too_great() -> None:
    assert geometry.keep_out_mm(450, 200, 35) == math.inf


def test_the_mount_hangs_the_camera_where_the_page_says() -> None:
    low = number("nut_height", "mount.scad") + 12 + number("table_max", "mount.scad") + 8
    height_cm = (number("upright", "mount.scad") - low) / 10
    assert round(height_cm) == pytest.approx(92, abs=1)
    assert 85 <= height_cm <= 100
    assert "hangs the camera at 92 cm" in CAMERA_PAGE


def test_the_lid_has_a_hole_for_every_part_of_the_panel() -> None:
    pins = PinMap()
    assert number("players", "box.scad") == len(pins.turn_buttons) == len(pins.player_lamps)
    assert number("bar", "box.scad") == len(pins.lines_for(Duty.BAR))
    assert pins.pause_button is not None
    verdicts = {"NO": pins.red_lamp, "?": pins.amber_lamp, "OK": pins.green_lamp, "DRAW": pins.draw_lamp}
    drawing = (HARDWARE / "box.scad").read_text(encoding="utf-8")
    assert all(pin is not None and f'lamp, "{word}"]' in drawing for word, pin in verdicts.items())


def test_the_guides_minutes_are_counted() -> None:
    guide = (HARDWARE / "guide.md").read_text(encoding="utf-8")
    steps = sum(int(minutes) for minutes in re.findall(r"^### .*\((\d+) minutes\)$", guide, re.MULTILINE))
    assert f"## The {steps} minutes" in guide
    rows = re.findall(r"^\| [^|]+ \| (\d+) \| ([\d.]+) \|$", guide, re.MULTILINE)
    assert sum(int(many) * float(each) for many, each in rows) == pytest.approx(steps, abs=2)
    panel = sum(
        int(minutes) for minutes in re.findall(r"^(?:Its parts|The wires) \((\d+) minutes\)", guide, re.MULTILINE)
    )
    assert f"### 4. The panel ({panel} minutes)" in guide


def test_the_guides_counts_are_those_of_the_pin_map() -> None:
    guide = (HARDWARE / "guide.md").read_text(encoding="utf-8")
    pins = PinMap()
    rows = {what: int(many) for what, many in re.findall(r"^\| ([^|]+) \| (\d+) \| [\d.]+ \|$", guide, re.MULTILINE)}
    assert rows["wires from a part to the terminal of its pin, with a label on the other wire"] == len(pins.lines)
    assert rows["buttons, LEDs and the buzzer put into their holes"] == len(pins.lines)
    assert rows["lamps, buttons and the buzzer tried, one by one"] == len(pins.lines)
    resistors = len(pins.lines_for(Duty.BUTTON)) + len(pins.lines_for(Duty.BUZZER))
    assert rows["resistors in the lines of the buttons and the buzzer"] == resistors
    screws = sum(int(number) for number in {"three": 3, "Five": 5, "Two": 2, "Three": 3}.values()) + 3 * 4
    assert rows["screws into wood and plastic"] == screws


def test_every_picture_is_shown_small_and_made_by_the_script() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in HARDWARE.glob("*.md"))
    script = (HARDWARE / "render.sh").read_text(encoding="utf-8")
    made = set(re.findall(r"^picture (\S+)", script, re.MULTILINE))
    assert made == {picture.stem for picture in (HARDWARE / "pictures").iterdir()}
    for name in made:
        data = (HARDWARE / "pictures" / f"{name}.png").read_bytes()
        assert len(data) <= 200_000
        assert data.startswith(b"\x89PNG")
        width, height = struct.unpack(">2I", data[16:24])
        assert min(width, height) >= 400
        assert f"(pictures/{name}.png)" in pages


@needs_openscad
@pytest.mark.parametrize(("file", "part"), PARTS)
def test_the_drawings_are_read_without_a_warning(file: str, part: str, tmp_path: Path) -> None:
    said = openscad(file, tmp_path / "part.csg", f'part="{part}"')
    assert "WARNING" not in said
    assert "ERROR" not in said
    assert "cylinder" in (tmp_path / "part.csg").read_text(encoding="utf-8")


@needs_openscad
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(("players=2", "bar=0", "display=true"), id="two players"),
        pytest.param(("players=3", "display=true", "pi_inside=true", "lamp=8"), id="three, and the Pi"),
        pytest.param(("players=1", "turn_button=30", "letters=0"), id="one button for all"),
    ],
)
def test_the_box_can_be_had_otherwise(settings: tuple[str, ...], tmp_path: Path) -> None:
    assert "WARNING" not in openscad("box.scad", tmp_path / "box.csg", 'part="lid"', *settings)


@needs_openscad
def test_a_part_is_one_closed_body_that_stands_on_the_bed(tmp_path: Path) -> None:
    said = openscad("mount.scad", tmp_path / "head.stl", 'part="head"')
    assert "Simple:        yes" in said
    heights = re.findall(r"vertex \S+ \S+ (\S+)", (tmp_path / "head.stl").read_text(encoding="utf-8"))
    assert min(map(float, heights)) == 0
