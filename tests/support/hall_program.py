"""`referee hall` as people start it, in a process of its own that a test may kill."""

import http.client
import itertools
import json
import os
import subprocess
import sys
from contextlib import closing

from mosquitto import free_port, until


class HallProcess:
    """The program of a hall, and what its page is told and asked."""

    def __init__(self, folder, broker, **more):
        """`broker`: None if `more` says which."""
        self.port = free_port()
        chosen = {
            **({} if broker is None else {"club.broker": "127.0.0.1", "club.port": broker.port}),
            "storage.state": folder / "state",
            "web.port": self.port, "web.listen": "localhost", **more,
        }  # fmt: skip
        flags = [part for key, value in chosen.items() for part in ("--set", f"{key}={value}")]
        self._command = [sys.executable, "-m", "referee", "hall", *flags]
        self._ids = itertools.count()
        self._said = (folder / "hall.log").open("a")
        self.start()

    @property
    def address(self):
        return f"http://localhost:{self.port}"

    def start(self):
        self._process = subprocess.Popen(  # noqa: S603
            self._command, stdout=self._said, stderr=subprocess.STDOUT, env={**os.environ, "NO_COLOR": "1"}
        )
        until(self._answers)

    def _answers(self):
        assert self._process.poll() is None, "the hall has ended"
        try:
            return self.stream() is not None
        except OSError:
            return False

    def kill(self):
        """The plug is pulled."""
        self._process.kill()
        self._process.wait()

    def terminate(self):
        """The service is stopped."""
        self._process.terminate()
        self._process.wait()

    def close(self):
        self.kill()
        self._said.close()

    def stream(self):
        """The state of the page: its number, and all parts."""
        with closing(http.client.HTTPConnection("localhost", self.port, timeout=60)) as connection:
            connection.request("GET", "/api/stream?lang=en")
            answer = connection.getresponse()
            while not (line := answer.readline()).startswith(b"data: {"):
                pass
            return json.loads(line[6:])

    def get(self, path):
        """What the page answers, as bytes; None unless the status is 200."""
        with closing(http.client.HTTPConnection("localhost", self.port, timeout=60)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            return body if answer.status == 200 else None

    def part(self, name):
        return self.stream()["parts"].get(name)

    def online(self, *names):
        until(lambda: all((self.part(f"table:{name}") or {}).get("online") for name in names))

    def post(self, command, n=None, **fields):
        """Post a command; return the status and the answer."""
        post = {"id": f"command-{next(self._ids)}-{self.port}", "n": self.stream()["n"] if n is None else n,
                "command": command, **fields}  # fmt: skip
        with closing(http.client.HTTPConnection("localhost", self.port, timeout=60)) as connection:
            connection.request("POST", "/api/command", json.dumps(post), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def do(self, command, **fields):
        status, told = self.post(command, **fields)
        assert status == 200, told
        return told

    def refused(self, command, **fields):
        """The sentence with which a command is refused."""
        status, told = self.post(command, **fields)
        assert status != 200, told
        return told["told"]
