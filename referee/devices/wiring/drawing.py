"""The wiring as a drawing: the header from above, and beside every pin in use what it is connected to.

Every pin has a row of its own, odd pins to the left and even ones to the right, so that no wire crosses another.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping

from referee.devices.wiring.circuit import Component, component_of
from referee.devices.wiring.header import HEADER, HeaderPin
from referee.devices.wiring.pins import Duty, Line, PinMap

WIDTH = 1180
TOP, ROW, BOTTOM = 150, 46, 155
HEIGHT = TOP + 20 * ROW + BOTTOM
_MIDDLE = WIDTH / 2
_PIN = 28
_FIRST = 18
"""Pixels from the middle to the centre of a pin."""
_NAME, _WIRE, _RESISTOR, _SYMBOL, _GROUND, _TEXT = 42, 108, 165, 248, 310, 335
"""Pixels from the centre of a pin outwards: to its name, to the beginning of the wire, to the centres of the parts,
and to the text."""

_INK, _WIRE_COLOUR, _PALE = "#222", "#555", "#9a9a9a"
_LAMPS = {"red": "#e23b2e", "amber": "#f5a21b", "orange": "#f07318", "yellow": "#f7d727", "green": "#3fae49"}
_PINS = {"3V3": "#f2b6b0", "5V": "#e0695c", "GND": "#3a3a3a"}


def draw(pins: PinMap) -> str:
    """Return the drawing as SVG text; the same map gives exactly the same text."""
    lines = {line.pin: line for line in pins.lines}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="DejaVu Sans, Verdana, sans-serif" font-size="14">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        *_frame(),
    ]
    for pin in HEADER:
        parts += _row(pin, lines.get(pin.number), pins)
    parts += _legend({component_of(line, pins).symbol for line in pins.lines})
    return "\n".join([*parts, "</svg>", ""])


def _frame() -> Iterator[str]:
    yield _text(_MIDDLE, 38, "The panel on the 40-pin header", size=22, anchor="middle", bold=True)
    yield _text(_MIDDLE, 64, "Raspberry Pi seen from above, USB sockets at the bottom", anchor="middle")
    yield _text(_MIDDLE - 60, 106, "inner side of the board", anchor="end", colour=_PALE)
    yield _text(_MIDDLE + 60, 106, "edge of the board", colour=_PALE)
    x, y, width, height = _MIDDLE - 40, TOP - 30, 80, 20 * ROW + 14
    yield f'<rect x="{x:g}" y="{y}" width="{width}" height="{height}" rx="8" fill="#2f6b46"/>'
    yield _text(_MIDDLE, y - 10, "pin 1 at this end", size=11, anchor="middle", colour=_PALE)


def _row(pin: HeaderPin, line: Line | None, pins: PinMap) -> Iterator[str]:
    side = -1 if pin.number % 2 else 1
    y = TOP + (pin.number - 1) // 2 * ROW
    x = _MIDDLE + side * _FIRST
    used = line is not None
    fill = _PINS.get(pin.name, "#ffe9a8" if used else "#e8e8e8")
    ink = "white" if pin.name == "GND" else _INK
    yield f'<rect x="{x - _PIN / 2:g}" y="{y - _PIN / 2:g}" width="{_PIN}" height="{_PIN}" rx="4" fill="{fill}"/>'
    yield _text(x, y + 5, str(pin.number), anchor="middle", size=13, colour=ink)
    out = _Outwards(x, y, side)
    name = pin.name if pin.bcm is None or used else f"({pin.name})"
    yield out.text(_NAME - 8, name, colour=_INK if used else _PALE, bold=used)
    if line is not None:
        yield from _leads_to(out, line, component_of(line, pins))


def _leads_to(out: _Outwards, line: Line, component: Component) -> Iterator[str]:
    end = _SYMBOL if line.duty is Duty.DISPLAY else _GROUND
    yield out.line(_WIRE, end)
    if component.ohm is not None:
        yield out.box(_RESISTOR, 62, 20, "#f4e3c3", _ohm(component.ohm))
    yield from _SYMBOLS[component.symbol](out, line)
    if line.duty is not Duty.DISPLAY:
        yield out.ground(_GROUND)
    yield out.text(_TEXT, line.text)


class _Outwards:
    """One side of a row. The arguments `at` count pixels from the pin outwards, to the left or to the right."""

    def __init__(self, x: float, y: float, side: int) -> None:
        self._x, self.y, self._side = x, y, side

    def x(self, at: float) -> float:
        return self._x + self._side * at

    def line(self, start: float, end: float) -> str:
        return _path(f"M{self.x(start):g} {self.y}H{self.x(end):g}", _WIRE_COLOUR, 2)

    def text(self, at: float, text: str, colour: str = _INK, bold: bool = False) -> str:
        anchor = "end" if self._side < 0 else "start"
        return _text(self.x(at), self.y + 5, text, anchor=anchor, colour=colour, bold=bold)

    def box(self, at: float, width: float, height: float, fill: str, text: str) -> str:
        x, y = self.x(at) - width / 2, self.y - height / 2
        shape = (
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" stroke="{_INK}"/>'
        )
        return shape + _text(self.x(at), self.y + 4.5, text, size=12, anchor="middle")

    def ground(self, at: float) -> str:
        bars = ((0, 11), (4, 7), (8, 3))
        drawn = "".join(f"M{self.x(at + far):g} {self.y - half}V{self.y + half}" for far, half in bars)
        return _path(drawn, _INK, 2)

    def lamp(self, line: Line) -> Iterator[str]:
        near, far = self.x(_SYMBOL - 11), self.x(_SYMBOL + 11)
        y = self.y
        colour = _LAMPS[line.colour]
        yield f'<path d="M{near:g} {y - 12}V{y + 12}L{far:g} {y}Z" fill="{colour}" stroke="{_INK}"/>'
        yield _path(f"M{far:g} {y - 12}V{y + 12}", _INK, 2.5)

    def button(self, line: Line) -> Iterator[str]:
        near, far, y = self.x(_SYMBOL - 16), self.x(_SYMBOL + 16), self.y
        left, right = min(near, far), max(near, far)
        yield f'<rect x="{left:g}" y="{y - 3}" width="{right - left:g}" height="6" fill="white"/>'
        for x in (near, far):
            yield f'<circle cx="{x:g}" cy="{y}" r="4" fill="white" stroke="{_INK}" stroke-width="2"/>'
        cap = (near + far) / 2
        pause = line.name.endswith("pause")
        yield _path(f"M{left - 4:g} {y - 8}H{right + 4:g}M{cap:g} {y - 8}V{y - 15}", _INK, 2)
        yield _path(f"M{cap - 8:g} {y - 16}H{cap + 8:g}", "#3a6fb0" if pause else "#c03a2e", 4)

    def piezo(self, _: Line) -> Iterator[str]:
        for radius, fill in ((15, "#e9dcc0"), (8, "#cfd3d6")):
            yield f'<circle cx="{self.x(_SYMBOL):g}" cy="{self.y}" r="{radius}" fill="{fill}" stroke="{_INK}"/>'

    def transistor(self, _: Line) -> Iterator[str]:
        yield self.box(_SYMBOL, 44, 26, "#d8dde3", "NPN")

    def display(self, line: Line) -> Iterator[str]:
        yield self.box(_SYMBOL, 52, 26, "#cfe3f5", line.name.upper())


_SYMBOLS = {
    "lamp": _Outwards.lamp,
    "button": _Outwards.button,
    "piezo": _Outwards.piezo,
    "transistor": _Outwards.transistor,
    "display": _Outwards.display,
}

_LEGEND: Mapping[str, str] = {
    "button": "Buttons need no resistor.",
    "lamp": "An LED's pointed side, its short leg, faces ground.",
    "transistor": "NPN: the buzzer's transistor, see the page.",
    "display": "Displays also need 3.3 V (pin 1) and ground.",
}


def _legend(symbols: set[str]) -> Iterator[str]:
    y = TOP + 20 * ROW + 22
    ground = _Outwards(_MIDDLE - 330, y, 1)
    yield ground.line(-18, 0)
    yield ground.ground(0)
    yield ground.text(
        24, "Ground: all of these join, and go to any of the black pins. Never let 5 V touch a GPIO pin."
    )
    notes = [text for symbol, text in _LEGEND.items() if symbol in symbols]
    for number, note in enumerate([*notes, "Names in brackets are not used."], 1):
        yield _text(ground.x(24), y + 5 + 24 * number, note)


def _ohm(ohm: int) -> str:
    return (
        f"{ohm // 1000} k\N{GREEK CAPITAL LETTER OMEGA}"
        if ohm % 1000 == 0
        else f"{ohm} \N{GREEK CAPITAL LETTER OMEGA}"
    )


def _path(data: str, colour: str, width: float) -> str:
    return f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _text(
    x: float, y: float, text: str, size: int = 14, anchor: str = "start", colour: str = _INK, bold: bool = False
) -> str:
    """Return an SVG text element.

    `x`: where its anchor lies, in pixels from the left.
    `y`: its baseline, in pixels from the top.
    `text`: what it says; it is escaped here.
    `size`: the size of the letters in pixels, 14 by default.
    `anchor`: what lies at `x`: "start" (the default), "middle" or "end" of the text.
    `colour`: the colour of the letters, dark grey by default.
    `bold`: whether they are bold.
    """
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{html.escape(text)}</text>"
    )
