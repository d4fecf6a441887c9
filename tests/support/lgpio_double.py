"""A strict double of the part of lgpio that gpiozero calls, written from the source of 0.2.2.

It keeps what makes lgpio unlike gpiozero's own mock pins: one thread tells of all edges and an error in a callback
ends it for good; closing a chip leaves the callbacks in the list; what is told names the chip and not its handle, so
that an old callback hears the edges of a chip that was opened anew; a pulse train that is ended leaves its pin as it
just is; its thread may miss that a line is watched, and sleeps until a chip is closed.
`tests/pi` holds it against the real library.
"""

import sys
from types import ModuleType

LINES = 58
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
USED, OUTPUT, INPUT, RISING, FALLING = 1 << 0, 1 << 1, 1 << 16, 1 << 17, 1 << 18
LG_INPUT, LG_OUTPUT, LG_ALERT = 1 << 8, 1 << 9, 1 << 10
MODES = {
    "input": USED | INPUT | LG_INPUT,
    "output": USED | OUTPUT | LG_OUTPUT,
    "alert": USED | INPUT | RISING | FALLING | LG_ALERT,
}
"""What a line is claimed for, as `gpio_get_mode` tells it; gpiozero asks for both edges always."""


class error(Exception):  # noqa: N801 - as lgpio calls it
    def __init__(self, value):
        self.value = value

    def __str__(self):
        return repr(self.value)


class Callback:
    def __init__(self, told, chip, gpio, edge, func):
        self.chip, self.gpio, self.edge, self.func = chip, gpio, edge, func
        self._told = told
        told.append(self)

    def cancel(self):
        if self in self._told:
            self._told.remove(self)


class Chip:
    """An opened chip: what each of its lines is claimed for, with which flags, and the duty of its pulse train."""

    def __init__(self):
        self.uses, self.flags, self.trains = {}, {}, {}


class Lgpio(ModuleType):
    """The library, and with `pull`, `level` and `swing` the header that it sees."""

    error = error
    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = RISING_EDGE, FALLING_EDGE, BOTH_EDGES

    def __init__(self):
        super().__init__("lgpio")
        self.chips, self.opened = {}, 0
        self.levels, self.pulled, self.busy = dict.fromkeys(range(LINES), 0), {}, set()
        self.told, self.alive, self.ended_by = [], True, None
        self.asleep, self._untold = False, []

    # What a test does to the header, and sees of it.

    def pull(self, gpio, level):
        """A button: 0 presses it, None lets it go."""
        self.pulled.pop(gpio, None) if level is None else self.pulled.update({gpio: level})
        for chip in self.chips.values():
            if chip.uses.get(gpio) in ("input", "alert"):
                before, now = self.levels[gpio], self._at_rest(chip, gpio)
                self.levels[gpio] = now
                if chip.uses[gpio] == "alert" and before != now:
                    self._tell(gpio, now)

    def swing(self, gpio):
        """The other half of a pulse train's wave begins, where one runs."""
        for chip in self.chips.values():
            if gpio in chip.trains:
                self.levels[gpio] = int(chip.trains[gpio] == 100 or (chip.trains[gpio] > 0 and not self.levels[gpio]))

    def _tell(self, gpio, level):
        if self.asleep:
            self._untold.append((gpio, level))
            return
        try:
            for one in self.told:
                if self.alive and one.chip == 0 and one.gpio == gpio:
                    one.func(0, gpio, level, 0)
        except Exception as failure:  # noqa: BLE001 - so it ends the thread
            self.alive, self.ended_by = False, failure

    def _at_rest(self, chip, gpio):
        return self.pulled.get(gpio, int(bool(chip.flags[gpio] & SET_PULL_UP)))

    def _chip(self, handle):
        if handle & 0xFFFF not in self.chips:
            raise error("unknown handle")
        return self.chips[handle & 0xFFFF]

    def _claim(self, handle, gpio, use, flags):
        chip = self._chip(handle)
        others = (other.uses for other in self.chips.values() if other is not chip)
        if gpio in self.busy or any(gpio in uses for uses in others):
            raise error("bad event request" if use == "alert" else "GPIO busy")
        chip.trains.pop(gpio, None)
        chip.uses[gpio], chip.flags[gpio] = use, flags
        return chip

    # The library.

    def gpiochip_open(self, gpiochip):
        if gpiochip != 0:
            raise error("can not open gpiochip")
        self.opened += 1
        self.chips[self.opened] = Chip()
        return self.opened | gpiochip << 16

    def gpiochip_close(self, handle):
        self._chip(handle)
        del self.chips[handle & 0xFFFF]
        self.asleep, untold, self._untold = False, self._untold, []
        for edge in untold:
            self._tell(*edge)
        return 0

    def gpio_get_mode(self, handle, gpio):
        chip = self._chip(handle)
        return MODES[chip.uses[gpio]] | chip.flags[gpio] if gpio in chip.uses else INPUT

    def gpio_claim_input(self, handle, gpio, lFlags=0):  # noqa: N803
        chip = self._chip(handle)
        if chip.uses.get(gpio) != "input":  # one that is an input already keeps its flags
            self.levels[gpio] = self._at_rest(self._claim(handle, gpio, "input", lFlags), gpio)
        return 0

    def gpio_claim_output(self, handle, gpio, level=0, lFlags=0):  # noqa: N803
        if self._chip(handle).uses.get(gpio) != "output":
            self._claim(handle, gpio, "output", lFlags)
            self.levels[gpio] = int(bool(level))
        return 0

    def gpio_claim_alert(self, handle, gpio, eFlags, lFlags=0, notify_handle=None):  # noqa: ARG002, N803
        self.levels[gpio] = self._at_rest(self._claim(handle, gpio, "alert", lFlags), gpio)
        return 0

    def gpio_free(self, handle, gpio):
        chip = self._chip(handle)
        if gpio not in chip.uses:
            raise error("GPIO not allocated")
        chip.trains.pop(gpio, None)
        del chip.uses[gpio], chip.flags[gpio]
        return 0

    def gpio_read(self, handle, gpio):
        self._chip(handle)
        return self.levels[gpio]

    def gpio_write(self, handle, gpio, level):
        if self._chip(handle).uses.get(gpio) != "output":
            return self.gpio_claim_output(handle, gpio, level)
        self.levels[gpio] = int(bool(level))
        return 0

    def gpio_set_debounce_micros(self, handle, gpio, debounce_micros):  # noqa: ARG002
        self._chip(handle)
        return 0

    def tx_pwm(self, handle, gpio, pwm_frequency, pwm_duty_cycle, pulse_offset=0, pulse_cycles=0):  # noqa: ARG002
        chip = self._chip(handle)
        if pwm_frequency and not 0.1 <= pwm_frequency <= 10_000:
            raise error("bad PWM frequency")
        if not 0 <= pwm_duty_cycle <= 100:
            raise error("bad PWM dutycycle")
        if chip.uses.get(gpio) != "output":
            self.gpio_claim_output(handle, gpio)
        if pwm_frequency:
            chip.trains[gpio] = pwm_duty_cycle
        elif chip.trains.pop(gpio, None) is None:
            raise error("bad PWM micros")
        return 0

    def callback(self, handle, gpio, edge=RISING_EDGE, func=None):
        return Callback(self.told, handle >> 16, gpio, edge, func)


def install(monkeypatch, revision=0xC03115):
    """Put the double where gpiozero finds it, on a Raspberry Pi 4 by its revision; gives the double."""
    import gpiozero.pins
    from gpiozero.pins import local

    double = Lgpio()
    monkeypatch.setitem(sys.modules, "lgpio", double)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio")  # is imported anew, and what was there comes back
    monkeypatch.setattr(gpiozero.pins, "lgpio", None, raising=False)
    monkeypatch.setattr(local, "get_pi_revision", lambda: revision)
    return double
