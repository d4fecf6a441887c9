"""Tests that run where interrupts are ignored, as in a shell's background, still reach the programs they start."""

import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).with_name("conftest.py")
CHILD = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
RUNNER = """
import runpy, signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
runpy.run_path(sys.argv[1])
subprocess.run([sys.executable, "-c", sys.argv[2]], check=True)
"""


def test_a_child_hears_interrupts_that_its_runner_ignored():
    command = [sys.executable, "-c", RUNNER, str(CONFTEST), CHILD]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "True\n"
