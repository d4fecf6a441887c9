"""Memory of pictures goes back to the system when they are gone; in a process of its own, as it cannot be undone."""

import json
import platform
import subprocess
import sys

import pytest

from referee.cli.main import main
from referee.errors import BadInput

PROGRAM = """
import json, sys
import numpy as np
from referee.devices.heap import LARGE_BYTES, keep_little

def mapped(address):
    with open("/proc/self/maps") as maps:
        spans = [line.split(" ")[0].split("-") for line in maps]
    return any(int(low, 16) <= address < int(high, 16) for low, high in spans)

told = sys.argv[1] == "yes" and keep_little()
for _ in range(3):  # the library raises its threshold after each that was freed
    picture = np.ones(9_000_000, np.uint8)
    del picture
before = np.ones(9_000_000, np.uint8)
kept = np.ones(100_000, np.uint8)  # lies above in the heap, so that the heap cannot shrink
address = before.ctypes.data
del before
print(json.dumps([bool(told), mapped(address + 4_500_000), LARGE_BYTES]))
"""


def freed(told):
    """What `keep_little` told, and whether the memory of a picture that is gone is still the process's own."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, told], capture_output=True, text=True, check=True)  # noqa: S603
    return json.loads(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not GNU's")
def test_the_memory_of_a_picture_goes_back_to_the_system():
    told, still_there, large = freed("yes")
    assert told
    assert not still_there
    assert large < 2304 * 1296 * 3


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is not GNU's")
def test_without_it_the_library_keeps_it():
    told, still_there, _ = freed("no")
    assert not told
    assert still_there


@pytest.mark.parametrize(
    ("module", "arguments"),
    [("referee.cli.verbs.play", ["play"]), ("referee.cli.verbs.hall", ["hall"]),
     ("referee.cli.programs.live_demo", ["demo", "--page", "--out", "{folder}"])],
)  # fmt: skip
def test_every_program_that_runs_for_an_evening_asks_for_it_first(module, arguments, tmp_path, monkeypatch, capsys):
    def asked():
        raise BadInput("it was asked for")

    monkeypatch.setenv("REFEREE_STATE", str(tmp_path))
    monkeypatch.setattr(f"{module}.keep_little", asked)
    assert main([one.format(folder=tmp_path) for one in arguments]) == 2
    assert "it was asked for" in capsys.readouterr().err
