"""What is done with the panel on the real lgpio: `scenarios.py NAME` does one of it and prints one JSON line.

Nothing is judged here but what was heard and seen; the tests do that.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
import traceback
from functools import partial
from pathlib import Path

import header

from referee.devices.panel.debounce import Debouncer
from referee.devices.panel.gpio import darken, open_panel, pi_factory
from referee.devices.panel.lights import Glow, Lights
from referee.devices.panel.panel import SILENCE
from referee.devices.panel.self_test import self_test_steps
from referee.devices.wiring.pins import Duty, PinMap
from referee.errors import BadInput

PINS = PinMap()
BCM = {line.name: line.bcm for line in PINS.lines}
SHOWN = {line.name: line.bcm for duty in (Duty.LAMP, Duty.BAR) for line in PINS.lines_for(duty)}
CYCLES = 100
GLITCH_S, BOUNCE_S = 0.005, 0.020
"""What a worn button's maker states, whatever the debouncer is set to: shorter is noise, or a bounce."""
MOST_TRIES = 300
DEAF_S = 0.3
"""An edge that is told at all comes much sooner; longer is only waited for where none comes."""
LATEST_S = 20.0
"""Within this time the last edge of a press is told, however busy the machine is."""


class Opened:
    """A panel as the referee opens it, and all edges that it told."""

    def __init__(self):
        self.edges = []
        self.panel = open_panel(PINS, time.monotonic, lambda *edge: self.edges.append(edge), print)

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.panel.close()

    def heard(self, name, closed):
        def told():
            self.panel.tick()  # as the loop does: on a busy machine lgpio's thread may have to be woken
            return any(edge[:2] == (name, closed) for edge in self.edges)

        return header.until(told)

    def pressed(self, name):
        """Whether both edges of a press were told, and nothing else."""
        self.edges.clear()
        header.press(BCM[name])
        down = self.heard(name, True)
        header.let_go(BCM[name])
        return down and self.heard(name, False) and len(self.edges) == 2


def lit():
    return sorted(name for name, bcm in SHOWN.items() if header.level(bcm))


def chip():
    """The number of the chip that gpiozero takes for the header's, and the chip's own label."""
    factory = pi_factory()
    import lgpio  # not before: where it is imported first it leaves a file, which the factory sees to

    status, _lines, _name, label = lgpio.gpio_get_chip_info(factory._handle)
    number = factory.chip
    factory.close()
    return [number, label if status == 0 else None]


def fresh():
    """Every line as it is claimed, every button as it is heard, and what is left after closing."""
    with Opened() as opened:
        claimed = {name: header.flags(bcm) for name, bcm in BCM.items()}
        at_rest, dark = sorted(opened.panel.closed_contacts()), lit()
        heard, held = [name for name in PINS.contacts if opened.pressed(name)], []
        for name in PINS.contacts:
            header.press(BCM[name])
            held.append(sorted(opened.panel.closed_contacts()))
            header.let_go(BCM[name])
    return {
        "chip": chip(), "claimed": claimed, "at_rest": at_rest, "dark": dark, "heard": heard, "held": held,
        "left": {name: header.flags(bcm) for name, bcm in BCM.items() if header.flags(bcm)},
        "files": [path.name for path in Path().iterdir()],
    }  # fmt: skip


def bounce():
    """A bouncing press, and what the debouncer makes of its edges."""
    name, told = "button-2", []
    with Opened() as opened:
        debouncer = Debouncer(PINS.contacts, opened.panel.closed_contacts(), time.monotonic())

        def toggled(times):
            for _ in range(times):
                header.let_go(BCM[name])
                header.press(BCM[name])

        toggled(10)
        header.until(lambda: opened.panel.tick() or len(opened.edges) >= 19)
        down = time.monotonic()
        header.until(lambda: time.monotonic() > down + 0.1)
        toggled(10)
        header.let_go(BCM[name])
        header.until(lambda: len(opened.edges) >= 40)
    for edge in opened.edges:
        while (due := debouncer.next_due()) is not None and due < edge[2]:
            told += debouncer.poll(due)
        told += debouncer.edge(*edge)
    told += debouncer.poll(opened.edges[-1][2] + 2.0)
    return {"edges": len(opened.edges), "told": [type(one).__name__ for one in told]}


class Listening:
    """A panel whose edges become presses as in the referee's loop, while `played` moves a finger in a thread."""

    def __init__(self, name="button-2"):
        self.name, self.edges, self.told, self.took = name, queue.SimpleQueue(), [], []
        self.panel = open_panel(PINS, time.monotonic, lambda *edge: self.edges.put(edge), print)
        self.debouncer = Debouncer(PINS.contacts, (), time.monotonic())

    def __enter__(self):
        # lgpio's thread must be awake before anything is measured.
        header.press(BCM[self.name])
        header.until(lambda: self.panel.tick() or not self.edges.empty())
        header.let_go(BCM[self.name])
        self.listen(0.2)
        self.told.clear()
        return self

    def __exit__(self, *_error):
        self.panel.close()

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            due = self.debouncer.next_due()
            try:
                some = [self.edges.get(timeout=max(1e-4, min(end, due or end) - now))]
            except queue.Empty:
                some = []
            until = time.monotonic()
            while not self.edges.empty():
                some.append(self.edges.get())
            for edge in some:
                self.told += self.debouncer.edge(*edge)
            self.told += self.debouncer.poll(until, self.panel.closed_contacts)

    def played(self, *lasts, meanwhile=None):
        """What was told while a finger, or noise, was on the contact, and how long each part of that lasted."""
        took, begun = [], threading.Event()

        def play():
            begun.set()
            took.extend(header.play(BCM[self.name], *lasts))

        thread = threading.Thread(target=play)
        thread.start()
        begun.wait()
        if meanwhile is not None:
            meanwhile()
        while thread.is_alive():
            self.listen(0.01)
        self._listen_to_the_end()
        told, self.told = [type(one).__name__ for one in self.told], []
        return {"told": told, "took": took}

    def played_true(self, count, *lasts, meanwhile=None):
        """What was told each time, `count` times; a busy machine makes many a pulse too long, which is left out."""
        true = []
        for _ in range(MOST_TRIES):
            self._wait_until_mended()
            one = self.played(*lasts, meanwhile=meanwhile)
            parts = list(zip(lasts[1:], one["took"][1:], strict=True))
            if all(took < most for most in (GLITCH_S, BOUNCE_S) for last, took in parts if last < most):
                true.append(one["told"])
                if len(true) == count:
                    break
        return true

    def _listen_to_the_end(self):
        """All fingers have let go; on a busy machine the edge that says so may come late."""
        end = time.monotonic() + LATEST_S
        self.listen(0.2)
        while time.monotonic() < end and "Down" in {one.contact: type(one).__name__ for one in self.told}.values():
            self.listen(0.05)

    def _wait_until_mended(self):
        """A wire that was found loose by the try before is ignored until it has been quiet for a while."""
        while self.debouncer.ignored_contacts:
            self.listen(0.05)
        self.told = []

    def played_everywhere(self, *lasts, meanwhile=None):
        """What was told, by contact, of those whose noise was short, while the same came on all wires at once."""
        took, begin = {}, threading.Barrier(1 + len(PINS.contacts))

        def play(name):
            begin.wait()
            took[name] = header.play(BCM[name], *lasts)

        threads = [threading.Thread(target=play, args=(name,)) for name in PINS.contacts]
        for thread in threads:
            thread.start()
        begin.wait()
        if meanwhile is not None:
            meanwhile()
        while any(thread.is_alive() for thread in threads):
            self.listen(0.005)
        self._listen_to_the_end()
        told, self.told = self.told, []
        as_meant = [name for name, parts in took.items() if lasts[1] >= GLITCH_S or parts[1] < GLITCH_S]
        return {name: [type(one).__name__ for one in told if one.contact == name] for name in as_meant}


def everywhere():
    """Noise, and presses while the interpreter stands still, on all wires at once."""
    with Listening() as listening:
        noises = [listening.played_everywhere(0.01, ms / 1000) for ms in (0.2, 1, 2, 4) for _ in range(5)]
        presses = [listening.played_everywhere(0.01, 0.1, meanwhile=partial(header.stall, 0.15)) for _ in range(5)]
        return {"noises": noises, "presses": presses}


def noise():
    """What became of single pulses of noise."""
    with Listening() as listening:
        return {str(ms): listening.played_true(15, 0.02, ms / 1000) for ms in (0.2, 1, 2, 4)}


def stalled():
    """Presses of a tenth of a second while the interpreter stands still for longer."""
    with Listening() as listening:
        stall = partial(header.stall, 0.15)
        presses = [listening.played(0.02, 0.1, meanwhile=stall)["told"] for _ in range(15)]
        return {"presses": presses, "noises": listening.played_true(5, 0.02, 0.003, meanwhile=stall)}


def at_a_lamp():
    """Presses at the instant at which a lamp goes on."""
    with Listening("button-pause") as listening:

        def lamps():
            for number in range(40):
                listening.panel.show(Lights(green=(Glow.ON, Glow.OFF)[number % 2]))

        return {"presses": [listening.played(0.0, 0.08, meanwhile=lamps)["told"] for _ in range(8)]}


def parted():
    """A press whose contact opens for a hundredth of a second, as a worn one does."""
    with Listening() as listening:
        return {"presses": listening.played_true(5, 0.02, 0.08, 0.010, 0.08)}


def dated():
    """How long presses were by the edges that the panel told, and how long they really were."""
    with Opened() as opened:
        opened.pressed("button-2")
        found = []
        for _ in range(5):
            opened.edges.clear()
            took = header.play(BCM["button-2"], 0.02, 0.1)
            header.until(lambda: len(opened.edges) >= 2)
            found.append([opened.edges[1][2] - opened.edges[0][2], took[1]])
        return {"lengths": found}


def hum():
    """What is told of a loose wire that picks up the mains, 50 and 100 Hz, for 0.3 s."""
    found = {}
    for hertz in (50, 100):
        with Listening() as listening:
            found[hertz] = listening.played_true(1, 0.02, *[0.5 / hertz] * (6 * hertz // 10 - 1))
    return found


def reopen():
    """The panel closed and opened again and again, now and then while a contact chatters; every button each time."""
    import lgpio  # not before: importing it leaves a pipe wherever that is done

    unheard, files = [], []
    for cycle in range(CYCLES):
        with Opened() as opened:
            unheard += [(cycle, name, opened.edges) for name in PINS.contacts if not opened.pressed(name)][:1]
            if cycle % 4 == 0:
                for _ in range(200):
                    header.press(BCM["button-1"])
                    header.let_go(BCM["button-1"])
        files.append(len(list(Path("/proc/self/fd").iterdir())))
        if unheard:
            break
    return {"unheard": unheard, "files": [files[0], files[-1]], "alive": lgpio._notify_thread.is_alive()}


def tones():
    """Tones that end wherever their wave is: the pin's level right after, and whether it moved later."""
    levels, moved, swings, buzzer = [], [], [], BCM["buzzer"]
    with Opened() as opened:
        for number in range(30):
            before = header.writes(buzzer)
            opened.panel.play(((440.0 + 50 * number, 60.0),))
            swings.append(header.until(lambda before=before: header.writes(buzzer) > before + 6))
            opened.panel.play(SILENCE)
            levels.append(header.level(buzzer))
            after = header.writes(buzzer)
            # Longer than half a wave of the lowest note: a train that still ran would have written.
            end = time.monotonic() + 0.01
            header.until(lambda end=end: time.monotonic() > end)
            moved.append(header.writes(buzzer) - after)
    return {"levels": levels, "moved": moved, "swings": swings}


def lamps():
    """What is lit at every step of the self-test that shows something."""
    seen = {}
    with Opened() as opened:
        for step in self_test_steps(PINS):
            if step.contact is None and not step.tune:
                opened.panel.show(step.lights)
                seen[step.name] = lit()
        opened.panel.show(step.lights)
    return {"seen": seen, "after": lit(), "left_high": [name for name, bcm in SHOWN.items() if header.left_high(bcm)]}


def late():
    """Buttons of a panel whose lines were watched before lgpio's thread began to wait for the signal of that."""
    with Opened() as opened:
        if not header.arrive():
            return {"stopped": False}
        header.press(BCM["button-1"])
        deaf = not header.until(lambda: opened.edges, DEAF_S)
        heard = [opened.heard("button-1", True)]
        header.let_go(BCM["button-1"])
        heard += [opened.heard("button-1", False), *map(opened.pressed, PINS.contacts)]
    return {"stopped": True, "deaf": deaf, "heard": heard}


def closed_lit():
    """A panel that is closed while everything is lit and a tone sounds: what is lit, and what was let go while on."""
    with Opened() as opened:
        show_all(opened.panel)
        before = lit()
    outputs = [line for line in PINS.lines if line.duty is not Duty.BUTTON]
    return {
        "before": before, "after": [line.name for line in outputs if header.level(line.bcm)],
        "left_high": [line.name for line in outputs if header.left_high(line.bcm)],
    }  # fmt: skip


def show_all(panel):
    """Every lamp lit, and a tone that goes on, just in the upper half of its wave."""
    panel.show(Lights((Glow.ON,) * len(PINS.player_lamps), *[Glow.ON] * 4, bar=1.0))
    panel.play(((440.0, 60.0),))
    header.until(lambda: header.level(BCM["buzzer"]))


def killed():
    """A panel with everything lit and a tone that is ended by SIGKILL while the tone's wave is up; prints nothing."""
    show_all(Opened().panel)
    os.kill(os.getpid(), signal.SIGKILL)


def darkened():
    """Outputs that were left on, one of which another owner has, made dark twice; then free, and made dark again."""
    chip, outputs = lines_left_on()
    import lgpio

    lgpio.gpio_claim_output(chip, BCM["red"], 1)
    told, lit_after = [], []
    for again in (True, True, False):
        if not again:
            lgpio.gpio_free(chip, BCM["red"])
        told.append([str(error) for error in darken(PINS, print)])
        lit_after.append([name for name in outputs if header.level(BCM[name])])
    return {"told": told, "lit": lit_after, "owned": [name for name in outputs if header.flags(BCM[name])]}


def lines_left_on():
    """A chip of lgpio's, and the names of all outputs, each on and let go so."""
    pi_factory().close()
    import lgpio

    chip = lgpio.gpiochip_open(0)
    outputs = [line.name for line in PINS.lines if line.duty is not Duty.BUTTON]
    for name in outputs:
        lgpio.gpio_claim_output(chip, BCM[name], 1)
        lgpio.gpio_free(chip, BCM[name])
    return chip, outputs


def taken():
    """A pin that another owner has, and the panel once it is free."""
    import lgpio

    other = lgpio.gpiochip_open(0)
    told = []
    for name in ("red", "bar-3", "button-2"):
        lgpio.gpio_claim_output(other, BCM[name])
        try:
            Opened()
        except BadInput as error:
            told.append(str(error))
        lgpio.gpio_free(other, BCM[name])
    with Opened() as opened:
        heard = [name for name in PINS.contacts if opened.pressed(name)]
    return {"told": told, "heard": heard}


if __name__ == "__main__":
    try:
        result = globals()[sys.argv[1]]()
        print(json.dumps(result))
    except Exception:  # noqa: BLE001 - the test shows it
        traceback.print_exc()
        sys.stdout.flush()
        os._exit(1)  # lgpio's threads do not keep a failed process
