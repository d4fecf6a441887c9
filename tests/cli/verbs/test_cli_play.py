"""`referee play`: what is wrong is told in one line that says what to do; a process that is killed goes on."""

import os
import pty
import queue
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import run
from played import short, write

from referee.cli.terminal.common import Code
from referee.journal.errors import JournalError
from referee.journal.journal import Journal, utc_now
from referee.journal.opening import FILE, open_journal
from referee.journal.reading import log_of
from referee.journal.rows import Setup
from referee.journal.schema import VERSION

CONSOLE = '[panel]\nkind = "console"\n'
LONGEST_S = 60
NO_ROOM = "the disk is (full|failing)"
"""SQLite does not tell a file that may not grow from a disk that fails."""
PLAIN = "import sys; from referee.cli.main import main; sys.exit(main(sys.argv[1:]))"
IMPATIENT = (
    "import sys; from referee.cli.main import main; from referee.journal import buffered_store\n"
    "buffered_store.RETRY_S = 0.5; sys.exit(main(sys.argv[1:]))"
)
"""The same program, but it tries a disk in trouble again so much sooner."""


@pytest.fixture
def settings(tmp_path: Path) -> list[str]:
    """Arguments for a table without hardware: a folder of pictures, buttons from standard input."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), np.full((360, 640, 3), 90, np.uint8))
    (tmp_path / "referee.toml").write_text(CONSOLE, encoding="utf-8")
    return [
        "play", "--config", str(tmp_path / "referee.toml"), "--set", f"storage.state={tmp_path / 'state'}",
        "--set", "camera.kind=folder", "--set", f"camera.source={pictures}", "--set", 'game.players=["Anna","Ben"]',
        "--set", 'game.options=["starts=next","entry=timed"]',
    ]  # fmt: skip


class Process:
    """`referee play` as a process of its own; whoever waits for a line waits for that line only."""

    def __init__(self, program: Sequence[str], arguments: Sequence[str]) -> None:
        command = [sys.executable, *program, *arguments, "--keys"]
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        self._errors = ""
        self.last = ""
        """The last line it has said."""
        self._lines: queue.Queue[str] = queue.Queue()
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.last = line
            self._lines.put(line)

    def line(self, pattern: str) -> None:
        """Wait for a line that holds the pattern."""
        while not re.search(pattern, self._lines.get(timeout=LONGEST_S)):
            pass

    def press(self, *keys: str) -> None:
        """Press keys."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(keys) + "\n")
        self.process.stdin.flush()

    def room(self, size: int) -> None:
        """Let files grow to this size only."""
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it by a signal: its exit code, and what it said on standard error."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        stuck = threading.Timer(LONGEST_S, self.process.kill)
        stuck.start()
        with self.process as process:
            if process.stderr is not None and not process.stderr.closed:
                self._errors = process.stderr.read()
            self._reading.join()
        stuck.cancel()
        return self.process.returncode, self._errors


Begin = Callable[..., Process]


@pytest.fixture
def begin(settings: list[str]) -> Iterator[Begin]:
    processes: list[Process] = []
    # Whoever started the tests with nohup has not told the referee to ignore a terminal that is closed.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)

    def started(*program: str) -> Process:
        processes.append(Process(program or ("-m", "referee"), settings))
        return processes[-1]

    yield started
    for process in processes:
        process.end(signal.SIGKILL)
    signal.signal(signal.SIGHUP, before)


def refused(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line with which `referee play` ends at once."""
    assert run(arguments)[0] == 2
    errors = capsys.readouterr().err
    assert errors.startswith("referee: ")
    assert errors.count("\n") == 1
    return errors


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        pytest.param(["camera.kind=pi"], "install the package python3-picamera2, or choose another camera", id="pi"),
        pytest.param(
            ["camera.kind=ip"], "expected one of pi, usb, network, folder, video, virtual, found 'ip'", id="unknown"
        ),
        pytest.param(["camera.kind=usb", "camera.source=one"], "expected the number of a USB camera", id="USB name"),
        pytest.param(["camera.source=/none"], "/none: expected a folder of pictures, found: No such", id="no folder"),
        pytest.param(["camera.kind=video"], "expected a video file", id="a folder for a video"),
        pytest.param(["camera.kind=video", "camera.source="], "expected the path of a video, found", id="none"),
        pytest.param(["storage.state=/sys/referee"], "change its owner, or name another folder", id="no folder there"),
        pytest.param(["storage.state=/proc/referee"], "change its owner, or name another folder", id="nor there"),
        pytest.param(["storage.state=/dev/null/referee"], "found a file \\(/dev/null\\); name another", id="a file"),
        pytest.param(
            ["game.rules=chess"], "--set game.rules: expected rules out of .*rummikub.*got 'chess'", id="rules"
        ),
        pytest.param(['game.options=["minutes"]'], "expected an option as NAME=CHOICE", id="half an option"),
        pytest.param(['game.players=["A","A"]'], "a name of its own for every player", id="names"),
        pytest.param(["game.players=['Ann']"], "--set game.players: expected at least 2 names to play", id="one name"),
        pytest.param(["table.tileset=foo"], "--set table.tileset: expected a box of tiles, found 'foo'", id="box"),
        pytest.param(
            ["table.tileset=gin"],
            "--set table.tileset: with these options rummikub needs at least 2 of every tile and 2 jokers; gin has "
            "1 of every tile and 0 jokers: choose other tiles",
            id="a box too small",
        ),
        pytest.param(["game.handicaps=[-60,0]"], "leave everybody some of 60 seconds, found -60, 0", id="handicap"),
        pytest.param(["camera.sauce=1"], "expected a setting, found camera.sauce; did you mean camera.source", id="k"),
        pytest.param(["camera.kind"], "expected TABLE.KEY=VALUE", id="no value"),
        pytest.param(["camera.timeout_s=0"], "camera.timeout_s: expected a number \\(0.5 to 60 s\\)", id="range"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    settings: list[str], chosen: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = [flag for setting in chosen for flag in ("--set", setting)]
    assert re.search(told, refused([*settings, *flags], capsys))


def test_a_camera_that_is_not_there_is_waited_for_and_then_another_exit_code(
    settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("referee.cli.programs.opening.LATE_S", 0.1)
    assert run([*settings, "--set", "camera.kind=usb", "--set", "camera.source=77"])[0] == Code.NO_CAMERA
    told = capsys.readouterr()
    assert "camera: expected a USB camera with number 77, found none" in told.out
    assert "waiting up to 0.1 s for it" in told.out
    assert re.fullmatch("referee: .* check its cable and \\[camera\\] source\n", told.err)


def test_a_disk_that_takes_nothing_at_the_end_hides_no_camera_that_is_lost(
    settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    close = Journal.close

    def fails(journal: Journal) -> None:
        close(journal)
        raise JournalError("expected to write the last 2 rows of the journal, but the disk is full")

    monkeypatch.setattr("referee.cli.programs.opening.LATE_S", 0.1)
    monkeypatch.setattr(Journal, "close", fails)
    assert run([*settings, "--set", "camera.kind=usb", "--set", "camera.source=77"])[0] == Code.NO_CAMERA
    journal, lost = capsys.readouterr().err.splitlines()
    assert journal == "referee: expected to write the last 2 rows of the journal, but the disk is full"
    assert "expected a USB camera with number 77" in lost


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "pins of a Raspberry Pi (cannot be reached|do not work) here"),
        (
            '[panel]\nkind = "gpoi"',
            "line 2, \\[panel\\] kind: expected one of gpio.*did you mean 'gpio'",
        ),
        ("[panel]\nred_lamp = 17", "expected each pin once, found GPIO17 \\(pin 11\\)"),
        ("[panel]\nred_lamp = 99", "expected a GPIO on the 40-pin header \\(2 to 27\\), found 99"),
        ("[panle]", "line 1: unknown table \\[panle\\]; did you mean panel"),
        ("[panel", "expected TOML"),
    ],
)
def test_settings_that_cannot_be_are_told_in_one_line(
    settings: list[str], tmp_path: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "referee.toml").write_text(text, encoding="utf-8")
    assert re.search(told, refused(settings, capsys))


def test_a_settings_file_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.toml: expected a settings file, found: No such file" in refused(
        ["play", "--config", "none.toml"], capsys
    )


def test_a_journal_of_a_newer_referee_is_left_alone(
    settings: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_journal(tmp_path / "state").journal.close()
    with closing(sqlite3.connect(tmp_path / "state" / FILE)) as journal:
        mark = journal.execute("PRAGMA application_id").fetchone()[0]
        journal.execute(f"PRAGMA user_version = {VERSION + 1}")
        journal.execute(f"PRAGMA application_id = {mark + 1}")
    before = (tmp_path / "state" / FILE).read_bytes()
    assert "install the referee that wrote it, or move the journal away" in refused(settings, capsys)
    assert (tmp_path / "state" / FILE).read_bytes() == before


def test_a_clock_that_went_back_while_the_power_was_off_is_told_at_the_start(begin: Begin, tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "state", lambda: utc_now() + timedelta(days=2)).journal
    write(journal, Setup("rummikub"), short()[:3])
    journal.close()
    process = begin()
    process.line("The machine's clock went back from .*; the network may set it within a few minutes")
    process.line("The match goes on where it left off")
    assert process.end() == (0, "")


def test_a_second_referee_is_refused(settings: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = open_journal(tmp_path / "state").journal
    assert f"found another one (process {os.getpid()}" in refused(settings, capsys)
    journal.close()


@pytest.mark.parametrize("given", ["referee.toml", os.devnull])
def test_keys_need_buttons_that_are_not_real_and_a_way_in(settings: list[str], tmp_path: Path, given: str) -> None:
    with (tmp_path / given).open(encoding="utf-8") as plain:
        command = [sys.executable, "-m", "referee", *settings, "--keys"]
        done = subprocess.run(  # noqa: S603
            command, stdin=plain, capture_output=True, text=True, timeout=LONGEST_S, check=False
        )
    assert done.returncode == 2
    told = "--keys: expected a terminal or a pipe on standard input, found a file or /dev/null"
    assert done.stderr == f"referee: {told}\n"


def test_a_garbled_journal_is_mended_and_that_is_told(begin: Begin, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / FILE).write_bytes(bytes(range(256)) * 64)
    process = begin()
    process.line("The journal was damaged: .* the damaged file is kept as journal-damaged-1.db")
    process.line("amber")
    assert process.end() == (0, "")


def test_a_killed_match_goes_on_where_it_stood(begin: Begin) -> None:
    process = begin()
    process.line("dark")
    process.press("s")
    process.line("Anna, it is your turn")
    assert process.end(signal.SIGKILL)[0] == -signal.SIGKILL
    process = begin()
    process.line("The match goes on where it left off: Anna should hold 14 tiles and Ben should hold 14 tiles")
    process.press("s")
    process.line(r"\[player-1\]")
    process.press("s", "1~")
    process.line(r"Known keys: 1 2 3 4 s, with ! held, \+ down, - up; q ends; a to e, or =R7")
    process.press("q")
    process.process.wait(LONGEST_S)
    assert process.end() == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_ends_it_with_lamps_off_and_the_journal_closed(
    begin: Begin, tmp_path: Path, number: signal.Signals
) -> None:
    process = begin()
    process.line("dark")
    process.press("s")
    process.line(r"\[player-1\]")
    assert log_of(tmp_path / "state" / FILE).exists()
    assert process.end(number) == (0, "")
    assert "dark" in process.last
    assert not log_of(tmp_path / "state" / FILE).exists()


def test_after_nohup_a_closed_terminal_ends_nothing(begin: Begin) -> None:
    process = begin("-c", f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); {PLAIN}")
    process.line("dark")
    process.process.send_signal(signal.SIGHUP)
    process.press("s")
    process.line(r"\[player-1\]")
    assert process.end() == (0, "")


def test_a_terminal_that_was_closed_ends_it_like_any_signal(settings: list[str], tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    hung_up = f"import fcntl, os, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); {PLAIN}"
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", hung_up, *settings, "--keys"], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, b"s\n")
    seen = b""
    while b"your turn" not in seen:
        seen += os.read(ours, 1000)
    os.close(ours)
    assert process.wait(LONGEST_S) == 0
    assert not log_of(tmp_path / "state" / FILE).exists()


def test_a_full_disk_is_told_and_written_to_once_there_is_room(begin: Begin, tmp_path: Path) -> None:
    process = begin("-c", IMPATIENT)
    process.line("dark")
    process.room(1)
    process.press("s")
    process.line(NO_ROOM)
    process.room(resource.RLIM_INFINITY)
    process.line("journal: working again")
    assert process.end() == (0, "")
    opened = open_journal(tmp_path / "state")
    opened.journal.close()
    assert opened.kept is not None
    assert [seat.name for seat in opened.kept.state.seats] == ["Anna", "Ben"]


def test_what_a_full_disk_never_took_is_told_at_the_end(begin: Begin) -> None:
    process = begin()
    process.line("dark")
    process.room(1)
    process.press("s")
    process.line(NO_ROOM)
    code, errors = process.end()
    assert code == 2
    assert errors.startswith("referee: expected to write the last 2 rows of the journal")
    assert errors.count("\n") == 1


def test_a_camera_that_comes_back_is_told(begin: Begin, tmp_path: Path) -> None:
    process = begin()
    process.line("dark")
    shutil.move(tmp_path / "pictures", tmp_path / "away")
    process.line("pictures: expected a folder of pictures, found: No such file")
    shutil.move(tmp_path / "away", tmp_path / "pictures")
    process.line("camera: working again")
    assert process.end() == (0, "")


def test_virtual_people_leave_a_match_of_others_alone(
    settings: list[str], begin: Begin, capsys: pytest.CaptureFixture[str]
) -> None:
    process = begin()
    process.line("dark")
    process.press("s")
    process.line("it is your turn")
    process.end()
    told = refused([*settings, "--set", "camera.kind=virtual"], capsys)
    assert "a journal without a match under way for virtual people, found match 1: end it with `" in told
    command = re.search("`referee (.*?)`", told)
    assert command is not None
    assert run(command[1].split())[0] == 0
    assert "Match 1" in capsys.readouterr().out
    opened = open_journal(Path(command[1].split()[2]))
    opened.journal.close()
    assert opened.kept is not None
    assert opened.kept.is_over


def test_at_the_console_it_is_told_what_to_press_who_plays_and_that_it_is_paused(begin: Begin) -> None:
    process = begin()
    process.line(r"^Ready: press start")
    process.line(r"^Keys: press s for start and pause, 1, 2, 3, 4 for a player's button, q to end\.")
    process.press("1", "2")
    process.line("^Anna joins; Anna is playing\\.")
    process.line("^Ben joins; Anna and Ben are playing\\.")
    process.press("s")
    process.line("^Anna, it is your turn\\.")
    process.press("s")
    process.line("^The match is paused: press start to go on\\.")
    assert process.end() == (0, "")
