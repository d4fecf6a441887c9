"""Standard output that is full, closed or knows no accents ends no game and shows no traceback."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import cv2
import numpy as np
import pytest
from played import match, short, write

from referee.journal.opening import FILE, open_journal
from referee.journal.rows import Setup

LONGEST_S = 60


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A journal with matches of people with accents."""
    journal = open_journal(tmp_path / "state").journal
    write(journal, Setup("rummikub"), short())
    write(journal, Setup("rummikub"), next(steps for seed in range(50) if len(
        (steps := match(Setup("rummikub"), seed, 2))[0].state.seats) > 2))  # fmt: skip
    journal.close()
    return tmp_path / "state"


@pytest.fixture
def table(tmp_path: Path) -> list[str]:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), np.full((360, 640, 3), 90, np.uint8))
    return [
        "play", "--set", "panel.kind=console", "--set", f"storage.state={tmp_path / 'play'}", "--keys",
        "--set", "camera.kind=folder", "--set", f"camera.source={pictures}", "--set", 'game.players=["Cléo","Ben"]',
        "--set", 'game.options=["starts=next"]',
    ]  # fmt: skip


def referee(*arguments: str, out: int | IO[bytes] = subprocess.PIPE, **environ: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "referee", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=out, stderr=pipe, env={**os.environ, **environ})  # noqa: S603


def ended(process: subprocess.Popen[bytes], keys: bytes = b"") -> tuple[int, str, str]:
    out, err = process.communicate(keys, timeout=LONGEST_S)
    return process.returncode, (out or b"").decode("utf-8", "replace"), err.decode("utf-8", "replace")


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def events(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.glob("journal.db*")) if folder.exists() else 0


def test_a_full_output_ends_no_game_and_is_said_once(table: list[str], tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = referee(*table, out=full)
        until((tmp_path / "play" / FILE).exists)
        assert process.stdin is not None
        process.stdin.write(b"s\n")
        process.stdin.flush()
        size = events(tmp_path / "play")
        until(lambda: events(tmp_path / "play") > size)
        code, _, err = ended(process, b"q\n")
    assert code == 0
    assert err == (
        "referee: standard output takes nothing any more, and the game goes on without: No space left on device\n"
    )


def test_a_reader_that_goes_away_ends_no_game(table: list[str]) -> None:
    process = referee(*table)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.write(b"s\n")
    process.stdin.flush()
    time.sleep(1)
    assert process.poll() is None
    process.stdin.write(b"q\n")
    process.stdin.close()
    assert process.wait(LONGEST_S) == 0
    assert process.stderr is not None
    assert process.stderr.read().count(b"\n") == 1
    process.stderr.close()


def test_a_terminal_without_accents_ends_no_game(table: list[str]) -> None:
    process = referee(*table, PYTHONIOENCODING="ascii")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"s\n")
    process.stdin.flush()
    while b"Cleo, it is your turn" not in process.stdout.readline():
        assert process.poll() is None
    code, _, err = ended(process, b"q\n")
    assert (code, err) == (0, "")


@pytest.mark.parametrize("arguments", [[], ["--format", "json"]])
def test_scores_on_a_terminal_without_accents(state: Path, arguments: list[str]) -> None:
    code, out, err = ended(referee("scores", "--state", str(state), *arguments, PYTHONIOENCODING="ascii"))
    assert (code, err) == (0, "")
    assert ("Cl\\u00e9o" if "json" in arguments else "Cleo") in out  # a program needs the name as it is


@pytest.mark.parametrize("arguments", [["scores"], ["--help"]])
def test_results_that_cannot_be_written_are_told_in_one_line(state: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, err = ended(referee(*arguments, out=full, REFEREE_STATE=str(state)))
    assert code == 2
    assert err == "referee: expected to write the results, found: No space left on device\n"


@pytest.mark.parametrize("arguments", [["scores"], ["scores", "--format", "json"]])
def test_a_reader_that_goes_away_is_no_fault_of_ours(state: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = referee(*arguments, out=writing, REFEREE_STATE=str(state))
    os.close(writing)
    code, _, err = ended(process)
    assert (code, err) == (141, "")


def test_without_any_output_it_still_runs(state: Path) -> None:
    command = f'exec "{sys.executable}" -m referee scores --state "{state}" >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], timeout=LONGEST_S, check=False).returncode == 0  # noqa: S603, S607
