"""The hall as `referee hall` runs it: what its terminal says of the broker."""

import os
import re
import socket
import stat
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from urllib.request import urlopen

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")

from dead_addresses import dropping, refusing, silent
from mosquitto import PATIENCE_S, free_port, until

from referee.cli.programs.hall import HallProgram, endpoint_of_hall
from referee.cli.terminal.chosen_settings import settings_of
from referee.errors import BadInput
from referee.i18n import Wording
from referee.pages.hall.parts import hall as hall_part
from referee.settings.settings import Settings

ALONE = "No tables are connected, because no broker is set. Players use their phones."


def hall(folder, **club):
    usual = Settings()
    settings = replace(
        usual,
        club=replace(usual.club, broker="127.0.0.1", **club),
        storage=replace(usual.storage, state=str(folder)),
        web=replace(usual.web, port=0),
        places={"web.port": "here", "club.broker": "here"},
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


@pytest.mark.parametrize("where", [refusing, silent, dropping])
def test_which_broker_is_called_is_told_before_it_answers(tmp_path, capsys, where):
    with where() as port, hall(tmp_path, port=port):
        assert f"Connecting to the broker 127.0.0.1:{port}.\n" in capsys.readouterr().out


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


def alone(folder, text=""):
    """The settings of a hall as a file has them."""
    (folder / "hall.toml").write_text(
        f'[storage]\nstate = "{folder / "state"}"\n[web]\nport = 0\n{text}', encoding="utf-8"
    )
    return settings_of(folder / "hall.toml", [])


@pytest.mark.parametrize(
    "text", ["", '[club]\nbroker = ""\n', "[club]\nnames = true\n"], ids=["none", "empty", "names"]
)
def test_without_a_broker_the_hall_waits_for_none_and_says_so_once(tmp_path, capsys, text):
    settings = alone(tmp_path, text)
    assert endpoint_of_hall(settings) is None
    with closing(HallProgram(settings, Wording("en"))) as program:
        program.beat()
        facts = program.facts
        assert (facts.trouble, facts.connected, facts.alone) == (None, False, True)
        assert hall_part(facts, Wording("en"))["troubles"] == []
        assert hall_part(facts, Wording("en"))["alone"] == ALONE
    told = capsys.readouterr().out
    assert told.count(ALONE) == 1
    assert "broker." not in told.replace("no broker is set.", "")


def test_a_page_that_only_this_machine_can_open_says_that_it_needs_no_pin(tmp_path, capsys):
    with closing(HallProgram(alone(tmp_path), Wording("en"))):
        told = capsys.readouterr().out
        address = re.search(r"http://\S+", told)[0]
        with urlopen(f"{address}tournament/director") as page:  # noqa: S310 - of this machine
            assert 'id="open-name"' in page.read().decode()
    assert "Only this machine can open the page, and it needs no PIN." in told
    assert "referee hall --set web.listen=0.0.0.0" in told
    assert "PIN for the page" not in told


def test_a_page_for_phones_prints_the_pin_and_nothing_of_this_machine(tmp_path, capsys):
    with closing(HallProgram(alone(tmp_path, 'listen = "0.0.0.0"\n'), Wording("en"))):
        pass
    told = capsys.readouterr().out
    assert "PIN for the page" in told
    assert "Only this machine" not in told


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ('broker = "10.0.0.1"', "10.0.0.1:1883"),
        ("tls = true", "localhost:8883"),
        ("port = 1999", "localhost:1999"),
        ("on = true", "localhost:1883"),
        ('user = "hall"', "localhost:1883"),
    ],
)
def test_whoever_sets_anything_about_a_broker_has_one(tmp_path, text, address):
    assert endpoint_of_hall(alone(tmp_path, f"[club]\n{text}\n")).address == address


def test_a_hall_without_a_broker_needs_no_library_for_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "referee.club.mqtt.mqtt", None)
    with closing(HallProgram(alone(tmp_path), Wording("en"))):
        pass
    with pytest.raises(BadInput, match="paho-mqtt"):
        HallProgram(alone(tmp_path, '[club]\nbroker = "10.0.0.1"\n'), Wording("en"))
