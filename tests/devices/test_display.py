"""The displays: what reaches the digits over two mock pins, and an OLED that may come loose."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from referee.devices.display import OledDisplay, open_display, segments
from referee.devices.gpio import GpioPanel
from referee.devices.lights import Lights
from referee.devices.pins import PinMap
from referee.errors import BadInput

DIGITS = {0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4", 0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8",
          0x6F: "9", 0x00: " "}  # fmt: skip


class Chip:
    """A TM1637 that listens on two mock pins: collects commands between start and stop, as its data sheet says."""

    def __init__(self, factory: MockFactory, pins: PinMap) -> None:
        self.levels = {"clk": False, "dio": False}
        self.bits: list[int] = []
        self.commands: list[list[int]] = []
        for name, bcm in (("clk", pins.display_clk), ("dio", pins.display_dio)):
            self.listen(factory.pin(bcm), name)

    def listen(self, pin: Any, name: str) -> None:
        change = pin._change_state

        def heard(value: float) -> bool:
            changed = bool(change(value))
            if changed:
                self.edge(name, bool(value))
            return changed

        pin._change_state = heard

    def edge(self, name: str, level: bool) -> None:
        self.levels[name] = level
        if name == "dio" and self.levels["clk"]:
            if not level:
                self.bits = []
            else:
                whole = [self.bits[at : at + 8] for at in range(0, len(self.bits) // 9 * 9, 9)]
                self.commands.append([sum(bit << n for n, bit in enumerate(byte)) for byte in whole])
        elif name == "clk" and level:
            self.bits.append(int(self.levels["dio"]))

    @property
    def shown(self) -> str:
        """What stands on the display by the last three commands."""
        write, data, control = self.commands[-3:]
        assert write == [0x40]
        assert data[0] == 0xC0
        if not control[0] & 0x08:
            return "dark"
        text = "".join(DIGITS[byte & 0x7F] for byte in data[1:])
        return f"{text[:2]}:{text[2:]}" if data[2] & 0x80 else text


def test_four_digits_show_the_clock_and_go_dark() -> None:
    pins = PinMap(display="tm1637")
    factory = MockFactory(pin_class=MockPWMPin)
    chip = Chip(factory, pins)
    panel = GpioPanel(pins, factory, lambda: 0.0, lambda *_: None)
    assert chip.shown == "dark"
    panel.show(Lights(text="1:05"))
    assert chip.shown == " 1:05"
    panel.show(Lights(text="12:34"))
    assert chip.shown == "12:34"
    panel.close()
    assert chip.shown == "dark"


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        pytest.param("", (0, 0, 0, 0), id="nothing"),
        pytest.param("0:07", (0, 0xBF, 0x3F, 0x07), id="seconds"),
        pytest.param("-5", (0, 0, 0x40, 0x6D), id="no colon"),
        pytest.param("123:45", (0x5B, 0xCF, 0x66, 0x6D), id="too long: the end"),
        pytest.param("A:00", (0, 0x80, 0x3F, 0x3F), id="no digit"),
    ],
)
def test_texts_become_segments(text: str, digits: tuple[int, ...]) -> None:
    assert segments(text) == digits


class Oled:
    """A stand-in for luma's device, with what is drawn on it."""

    size = (128, 64)

    def __init__(self, loose: bool = False) -> None:
        self.loose, self.drawn, self.off = loose, list[Any](), False

    @contextmanager
    def canvas(self, device: Any) -> Iterator[Any]:
        assert device is self
        yield self
        if self.loose:
            raise OSError("Remote I/O error")

    def text(self, at: tuple[float, float], text: str, **how: Any) -> None:
        self.drawn.append((at, text, how["anchor"], how["font_size"]))

    def cleanup(self) -> None:
        self.off = True


def test_an_oled_shows_the_text_large_in_the_middle() -> None:
    oled = Oled()
    display = OledDisplay(oled, oled.canvas)
    display.show("1:05")
    display.close()
    assert oled.drawn == [((64, 32), "1:05", "mm", 48)]
    assert oled.off


def test_an_oled_that_came_loose_does_not_stop_the_game() -> None:
    oled = Oled(loose=True)
    OledDisplay(oled, oled.canvas).show("1:05")


def test_a_missing_oled_or_library_is_told_in_one_line() -> None:
    with pytest.raises(BadInput) as refused:
        open_display(PinMap(display="oled"), lambda *_: None)
    assert str(refused.value).startswith("panel: expected ")
    assert "\n" not in str(refused.value)
