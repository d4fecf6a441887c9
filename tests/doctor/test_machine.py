"""Machines made up in a folder: what the doctor says about clock, heat, power, memory and service."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.doctor.finding import Finding, Result, ok, run_check, worst, wrong
from referee.doctor.machine import CHECKS, Machine, clock, heat, memory, power, run_command, service
from referee.game.notice import as_notice
from referee.i18n import ENGLISH

THERMAL = "sys/class/thermal/thermal_zone0/temp"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
PI5_THROTTLED = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"
PI = {"proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def box(root: Path, files: dict[str, str], says: str | None = None, year: int = 2026) -> Machine:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

    def ask(_command: Sequence[str]) -> str | None:
        return says

    ticks = iter(range(100))
    return Machine(root, ask, lambda: datetime(year, 3, 1, 18, 30, tzinfo=UTC), lambda: float(next(ticks)))


@pytest.mark.parametrize(
    ("millidegrees", "result"),
    [
        ("48312", Result.OK),
        ("69900", Result.OK),
        ("70000", Result.ATTENTION),
        ("81000", Result.WRONG),
        ("", Result.SKIPPED),
        ("hot", Result.SKIPPED),
    ],
)
def test_heat(root: Path, millidegrees: str, result: Result) -> None:
    assert heat(box(root, {THERMAL: millidegrees})).result is result


@pytest.mark.parametrize("path", [THROTTLED, PI5_THROTTLED])
@pytest.mark.parametrize(
    ("bits", "result", "words"),
    [
        ("0", Result.OK, "strong enough"),
        ("1", Result.WRONG, "Right now the supply voltage is too low"),
        ("50005", Result.WRONG, "too low and the processor is slowed down"),
        ("8", Result.ATTENTION, "Right now the processor is hot"),
        (
            "50000",
            Result.ATTENTION,
            "Since the last start the supply voltage was too low and the processor was slowed down",
        ),
        ("80000", Result.ATTENTION, "Since the last start the processor was hot"),
        ("nonsense", Result.SKIPPED, "does not report"),
    ],
)
def test_every_bit_of_the_firmware_is_explained(root: Path, path: str, bits: str, result: Result, words: str) -> None:
    found = power(box(root, {**PI, path: f"{bits}\n"}))
    assert (found.result, words in ENGLISH(found.found)) == (result, True), ENGLISH(found.found)


def test_the_firmware_is_asked_by_its_command_where_the_kernel_does_not_tell(root: Path) -> None:
    assert power(box(root, PI, says="throttled=0x50000\n")).result is Result.ATTENTION
    assert power(box(root, PI, says=None)).result is Result.SKIPPED
    assert (
        ENGLISH(power(box(root / "pc", {}, says="throttled=0x1")).found)
        == "Power can be checked only on a Raspberry Pi; this is not one."
    )


@pytest.mark.parametrize(
    ("files", "year", "result", "words"),
    [
        pytest.param(PI | {"sys/class/rtc/rtc0/name": "rp1-rtc"}, 2026, Result.OK, "battery", id="battery"),
        pytest.param(PI, 2026, Result.ATTENTION, "no battery for its clock", id="no battery"),
        pytest.param(PI, 1970, Result.ATTENTION, "not set", id="never set"),
        pytest.param({}, 2026, Result.OK, "1 March 2026", id="no Pi"),
    ],
)
def test_clock(root: Path, files: dict[str, str], year: int, result: Result, words: str) -> None:
    found = clock(box(root, files, year=year))
    assert (found.result, words in ENGLISH(found.found)) == (result, True), ENGLISH(found.found)


def test_a_clock_that_runs_backwards_is_wrong(root: Path) -> None:
    ticks = iter([5.0, 4.0])
    assert clock(Machine(root, now=lambda: next(ticks))).result is Result.WRONG


@pytest.mark.parametrize(
    ("kilobytes", "result"), [(3_000_000, Result.OK), (300_000, Result.ATTENTION), (90_000, Result.WRONG)]
)
def test_memory(root: Path, kilobytes: int, result: Result) -> None:
    text = f"MemTotal:        3884000 kB\nMemFree:  1 kB\nMemAvailable: {kilobytes} kB\nnonsense\n"
    assert memory(box(root, {"proc/meminfo": text})).result is result
    assert memory(box(root / "empty", {})).result is Result.SKIPPED


@pytest.mark.parametrize(
    ("state", "result", "words"),
    [
        (None, Result.SKIPPED, "not installed"),
        ("LoadState=not-found\nActiveState=inactive", Result.SKIPPED, "not installed"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=0", Result.OK, "is active"),
        ("LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled", Result.OK, "systemctl start"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=3", Result.ATTENTION, "3 times"),
        ("LoadState=loaded\nActiveState=active\nUnitFileState=disabled", Result.ATTENTION, "does not start with"),
        ("LoadState=loaded\nActiveState=failed\nResult=watchdog", Result.WRONG, "gave up (watchdog)"),
    ],
)
def test_service(root: Path, state: str | None, result: Result, words: str) -> None:
    found = service(box(root, {}, says=state))
    assert (found.result, words in ENGLISH(found.found)) == (result, True), ENGLISH(found.found)


def test_a_machine_that_tells_nothing_at_all_is_no_reason_to_fail(root: Path) -> None:
    found = [check(box(root, {})) for check in CHECKS.values()]
    assert {one.result for one in found} == {Result.OK, Result.SKIPPED}
    assert worst(found) is Result.OK


def test_a_machine_with_one_core_is_slow(root: Path) -> None:
    assert CHECKS["machine"](box(root, {**PI, "sys/devices/system/cpu/present": "0"})).result is Result.ATTENTION
    found = CHECKS["machine"](box(root, {**PI, "sys/devices/system/cpu/present": "0-3"}))
    assert ENGLISH(found.found) == "This is a Raspberry Pi 4 Model B Rev 1.5 with 4 processor cores."


def test_commands_that_are_not_there_or_fail_say_nothing() -> None:
    assert run_command(["no-such-command-anywhere"]) is None
    assert run_command(["false"]) is None
    assert run_command(["echo", "yes"]) == "yes\n"


def test_a_check_that_breaks_keeps_what_is_known_of_it_in_one_line() -> None:
    def broken() -> list[Finding]:
        raise KeyError("a\nb")

    (found,) = run_check("focus", as_notice("Do this."), broken)
    assert (found.result, ENGLISH(found.do)) == (Result.WRONG, "Do this.")
    assert "\n" not in ENGLISH(found.found)
    assert worst([ok("a", as_notice("Fine.")), wrong("b", as_notice("Bad."), as_notice("Mend."))]) is Result.WRONG
