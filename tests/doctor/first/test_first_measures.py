"""What each step of the first evening measures, on a made-up Pi where the truth is known."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benches import GREY, KNOWN, PI, SMALL, Busy, Clock, Helper, Pictures, Reads, bench, machine

from referee.devices.wiring.pins import PinMap
from referee.doctor.finding import Result
from referee.doctor.first import played, seen, standing
from referee.doctor.first.bench import Lacking, call_within
from referee.errors import CameraLost, Loss
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.sim.table import Setting, VirtualTable
from referee.vision.sighting import Image

THERMAL = "sys/class/thermal/thermal_zone0/temp"
SHOWN = "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nNRestarts=0\n"
SAYS = {
    "dpkg-query": "python3-picamera2 0.3.31-1\npython3-lgpio 0.2.2-1\n",
    "systemd-analyze security": "→ Overall exposure level for referee.service: 1.4 OK\n",
    "systemd-analyze verify": "",
    "systemctl show referee.service --property=WatchdogUSec": "WatchdogUSec=10s\n",
    "systemctl show referee.service --property=ActiveEnter": "ActiveEnterTimestampMonotonic=24500000\n",
    "systemctl show": SHOWN,
    "journalctl": "[   20.1] camera: The camera found no focus.\n[   21.0] Ann, it is your turn.\n",
}
INSTALLED = {"opt/referee/current/installed": "abc", "etc/os-release": "VERSION_CODENAME=trixie\n"}


@pytest.fixture(scope="module")
def table() -> Image:
    """A lit table with its four markers."""
    made = VirtualTable(replace(Setting(), jpeg_quality=90), np.random.default_rng(5))
    made.lay(parse_table("R7 B7 K7 | O3 O4 O5"))
    return made.picture()


def test_install_tells_release_packages_and_exposure(tmp_path: Path) -> None:
    found = standing.install(bench(tmp_path, machine=machine(tmp_path, INSTALLED, SAYS)))
    assert found.result is Result.OK
    assert found.figures["release"] == "trixie"
    assert found.figures["packages"]["python3-picamera2"] == "0.3.31-1"
    assert (found.figures["exposure"], found.figures["verify_clean"]) == (1.4, True)


def test_install_tells_what_is_not_as_it_should_be(tmp_path: Path) -> None:
    says = {**SAYS, "systemd-analyze security": "→ Overall exposure level for referee.service: 2.1 OK\n"}
    del says["systemd-analyze verify"]
    files = {**INSTALLED, "etc/os-release": "VERSION_CODENAME=forky\n"}
    found = standing.install(bench(tmp_path, machine=machine(tmp_path, files, says)))
    assert found.result is Result.ATTENTION
    assert all(words in ENGLISH(found.found) for words in ("release is forky", "exposure is 2.1", "verify complains"))


STATUS = "VmHWM:\t 210000 kB\nVmRSS:\t 204000 kB\nVmSwap:\t {swapped} kB\n"


@pytest.mark.parametrize(("swapped", "result"), [(0, Result.OK), (90_000, Result.ATTENTION)])
def test_memory_is_that_of_the_running_referee(tmp_path: Path, swapped: int, result: Result) -> None:
    files = {
        "proc/77/status": STATUS.format(swapped=swapped),
        "proc/meminfo": "MemTotal: 1900000 kB\nMemAvailable: 1200000 kB\n",
        "sys/fs/cgroup/cgroup.controllers": "cpu io memory pids\n",
    }
    found = standing.memory(bench(tmp_path, machine=machine(tmp_path, files), holder=lambda: "77"))
    assert found.result is result
    assert found.figures["resident_mb"] == 204
    assert (found.figures["free_mb"], found.figures["limit_counts"]) == (1200, True)


@pytest.mark.parametrize("holder", [None, "unknown"])
def test_memory_and_load_need_a_referee_that_runs(tmp_path: Path, holder: str | None) -> None:
    for measure in (standing.memory, standing.idle):
        with pytest.raises(Lacking, match="No referee is running") as lacking:
            measure(bench(tmp_path, holder=lambda: holder))
        assert "systemctl start referee" in lacking.value.do


@pytest.mark.parametrize(("ticks", "share", "result"), [(60, 0.06, Result.OK), (400, 0.4, Result.ATTENTION)])
def test_the_idle_load_is_told_thread_by_thread(tmp_path: Path, ticks: int, share: float, result: Result) -> None:
    def stat(name: str, count: int) -> str:
        return f"5 ({name}) S " + " ".join(["0"] * 10) + f" {count} 0 0 0"

    files = {"proc/77/task/77/stat": stat("referee (x)", 1000), "proc/77/task/80/stat": stat("lgpio", 500)}
    box, clock = machine(tmp_path, files), Clock(0.0)

    def wait(seconds: float) -> None:
        clock.wait(seconds)
        (tmp_path / "proc/77/task/80/stat").write_text(stat("lgpio", 500 + ticks))

    found = standing.idle(bench(tmp_path, clock, machine=box, holder=lambda: "77", wait=wait))
    assert found.figures["share"] == pytest.approx(share * 100 / standing.TICKS)
    assert next(iter(found.figures["threads"])) == "80 lgpio"
    assert found.result is result


@pytest.mark.parametrize(
    ("stall_s", "result"), [(0.01, Result.OK), (6.0, Result.ATTENTION), (8.0, Result.ATTENTION), (12.0, Result.WRONG)]
)
def test_a_card_is_held_against_the_watchdog(tmp_path: Path, stall_s: float, result: Result) -> None:
    clock, syncs = Clock(0.0), 0

    def fsync(_handle: int) -> None:
        nonlocal syncs
        syncs += 1
        clock.wait(stall_s if syncs == 7 else 0.004)

    found = standing.disk(bench(tmp_path, clock, machine=machine(tmp_path, {}, SAYS), fsync=fsync))
    assert found.result is result
    assert found.figures["worst_s"] == pytest.approx(max(stall_s, 0.004))
    assert (found.figures["syncs"], found.figures["watchdog_s"]) == (10, 10.0)
    assert [path.name for path in tmp_path.iterdir()] == ["proc"]


def test_the_watchdogs_time_is_read_as_systemd_writes_it(tmp_path: Path) -> None:
    says = {"systemctl show": "WatchdogUSec=1min 30s\n"}
    found = standing.disk(bench(tmp_path, machine=machine(tmp_path, {}, says)))
    assert found.figures["watchdog_s"] == 90.0
    assert standing.disk(bench(tmp_path)).figures["watchdog_s"] == 10.0


def test_power_on_tells_how_soon_the_lamp_makes_the_picture_right(tmp_path: Path, table: Image) -> None:
    clock = Clock()
    black = np.zeros_like(table)
    # One picture for each opening in the dark, two more before the lamp shows.
    camera = Pictures([black, black, black, black, table], clock)
    found = seen.power_on(bench(tmp_path, clock, camera, machine=machine(tmp_path, {}, SAYS)))
    assert found.result is Result.OK
    assert found.figures["boot_to_ready_s"] == 24.5
    assert found.figures["said"] == ["[   20.1] camera: The camera found no focus."]
    assert [one["exposure_ms"] for one in found.figures["dark"]] == [0.0, 50.0]
    assert found.figures["dark"][0]["locked"] == {"LensPosition": 1.087, "ColourGains": [1.9, 1.4]}
    assert [one["markers"] for one in found.figures["lamp"]][:3] == [0, 0, 4]
    assert camera.closed == 3


def test_power_on_tells_a_camera_that_does_not_open_in_the_dark(tmp_path: Path, table: Image) -> None:
    clock = Clock()

    def opened(settings: Any) -> Pictures:
        if settings.exposure_ms == 50.0:
            raise CameraLost("expected the lens to find its focus, found no end of it", Loss.SILENT)
        return Pictures([table], clock)

    found = seen.power_on(replace(bench(tmp_path, clock), camera=opened))
    assert found.result is Result.WRONG
    assert "Expected the lens to find its focus" in ENGLISH(found.found)
    assert found.figures["dark"][1]["lost"]


def test_power_on_keeps_the_dark_where_the_rest_is_left_out(tmp_path: Path) -> None:
    found = seen.power_on(bench(tmp_path, hands=Helper(["no lamp here"])))
    assert found.figures["lamp"] == []
    assert len(found.figures["dark"]) == 2
    assert "not within 1 s" in ENGLISH(found.found)


@pytest.mark.parametrize(
    ("reasons", "again", "result", "words"),
    [
        ([], None, Result.OK, "the camera came back"),
        (["it stays out"], None, Result.OK, "not put back: it stays out"),
        ([], CameraLost("expected a camera, found none", Loss.ABSENT), Result.ATTENTION, "does not come back"),
    ],
)
def test_a_ribbon_that_is_pulled_is_noticed(
    tmp_path: Path, reasons: list[str | None], again: Exception | None, result: Result, words: str
) -> None:
    clock = Clock(0.0)
    lost = CameraLost("expected a picture within 3 s, found none", Loss.SILENT)
    camera = Pictures([GREY, GREY, lost], clock)
    opened = iter([camera, again or Pictures([GREY], clock)])

    def opening(_settings: Any) -> Any:
        if isinstance(one := next(opened), Exception):
            raise one
        return one

    effort = replace(SMALL, patience_s=10.0)
    found = seen.ribbon(replace(bench(tmp_path, clock, hands=Helper(reasons), effort=effort), camera=opening))
    assert found.result is result
    assert words in ENGLISH(found.found)
    assert found.figures["kind"] == str(Loss.SILENT)
    assert found.figures["noticed_s"] == pytest.approx(0.3)
    assert (found.figures["closed"], camera.closed) == (True, 1)


def test_a_ribbon_that_stays_in_is_told(tmp_path: Path) -> None:
    found = seen.ribbon(bench(tmp_path))
    assert found.result is Result.ATTENTION
    assert "was not pulled" in ENGLISH(found.found)


def test_a_camera_that_hangs_in_the_kernel_is_told_with_the_one_remedy(tmp_path: Path) -> None:
    never = threading.Event()

    class Hanging(Pictures):
        def preview(self, _after: float) -> Any:
            never.wait()

    files = {"proc/self/task/9/stat": "9 (capture) D 1 2", "proc/self/task/9/comm": "capture",
             "proc/self/task/9/wchan": "vb2_core_dqbuf"}  # fmt: skip
    clock = Clock()
    try:
        found = seen.ribbon(bench(tmp_path, clock, Hanging([GREY], clock), machine=machine(tmp_path, files),
                                  effort=replace(SMALL, hung_s=0.01)))  # fmt: skip
    finally:
        never.set()
    assert found.result is Result.WRONG
    assert ENGLISH(found.do).startswith("Pull the plug")
    assert found.figures["hangs"] == ["capture: vb2_core_dqbuf"]


def test_a_call_that_fails_gives_its_error() -> None:
    def fails() -> None:
        raise ValueError("no")

    ended, error = call_within(fails, 5.0)
    assert ended
    assert isinstance(error, ValueError)


def test_focus_is_told_for_every_corner(tmp_path: Path, table: Image) -> None:
    clock = Clock()
    found = seen.corners(bench(tmp_path, clock, Pictures([table], clock)))
    assert found.result is Result.OK
    assert set(found.figures["corners"]) == {"top left", "top right", "bottom right", "bottom left"}
    assert found.figures["locked"]["LensPosition"] == 1.087
    with pytest.raises(Lacking, match="None of the four markers can be seen"):
        seen.corners(bench(tmp_path))


def test_many_openings_leave_nothing_behind(tmp_path: Path) -> None:
    clock = Clock()
    found = seen.check_reopening(bench(tmp_path, clock))
    assert found.result is Result.OK
    assert (found.figures["openings"], found.figures["failed"]) == (5, 0)


def test_openings_that_fail_or_leak_are_told(tmp_path: Path) -> None:
    clock, opened = Clock(), 0

    def opening(_settings: Any) -> Pictures:
        nonlocal opened
        opened += 1
        (tmp_path / "proc/self/fd").mkdir(parents=True, exist_ok=True)
        for number in range(2):
            (tmp_path / "proc/self/fd" / f"{opened}-{number}").touch()
        if opened == 3:
            raise CameraLost("expected a camera that is free, found a busy one", Loss.BUSY)
        return Pictures([GREY], clock)

    found = seen.check_reopening(replace(bench(tmp_path, clock), camera=opening))
    assert found.result is Result.WRONG
    assert found.figures["failed"] == 1
    assert found.figures["descriptors"] == [2, 12]
    assert "10 files more are open" in ENGLISH(found.found)


@pytest.mark.parametrize(
    ("names", "doubtful", "result", "words"),
    [
        (("red-1", "orange-1"), False, Result.OK, "1 red and 1 orange tiles were read"),
        (("red-1", "orange-1"), True, Result.ATTENTION, "2 tiles in doubt"),
        (("red-1", "blue-1"), False, Result.ATTENTION, "No tile was read as orange"),
    ],
)
def test_red_and_orange_are_told_with_what_their_inks_absorb(
    tmp_path: Path, table: Image, names: tuple[str, ...], doubtful: bool, result: Result, words: str
) -> None:
    clock = Clock()
    reads = Reads(names, clock, doubtful=doubtful)
    found = seen.colours(bench(tmp_path, clock, Pictures([table], clock), reader=lambda _threads: reads))
    assert found.result is result
    assert words in ENGLISH(found.found)
    assert found.figures["apart"] == (pytest.approx(0.361, abs=0.001) if "orange-1" in names else None)
    assert len(found.figures["paper_bgr"]) == 4
    assert found.figures["locked"]["ColourGains"] == [1.9, 1.4]


@pytest.mark.parametrize(("seconds", "result"), [(0.4, Result.OK), (1.6, Result.ATTENTION)])
def test_a_full_table_is_timed_by_threads_and_the_one_in_view(tmp_path: Path, seconds: float, result: Result) -> None:
    clock, threads = Clock(0.0), list[int]()

    def reader(count: int) -> Reads:
        threads.append(count)
        return Reads(KNOWN.tiles, clock, seconds)

    found = played.reading(bench(tmp_path, clock, reader=reader))
    assert found.result is result
    assert threads == [2, 4, 2]
    assert found.figures["threads"]["4"]["median_ms"] == pytest.approx(1e3 * seconds)
    assert found.figures["in_view"]["tiles"] == 3
    assert "in_view" in played.reading(bench(tmp_path, clock, holder=lambda: "77")).figures


def test_a_full_table_that_is_read_wrongly_is_told(tmp_path: Path) -> None:
    clock = Clock()
    found = played.reading(bench(tmp_path, clock, reader=lambda _threads: Reads(("red-7", "blue-8"), clock)))
    assert found.result is Result.WRONG
    assert found.figures["right"] == 1


def test_presses_are_timed_from_their_edge_to_both_lamps(tmp_path: Path) -> None:
    clock, pins = Clock(0.0), PinMap()
    panels: list[Busy] = []

    def happens(panel: Busy) -> None:
        if panel.history[-1][1].lit == frozenset():  # the green lamp went out
            panel.edge("button-2", True)
            panel.edge("button-2", False)

    def opened(on_edge: Any) -> Busy:
        panels.append(Busy(pins, clock, on_edge, happens))
        return panels[-1]

    def listening(text: str) -> None:
        if text.startswith("Press any"):
            panels[0].edge("button-1", True)

    found = played.measure_presses(bench(tmp_path, clock, panel=opened, hands=Helper(listening=listening)))
    assert found.result is Result.OK
    assert found.figures["presses"] == 3
    assert found.figures["camera"] is True
    assert found.figures["verdict_ms"]["worst"] == pytest.approx(500.0)
    with pytest.raises(Lacking, match="No button was heard"):
        played.measure_presses(bench(tmp_path))


@pytest.mark.parametrize(
    ("celsius", "read_s", "throttled", "result"),
    [(61000, 0.4, "0", Result.OK), (83000, 0.4, "0", Result.ATTENTION), (61000, 0.4, "4", Result.ATTENTION)],
)
def test_heat_is_followed_while_looks_go_on(
    tmp_path: Path, celsius: int, read_s: float, throttled: str, result: Result
) -> None:
    clock = Clock(0.0)
    files = {THERMAL: str(celsius), "sys/devices/platform/soc/soc:firmware/get_throttled": throttled}
    found = played.measure_heat(bench(tmp_path, clock, machine=machine(tmp_path, files),
                                 reader=lambda _threads: Reads(KNOWN.tiles, clock, read_s)))  # fmt: skip
    assert found.result is result
    assert [one["minute"] for one in found.figures["samples"]] == pytest.approx([0, 0.5, 1, 1.5], abs=0.02)
    assert found.figures["cut_short"] is False


def test_heat_that_is_cut_short_keeps_what_was_measured(tmp_path: Path) -> None:
    clock, reads = Clock(0.0), 0

    class Cut(Reads):
        def read(self, *arguments: Any) -> Any:
            nonlocal reads
            reads += 1
            if reads == 3:
                raise KeyboardInterrupt
            return super().read(*arguments)

    box = machine(tmp_path, {THERMAL: "55000"})
    found = played.measure_heat(bench(tmp_path, clock, machine=box, reader=lambda _threads: Cut(KNOWN.tiles, clock)))
    assert found.figures["cut_short"] is True
    assert len(found.figures["samples"]) == 2
    with pytest.raises(Lacking, match="does not report how hot"):
        played.measure_heat(bench(tmp_path, machine=machine(tmp_path, {THERMAL: ""})))


@pytest.mark.parametrize(
    ("held_s", "result", "presses"), [(None, Result.OK, 0), (0.001, Result.ATTENTION, 0), (0.1, Result.WRONG, 2)]
)
def test_edges_that_nobody_made_are_counted_phase_by_phase(
    tmp_path: Path, held_s: float | None, result: Result, presses: int
) -> None:
    """The bar's current closes a contact, shorter or longer; each of the two phases with the bar does so once."""
    clock, pins, done = Clock(0.0), PinMap(), set[float]()

    def happens(panel: Busy) -> None:
        lit = panel.history[-1][1].bar
        if held_s is not None and lit == 0.6 and int(clock.t) not in done:
            done.add(int(clock.t))
            panel.edge("button-3", True)
            clock.wait(held_s)
            panel.edge("button-3", False)

    found = played.edges(bench(tmp_path, clock, panel=lambda on_edge: Busy(pins, clock, on_edge, happens)))
    assert found.result is result
    phases = found.figures["phases"]
    assert list(phases) == ["rest", "bar", "buzzer", "both"]
    assert sum(one["presses"] for one in phases.values()) == presses
    assert phases["rest"]["edges"] == phases["buzzer"]["edges"] == {}
    if held_s is not None:
        assert phases["bar"]["edges"] == phases["both"]["edges"] == {"button-3": 2}
        assert phases["bar"]["shortest_ms"] == pytest.approx(1e3 * held_s)


def test_the_made_up_machine_is_a_pi(tmp_path: Path) -> None:
    assert machine(tmp_path).model == PI.strip("\0")
