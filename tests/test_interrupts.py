"""Where signals are ignored, in a shell's background or by nohup, the programs that tests start hear them still."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
CHILD = "import signal; print(signal.getsignal(signal.{}) != signal.SIG_IGN)"
RUNNER = """
import runpy, signal, subprocess, sys
signal.signal(signal.{}, signal.SIG_IGN)
runpy.run_path(sys.argv[1])
subprocess.run([sys.executable, "-c", sys.argv[2]], check=True)
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGHUP"])
def test_a_child_hears_signals_that_its_runner_ignored(name: str):
    command = [sys.executable, "-c", RUNNER.format(name), str(CONFTEST), CHILD.format(name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "True\n"
