"""The date and time of the machine: whether they are known, and setting them through systemd-timedated.

A Pi without a battery starts with the time at which it was last switched off, and counts on from there until the
network tells the right one. A time from before that is only a guess. Nothing depends on it: turns are timed by a clock
of their own. But it must not be shown as if it were known.
"""

from __future__ import annotations

import json
import time
import zoneinfo
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.devices.system.bus import Bus, BusError
from referee.devices.whole_file import write_whole
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice

TIMEDATE, TIMEDATE_AT = "org.freedesktop.timedate1", "/org/freedesktop/timedate1"
AUTOMATIC = f"{TIMEDATE}.AutomaticTimeSyncEnabled"
"""The error for setting the time while the service that sets it over the network has not stopped yet."""
TIMES, APART_S = 20, 0.25
"""How often setting the time is tried until that service has stopped, and the seconds in between."""
FILE = "clock.json"
"""Says in which start of the machine somebody has set the clock, and whether network time is still off for that."""
BOOT, OFF = "boot", "network_time_off"
"""Its keys."""
AGREES_S = 60.0
"""A battery-backed clock that differs by more from the machine's clock was not used for setting that."""
REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
UTC = "UTC"
LATEST = 253402300799
"""The last second of the year 9999."""


@dataclass(frozen=True, slots=True)
class ClockState:
    """What systemd-timedated says: the time zone, and whether the time has come over the network."""

    zone: str
    synchronised: bool


class SystemClock:
    """The date and time of this machine."""

    def __init__(
        self,
        folder: Path | None,
        root: Path = Path("/"),
        bus: Callable[[], Bus] = Bus,
        wall: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """`folder` is that of the journal. Files of the system are read below `root`."""
        self._folder, self._root, self._bus, self._wall, self._sleep = folder, root, bus, wall, sleep
        self._known = False

    @property
    def is_known(self) -> bool:
        """Whether the time is not only a guess.

        True where nobody knows: where the time is not set by systemd-timesyncd, it is the business of another program.
        """
        # What has become known stays so until the machine ends, and this program ends before.
        self._known = self._known or self._is_known_now()
        return self._known

    def _is_known_now(self) -> bool:
        service = self._root / "run/systemd/timesync"
        return (
            (not service.is_dir() and not self.is_network_time_off)
            or (service / "synchronized").exists()
            or self._was_set_by_hand()
            or self._agrees_with_battery()
        )

    def _was_set_by_hand(self) -> bool:
        return bool(boot := self._boot()) and self._noted().get(BOOT) == boot

    @property
    def is_network_time_off(self) -> bool:
        """Whether the time over the network was switched off to set the clock, and not on again yet."""
        return self._noted().get(OFF) is True

    def _noted(self) -> dict[str, Any]:
        """Return what is noted beside the journal; empty if that is nothing, or cannot be read."""
        if self._folder is None:
            return {}
        try:
            found = json.loads((self._folder / FILE).read_bytes()[:1000])
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _boot(self) -> str:
        """Return the identifier of this start of the machine; empty if there is none."""
        return self._text("proc/sys/kernel/random/boot_id")

    def _agrees_with_battery(self) -> bool:
        """Return whether a clock with a battery has the same time: the kernel sets the time by it at the start.

        The clock of a Pi 5 without its battery starts in 1970, and the time that systemd then takes differs from it.
        """
        told = self._text("sys/class/rtc/rtc0/since_epoch")
        return told.isdecimal() and abs(int(told) - self._wall()) <= AGREES_S

    def _text(self, path: str) -> str:
        try:
            return (self._root / path).read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            return ""

    def state(self) -> ClockState | None:
        """Return what the system says of its clock; None if it does not answer."""
        try:
            with self._bus() as bus:
                found = bus.get_all(TIMEDATE, TIMEDATE_AT, TIMEDATE)
        except RefereeError:
            return None
        return ClockState(str(found.get("Timezone", "")), found.get("NTPSynchronized") is True)

    def set_zone(self, zone: str) -> Notice | None:
        """Set the time zone; return why that is impossible."""
        try:
            with self._bus() as bus:
                bus.call(TIMEDATE, TIMEDATE_AT, f"{TIMEDATE}.SetTimezone", "sb", zone, False)
        except BusError as error:
            return error.told
        time.tzset()  # from now on, this program shows times in the new zone, too
        return None

    def set_time(self, epoch_s: float) -> Notice | None:
        """Set date and time, in seconds since 1970 (UTC); return why that is impossible.

        The system takes no time while it may set it over the network. So that is switched off, and on again: once
        there is a network, its time counts. The system keeps it off for good, so what a power cut interrupts here is
        completed by `switch_on_again()`.
        """
        try:
            with self._bus() as bus:
                # It is also off if it could not be switched on again the last time.
                automatic = bus.get(TIMEDATE, TIMEDATE_AT, f"{TIMEDATE}.NTP") is True or self.is_network_time_off
                if automatic:
                    self._note(**{OFF: True})
                    _switch(bus, on=False)
                try:
                    self._set_time(bus, epoch_s)
                finally:
                    if automatic:
                        _switch(bus, on=True)
                        self._note(**{OFF: None})
        except BusError as error:
            return error.told
        # A folder that takes nothing: then this program alone knows it.
        self._known = True
        if boot := self._boot():
            self._note(**{BOOT: boot})
        return None

    def switch_on_again(self) -> None:
        """Switch the time over the network on again if it stayed off when the clock was set; else do nothing."""
        if not self.is_network_time_off:
            return
        with suppress(BusError):  # the next start tries it again
            with self._bus() as bus:
                _switch(bus, on=True)
            self._note(**{OFF: None})

    def _set_time(self, bus: Bus, epoch_s: float) -> None:
        for left in reversed(range(TIMES)):
            try:
                bus.call(TIMEDATE, TIMEDATE_AT, f"{TIMEDATE}.SetTime", "xbb", round(epoch_s * 1e6), False, False)
            except BusError as error:
                if error.name != AUTOMATIC or not left:
                    raise
                self._sleep(APART_S)
            else:
                return

    def _note(self, **changes: object) -> None:
        """Change what is noted beside the journal; None removes a key."""
        if self._folder is None:
            return
        noted = {key: value for key, value in (self._noted() | changes).items() if value is not None}
        with suppress(BadInput, OSError):  # a full disk
            if noted:
                write_whole(self._folder / FILE, json.dumps(noted).encode(), "a place to note it", 0o600)
            else:
                (self._folder / FILE).unlink(missing_ok=True)


def _switch(bus: Bus, *, on: bool) -> None:
    """Switch the time over the network on or off."""
    bus.call(TIMEDATE, TIMEDATE_AT, f"{TIMEDATE}.SetNTP", "bb", on, False)


def zones() -> Mapping[str, Sequence[str]]:
    """Return all time zones by region, both in alphabetical order; UTC, which is in none, comes last."""
    found: dict[str, list[str]] = {region: [] for region in REGIONS}
    for zone in sorted(zoneinfo.available_timezones()):
        region, slash, _ = zone.partition("/")
        if slash and region in found:
            found[region].append(zone)
    return {**{region: listed for region, listed in found.items() if listed}, UTC: [UTC]}


def known_zones() -> Iterator[str]:
    """Yield the names of all time zones that can be chosen."""
    for listed in zones().values():
        yield from listed
