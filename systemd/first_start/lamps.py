"""The lamps while the referee is installed: those of the panel by `pinctrl`, and the one on the board itself.

Raspberry Pi OS Lite has `pinctrl` (package raspi-utils), which writes to the pins of every Pi without claiming them.
So nothing may be shown here once the referee runs, to which the pins belong from then on.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from first_start.stages import STAGES
from first_start.tones import FAILED, INSTALLED, Tone, spell_last_number

HALF_S = 0.5
"""A lamp that blinks is lit and dark for this long."""
WORKING_MS, FAILED_MS = 500, 100
"""The same for the lamp on the board: slow while it works, fast if it has failed."""
LAMPS: Mapping[str, int] = {"red_lamp": 23, "amber_lamp": 24, "green_lamp": 25}
BAR = (12, 16, 20, 21, 26)
"""The default pins (`referee/devices/wiring/pins.py`)."""
PINCTRL_S = 5.0
HEADER = range(2, 28)

SetPins = Callable[[Iterable[int], bool], None]


def set_pins(pins: Iterable[int], lit: bool) -> None:
    """Make pins outputs, high or low. Where that is impossible nothing is lit, which stops no installation."""
    named = ",".join(map(str, pins))
    if named:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            command = ["pinctrl", "set", named, "op", "dh" if lit else "dl"]
            subprocess.run(command, capture_output=True, check=False, timeout=PINCTRL_S)  # noqa: S603


class BoardLamp:
    """The lamp beside the card's slot, which every Pi has, through the kernel's files."""

    def __init__(self, root: Path) -> None:
        known = [root / "sys/class/leds" / name for name in ("ACT", "led0")]
        self._folder = next((folder for folder in known if (folder / "trigger").exists()), None)
        self._before = self._trigger()

    def _trigger(self) -> str:
        if self._folder is None:
            return ""
        with contextlib.suppress(OSError, ValueError):
            words = (self._folder / "trigger").read_text(encoding="ascii").split()
            return next((word.strip("[]") for word in words if word.startswith("[")), "")
        return ""

    def blink(self, half_ms: int) -> None:
        """Let it blink, without any work of ours."""
        self._write("trigger", "timer")
        self._write("delay_on", str(half_ms))
        self._write("delay_off", str(half_ms))

    def restore(self) -> None:
        """Let it show again what it showed before: usually whether the card is read."""
        if self._before not in ("", "timer"):
            self._write("trigger", self._before)
        else:
            self._write("trigger", "mmc0")

    def _write(self, name: str, text: str) -> None:
        if self._folder is not None:
            with contextlib.suppress(OSError):
                (self._folder / name).write_text(text, encoding="ascii")


class Lamps:
    """Amber blinks while it works, and the bar shows how far it has come; red: it has failed."""

    def __init__(
        self, panel: Mapping[str, Any], board: BoardLamp, set_pins: SetPins = set_pins,
        sound: Callable[[Sequence[Tone]], None] = lambda _: None, address: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        """`panel` is the table `[panel]` of the settings; `sound` plays tones.

        `address` returns the IPv4 address of this machine; empty if it has none.
        """
        wired = panel.get("kind", "gpio") == "gpio"
        pins = {name: panel.get(name, default) for name, default in LAMPS.items()}
        self._pins = {name: pin for name, pin in pins.items() if wired and _is_pin(pin)}
        bar = panel.get("bar", BAR)
        self._bar = tuple(pin for pin in bar if _is_pin(pin)) if wired and isinstance(bar, list | tuple) else ()
        self._board, self._set, self._sound, self._address = board, set_pins, sound, address
        self._stage = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def work(self) -> None:
        """Begin to blink."""
        self.release()
        self._board.blink(WORKING_MS)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._blink, daemon=True)
        self._thread.start()

    def reach(self, stage: int) -> None:
        """Show that a stage has begun, by its number in STAGES."""
        self._stage = stage

    def release(self) -> None:
        """Leave the pins to the referee, all dark."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None
            self._set((*self._pins.values(), *self._bar), False)

    def hand_over(self) -> None:
        """Leave the pins to the referee, which is installed and about to start."""
        self.release()
        self._sound([*INSTALLED, *spell_last_number(self._address())])

    def fail(self, *, pins: bool) -> None:
        """Show that it has failed; `pins`: whether the pins are not the referee's already."""
        self.release()
        self._board.blink(FAILED_MS)
        if pins:
            self._set([pin for name, pin in self._pins.items() if name == "red_lamp"], True)
            self._sound(FAILED)

    def finish(self) -> None:
        """Show nothing any more: from now on the referee does, with the green lamp."""
        self.release()
        self._board.restore()

    def _blink(self) -> None:
        lit = False
        amber = [pin for name, pin in self._pins.items() if name == "amber_lamp"]
        self._set([pin for name, pin in self._pins.items() if name != "amber_lamp"], False)
        while True:
            lit = not lit
            self._set(amber, lit)
            reached = len(self._bar) * self._stage // (len(STAGES) - 1)
            self._set(self._bar[:reached], True)
            self._set(self._bar[reached:], False)
            if self._stop.wait(HALF_S):
                return


def _is_pin(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found in HEADER
