"""A club that cannot be joined is told, and the game goes on without."""

import sys
import time
from dataclasses import replace

import pytest

from referee.cli.programs.one_table import club_beside
from referee.i18n import ENGLISH
from referee.settings.settings import ClubSettings, Settings


def beside(tmp_path, **club):
    told = []
    settings = replace(Settings(), club=ClubSettings(**club))
    with club_beside(settings, tmp_path, ENGLISH, time.monotonic, told.append) as one:
        return one, [ENGLISH(notice) for notice in told]


def test_nobody_is_told_unless_that_is_switched_on(tmp_path):
    assert beside(tmp_path) == (None, [])


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        pytest.param({"table": "Table 7"}, "expected 1 to 32 of the characters a-z, 0-9 and -", id="table"),
        pytest.param({"topic": "a/#"}, "expected a topic such as referee", id="topic"),
        pytest.param({"broker": " "}, "expected the name or address of a broker", id="broker"),
    ],
)
def test_settings_that_cannot_be_are_told_with_their_place(tmp_path, setting, found):
    club, told = beside(tmp_path, on=True, **setting)
    assert club is None
    assert f"[club] {next(iter(setting))}" in told[0]
    assert found in told[0]


def test_a_library_that_is_missing_is_told_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "referee.club.mqtt.mqtt", None)
    club, told = beside(tmp_path, on=True, table="a")
    assert club is None
    assert "pip install 'referee[club]'" in told[0]
