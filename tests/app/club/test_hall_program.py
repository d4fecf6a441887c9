"""The hall as `referee hall` runs it: what its terminal says of the broker."""

from contextlib import closing
from dataclasses import replace

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")

from mosquitto import free_port, mosquitto, until

from referee.app.club.hall import HallProgram
from referee.messages import Wording
from referee.settings.settings import Settings

__all__ = ["mosquitto"]


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
        told = heard(capsys, f"there is no broker at 127.0.0.1:{port}")
    assert "reads along" not in told


@pytest.mark.club
def test_a_broker_that_is_read_is_told_once_and_once_more_when_it_is_back(tmp_path, capsys, mosquitto):
    with hall(tmp_path, port=mosquitto.port):
        heard(capsys, "reads along")
        mosquitto.kill()
        assert "reads along" not in heard(capsys, "down")
        mosquitto.start()
        heard(capsys, "reads along")
