"""Presses: the stopwatch runs from the first edge of a press to the verdict lamp of the panel that the match uses."""

import asyncio
from pathlib import Path

import pytest

from benchmarks import press
from referee.devices.panel.lights import Glow, Lights
from referee.devices.wiring.pins import PinMap


def test_a_press_is_measured_from_its_first_edge_to_the_verdict_lamp() -> None:
    watch, pins = press.Stopwatch(), PinMap()
    panel = press.TimedPanel(pins, lambda *_: None, watch)
    contact = next(iter(pins.contacts))
    panel.edge(contact, closed=True)
    assert watch.begun is not None
    panel.show(Lights(amber=Glow.ON))
    assert watch.looked
    panel.show(Lights(green=Glow.ON))
    assert watch.begun is None


def test_a_match_without_any_verdict_ends_the_measurement(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def played(*_: object, **__: object) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(press, "build_reader", lambda: None)
    with pytest.raises(RuntimeError, match=r"expected verdicts in a whole match \(alone\), found none"):
        press.milliseconds(tmp_path, {"alone": press.alone}, ahead=True, play=played)
