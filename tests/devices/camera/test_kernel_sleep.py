"""Threads that sleep in the kernel and cannot be woken, in a /proc of files."""

import os
import subprocess
import sys

import pytest
from camera_doubles import Clock
from picamera2_double import module

from referee.devices.camera.kernel_sleep import COMMAND, Sleeper, holds_a_camera, reboot, sleepers
from referee.devices.camera.pi_opening import open_picamera2
from referee.errors import CameraLost, Loss
from referee.i18n import error_text
from tests.support.errors import telling


def process(proc, pid, threads, opens=()):
    """One process: its threads with state, switches and where they wait, and what the first of them has open."""
    for thread, (state, switches, waits_in) in threads.items():
        task = proc / str(pid) / "task" / str(thread)
        (task / "fd").mkdir(parents=True)
        (task / "status").write_text(
            f"Name:\tpython\nState:\t{state} (whatever)\nvoluntary_ctxt_switches:\t{switches}\n"
            "nonvoluntary_ctxt_switches:\t3\n"
        )
        (task / "wchan").write_text(waits_in)
        for number, path in enumerate(opens):
            (task / "fd" / str(number)).symlink_to(path)
    return proc / str(pid)


def test_those_that_sleep_so_are_told_with_their_switches_and_where_they_wait(tmp_path):
    at = process(tmp_path, 7, {7: ("S", 10, "do_epoll_wait"), 9: ("D", 42, "vb2_wait_for_all_buffers")})
    assert sleepers(at) == {Sleeper(9, 42, "vb2_wait_for_all_buffers")}


@pytest.mark.parametrize(
    ("waits_in", "camera"),
    [("vb2_wait_for_all_buffers", True), ("0", True), ("", True), ("folio_wait_bit_common", False), ("jbd2", False)],
)
def test_a_slow_disk_is_no_camera(waits_in, camera):
    assert Sleeper(9, 42, waits_in).for_a_camera is camera


def test_this_process_is_awake():
    assert sleepers() == frozenset()


def test_a_process_that_is_gone_sleeps_no_more(tmp_path):
    assert sleepers(tmp_path / "8") == frozenset()


class TestHolder:
    def test_a_process_that_sleeps_so_with_a_camera_open_is_found(self, tmp_path):
        process(tmp_path, 7, {8: ("D", 42, "vb2_wait")}, ("/dev/null", "/dev/video13"))
        assert holds_a_camera(tmp_path, own=1) == 7

    @pytest.mark.parametrize(
        ("state", "opens"), [("S", ("/dev/video13",)), ("D", ("/dev/null",)), ("D", ())], ids=["awake", "none", "bare"]
    )
    def test_others_are_not(self, state, opens, tmp_path):
        process(tmp_path, 7, {8: (state, 42, "0")}, opens)
        (tmp_path / "meminfo").write_text("")
        assert holds_a_camera(tmp_path, own=1) is None

    def test_nor_is_this_one(self, tmp_path):
        process(tmp_path, 7, {7: ("D", 42, "0")}, ("/dev/media0",))
        assert holds_a_camera(tmp_path, own=7) is None


class TestOpening:
    def busy(self, monkeypatch, holder):
        def fails(_):
            raise RuntimeError("Failed to acquire camera: Device or resource busy")

        monkeypatch.setattr("referee.devices.camera.pi_opening.holds_a_camera", lambda: holder)
        monkeypatch.setitem(sys.modules, "picamera2", module(Clock(), fails=fails))

    def test_a_camera_that_hangs_in_the_kernel_says_pull_the_plug_and_never_restart(self, monkeypatch):
        self.busy(monkeypatch, 1234)
        with telling(CameraLost, match="pull the plug, count to ten, then put it back in") as caught:
            open_picamera2()
        assert caught.value.kind is Loss.STUCK
        assert "restart" not in error_text(caught.value)

    def test_one_that_is_in_use_is_busy_as_ever(self, monkeypatch):
        self.busy(monkeypatch, None)
        with pytest.raises(RuntimeError, match="busy"):
            open_picamera2()


class TestReboot:
    def test_it_is_asked_of_systemd(self):
        asked = []

        def run(command, **_):
            asked.append(command)
            return subprocess.CompletedProcess(command, 0)

        assert reboot(run) is None
        assert asked == [COMMAND]

    def test_a_refusal_is_told_in_one_line(self):
        def run(command, **_):
            return subprocess.CompletedProcess(command, 1, stderr="Call to Reboot failed:\nAccess denied\n")

        assert reboot(run) == "Call to Reboot failed: Access denied"

    def test_a_machine_without_systemd_says_so(self):
        def run(*_, **__):
            raise FileNotFoundError(os.strerror(2))

        assert "No such file" in reboot(run)
