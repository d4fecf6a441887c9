"""The panel on the pins of a Raspberry Pi, through gpiozero.

The buttons use gpiozero's `DigitalInputDevice` and not its `Button`, which runs a thread per button that polls ten
times a second whether it is held. `bounce_time` stays unset: with it the back ends lose edges (gpiozero issues 550 and
1039), and our own debouncing needs all of them. An edge has the time at which the kernel saw it. If the interpreter is
busy for a tenth of a second, it learns of a press only when the press is over; with its own time stamps, a short noise
would become a long press.

lgpio writes a file into the directory in which the program was started, so it is loaded in a temporary one.
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
"""A folder in memory. It can be written to even if the card cannot."""
_ENTER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
"""Flags for opening a folder in order to return to it later. They suffice for a folder that may be entered but not
read."""


@contextmanager
def scratch_folder() -> Iterator[None]:
    """Return a context manager that works in a new temporary folder, and goes back at the end.

    Raises OSError if no folder can be made. The directory of the whole process changes, so use this only while no
    other thread works with relative paths. If this user may not enter the present folder, as after `sudo -u` in a
    home, the process is in `/` afterwards; nothing could be opened in that folder anyway.
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
"""The range of the tonal buzzer: two octaves on both sides of A5."""
WAKES_S = (0.1, 0.5, 2.0)
"""Seconds after opening at which lgpio's thread is woken, unless it has reported an edge by then; see `wake`."""

OLDEST_EDGE_S = 60.0
"""If the kernel dates an edge further back than this, or in the future, the time stamp is from another clock: before
Linux 5.7 it was the time of day."""


class _Contact(DigitalInputDevice):  # type: ignore[misc]  # gpiozero has no types
    """A button's contact, which reports its edges together with the back end's time stamps, in seconds."""

    def __init__(self, pin: int, pin_factory: Any, told: Callable[[bool, float], None]) -> None:
        self._told = told
        super().__init__(pin, pull_up=True, pin_factory=pin_factory)

    def _pin_changed(self, ticks: float, state: int) -> None:
        super()._pin_changed(ticks, state)
        self._told(bool(self._state_to_value(state)), ticks)


def pi_factory() -> Any:
    """Return gpiozero's factory for the pins of this Raspberry Pi, with lgpio; raises BadInput if there are none.

    There is no fallback to other back ends: they are slower, or lose edges.
    """
    try:
        # When lgpio is imported, it makes a pipe in the working directory, through which it receives every edge.
        # It keeps the pipe open, so the name is needed for that moment only.
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
        """Open all pins; if one is not as the pin map says, close all of them again and raise BadInput.

        `pins`: what is connected to which pin, and which board is expected.
        `pin_factory`: gpiozero's factory of pins.
        `now`: the monotonic clock, in seconds.
        `on_edge`: called with every edge of a contact, before debouncing; may be called in a thread of lgpio.
        `tell`: called with troubles in spite of which the game can go on, such as a display that does not answer.
            None: they are not reported.
        `owns`: whether `close()` also closes `pin_factory`; False by default.
        `at_rest`: the QR code, row by row, that an OLED shows while it has nothing else to show; empty by default.
        """
        super().__init__(now)
        self._at_rest = at_rest
        self._tell: Tell = tell or (lambda _told: None)
        self._on_edge, self._factory = on_edge, pin_factory
        self._opened_s = time.monotonic()
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
        except BaseException:  # also Ctrl-C: pins that are not released stay lit
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def closed_contacts(self) -> frozenset[str]:
        """Return the names of the contacts that are closed now."""
        return frozenset(name for name, button in self._buttons.items() if button.is_active)

    def next_due(self) -> float | None:
        """Return the next moment at which `tick` has something to do; None if there is none.

        That is a change of a lamp or of the buzzer, or waking lgpio's thread.
        """
        return min((due for due in (super().next_due(), *self._wakes[:1]) if due is not None), default=None)

    def tick(self) -> None:
        """Bring lamps and buzzer up to date, and wake lgpio's thread if that is due."""
        super().tick()
        now, wakes = self._now(), self._wakes  # an edge, in lgpio's thread, makes another list of it at any moment
        if wakes and now >= wakes[0]:
            self._wakes = [moment for moment in wakes if moment > now]
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
        # LEDBarGraph is not used: if one of its pins is taken, it does not say which.
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
        now, ago = self._now(), time.monotonic() - ticks
        dated = _chip(self._factory) is not None and 0 <= ago <= OLDEST_EDGE_S
        if dated and ticks < self._opened_s:
            # lgpio holds edges back for half a millisecond, and on a busy machine for longer. If a panel is closed and
            # another one opened meanwhile, edges of the first one's buttons are reported to the second one.
            return
        self._wakes = []
        self._on_edge(contact, closed, now - ago if dated else now)

    def _show_moment(self, before: Moment, now: Moment) -> None:
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
            # lgpio may end a tone while its wave is high. Left so, direct current would heat the buzzer's coil.
            self._buzzer.pwm_device.off()


def _device_on(line: Line, kind: Callable[..., Any], pin_factory: Any) -> Any:
    """Open a line as a device of gpiozero; raises BadInput if its pin is not free."""
    try:
        device = kind(line.bcm, pin_factory=pin_factory)
    except Exception as error:  # lgpio's, gpiozero's and the system's errors share no base
        busy = isinstance(error, GPIOPinInUse) or "busy" in str(error).lower()
        advice = "another program, or another referee, has it: end that one" if busy else "see `referee doctor`"
        if busy and (other := next((name for name, bcm in SWITCHED_OFF.items() if line.bcm in bcm), None)):
            advice += f", or switch {other} off (sudo raspi-config, Interface Options)"
        # The tracebacks of this error and of the one before it hold the half-made device. gpiozero keeps its pin
        # reserved. If that device is collected while the next one is being made, gpiozero waits for its own lock
        # for ever.
        error.__traceback__ = error.__context__ = None
        raise BadInput(
            f"panel: expected a free pin for {line.name}, found {line.place}: {_first_line(error)}; {advice}"
        ) from error
    return device


def darken(pins: PinMap, tell: Tell, factory: Callable[[], Any] = pi_factory) -> tuple[BadInput, ...]:
    """Switch off the outputs of a panel that no program has open any more.

    Each line is opened by itself, so that a line that is not free does not keep the others lit. Returns an error for
    each line that was not free. `tell` is called with the troubles of a display. Raises BadInput if there are no pins
    at all.
    """
    opened: list[Any] = [factory()]
    left: list[BadInput] = []

    def open_line(line: Line, kind: Callable[..., Any]) -> Any:
        opened.append(_device_on(line, kind, opened[0]))
        return opened[-1]

    # The buzzer comes first, because direct current can damage its coil for good.
    outputs = [line for duty in (Duty.BUZZER, Duty.LAMP, Duty.BAR) for line in pins.lines_for(duty)]
    attempts: list[Callable[[], object]] = [partial(open_line, line, OutputDevice) for line in outputs]
    if pins.display != "none":
        attempts.append(lambda: opened.append(open_display(pins, open_line, tell)))
    try:
        for attempt in attempts:  # an output is off once it is opened
            try:
                attempt()
            except BadInput as error:
                left.append(error)
    finally:
        for device in reversed(opened):
            device.close()
    return tuple(left)


def wake(pin_factory: Any) -> None:
    """Wake lgpio's thread that waits for edges; does nothing with pins of another library.

    While no line is watched, the thread waits for a signal that one is. If the signal comes after the thread has
    looked and before it waits, the signal is lost (`xWaitForSignal` in lgPthAlerts.c, lg 0.2.2, tests nothing before
    it waits). On a machine that is busy at that moment, no button then works until the next signal. Closing a chip
    sends one. That takes 0.1 s in which edges are lost (`_lgGpiochipClose`), so it is done before anybody plays, and
    never after an edge was reported.
    """
    chip = _chip(pin_factory)
    if chip is None:
        return
    import lgpio  # gpiozero has imported it by now

    with suppress(lgpio.error):  # for instance no handle is left; the next attempt wakes it
        lgpio.gpiochip_close(lgpio.gpiochip_open(chip))


def _chip(pin_factory: Any) -> int | None:
    """Return the number of lgpio's chip; None for pins of another library."""
    return getattr(pin_factory, "chip", None)


def _deafen(pin: Any) -> None:
    """Remove the callback of a button's pin from the back end's list; the device is closed next.

    gpiozero leaves the callback there when it closes a pin of lgpio. After the panel is opened again, lgpio would call
    it for a device that no longer exists. That call fails, and ends the only thread that reports edges. An edge that
    is on its way at this moment needs something to call, so another callback is set, never none.
    """
    pin.when_changed = _unheard
    pin._disable_event_detect()


def _unheard(_ticks: float, _state: bool) -> None:
    """Ignore an edge that came while the panel was being closed."""


def open_panel(
    pins: PinMap,
    now: Now,
    on_edge: OnEdge,
    tell: Tell,
    write: Callable[[str], None] | None = None,
    factory: Callable[[], Any] = pi_factory,
    at_rest: Code = (),
) -> Panel:
    """Open the panel of the kind that the pin map names; raises BadInput if the pins are not as it says.

    `pins`: the kind of panel, and what is connected to which pin.
    `now`: the monotonic clock, in seconds.
    `on_edge`: called with every edge of a contact, before debouncing; may be called in a thread of lgpio.
    `tell`: called with troubles of real pins in spite of which the game can go on.
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
    # gpiozero calls a board that is newer than itself "???", and assumes that it has the usual header.
    known = found in BOARDS
    if expected not in ("auto", found):
        name = found if known else "one that gpiozero does not know yet"
        advice = found if known else "auto"
        raise BadInput(f'panel: expected the board {expected}, found {name}; set board = "{advice}" in [panel]')


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    # lgpio's errors and KeyError put the whole text in quotes. Quotes around a name in the text stay.
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1]:
        text = text[1:-1]
    lines = text.splitlines()
    return lines[0] if lines else type(error).__name__
