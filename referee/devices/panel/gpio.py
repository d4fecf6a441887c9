"""The panel on the pins of a Raspberry Pi, through gpiozero.

gpiozero's `DigitalInputDevice` is used for the buttons, not its `Button`, which runs a thread per button that polls
ten times a second whether it is held. `bounce_time` stays unset: the back ends lose edges with it (gpiozero issues 550
and 1039), and our own debouncing needs them all. An edge carries the moment at which the kernel saw it: an interpreter
that is busy for a tenth of a second learns of a press when it is over, and would make a long press of a short noise.

lgpio writes a file into whatever directory the program was started in, so it is loaded in a temporary one.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import TracebackType
from typing import Any, Self

from gpiozero import LED, Buzzer, DigitalInputDevice, OutputDevice, TonalBuzzer
from gpiozero.exc import GPIOPinInUse
from gpiozero.tones import Tone

from referee.devices.panel.display import Code, Display, Tell, open_display
from referee.devices.panel.lights import Lights, Playing, lit_in_bar
from referee.devices.panel.panel import SILENCE, Moment, Now, OnEdge, Panel, RecordingPanel, Timed
from referee.devices.wiring.header import BOARDS, PHYSICAL, SWITCHED_OFF
from referee.devices.wiring.pins import Duty, Line, PinMap
from referee.errors import BadInput
from referee.game.notice import Notice

MEMORY = "/dev/shm"  # noqa: S108
"""It can be written even if the whole card cannot."""
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
"""Enough to come back to a folder that can be entered, but not read."""


@contextmanager
def scratch_folder() -> Iterator[None]:
    """Work in a fresh folder of our own, and go back afterwards; raises OSError where none can be made.

    The whole process changes its directory: use this only while no other thread works with relative paths. There is no
    way back to a folder that this user may not enter, as after `sudo -u` in a home; nothing could be opened there
    anyway.
    """
    with _make_folder() as folder:
        try:
            before = os.open(".", _ENTER)
        except OSError:
            before = os.open("/", _ENTER)
        try:
            os.chdir(folder)
            yield
        finally:
            os.fchdir(before)
            os.close(before)


def _make_folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="referee-")
    except OSError:
        return tempfile.TemporaryDirectory(prefix="referee-", dir=MEMORY)


LOWEST_HERTZ, HIGHEST_HERTZ = 220.0, 3520.0
"""Two octaves on both sides of A5, as the tonal buzzer is set up."""
WAKES_S = (0.1, 0.5, 2.0)
"""Seconds after opening at which lgpio's thread is woken, unless it has reported an edge by then; see `wake`."""

OLDEST_EDGE_S = 60.0
"""An edge that the kernel dates further back than this, or in the future, has the stamp of another clock: before Linux
5.7 it was the time of day."""


class _Contact(DigitalInputDevice):  # type: ignore[misc]  # gpiozero has no types
    """A button's contact, which reports its edges together with the back end's time stamps, in seconds."""

    def __init__(self, pin: int, pin_factory: Any, told: Callable[[bool, float], None]) -> None:
        self._told = told
        super().__init__(pin, pull_up=True, pin_factory=pin_factory)

    def _pin_changed(self, ticks: float, state: int) -> None:
        super()._pin_changed(ticks, state)
        self._told(bool(self._state_to_value(state)), ticks)


def pi_factory() -> Any:
    """Return the pins of this Raspberry Pi, by gpiozero through lgpio; raises BadInput where there are none.

    There is no fallback to other back ends: they are slower, or lose edges.
    """
    try:
        # When it is imported lgpio makes a pipe in the working directory, through which it receives every edge. It
        # keeps the pipe open, so the name is needed for that moment only.
        with scratch_folder():
            from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise BadInput(Notice("panel.no_lgpio", reason=_first_line(error))) from error
    except OSError as error:
        raise BadInput(
            f"panel: expected a temporary folder in which lgpio can make its pipe, found: {_first_line(error)}; "
            'is the disk full? Without pins set kind = "console" in [panel]'
        ) from error
    factory = None
    try:
        factory = LGPIOFactory()
        factory.board_info  # noqa: B018 - asks which board this is
    except Exception as error:  # lgpio's, gpiozero's and the system's errors share no base
        if factory is not None:
            factory.close()
        raise BadInput(Notice("panel.no_pins", reason=_first_line(error))) from error
    return factory


class GpioPanel(Timed):
    """The real panel: buttons, lamps, buzzer and, if there is one, a display."""

    def __init__(
        self,
        pins: PinMap,
        pin_factory: Any,
        now: Now,
        on_edge: OnEdge,
        tell: Tell | None = None,
        *,
        owns: bool = False,
        at_rest: Code = (),
    ) -> None:
        """Open all pins; raises BadInput, with all of them closed again, where one is not as the pin map says.

        `pins`: what is connected to which pin, and which board is expected.
        `pin_factory`: gpiozero's factory of pins.
        `now`: the monotonic clock, in seconds.
        `on_edge`: called with every edge of a contact, before debouncing; may be called in a thread of lgpio.
        `tell`: called with troubles that the game does without, such as a display that does not answer. None: they are
            not reported.
        `owns`: whether `close()` also closes `pin_factory`; False by default.
        `at_rest`: the QR code, row by row, that an OLED shows while it has nothing else to show; empty by default.
        """
        super().__init__(now)
        self._at_rest = at_rest
        self._tell: Tell = tell or (lambda _told: None)
        self._on_edge, self._factory = on_edge, pin_factory
        self._opened: list[Any] = [pin_factory] if owns else []
        self._buttons: dict[str, Any] = {}
        self._lamps: dict[str, Any] = {}
        self._bar: list[Any] = []
        self._buzzer: Any = None
        self._display: Display | None = None
        self._wakes: list[float] = []
        try:
            _check_board(pins.board, pin_factory)
            self._open(pins)
            if _chip(pin_factory) is not None:
                self._wakes = [now() + wait for wait in WAKES_S]
        except BaseException:  # also Ctrl-C: pins that are not let go stay lit
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def closed_contacts(self) -> frozenset[str]:
        """Names of the contacts that are closed now."""
        return frozenset(name for name, button in self._buttons.items() if button.is_active)

    def next_due(self) -> float | None:
        """The moment at which `tick` has something to do, or lgpio's thread is to be woken; None for neither."""
        return min((due for due in (super().next_due(), *self._wakes[:1]) if due is not None), default=None)

    def tick(self) -> None:
        """Bring lamps and buzzer up to date, and wake lgpio's thread where that is due."""
        super().tick()
        if self._wakes and self._now() >= self._wakes[0]:
            self._wakes = [moment for moment in self._wakes if moment > self._now()]
            wake(self._factory)

    def close(self) -> None:
        """Switch everything off and release the pins."""
        self._wakes = []
        # Closing a device leaves its pin as an input, so switch lamps behind transistors and the buzzer off first.
        self._playing = Playing(SILENCE, 0.0)
        self.show(Lights())
        for button in self._buttons.values():
            if not button.closed:
                _deafen(button.pin)
        for device in reversed(self._opened):
            device.close()
        self._opened.clear()
        self._buttons.clear()
        self._lamps.clear()
        self._bar = []
        self._buzzer = self._display = None

    def _open(self, pins: PinMap) -> None:
        for line in pins.lines_for(Duty.LAMP):
            self._lamps[line.name] = self._device(line, LED)
        # No LEDBarGraph: where one of its pins is taken it does not say which.
        self._bar = [self._device(line, LED) for line in pins.lines_for(Duty.BAR)]
        for line in pins.lines_for(Duty.BUZZER):
            if pins.buzzer_kind == "active":
                self._buzzer = self._device(line, Buzzer)
            else:
                self._buzzer = self._device(line, partial(TonalBuzzer, mid_tone=Tone(note="A5"), octaves=2))
        if pins.display != "none":
            self._display = open_display(pins, self._device, self._tell, self._at_rest)
            self._opened.append(self._display)
        for line in pins.lines_for(Duty.BUTTON):
            told = partial(self._edge, line.name)
            self._buttons[line.name] = self._device(line, partial(_Contact, told=told))

    def _device(self, line: Line, kind: Callable[..., Any]) -> Any:
        device = _device_on(line, kind, self._factory)
        self._opened.append(device)
        return device

    def _edge(self, contact: str, closed: bool, ticks: float) -> None:
        self._wakes = []
        now, ago = self._now(), time.monotonic() - ticks
        dated = _chip(self._factory) is not None and 0 <= ago <= OLDEST_EDGE_S
        self._on_edge(contact, closed, now - ago if dated else now)

    def _put(self, before: Moment, now: Moment) -> None:
        for name, lamp in self._lamps.items():
            if (name in before.lit) != (name in now.lit):
                lamp.value = name in now.lit
        if before.bar != now.bar:
            lit = lit_in_bar(now.bar, len(self._bar))
            for number, lamp in enumerate(self._bar):
                lamp.value = number < lit
        if self._display is not None and before.text != now.text:
            self._display.show(now.text)
        if before.hertz != now.hertz:
            self._sound(now.hertz)

    def _sound(self, hertz: float | None) -> None:
        if isinstance(self._buzzer, Buzzer):
            self._buzzer.value = hertz is not None
        elif isinstance(self._buzzer, TonalBuzzer) and hertz is not None:
            self._buzzer.play(Tone(frequency=min(max(hertz, LOWEST_HERTZ), HIGHEST_HERTZ)))
        elif self._buzzer is not None:
            self._buzzer.stop()
            # lgpio ends a tone wherever its wave just is: left high, direct current would heat the buzzer's coil.
            self._buzzer.pwm_device.off()


def _device_on(line: Line, kind: Callable[..., Any], pin_factory: Any) -> Any:
    """Open a line as a device of gpiozero's; raises BadInput where it is not free."""
    try:
        device = kind(line.bcm, pin_factory=pin_factory)
    except Exception as error:  # lgpio's, gpiozero's and the system's errors share no base
        busy = isinstance(error, GPIOPinInUse) or "busy" in str(error).lower()
        advice = "another program, or another referee, has it: end that one" if busy else "see `referee doctor`"
        if busy and (other := next((name for name, bcm in SWITCHED_OFF.items() if line.bcm in bcm), None)):
            advice += f", or switch {other} off (sudo raspi-config, Interface Options)"
        # Its traceback, and that of the error before it, hold the half-made device: gpiozero keeps such a one's pin
        # reserved, and waits for its own lock for ever if that device is collected while the next one is being made.
        error.__traceback__ = error.__context__ = None
        raise BadInput(
            f"panel: expected a free pin for {line.name}, found {line.place}: {_first_line(error)}; {advice}"
        ) from error
    return device


def darken(pins: PinMap, tell: Tell, factory: Callable[[], Any] = pi_factory) -> tuple[BadInput, ...]:
    """Switch off what is wired to the outputs of a panel that nobody has open any more.

    Each line is opened by itself, so that one which is not free does not keep the others lit; returns what was not
    free. `tell` gets the troubles of a display. Raises BadInput where there are no pins at all.
    """
    opened: list[Any] = [factory()]
    left: list[BadInput] = []

    def open_line(line: Line, kind: Callable[..., Any]) -> Any:
        opened.append(_device_on(line, kind, opened[0]))
        return opened[-1]

    # The buzzer first: what current does to its coil cannot be undone.
    outputs = [line for duty in (Duty.BUZZER, Duty.LAMP, Duty.BAR) for line in pins.lines_for(duty)]
    attempts: list[Callable[[], object]] = [partial(open_line, line, OutputDevice) for line in outputs]
    if pins.display != "none":
        attempts.append(lambda: opened.append(open_display(pins, open_line, tell)))
    try:
        for attempt in attempts:  # what is opened is off, until it is told otherwise
            try:
                attempt()
            except BadInput as error:
                left.append(error)
    finally:
        for device in reversed(opened):
            device.close()
    return tuple(left)


def wake(pin_factory: Any) -> None:
    """Wake lgpio's thread that waits for edges; does nothing with other pins than lgpio's.

    While no line is watched it waits for a signal that one is. A signal that comes after it has looked and before it
    waits is lost (`xWaitForSignal` in lgPthAlerts.c, lg 0.2.2, tests nothing before it waits): on a machine that is
    busy just then no button works until the next signal. Closing a chip sends one. That takes 0.1 s in which edges are
    lost (`_lgGpiochipClose`), so it is done before anybody plays, and never once an edge was reported.
    """
    chip = _chip(pin_factory)
    if chip is None:
        return
    import lgpio  # there by now: gpiozero has imported it

    with suppress(lgpio.error):  # no handle is left, say: then the next one wakes it
        lgpio.gpiochip_close(lgpio.gpiochip_open(chip))


def _chip(pin_factory: Any) -> int | None:
    """The number of lgpio's chip; None for other pins than its."""
    return getattr(pin_factory, "chip", None)


def _deafen(pin: Any) -> None:
    """Take the callback of a button's pin off the back end's list; its device is closed next.

    gpiozero leaves it there when it closes a pin of lgpio. After the panel is opened again lgpio calls it, too, for a
    device that no longer exists; that fails, and ends the one thread which reports all edges. An edge that is on its
    way right now must find something to call: so another callback is set, never none.
    """
    pin.when_changed = _unheard
    pin._disable_event_detect()


def _unheard(_ticks: float, _state: bool) -> None:
    """An edge that came while the panel was being closed."""


def open_panel(
    pins: PinMap,
    now: Now,
    on_edge: OnEdge,
    tell: Tell,
    write: Callable[[str], None] | None = None,
    factory: Callable[[], Any] = pi_factory,
    at_rest: Code = (),
) -> Panel:
    """Open the panel of the kind that the pin map names; raises BadInput where the pins are not as it says.

    `pins`: the kind of panel, and what is connected to which pin.
    `now`: the monotonic clock, in seconds.
    `on_edge`: called with every edge of a contact, before debouncing; may be called in a thread of lgpio.
    `tell`: called with troubles of real pins that the game does without.
    `write`: called with each line of a console panel. None: it writes none.
    `factory`: makes the factory of real pins; not called for a panel without pins.
    `at_rest`: the QR code, row by row, that an OLED shows while it has nothing else to show; empty by default.
    """
    if pins.kind == "gpio":
        return GpioPanel(pins, factory(), now, on_edge, tell, owns=True, at_rest=at_rest)
    return RecordingPanel(pins, now, on_edge, write if pins.kind == "console" else None)


def _check_board(expected: str, pin_factory: Any) -> None:
    try:
        board = pin_factory.board_info
    except Exception as error:  # every back end has its own errors for a board it does not know
        raise BadInput(f"panel: expected a board with the 40-pin header, found: {_first_line(error)}") from error
    found = board.model.lower().replace(" ", "")
    header = board.headers.get("J8")
    if header is None or len(header.pins) < max(PHYSICAL.values()):
        raise BadInput(f"panel: expected a board with the 40-pin header, found: {found}, which has none")
    # gpiozero calls a type that is newer than itself "???", and takes it to have the usual header.
    known = found in BOARDS
    if expected not in ("auto", found):
        name = found if known else "one that gpiozero does not know yet"
        advice = found if known else "auto"
        raise BadInput(f'panel: expected the board {expected}, found {name}; set board = "{advice}" in [panel]')


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    # lgpio's errors and KeyError put the whole text in quotes; those of a name in it stay.
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        text = text[1:-1]
    lines = text.splitlines()
    return lines[0] if lines else type(error).__name__
