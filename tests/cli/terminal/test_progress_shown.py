"""Progress is shown on a terminal, and only there; and nothing is lost on the way."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ITEMS = (
    "from referee.cli.terminal.common import show_progress; print(sum(show_progress(list(range(50)), 'Reading it')))"
)
PART = """
from referee.cli.terminal.common import show_part
with show_part("Reading it") as report:
    for done in range(50):
        report(done, 49)
print(1225)
"""

SOAK = PART.replace("referee.cli.terminal.common", "benchmarks.progress").replace("show_part", "show_bar")


@pytest.fixture(params=[ITEMS, PART])
def code(request: pytest.FixtureRequest) -> str:
    return request.param


def run(code: str, **streams: int) -> subprocess.Popen[bytes]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"}
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environ, **streams)  # noqa: S603


@pytest.mark.parametrize("code", [ITEMS, PART, SOAK])
def test_a_terminal_has_a_bar(code: str) -> None:
    ours, theirs = pty.openpty()
    with run(code, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the other side is closed
            pass
        assert process.stdout is not None
        assert process.stdout.read() == b"1225\n"
    os.close(ours)
    assert b"Reading it" in shown
    assert b"100%" in shown


def test_a_file_has_none(code: str) -> None:
    with run(code, stderr=subprocess.PIPE) as process:
        assert process.communicate() == (b"1225\n", b"")


def test_in_a_file_a_soak_says_that_it_goes_on() -> None:
    with run(SOAK, stderr=subprocess.PIPE) as process:
        out, err = process.communicate()
    assert out == b"1225\n"
    assert err.startswith(b"Reading it: measuring\nReading it: measured in ")
