"""Holds the doubles of the pins against the real gpiozero and lgpio; prints the differences as one JSON line.

Three things: what gpiozero calls of lgpio has the double's names, signatures and values; pins of gpiozero's mock have
those of its pins for lgpio; and the same story, told to lgpio and to the double, runs alike.
"""

import ast
import inspect
import json
import sys
import threading
from pathlib import Path

import gpiozero.pins.lgpio as back_end
import header
import lgpio
from gpiozero.pins.mock import MockFactory, MockPWMPin

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "support"))
from lgpio_double import Lgpio

UNUSED = ("spi_", "SET_BIAS_")
"""Of lgpio, but nothing of a panel's."""
PIN = (
    *("close", "output_with_state", "input_with_pull", "_disable_event_detect", "_enable_event_detect"),
    *("function", "state", "pull", "frequency", "bounce", "edges", "when_changed", "info", "factory"),
)
FACTORY = ("close", "pin", "reserve_pins", "release_pins", "release_all", "ticks", "ticks_diff", "board_info")
MORE_IN_MOCK = {"pin": {"pin_class", "kwargs"}}
"""What the mock takes besides, to make pins of other kinds."""
LINE, OUT = 5, 18


def called():
    """The names of lgpio that gpiozero's back end uses."""
    tree = ast.parse(inspect.getsource(back_end))
    uses = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    return sorted({node.attr for node in uses if node.value.id == "lgpio" and not node.attr.startswith(UNUSED)})


def parameters(thing):
    return [(one.name, one.kind.name, one.default) for one in inspect.signature(thing).parameters.values()]


def of_lgpio(double):
    for name in called():
        real, ours = getattr(lgpio, name, None), getattr(double, name, None)
        if real is None or ours is None:
            yield f"lgpio.{name}: {'lgpio' if real is None else 'the double'} has none"
        elif isinstance(real, int) and real != ours:
            yield f"lgpio.{name}: {real} in lgpio, {ours} in the double"
        elif inspect.isfunction(real) and parameters(real) != parameters(ours):
            yield f"lgpio.{name}: {inspect.signature(real)} in lgpio, {inspect.signature(ours)} in the double"
    if not hasattr(lgpio._callback, "cancel"):
        yield "a callback of lgpio cannot be cancelled"


def of_mock():
    for real, mock, names in (
        (back_end.LGPIOPin, MockPWMPin, PIN),
        (back_end.LGPIOFactory, MockFactory, FACTORY),
    ):
        for name in names:
            one, other = (inspect.getattr_static(kind, name, None) for kind in (real, mock))
            if one is None or other is None:
                yield f"{name}: {(real if one is None else mock).__name__} has none"
            elif isinstance(one, property) != isinstance(other, property):
                yield f"{name}: a property of one of them only"
            elif callable(getattr(real, name)):
                theirs, ours = parameters(getattr(real, name)), parameters(getattr(mock, name))
                if theirs != [one for one in ours if one[0] not in MORE_IN_MOCK.get(name, ())]:
                    yield f"{name}: {theirs} in {real.__name__}, {ours} in {mock.__name__}"


class RealHeader:
    """What a story does to the header below lgpio."""

    press, let_go, level = staticmethod(header.press), staticmethod(header.let_go), staticmethod(header.level)

    def swing(self, gpio):
        """Its pulse train runs by itself: wait until the other half of its wave has begun."""
        before = header.level(gpio)
        header.until(lambda: header.level(gpio) != before)

    def settle(self, heard, count):
        """Edges come through a thread: wait for so many."""
        header.until(lambda: len(heard) >= count or self.wake())

    def wait(self):
        """Long enough for an edge to come."""
        header.until(self.wake, 2.0)

    def thread_ends(self):
        return header.until(lambda: not lgpio._notify_thread.is_alive() or self.wake())

    def wake(self):
        """On a busy machine lgpio's other thread may have missed that a line is watched; see devices/panel/gpio.py."""
        lgpio.gpiochip_close(lgpio.gpiochip_open(0))
        return False


class DoublesHeader:
    def __init__(self, double):
        self.double = double
        self.swing = double.swing

    def press(self, gpio):
        self.double.pull(gpio, 0)

    def let_go(self, gpio):
        self.double.pull(gpio, None)

    def level(self, gpio):
        return self.double.levels[gpio]

    def settle(self, _heard, _count):
        pass

    def wait(self):
        pass

    def thread_ends(self):
        return not self.double.alive


def refusal(call, *arguments):
    try:
        return call(*arguments)
    except Exception as error:  # noqa: BLE001 - which one it is belongs to the story
        return [type(error).__name__, str(error)]


def story(lib, pins):
    """What is seen and heard, step by step."""
    first = lib.gpiochip_open(0)
    yield (
        "errors",
        [
            refusal(lib.gpiochip_open, 7),
            refusal(lib.gpiochip_close, first + 40),
            refusal(lib.gpio_free, first, LINE),
            refusal(lib.tx_pwm, first, OUT, 0, 0),
            refusal(lib.tx_pwm, first, OUT, 20_000, 50),
            refusal(lib.tx_pwm, first, OUT, 440, 101),
        ],
    )
    yield from claims(lib, first)
    yield from tones(lib, pins, first)
    yield from edges(lib, pins, first)


def claims(lib, chip):
    other = lib.gpiochip_open(0)
    yield "unclaimed", lib.gpio_get_mode(chip, 20)
    lib.gpio_claim_input(chip, 20, lib.SET_PULL_UP)
    yield "pulled up", [lib.gpio_get_mode(chip, 20), lib.gpio_read(chip, 20)]
    lib.gpio_claim_input(chip, 20, lib.SET_PULL_NONE)
    yield "an input stays as it is", [lib.gpio_get_mode(chip, 20), lib.gpio_read(chip, 20)]
    yield "busy", [refusal(lib.gpio_claim_output, other, 20), refusal(lib.gpio_claim_alert, other, 20, 3)]
    lib.gpio_claim_output(chip, 20)
    yield "an output is low", [lib.gpio_get_mode(chip, 20), lib.gpio_read(chip, 20)]
    lib.gpio_write(chip, 20, True)
    lib.gpio_claim_output(chip, 20)
    yield "an output stays as it is", lib.gpio_read(chip, 20)
    lib.gpio_free(chip, 20)
    lib.gpio_claim_alert(chip, 20, lib.BOTH_EDGES, lib.SET_PULL_UP)
    yield "an alert", [lib.gpio_get_mode(chip, 20), lib.gpio_read(chip, 20)]
    lib.gpio_claim_input(chip, 20, lib.SET_PULL_UP)
    yield "an input again", [lib.gpio_get_mode(chip, 20), lib.gpio_read(chip, 20)]
    lib.gpio_free(chip, 20)
    lib.gpiochip_close(other)
    yield "closed", refusal(lib.gpio_claim_input, other, 20)


def tones(lib, pins, chip):
    lib.gpio_claim_output(chip, OUT)
    high = 0
    for _ in range(400):  # some end low
        lib.tx_pwm(chip, OUT, 440, 50)
        pins.swing(OUT)
        lib.tx_pwm(chip, OUT, 0, 0)
        high += pins.level(OUT)
        if high:
            break
    yield "a tone may end with its pin high", bool(high)
    lib.gpio_write(chip, OUT, False)
    yield "which stays low once it is written", pins.level(OUT)


def edges(lib, pins, chip):
    heard = []

    def told(who):
        return lambda *edge: heard.append([who, *edge[:3]])

    lib.gpio_claim_alert(chip, LINE, lib.BOTH_EDGES, lib.SET_PULL_UP)
    lib.callback(chip, LINE, lib.BOTH_EDGES, told("first"))
    pins.press(LINE)
    pins.settle(heard, 1)
    pins.let_go(LINE)
    pins.settle(heard, 2)
    yield "a press", heard[:]
    heard.clear()
    lib.gpiochip_close(chip)
    chip = lib.gpiochip_open(0)
    lib.gpio_claim_alert(chip, LINE, lib.BOTH_EDGES, lib.SET_PULL_UP)
    second = lib.callback(chip, LINE, lib.BOTH_EDGES, told("second"))
    pins.press(LINE)
    pins.settle(heard, 2)
    yield "a callback outlives its chip and hears the next one's edges", heard[:]
    heard.clear()
    second.cancel()
    pins.let_go(LINE)
    pins.settle(heard, 1)
    yield "a cancelled one hears nothing", heard[:]
    heard.clear()

    def fails(*_edge):
        raise ZeroDivisionError

    lib.callback(chip, LINE, lib.BOTH_EDGES, fails)
    pins.press(LINE)
    yield "an error in a callback ends the only thread", pins.thread_ends()
    heard.clear()
    pins.let_go(LINE)
    pins.wait()
    yield "and nothing is heard any more", heard


def main():
    threading.excepthook = lambda _failure: None  # the thread that ends is part of the story
    double = Lgpio()
    problems = [*of_lgpio(double), *of_mock()]
    stories = {"lgpio": dict(story(lgpio, RealHeader())), "double": dict(story(double, DoublesHeader(double)))}
    print(json.dumps({"problems": problems, "called": called(), **stories}))


if __name__ == "__main__":
    main()
