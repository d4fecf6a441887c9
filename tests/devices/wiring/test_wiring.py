"""The wiring page and its drawing: made from the pin map, complete, with nothing on top of anything else."""

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from referee.devices.wiring.circuit import (
    BUTTON_OHM,
    LAMP_MA,
    PIN_MA,
    PULL_UP_OHM,
    SUPPLY_V,
    TOTAL_MA,
    component_of,
    lamp_ma,
    lamp_ohm,
    total_ma,
)
from referee.devices.wiring.drawing import HEIGHT, WIDTH, draw
from referee.devices.wiring.page import DRAWING, PAGE, main, page
from referee.devices.wiring.pins import Duty, PinMap

HARDWARE = Path(__file__).parents[3] / "hardware"
MAPS = [
    pytest.param({}, id="default"),
    pytest.param({"display": "tm1637", "buzzer_kind": "active"}, id="digits, active buzzer"),
    pytest.param({"display": "oled", "turn_buttons": 5}, id="oled, one button"),
    pytest.param({"bar": [12, 16, 20, 21, 26, 2, 3, 14, 15, 11]}, id="ten lamps in the bar"),
    pytest.param({"player_lamps": [], "bar": [], "red_lamp": False, "amber_lamp": False, "green_lamp": False,
                  "draw_lamp": False, "buzzer": False}, id="no lamps"),
]  # fmt: skip


def test_the_files_are_what_the_command_makes_from_the_default_map(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path)]) == 0
    for name in (PAGE, DRAWING):
        assert (HARDWARE / name).read_text(encoding="utf-8") == (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("table", MAPS)
def test_the_page_tells_every_line_with_its_pin_and_part(table: dict[str, object]) -> None:
    pins = PinMap.from_table(table)
    text = page(pins)
    for line in pins.lines:
        row = next(row for row in text.splitlines() if f"`{line.name}` |" in row)
        assert f"| {line.bcm} | {line.pin} |" in row
        assert component_of(line, pins).text in row
    assert max(map(len, (line for line in text.splitlines() if not line.startswith("|")))) <= 119


@pytest.mark.parametrize("table", MAPS)
def test_every_lamp_and_all_together_stay_within_the_limits(table: dict[str, object]) -> None:
    pins = PinMap.from_table(table)
    ohm = lamp_ohm(pins)
    for line in pins.lines_for(Duty.LAMP) + pins.lines_for(Duty.BAR):
        assert LAMP_MA[0] <= lamp_ma(line.colour, ohm) <= LAMP_MA[1] < PIN_MA
    assert total_ma(pins, ohm) < TOTAL_MA
    assert f"they give {total_ma(pins, ohm):.0f} mA" in " ".join(page(pins).split())


def test_the_arithmetic_on_the_page_is_right() -> None:
    found = re.findall(r"\((\d\.\d) V - (\d\.\d) V\) / (\d+) ohm = (\d\.\d) mA", page(PinMap(buzzer_kind="active")))
    assert len(found) == 6
    for supply, volt, ohm, ma in found:
        assert (float(supply) - float(volt)) / float(ohm) * 1000 == pytest.approx(float(ma), abs=0.05)


def test_long_lines_of_buttons_get_resistors_with_which_a_press_is_still_heard() -> None:
    low, high = BUTTON_OHM
    text = " ".join(page(PinMap()).split())
    assert f"put {low} ohm to {high} ohm into the line of each button" in text
    assert SUPPLY_V / low * 1000 < PIN_MA
    assert SUPPLY_V * high / (PULL_UP_OHM + high) < 0.8


def test_the_pins_with_5_volts_are_covered_first_but_for_one_that_is_needed() -> None:
    tape = "cover these two pins, and their terminals on a breakout board, with tape"
    assert f"{tape}. - An LED" in " ".join(page(PinMap()).split())
    active = " ".join(page(PinMap(buzzer_kind="active")).split())
    assert f"{tape}, but for the one that the buzzer needs." in active


def test_the_page_names_the_interfaces_that_must_stay_off() -> None:
    assert "SPI (player-4, draw); 1-Wire (button-pause)." in " ".join(page(PinMap()).split())
    assert "must stay switched off" not in page(PinMap(player_lamps=(), draw_lamp=None, pause_button=None))


def test_advice_about_a_map_stands_on_its_page() -> None:
    assert "serial console" in page(PinMap(red_lamp=14))
    assert "Good to know" not in page(PinMap())


def boxes(svg: str) -> list[tuple[str, float, float, float, float]]:
    """Every text of a drawing with the room it takes: letters of 14 px are less than 9 px wide on average."""
    found = []
    for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314 - our own drawing
        size, words = float(text.attrib["font-size"]), text.text or ""
        width = len(words) * size * 0.62 + (size * 0.05 * len(words) if "font-weight" in text.attrib else 0)
        left = float(text.attrib["x"]) - width * {"start": 0, "middle": 0.5, "end": 1}[text.attrib["text-anchor"]]
        top = float(text.attrib["y"]) - size * 0.8
        found.append((words, left, top, left + width, top + size))
    return found


@pytest.mark.parametrize("table", MAPS)
def test_no_text_of_the_drawing_lies_on_another_or_outside(table: dict[str, object]) -> None:
    found = boxes(draw(PinMap.from_table(table)))
    for _, left, top, right, bottom in found:
        assert left >= 0
        assert top >= 0
        assert right <= WIDTH
        assert bottom <= HEIGHT
    for (one, *a), (other, *b) in itertools.combinations(found, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one!r} lies on {other!r}"


@pytest.mark.parametrize("table", MAPS)
def test_the_drawing_names_every_pin_and_every_part(table: dict[str, object]) -> None:
    pins = PinMap.from_table(table)
    texts = [words for words, *_ in boxes(draw(pins))]
    assert {str(number) for number in range(1, 41)} <= set(texts)
    assert all(line.text in texts and f"GPIO{line.bcm}" in texts for line in pins.lines)


def test_the_command_reads_the_panel_of_a_settings_file(tmp_path: Path) -> None:
    settings = tmp_path / "referee.toml"
    settings.write_text("[panel]\nred_lamp = 11\n")
    assert main([str(settings), "--out", str(tmp_path / "mine")]) == 0
    assert "| `red` | 11 | 23 |" in (tmp_path / "mine" / PAGE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "[panel]\nred_lamp = 99\n", "referee.toml [panel] red_lamp: expected a GPIO on the", id="bad pin"
        ),
        pytest.param("panel = 3\n", "expected a table [panel], found 3", id="no table"),
        pytest.param("[panel\n", "expected a TOML file, found", id="no TOML"),
        pytest.param(None, "expected a settings file, found: No such file", id="no file"),
    ],
)
def test_bad_settings_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, message: str
) -> None:
    settings = tmp_path / "referee.toml"
    if text is not None:
        settings.write_text(text)
    assert main([str(settings), "--out", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["--out", str(tmp_path / "file")]) == 2
    assert "expected a folder to write to" in capsys.readouterr().err
