"""Sentences spoken by programs of the machine: doubles of these programs, and the real ones where they are."""

import shutil
import stat
import subprocess
import threading
import time
import wave
from typing import ClassVar

import pytest

from referee.devices.voice import Phrase, Voice
from referee.errors import BadInput

PATIENCE_S = 60.0


def program(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def programs(tmp_path):
    """A voice that writes down what it is to say, and a player that plays until it is let go."""
    made = {
        "espeak-ng": program(tmp_path, "espeak-ng", f'echo "$@" >> {tmp_path}/arguments; cat > "$7"'),
        "aplay": program(
            tmp_path,
            "aplay",
            f'printf "%s\\n" "$(cat "$2")" >> {tmp_path}/played\n'  # whole or not at all: it may be killed
            f"[ -e {tmp_path}/long ] && exec sleep 600; exit 0",
        ),
    }
    return made.get


def until(holds):
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def played(folder):
    path = folder / "played"
    return path.read_text().splitlines() if path.exists() else []


def test_a_sentence_is_spoken_in_its_language(tmp_path, programs):
    voice = Voice("de", 150, "", programs)
    voice.say([Phrase("Anna ist am Zug.")])
    until(lambda: played(tmp_path) == ["Anna ist am Zug."])
    voice.close()
    assert (tmp_path / "arguments").read_text().startswith("-v de -s 150 --stdin -w ")


def test_half_a_character_in_a_name_silences_nothing(tmp_path, programs):
    voice = Voice("en", 160, "", programs)
    voice.say([Phrase("A\ud800nn")])
    until(lambda: played(tmp_path) == ["A?nn"])
    voice.say([Phrase("Ben")])
    until(lambda: played(tmp_path) == ["A?nn", "Ben"])
    voice.close()


def test_what_is_newer_is_spoken_instead_of_what_is_older(tmp_path, programs):
    (tmp_path / "long").touch()
    voice = Voice("en", 160, "", programs)
    voice.say([Phrase("one")])
    until(lambda: played(tmp_path) == ["one"])
    for text in ("two", "three", "four"):
        voice.say([Phrase(text)])
    until(lambda: played(tmp_path)[-1] == "four")
    voice.close()


def test_nothing_waits_for_a_loudspeaker_that_hangs(tmp_path, programs):
    (tmp_path / "long").touch()
    voice = Voice("en", 160, "", programs)
    voice.say([Phrase("one")])
    until(lambda: played(tmp_path) == ["one"])
    voice.close()
    assert not any(thread.name == "voice" for thread in threading.enumerate())


class Hanging:
    """A player that the kernel does not let go, until `gone`."""

    begun: ClassVar[list] = []

    def __init__(self, *_, **__):
        self.kills, self.gone = 0, False
        self.asked = 0
        """How often it was asked whether it is gone, since it was to end."""
        Hanging.begun.append(self)

    def poll(self):
        gone = self.gone
        self.asked += 1
        return 0 if gone else None

    def kill(self):
        self.asked = 0
        self.kills += 1

    def wait(self, timeout=None):
        assert timeout is not None
        raise subprocess.TimeoutExpired("aplay", timeout)


def test_a_player_that_nothing_ends_is_given_up_and_no_other_one_begun(monkeypatch, programs):
    monkeypatch.setattr(Hanging, "begun", [])
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    monkeypatch.setattr(subprocess, "Popen", Hanging)
    voice = Voice("en", 160, "", programs)
    voice.say([Phrase("one")])
    until(lambda: Hanging.begun)
    voice.say([Phrase("two")])
    until(lambda: Hanging.begun[0].kills and Hanging.begun[0].asked == 1)
    voice.say([Phrase("three")])
    until(lambda: Hanging.begun[0].asked == 2)
    assert [one.kills for one in Hanging.begun] == [1]
    Hanging.begun[0].gone = True
    voice.say([Phrase("four")])
    until(lambda: len(Hanging.begun) == 2)
    voice.close()
    assert not any(thread.name == "voice" for thread in threading.enumerate())
    assert [one.kills for one in Hanging.begun] == [1, 1]


def test_a_program_that_fails_makes_it_silent_and_nothing_else(tmp_path, programs):
    program(tmp_path, "espeak-ng", "exit 1")
    voice = Voice("en", 160, "", programs)
    voice.say([Phrase("one")])
    voice.say([Phrase("two")])
    program(tmp_path, "espeak-ng", 'cat > "$7"')
    voice.say([Phrase("three")])
    until(lambda: played(tmp_path)[-1:] == ["three"])
    voice.close()


def test_a_recording_of_a_pack_is_played_instead_of_speech(tmp_path, programs):
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "play.paused.wav").write_text("recorded")
    voice = Voice("en", 160, "", programs, pack=pack)
    voice.say([Phrase("Ann,"), Phrase("wait."), Phrase("Paused.", "play.paused"), Phrase("Go on.", "play.go")])
    until(lambda: played(tmp_path) == ["Ann, wait.", "recorded", "Go on."])
    voice.close()


def test_what_is_newer_cuts_off_the_rest_of_an_utterance(tmp_path, programs):
    (tmp_path / "long").touch()
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "play.paused.wav").write_text("recorded")
    voice = Voice("en", 160, "", programs, pack=pack)
    voice.say([Phrase("Paused.", "play.paused"), Phrase("never said")])
    until(lambda: played(tmp_path) == ["recorded"])
    voice.say([Phrase("newer")])
    until(lambda: played(tmp_path)[-1] == "newer")
    voice.close()
    assert "never said" not in played(tmp_path)


@pytest.mark.parametrize("missing", ["espeak-ng", "aplay"])
def test_a_program_that_is_missing_is_named(missing):
    with pytest.raises(BadInput, match=missing):
        Voice("en", find=lambda name: None if name == missing else f"/usr/bin/{name}")


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_the_real_voice_speaks_every_language(tmp_path, language):
    real = shutil.which("espeak-ng")
    if real is None:
        pytest.skip("no espeak-ng on this machine")
    player = program(
        tmp_path, "aplay", f'cp "$2" {tmp_path}/heard.part && mv {tmp_path}/heard.part {tmp_path}/heard.wav'
    )
    voice = Voice(language, find=lambda name: real if name == "espeak-ng" else player)
    voice.say([Phrase("Anna: 7, 8, 9.")])
    until((tmp_path / "heard.wav").exists)
    voice.close()
    with wave.open(str(tmp_path / "heard.wav")) as sound:
        assert sound.getnframes() / sound.getframerate() > 0.5
