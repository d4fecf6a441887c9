"""The hall as `referee hall` runs it: what its terminal says of the broker."""

import os
import socket
import stat
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")

from mosquitto import PATIENCE_S, free_port, until

from referee.cli.programs.hall import HallProgram
from referee.i18n import Wording
from referee.settings.settings import Settings


def hall(folder, **club):
    usual = Settings()
    settings = replace(
        usual,
        club=replace(usual.club, broker="127.0.0.1", **club),
        storage=replace(usual.storage, state=str(folder)),
        web=replace(usual.web, port=0),
        places={"web.port": "here"},
    )
    return closing(HallProgram(settings, Wording("en")))


def heard(capsys, words):
    """All that the terminal says until these words stand in it."""
    told = []
    until(lambda: told.append(capsys.readouterr().out) or words in "".join(told))
    return "".join(told)


def test_a_broker_that_is_not_there_is_told_and_nobody_hears_that_it_is_read(tmp_path, capsys):
    with hall(tmp_path, port=(port := free_port())):
        told = heard(capsys, f"There is no broker at 127.0.0.1:{port}")
    assert "is listening" not in told
    assert "game" not in told


def test_nobody_else_may_read_what_the_hall_keeps(tmp_path):
    """Names of players stand in it; a file of before may still be open to all."""
    folder = tmp_path / "state" / "hall"
    for _ in range(2):
        with hall(tmp_path / "state", port=free_port()):
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert set(modes) >= {"hall.sqlite", "hall.sqlite-wal", "hall.sqlite-shm"}
        assert set(modes.values()) == {0o600}
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "hall.sqlite").chmod(0o644)


def test_systemd_is_told_when_the_hall_is_ready_and_when_it_stops(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(str(tmp_path / "notify"))
        door.settimeout(PATIENCE_S)
        chosen = {"club.broker": "127.0.0.1", "club.port": free_port(), "web.port": free_port()}
        chosen["storage.state"] = tmp_path
        words = [word for key, value in chosen.items() for word in ("--set", f"{key}={value}")]
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "referee", "hall", *words],
            env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")}, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            assert door.recv(100) == b"READY=1"
            process.terminate()
            assert door.recv(100) == b"STOPPING=1"
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
            process.wait()


@pytest.mark.club
def test_a_broker_that_is_read_is_told_once_and_once_more_when_it_is_back(tmp_path, capsys, mosquitto):
    with hall(tmp_path, port=mosquitto.port):
        heard(capsys, "is listening")
        mosquitto.kill()
        assert "is listening" not in heard(capsys, "down")
        mosquitto.start()
        heard(capsys, "is listening")
