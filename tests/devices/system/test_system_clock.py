"""The clock of the machine: when its time is only a guess, and setting it through systemd-timedated."""

import json
import time
from pathlib import Path

import pytest
from system_bus import TEMPLATES, SystemBus, system_bus

from referee.devices.system.bus import NO_ANSWER, NOT_ALLOWED, VARIABLE, Bus
from referee.devices.system.clock import AUTOMATIC, FILE, OFF, ClockState, SystemClock, known_zones, zones
from referee.devices.system.clock import BOOT as BOOT_KEY

TIMEDATE = TEMPLATES["timedated"][0]
BOOT = "proc/sys/kernel/random/boot_id"
NOW = 1_795_000_000.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A Pi whose time is set by systemd-timesyncd, which has not reached a server yet."""
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    (tmp_path / BOOT).parent.mkdir(parents=True)
    (tmp_path / BOOT).write_text("11f6\n")
    (tmp_path / "state").mkdir()
    return tmp_path


@pytest.fixture
def timedated(tmp_path_factory):
    with system_bus(tmp_path_factory.mktemp("bus"), "timedated", timedated={"NTP": False}) as made:
        yield made


def nobody() -> Bus:
    return Bus({VARIABLE: "unix:path=/nowhere"})


def clock(root: Path, bus=nobody) -> SystemClock:
    return SystemClock(root / "state", root, bus, wall=lambda: NOW, sleep=lambda _: None)


def with_battery(root: Path, seconds: float) -> None:
    (root / "sys/class/rtc/rtc0").mkdir(parents=True, exist_ok=True)
    (root / "sys/class/rtc/rtc0/since_epoch").write_text(f"{seconds:.0f}\n")


def test_before_the_network_has_told_the_time_it_is_a_guess_and_then_known_for_good(root: Path) -> None:
    made = clock(root)
    assert not made.is_known
    (root / "run/systemd/timesync/synchronized").touch()
    assert made.is_known
    (root / "run/systemd/timesync/synchronized").unlink()
    assert made.is_known  # the network is gone, the time is not


def test_where_another_program_sets_the_time_nothing_is_said_against_it(tmp_path: Path) -> None:
    assert clock(tmp_path).is_known


@pytest.mark.parametrize(("differs_s", "known"), [(0, True), (30, True), (-86_400, False), (-NOW, False)])
def test_a_clock_with_a_battery_is_believed_if_the_time_was_set_by_it(
    root: Path, differs_s: float, known: bool
) -> None:
    """That of a Pi 5 without its battery begins in 1970."""
    with_battery(root, NOW + differs_s)
    assert clock(root).is_known is known


def test_somebody_sets_the_clock_and_then_it_is_known_until_the_machine_is_switched_off(
    root: Path, timedated: SystemBus
) -> None:
    made = clock(root, timedated.bus)
    assert made.set_time(NOW + 0.25) is None
    assert timedated.calls("timedated") == [("SetTime", [round((NOW + 0.25) * 1e6), False, False])]
    assert made.is_known
    assert clock(root).is_known
    (root / BOOT).write_text("22a7\n")
    assert not clock(root).is_known


def test_the_time_over_the_network_is_off_only_for_that_moment(root: Path, tmp_path_factory) -> None:
    with system_bus(tmp_path_factory.mktemp("bus"), "timedated", timedated={"NTP": True}) as machine:
        made = clock(root, machine.bus)
        assert made.state() == ClockState("Etc/Utc", synchronised=True)
        assert made.set_time(NOW) is None
        assert machine.calls("timedated") == [
            ("SetNTP", [False, False]), ("SetTime", [round(NOW * 1e6), False, False]), ("SetNTP", [True, False])
        ]  # fmt: skip


@pytest.mark.parametrize(("stops_after", "told"), [(3, None), (1000, NO_ANSWER)])
def test_the_service_that_sets_the_time_is_given_a_moment_to_stop(
    root: Path, tmp_path_factory, stops_after: int, told
) -> None:
    with system_bus(tmp_path_factory.mktemp("bus"), "timedated", timedated={"NTP": True}) as machine:
        code = (
            "self.tries = getattr(self, 'tries', 0) + 1\n"
            f"if self.tries < {stops_after}: raise dbus.exceptions.DBusException('active', name='{AUTOMATIC}')"
        )
        machine.tell(
            "timedated", TEMPLATES["timedated"][1], "AddMethod", "sssss", TIMEDATE, "SetTime", "xbb", "", code
        )
        assert clock(root, machine.bus).set_time(NOW) == told
        assert machine.calls("timedated")[-1] == ("SetNTP", [True, False])
        assert (root / "state" / FILE).exists() is (told is None)


class PowerCut(BaseException):
    """Nothing of the program runs after it."""


class CutBus(Bus):
    """The bus of a machine that loses its power when the time is set."""

    cut = False

    def call(self, to, path, method, *rest, **how):
        self.cut = self.cut or method.endswith(".SetTime")
        if self.cut:
            raise PowerCut
        return super().call(to, path, method, *rest, **how)


def test_a_power_cut_while_the_clock_is_set_does_not_leave_the_time_over_the_network_off(
    root: Path, tmp_path_factory
) -> None:
    """The system keeps it off for good: every later time would be wrong, and believed."""
    with system_bus(tmp_path_factory.mktemp("bus"), "timedated", timedated={"NTP": True}) as machine:
        with pytest.raises(PowerCut):
            clock(root, lambda: CutBus({VARIABLE: machine.address})).set_time(NOW)
        assert machine.calls("timedated") == [("SetNTP", [False, False])]
        (root / "run/systemd/timesync").rmdir()  # systemd-timesyncd is not started any more
        (root / BOOT).write_text("22a7\n")
        again = clock(root, machine.bus)
        assert not again.is_known
        again.switch_on_again()
        assert machine.calls("timedated")[1:] == [("SetNTP", [True, False])]
        assert not (root / "state" / FILE).exists()
        again.switch_on_again()
        assert len(machine.calls("timedated")) == 2


def test_setting_the_clock_once_more_also_switches_on_what_stayed_off(root: Path, timedated: SystemBus) -> None:
    (root / "state" / FILE).write_text(json.dumps({OFF: True}))
    assert clock(root, timedated.bus).set_time(NOW) is None
    assert timedated.calls("timedated")[-1] == ("SetNTP", [True, False])
    assert not clock(root).is_network_time_off


def test_a_system_that_does_not_answer_is_asked_again_at_the_next_start(root: Path) -> None:
    (root / "state" / FILE).write_text(json.dumps({BOOT_KEY: "11f6", OFF: True}))
    clock(root).switch_on_again()
    assert clock(root).is_network_time_off
    assert clock(root).is_known  # somebody has set the clock in this start


def test_the_zone_is_set_and_times_are_shown_in_it(root: Path, timedated: SystemBus, monkeypatch) -> None:
    made, set_anew = clock(root, timedated.bus), []
    monkeypatch.setattr(time, "tzset", lambda: set_anew.append(True))
    assert made.set_zone("Europe/Rome") is None
    assert timedated.calls("timedated") == [("SetTimezone", ["Europe/Rome", False])]
    assert made.state() == ClockState("Europe/Rome", synchronised=False)
    assert set_anew == [True]


@pytest.mark.parametrize("method", ["SetTime", "SetTimezone"])
def test_a_refusal_is_told(root: Path, timedated: SystemBus, method: str) -> None:
    signature = {"SetTime": "xbb", "SetTimezone": "sb"}[method]
    timedated.refuse("timedated", TIMEDATE, method, signature, "org.freedesktop.DBus.Error.AccessDenied", "no")
    made = clock(root, timedated.bus)
    assert (made.set_time(NOW) if method == "SetTime" else made.set_zone("Europe/Rome")) == NOT_ALLOWED
    assert not made.is_known


def test_without_a_system_bus_that_is_told(root: Path) -> None:
    made = clock(root)
    assert made.state() is None
    assert (made.set_time(NOW), made.set_zone("Europe/Rome")) == (NO_ANSWER, NO_ANSWER)


@pytest.mark.parametrize("text", ["", "[]", '{"boot": 1}', "{" * 3000, "\xff"])
def test_a_note_that_cannot_be_read_counts_as_none(root: Path, text: str) -> None:
    (root / "state" / FILE).write_text(text, encoding="latin-1")
    assert not clock(root).is_known


def test_zones_are_listed_by_region() -> None:
    listed = zones()
    assert {"Europe/Berlin", "Europe/Paris", "Europe/Rome", "Europe/London"} <= set(listed["Europe"])
    assert list(listed["Europe"]) == sorted(listed["Europe"])
    assert "UTC" in known_zones()
    assert not [zone for zone in known_zones() if zone.startswith(("posix/", "right/", "Etc/"))]
