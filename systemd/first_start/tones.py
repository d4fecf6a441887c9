"""The buzzer of the panel, through lgpio, which Raspberry Pi OS Lite has for its Python (package python3-lgpio).

Not every phone knows names in `.local`, and not every panel has a display. So the buzzer also tells the last number of
the page's address; the numbers before it are those of every phone in the same Wi-Fi.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

Tone = tuple[int, float]
"""A frequency in Hz, 0 for silence, and how long it sounds, in seconds."""
TONE_S = 0.18
INSTALLED: Sequence[Tone] = [(hertz, TONE_S) for hertz in (523, 659, 784, 1047)]
FAILED: Sequence[Tone] = [(hertz, TONE_S) for hertz in (392, 262)]
"""Tones that rise: it is installed. Tones that fall: it has failed."""
BEEP: list[Tone] = [(880, 0.15), (0, 0.2)]
ZERO: list[Tone] = [(330, 0.8), (0, 0.2)]
APART: Tone = (0, 0.7)
"""Between two digits. People count up to nine beeps in a row."""
PIN = 18
CHIPS = (0, 4)
"""The header's chip is 0, on a Pi 5 with kernels before 6.6.45 it is 4; its label begins with LABEL."""
LABEL = "pinctrl-"


def spell_last_number(address: str) -> list[Tone]:
    """Return the tones for the last number of an IPv4 address: each digit as so many beeps, 0 as a long, low tone."""
    last = address.rpartition(".")[2]
    digits = [BEEP * int(digit) or ZERO for digit in last if digit.isdecimal()]
    return [tone for digit in digits for tone in (APART, *digit)]


def _lgpio() -> ModuleType | None:
    with contextlib.suppress(Exception):  # where it cannot be loaded, it is silent
        import lgpio

        return lgpio  # type: ignore[no-any-return]
    return None


class Buzzer:
    """The buzzer, if the settings name one that plays tones."""

    def __init__(
        self, panel: Mapping[str, Any], pause: Callable[[float], None], load: Callable[[], Any] = _lgpio
    ) -> None:
        """`panel` is the table `[panel]` of the settings."""
        wired = panel.get("kind", "gpio") == "gpio" and panel.get("buzzer_kind", "tonal") == "tonal"
        pin = panel.get("buzzer", PIN)
        self._pin = pin if wired and isinstance(pin, int) and not isinstance(pin, bool) else None
        self._pause, self._load = pause, load

    def play(self, tones: Sequence[Tone]) -> None:
        """Play tones one after the other. A buzzer that cannot be reached stops no installation."""
        if self._pin is None or (lgpio := self._load()) is None:
            return
        for chip in CHIPS:
            with contextlib.suppress(lgpio.error):
                handle = lgpio.gpiochip_open(chip)
                try:
                    if LABEL in str(lgpio.gpio_get_chip_info(handle)[3]):
                        self._play_on(lgpio, handle, self._pin, tones)
                        return
                finally:
                    lgpio.gpiochip_close(handle)

    def _play_on(self, lgpio: Any, handle: int, pin: int, tones: Sequence[Tone]) -> None:
        lgpio.gpio_claim_output(handle, pin)
        for hertz, seconds in tones:
            lgpio.tx_pwm(handle, pin, hertz, 50 if hertz else 0)
            self._pause(seconds)
        lgpio.tx_pwm(handle, pin, 0, 0)
        lgpio.gpio_write(handle, pin, 0)
        lgpio.gpio_free(handle, pin)
