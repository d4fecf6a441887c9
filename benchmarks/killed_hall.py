"""A hall and a broker that are killed, and the director, who enters the PIN and repeats what was not done."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.hall import free_port

PATIENCE_S = 120.0
"""The longest wait for anything, in seconds; even on a busy machine, only what hangs takes longer."""
POLL_S = 0.05
HOUSE = "0.0.0.0"  # noqa: S104 - from anywhere but this machine alone, the page asks for the PIN
PIN_NEEDED, BUSY = 403, (429, 503)
JSON = {"Content-Type": "application/json"}
Part = dict[str, Any]


class InVain(Exception):
    """Something was awaited that did not come."""


def until(true: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
    """Wait until a condition is true; raises InVain, which says for `what`."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise InVain(f"waited {seconds:g} s for {what} in vain")
        time.sleep(POLL_S)


class Program:
    """A process that may be killed and started again."""

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        self.port, self._command, self._log = port, command, log.open("ab")
        self.start()

    def start(self) -> None:
        """Start it; it need not answer yet."""
        self.process = subprocess.Popen(
            self._command, stdout=self._log, stderr=subprocess.STDOUT, env={**os.environ, "NO_COLOR": "1"}
        )

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self.process.poll() is None

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Kill it for good."""
        self.kill()
        self._log.close()


def broker_of(program: str, folder: Path) -> Program:
    """Return a Mosquitto that keeps nothing on disk, as the project sets one up."""
    port, config = free_port(), folder / "mosquitto.conf"
    lines = (f"listener {port} 127.0.0.1", "allow_anonymous true", "user root", "max_queued_messages 20000")
    config.write_text("\n".join(lines) + "\n")
    return Program([program, "-c", str(config)], port, folder / "mosquitto.log")


def hall_of(folder: Path, broker: int) -> Program:
    """Return a hall whose page asks for the PIN."""
    port = free_port()
    values = {"club.broker": "127.0.0.1", "club.port": broker, "club.names": "true", "web.port": port,
              "web.listen": HOUSE, "storage.state": folder / "state"}  # fmt: skip
    flags = [text for name, value in values.items() for text in ("--set", f"{name}={value}")]
    return Program([sys.executable, "-m", "referee", "hall", *flags], port, folder / "hall.log")


class Director:
    """The director at the hall's page; `answers` counts the statuses of their commands."""

    def __init__(self, hall: Program, folder: Path) -> None:
        self._hall, self._state = hall, folder / "state" / "hall"
        self._ids = itertools.count(1)
        self._cookie = ""
        self.answers: Counter[str] = Counter()

    @property
    def file(self) -> Path:
        """The hall's file."""
        return self._state / "hall.sqlite"

    def stream(self) -> Part | None:
        """Return the state of the page; None while the hall does not answer."""
        try:
            with closing(self._connection()) as connection:
                connection.request("GET", "/api/stream?lang=en")
                answer = connection.getresponse()
                while line := answer.readline():
                    if line.startswith(b"data: {"):
                        found: Part = json.loads(line[6:])
                        return found
        except (OSError, http.client.HTTPException, ValueError):
            pass
        return None

    def part(self) -> Part | None:
        """Return what the page shows of the tournament; None if it shows none, or does not answer."""
        found = self.stream()
        return None if found is None else found["parts"].get("tournament")

    def export(self) -> Part:
        """Return the tournament as JSON."""
        with closing(self._connection()) as connection:
            connection.request("GET", "/tournament.json")
            found: Part = json.loads(connection.getresponse().read())
            return found

    def do(self, command: str, done: Callable[[Part | None], bool], kill: Callable[[], None] | None = None,
           **fields: object) -> None:  # fmt: skip
        """Give a command again and again until the page shows that it was carried out.

        `kill` is called once, between the command and its answer.
        """
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = self.stream()
            if found is not None:
                tournament = found["parts"].get("tournament")
                if done(tournament) and kill is None:
                    return
                if tournament is None or not tournament["drawing"]:
                    self.post(command, found["n"], kill, **fields)
                    kill = None
                    continue
            time.sleep(POLL_S)
        raise InVain(f"{command} {str(fields)[:80]} was not carried out: {dict(self.answers)}, {self.part()!s:.500}")

    def post(self, command: str, n: int, kill: Callable[[], None] | None = None, **fields: object) -> None:
        """Post a command once, and note what comes back."""
        post = {"id": f"command-{next(self._ids)}", "n": n, "command": command, **fields}
        try:
            with closing(self._connection()) as connection:
                headers = {**JSON, "Cookie": self._cookie}
                connection.request("POST", "/api/command", json.dumps(post), headers)
                if kill is not None:
                    kill()
                answer = connection.getresponse()
                body = answer.read()
        except (OSError, http.client.HTTPException):
            self.answers["none"] += 1
            return
        told = json.loads(body).get("told", "") if answer.status not in (200, PIN_NEEDED) else ""
        self.answers[f"{answer.status} {told}".strip()[:90]] += 1
        if answer.status == PIN_NEEDED:
            self._enter()
        elif answer.status in BUSY:
            time.sleep(POLL_S)

    def _enter(self) -> None:
        pin = json.loads((self._state / "page.json").read_text())["pin"]
        try:
            with closing(self._connection()) as connection:
                connection.request("POST", "/api/enter", json.dumps({"pin": pin}), JSON)
                self._cookie = (connection.getresponse().getheader("Set-Cookie") or "").partition(";")[0]
        except (OSError, http.client.HTTPException):
            return

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._hall.port, timeout=30)
