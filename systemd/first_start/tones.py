"""The buzzer of the panel, through lgpio, which Raspberry Pi OS Lite has for its Python (package python3-lgpio)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

TONE_S = 0.18
PIN = 18
CHIPS = (0, 4)
"""The header's chip is 0, on a Pi 5 with kernels before 6.6.45 it is 4; its label begins with LABEL."""
LABEL = "pinctrl-"


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

    def play(self, tones: Sequence[int]) -> None:
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

    def _play_on(self, lgpio: Any, handle: int, pin: int, tones: Sequence[int]) -> None:
        lgpio.gpio_claim_output(handle, pin)
        for tone in tones:
            lgpio.tx_pwm(handle, pin, tone, 50)
            self._pause(TONE_S)
        lgpio.tx_pwm(handle, pin, 0, 0)
        lgpio.gpio_write(handle, pin, 0)
        lgpio.gpio_free(handle, pin)
