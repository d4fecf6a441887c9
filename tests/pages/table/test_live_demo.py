"""`referee demo --page`: a real program whose page is there from the beginning, until somebody ends it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request

import pytest

from referee.cli.programs.live_demo import until_stopped

PATIENCE_S = 120


def test_the_page_is_there_while_virtual_people_play():
    environ = os.environ | {"REFEREE_WEB_PORT": "0", "PYTHONUNBUFFERED": "1"}
    program = [sys.executable, "-m", "referee", "demo", "--page", "--players", "2", "--language", "en"]
    with (
        subprocess.Popen(program, env=environ, stdout=subprocess.PIPE, text=True) as demo,  # noqa: S603 - our own program
        contextlib.ExitStack() as kills,
    ):
        lines = iter(demo.stdout.readline, "")
        address = next(found[0] for line in lines if (found := re.search(r"http://localhost:\d+/", line)))
        kills.callback(demo.kill)  # a test that fails must not wait for a program that goes on
        with urllib.request.urlopen(f"{address}panel", timeout=PATIENCE_S) as page:  # noqa: S310 - of this machine
            assert b'id="clock"' in page.read()
        next(line for line in lines if "your turn" in line)
        with urllib.request.urlopen(f"{address}api/stream", timeout=PATIENCE_S) as stream:  # noqa: S310
            told = next(line for line in stream if line.startswith(b"data: {"))
        assert b"Virtual players are sitting at this table" in told
        demo.send_signal(signal.SIGINT)
        rest = demo.stdout.read()
        assert demo.wait(PATIENCE_S) == 0
    assert "Score sheet" in rest


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_page_of_a_match_that_is_over_stays_until_it_is_told_to_end(number):
    threading.Timer(0.2, os.kill, (os.getpid(), number)).start()
    before = signal.getsignal(signal.SIGTERM)
    until_stopped()
    assert signal.getsignal(signal.SIGTERM) is before
