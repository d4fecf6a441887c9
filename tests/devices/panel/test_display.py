"""The displays: what reaches the digits over two mock pins, and an OLED that may come loose."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from PIL import Image, ImageDraw

from referee.devices.panel.display import LumaScreen, OledDisplay, fits, open_display, segments
from referee.devices.panel.gpio import GpioPanel, open_panel
from referee.devices.panel.lights import Glow, Lights
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput
from referee.game.notice import Notice, as_notice
from referee.i18n import ENGLISH
from referee.pages.qr import modules

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
        pytest.param("3/14", (0, 0xCF, 0x06, 0x66), id="so many of so many"),
        pytest.param("10/14", (0x06, 0xBF, 0x06, 0x66), id="ten and more of so many"),
        pytest.param("A:00", (0, 0x80, 0x3F, 0x3F), id="no digit"),
    ],
)
def test_texts_become_segments(text: str, digits: tuple[int, ...]) -> None:
    assert segments(text) == digits


class Screen:
    """A stand-in for an OLED: what was drawn on it, and whether its wires are home."""

    def __init__(self, loose: bool = False) -> None:
        self.loose = loose
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.opened = self.off = 0
        self.drawn: list[str] = []
        self.news = threading.Condition()

    def open(self) -> None:
        with self.news:
            self.opened += 1
            self.news.notify_all()
        self._answer()

    def draw(self, text: str) -> None:
        self._answer()
        self.goes_on.wait()
        with self.news:
            self.drawn.append(text)
            self.news.notify_all()

    def close(self) -> None:
        self._answer()
        self.off += 1

    def _answer(self) -> None:
        if self.loose:
            raise DeviceNotFoundError("I2C device not found on address: 0x3C\nand more")

    def until(self, seen: Callable[[], bool]) -> None:
        with self.news:
            assert self.news.wait_for(seen, 10)


class DeviceNotFoundError(Exception):
    """As luma has it: with no base but Exception."""


def test_an_oled_shows_the_newest_text_and_goes_dark_at_the_end() -> None:
    screen, told = Screen(), list[str]()
    display = OledDisplay(screen, told.append)
    display.show("1:05")
    screen.until(lambda: screen.drawn[-1] == "1:05")
    display.close()
    assert (screen.opened, screen.off, told) == (1, 1, [])
    assert screen.drawn == ["", "1:05"]


def test_nobody_waits_for_an_oled_and_texts_that_are_late_already_are_left_out() -> None:
    screen = Screen()
    display = OledDisplay(screen, list[Notice]().append)
    screen.goes_on.clear()
    for second in range(50):
        display.show(f"0:{second:02}")
    assert screen.drawn == [""]  # all of them came while one was drawn
    screen.goes_on.set()
    screen.until(lambda: screen.drawn[-1] == "0:49")
    display.close()
    assert len(screen.drawn) <= 3


def test_an_oled_that_comes_loose_is_told_once_and_set_up_anew_when_it_answers_again() -> None:
    screen, told = Screen(), list[str]()
    display = OledDisplay(screen, lambda notice: told.append(ENGLISH(notice)), as_notice("the OLED"), retry_s=0.01)
    screen.loose = True
    display.show("1:05")
    screen.until(lambda: screen.opened >= 4)
    display.show("1:04")
    assert len(told) == 1
    assert told[0].startswith("panel: the OLED is not responding (I2C device not found on address: 0x3C): check")
    screen.loose = False
    screen.until(lambda: screen.drawn[-1] == "1:04")
    display.close()
    assert told[1:] == ["panel: the OLED shows the clock again."]
    assert "\n" not in "".join(told)


def test_a_match_may_begin_without_its_oled() -> None:
    screen, told = Screen(loose=True), list[str]()
    display = OledDisplay(screen, told.append)
    assert len(told) == 1
    display.show("1:05")
    display.close()
    assert (screen.drawn, screen.off) == ([], 0)


class Luma:
    """Stand-ins for what is used of luma.core and luma.oled, as their sources have it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.there, self.devices, self.drawn, self.sent = True, 0, list[Any](), list[int]()
        self.image = Image.new("1", (128, 64))
        self.picture = ImageDraw.Draw(self.image)
        luma = self

        class I2c:
            def __init__(self, port: int, address: int) -> None:
                assert (port, address) == (1, 0x3D)

            def command(self, *cmd: int) -> None:
                if not luma.there:
                    raise DeviceNotFoundError("I2C device not found on address: 0x3D")
                luma.sent += cmd

        class Device:
            size = (128, 64)

            def __init__(self, wires: I2c) -> None:
                luma.devices += 1
                self.wires = wires

            def cleanup(self) -> None:
                self.wires.command(0xAE)

        @contextmanager
        def canvas(device: Device) -> Iterator[Luma]:
            yield luma
            device.wires.command(0x21)

        modules = {
            "luma.core.interface.serial": {"i2c": I2c},
            "luma.core.render": {"canvas": canvas},
            "luma.oled.device": {"ssd1306": Device},
        }
        for name, members in modules.items():
            parts = name.split(".")
            for package in (".".join(parts[:length]) for length in range(1, len(parts))):
                monkeypatch.setitem(sys.modules, package, ModuleType(package))
            module = ModuleType(name)
            vars(module).update(members)
            monkeypatch.setitem(sys.modules, name, module)

    def text(self, at: tuple[float, float], text: str, **how: Any) -> None:
        self.drawn.append((at, text, how["anchor"], how["font_size"]))

    def rectangle(self, box: tuple[int, int, int, int], fill: str) -> None:
        self.picture.rectangle(box, fill=fill)

    def textlength(self, text: str, *, font_size: float) -> float:
        return ImageDraw.Draw(Image.new("1", (128, 64))).textlength(text, font_size=font_size)


def test_luma_draws_the_text_large_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    luma = Luma(monkeypatch)
    screen = LumaScreen(0x3D)
    screen.open()
    screen.draw("1:05")
    screen.close()
    assert luma.drawn == [((64, 32), "1:05", "mm", 48)]
    assert luma.sent == [0xE3, 0x21, 0xAE]


def test_an_oled_that_has_nothing_to_tell_shows_the_way_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    luma, address = Luma(monkeypatch), "http://192.168.178.123:8765/"
    screen = LumaScreen(0x3D, modules(address))
    screen.open()
    screen.draw("")
    large = cv2.resize(np.asarray(luma.image, np.uint8) * 255, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    assert cv2.QRCodeDetector().detectAndDecode(large)[0] == address
    screen.draw("1:05")
    assert [text for _, text, _, _ in luma.drawn] == ["1:05"]


def test_a_code_that_is_too_large_for_an_oled_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    luma, code = Luma(monkeypatch), modules("http://" + "a-very-long-name-" * 5 + ".local:8765/")
    assert not fits(code)
    screen = LumaScreen(0x3D, code)
    screen.open()
    screen.draw("")
    assert not np.asarray(luma.image).any()


@pytest.mark.parametrize("text", ["red 7?", "schwarze 13?", "roi orange?", "Annegret?"])
def test_what_can_be_chosen_fits_the_screen(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    luma = Luma(monkeypatch)
    screen = LumaScreen(0x3D)
    screen.open()
    screen.draw(text)
    ((_, drawn, _, size),) = luma.drawn
    assert drawn == text
    assert 10 < size < 48
    assert luma.textlength(text, font_size=size) <= 128


def test_luma_makes_a_device_only_where_something_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps each until the program ends: one for every attempt would fill the memory."""
    luma = Luma(monkeypatch)
    luma.there = False
    screen = LumaScreen(0x3D)
    for _ in range(3):
        with pytest.raises(DeviceNotFoundError):
            screen.open()
    assert luma.devices == 0
    luma.there = True
    screen.open()
    assert luma.devices == 1


def test_a_panel_goes_on_without_its_oled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    Luma(monkeypatch).there = False
    told: list[str] = []
    factory = MockFactory(pin_class=MockPWMPin)
    pins = PinMap(display="oled", display_address=0x3D)
    panel = open_panel(
        pins, lambda: 0.0, lambda *_: None, lambda notice: told.append(ENGLISH(notice)), factory=lambda: factory
    )
    panel.show(Lights(red=Glow.ON, text="1:05"))
    assert factory.pin(pins.red_lamp).state
    panel.close()
    assert len(told) == 1
    assert told[0].startswith("panel: the OLED at I2C address 0x3d is not responding (")


def test_a_missing_library_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "luma", None)
    with pytest.raises(BadInput) as refused:
        open_display(PinMap(display="oled"), lambda *_: None, lambda _text: None)
    assert str(refused.value).startswith("panel: expected the library luma.oled")
    assert "make install EXTRAS=oled" in str(refused.value)
    assert "\n" not in str(refused.value)
