"""For the tests: a script of this folder in a process that finds a Raspberry Pi's pins, and what it printed."""

import json
import subprocess
import sys
import tempfile

import pytest
from pins import with_pins

LONGEST_S = 300
"""Only a process that hangs takes so long."""


def environment_or_skip():
    """The environment of a process that finds pins; skips where there can be none."""
    try:
        return with_pins.environment()
    except with_pins.Missing as why:
        pytest.skip(f"the real lgpio on a header in memory: {why}")


def printed_by(script, *arguments):
    """The JSON object on the last line that a script printed; skips where there can be no pins."""
    environment = environment_or_skip()
    command = [sys.executable, str(with_pins.HERE / script), *arguments]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False
        )
    lines = done.stdout.splitlines()
    assert lines, f"{script} {arguments} ended with {done.returncode}: {done.stderr}"
    return json.loads(lines[-1]) | {"stderr": done.stderr, "rc": done.returncode}
