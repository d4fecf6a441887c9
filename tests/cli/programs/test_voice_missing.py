"""A voice that cannot speak keeps no match waiting."""

import pytest

from referee.cli.programs import one_table
from referee.i18n import LANGUAGES, Wording
from referee.settings.settings import VoiceSettings


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_that_is_missing_is_told_and_the_game_goes_on_without(language, monkeypatch):
    told, words = [], Wording(language)
    monkeypatch.setattr(one_table.Voice.__init__, "__defaults__", (160, "", lambda _: None))
    with one_table.voice_beside(VoiceSettings(on=True), words, told.append) as voice:
        assert voice is None
    assert [notice.key for notice in told] == ["play.no_voice"]
    assert "espeak-ng" in words(told[0])


@pytest.mark.parametrize("settings", [VoiceSettings(), VoiceSettings(on=True, level="silent")])
def test_where_nothing_shall_be_spoken_nothing_is_told(settings):
    told = []
    with one_table.voice_beside(settings, Wording("en"), told.append) as voice:
        assert voice is None
    assert told == []
