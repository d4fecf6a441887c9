"""Shutting the machine down and restarting it, through systemd-logind."""

from __future__ import annotations

import enum
from collections.abc import Callable
from concurrent.futures import Future

from referee.devices.system.bus import Bus, BusError
from referee.devices.thread import OneThread
from referee.game.notice import Notice

LOGIN, LOGIN_AT = "org.freedesktop.login1", "/org/freedesktop/login1"


class Going(enum.StrEnum):
    """How the machine ends."""

    OFF = "off"
    RESTART = "restart"


_METHODS = {Going.OFF: f"{LOGIN}.Manager.PowerOff", Going.RESTART: f"{LOGIN}.Manager.Reboot"}


class Power:
    """The machine's power. The system then stops the referee as it stops every service: the journal is closed."""

    def __init__(self, bus: Callable[[], Bus] = Bus) -> None:
        self._bus = bus
        self._thread: OneThread | None = None
        self.going: Going | None = None
        """What the system has been asked for and has agreed to, or is being asked for; None: nothing."""

    def end(self, how: Going) -> Notice | None:
        """Shut the machine down or restart it; return why that is impossible, or None once the system has agreed."""
        self.going = how
        try:
            with self._bus() as bus:
                bus.call(LOGIN, LOGIN_AT, _METHODS[how], "b", False)
        except BusError as error:
            self.going = None
            return error.told
        return None

    def end_soon(self, how: Going) -> Future[Notice | None]:
        """Like `end()`, but in another thread, for the event loop."""
        self._thread = self._thread or OneThread("power")
        return self._thread.submit(self.end, how)
