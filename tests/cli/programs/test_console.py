"""The panel in a terminal: one status line below what is said; elsewhere a line for each change of the lamps."""

import io
import sys

import pytest

from referee.cli.programs.console import ConsolePanel, Screen
from referee.devices.panel.lights import Glow, Lights
from referee.devices.wiring.pins import PinMap
from referee.table.output.signals import TUNES, Cue

ANNA = Lights(players=(Glow.ON, Glow.OFF), green=Glow.SLOW)
CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    t = 0.0

    def __call__(self) -> float:
        return self.t


class Told:
    """What a panel tells of itself."""

    def __init__(self) -> None:
        self.clock, self.status, self.news = Clock(), [], []
        self.panel = ConsolePanel(PinMap(kind="console"), self.clock, lambda *_: None, self.hears)

    def hears(self, text: str, news: str) -> None:
        self.status.append(text)
        if news:
            self.news.append(news)

    def after(self, seconds: float) -> None:
        """Let time pass in steps of a quarter second, as the loop does."""
        for _ in range(round(seconds * 4)):
            self.clock.t += 0.25
            self.panel.tick()


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """To be called by a test itself: between a test's steps pytest puts its own stream back."""
    stream = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stdout", stream)
    return stream


def shown(text: str) -> list[str]:
    """The lines that a terminal shows after all that was written."""
    return [line.rpartition(CLEAR)[2] for line in text.split("\n")]


def test_blinking_is_said_in_words_and_not_again_and_again() -> None:
    told = Told()
    told.panel.show(ANNA)
    told.after(60)
    assert told.status == ["player 1, green blinking slowly"]
    assert told.news == ["[player-1, green blinking slowly]"]
    told.panel.show(Lights(players=(Glow.OFF, Glow.BLINK), red=Glow.OPPOSITE, amber=Glow.TICK))
    told.after(10)
    assert told.status[1:] == ["player 2 blinking, red blinking, amber flashing"]
    assert told.news[1:] == ["[player-2 blinking, red blinking, amber flashing]"]
    assert len(told.panel.history) > 60  # as it really blinks


def test_the_clock_changes_the_status_but_is_no_news() -> None:
    told = Told()
    for text in ("1:00", "0:59"):
        told.panel.show(Lights(players=(Glow.ON,), text=text))
    assert told.status == ["1:00  player 1", "0:59  player 1"]
    assert told.news == ["[player-1]"]


@pytest.mark.parametrize(
    ("cue", "said"), [(Cue.ACCEPTED, "short beep"), (Cue.REFUSED, "low tone"), (Cue.LEFT_30, "30 seconds left")]
)
def test_a_sound_is_told_by_what_it_means_while_it_sounds(cue: Cue, said: str) -> None:
    told = Told()
    told.panel.play(TUNES[cue])
    told.after(2)
    assert told.status == [f"dark (sound: {said})", "dark"]
    assert told.news == [f"[dark] {said}"]


def test_on_a_terminal_there_is_one_status_line_below_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    screen = Screen()
    screen.status("1:00  player 1", "player 1")
    screen.status("0:59  player 1", "")
    screen.tell("Anna, it is your turn.")
    assert shown(stream.getvalue()) == ["Anna, it is your turn.", "0:59  player 1"]
    screen.status("player 2, " * 10, "player 2")
    assert len(shown(stream.getvalue())[-1]) == 39
    screen.close()
    assert shown(stream.getvalue()) == ["Anna, it is your turn.", ""]


def test_elsewhere_only_news_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    screen.status("1:00  player 1", "[player-1]")
    screen.status("0:59  player 1", "")
    screen.tell("Anna, it is your turn.")
    screen.close()
    assert capsys.readouterr().out == "[player-1]\nAnna, it is your turn.\n"


def test_a_terminal_that_went_away_ends_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: str) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(terminal(monkeypatch), "write", gone)
    Screen().status("dark", "dark")
