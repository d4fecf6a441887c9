"""`referee doctor --panel --json` on the real lgpio, with somebody there who looks, listens and presses.

Prints what the doctor prints. A lamp or tone that is not there is answered with no.
"""

import os
import queue
import re
import runpy
import sys
import threading
from pathlib import Path

import header

from referee.devices.panel.self_test import self_test_steps
from referee.devices.wiring.pins import Duty, PinMap

PINS = PinMap()
BCM = {line.name: line.bcm for line in PINS.lines}
SHOWN = {line.name: line.bcm for duty in (Duty.LAMP, Duty.BAR) for line in PINS.lines_for(duty)}
BAR = [line.name for line in PINS.lines_for(Duty.BAR)]
STEPS = self_test_steps(PINS)
HELD_S, AGAIN_S = 0.2, 3.0
"""So long somebody holds a button, and presses again where nothing happens for so long."""


class Person:
    """Reads what the doctor asks, and answers by typing or by pressing."""

    def __init__(self, asked, typing):
        self._asked, self._typing = asked, typing
        self._asks = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._answer, daemon=True).start()

    def _read(self):
        with os.fdopen(self._asked, encoding="utf-8") as lines:
            for line in lines:
                if found := re.match(r"(\d+) of \d+ ", line):
                    self._asks.put(STEPS[int(found[1]) - 1])
        self._asks.put(None)

    def _answer(self):
        while (step := self._asks.get()) is not None:
            if step.contact is None:
                os.write(self._typing, b"y\n" if header.until(lambda step=step: there(step)) else b"n\n")
                continue
            while self._asks.empty():
                header.press(BCM[step.contact])
                header.until(lambda: not self._asks.empty(), HELD_S)
                header.let_go(BCM[step.contact])
                header.until(lambda: not self._asks.empty(), AGAIN_S)


def there(step):
    """Whether the panel shows, or plays, what a step asks for; a bar is lit up to its step's lamp."""
    if step.tune:
        before = header.writes(BCM[step.name])
        return header.until(lambda: header.writes(BCM[step.name]) > before + 20, 2.0)
    expected = set(BAR[: BAR.index(step.name) + 1]) if step.name in BAR else {step.name}
    return {name for name, bcm in SHOWN.items() if header.level(bcm)} == expected


def main():
    folder = Path.cwd()
    (folder / "referee.toml").write_text('[camera]\nkind = "virtual"\n', encoding="utf-8")
    os.environ["REFEREE_STATE"] = str(folder / "state")
    typed, typing = os.pipe()
    asked, asking = os.pipe()
    os.dup2(typed, 0)
    real_stderr = os.dup(2)
    os.dup2(asking, 2)
    os.close(asking)
    Person(asked, typing)
    sys.argv = ["referee", "doctor", "--panel", "--json", "--config", str(folder / "referee.toml")]
    try:
        runpy.run_module("referee", run_name="__main__")
    finally:
        os.dup2(real_stderr, 2)


if __name__ == "__main__":
    main()
