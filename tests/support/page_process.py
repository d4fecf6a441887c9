"""`referee play --page` as a process of its own, its commands and its stream, and a browser before it."""

import contextlib
import http.client
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

LONGEST_S = 180.0
"""A machine that is busy with other things needs its time."""


class PageProcess:
    """The program, told by its command line; whatever is waited for may take long."""

    def __init__(self, state: Path, *settings: str, arguments: tuple[str, ...] = (), page: bool = True) -> None:
        chosen = [flag for one in (f"storage.state={state}", "web.port=0", *settings) for flag in ("--set", one)]
        command = [sys.executable, "-m", "referee", "play", *(["--page"] if page else []), *chosen, *arguments]
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            env=os.environ | {"LANG": "C.UTF-8"},
        )  # fmt: skip
        self.lines: list[str] = []
        self._news: queue.Queue[str] = queue.Queue()
        self._threads = [threading.Thread(target=self._read, daemon=True)]
        self._threads[0].start()
        address = self.line(r"http://(\S+):(\d+)/")
        self.host, self.port = address[1], int(address[2])
        self.parts: dict[str, object] = {}
        self.number = 0
        self.streams = 0
        self._changed = threading.Condition()
        self._threads.append(threading.Thread(target=self._follow, daemon=True))
        self._threads[1].start()

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def line(self, pattern: str) -> re.Match[str]:
        """Wait for a line that the program writes."""
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            try:
                line = self._news.get(timeout=1.0)
            except queue.Empty:
                assert self.process.poll() is None, "".join(self.lines)
                continue
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"expected {pattern}, found:\n{''.join(self.lines)}")

    def type(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        door = http.client.HTTPConnection(self.host, self.port, timeout=LONGEST_S)
        with contextlib.closing(door):
            door.request("GET", path, headers=headers or {})
            answer = door.getresponse()
            return answer.status, answer.read()

    def post(self, command: str, language: str = "en", told_id: str = "", **fields: object) -> tuple[int, str]:
        """Send a command; the status, and what was told."""
        body = {"id": told_id or uuid.uuid4().hex, "n": self.number, "command": command, **fields}
        door = http.client.HTTPConnection(self.host, self.port, timeout=LONGEST_S)
        headers = {"Content-Type": "application/json", "Accept-Language": language, "Origin": self.url}
        with contextlib.closing(door):
            door.request("POST", "/api/command", json.dumps(body), headers)
            answer = door.getresponse()
            told = json.loads(answer.read())
        return answer.status, told.get("told") or told.get("error", "")

    def until(self, what, after=None):
        """Wait until the parts of the page are so; `after` is done again and again meanwhile."""
        end = time.monotonic() + LONGEST_S
        while time.monotonic() < end:
            with self._changed:
                if self.parts and what(self.parts):
                    return self.parts
                self._changed.wait(0.3)
            if after is not None:
                after()
            assert self.process.poll() is None, "".join(self.lines)
        raise AssertionError(f"it never came to that: {self.parts}\n{''.join(self.lines)}")

    def ready(self, run: int = 1):
        """Wait until the table stands for the so-manieth time."""
        return self.until(lambda parts: parts["setup"]["run"] >= run and parts["setup"]["stage"] == "ready"
                          and parts["setup"]["lobby"])  # fmt: skip

    def configure(self, language: str = "en", **settings: object) -> tuple[int, str]:
        chosen = {name.replace("__", "."): value for name, value in settings.items()}
        return self.post("configure", language, settings=chosen)

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        for thread in self._threads:
            thread.join(LONGEST_S)

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line)
            self._news.put(line)
        self.process.stdout.close()

    def _follow(self) -> None:
        """One stream that is never opened anew."""
        door = http.client.HTTPConnection(self.host, self.port, timeout=LONGEST_S)
        try:
            door.request("GET", "/api/stream", headers={"Accept-Language": "en"})
            self.streams += 1
            for raw in door.getresponse():  # until the page goes
                line = raw.decode()
                if line.startswith("data: {"):
                    told = json.loads(line[6:])
                    with self._changed:
                        self.number = told["n"]
                        self.parts |= told["parts"]
                        self._changed.notify_all()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            door.close()


@contextmanager
def ready_page(
    folder: Path,
    *settings: str,
    state: Path | None = None,
    picture: np.ndarray | None = None,
    arguments: tuple[str, ...] = (),
) -> Iterator[PageProcess]:
    """A table that stands, whose camera shows the newest picture of `folder / "pictures"`.

    At first that is `picture`, by default of an empty table. The state is kept in `folder / "state"` unless `state`
    names another folder.
    """
    pictures = folder / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "0.png"), rendered() if picture is None else picture)
    process = PageProcess(
        state or folder / "state", "camera.kind=folder", f"camera.source={pictures}", *settings, arguments=arguments
    )
    try:
        process.ready()
        yield process
    finally:
        process.close()


def rendered(light: str = "even", tiles: str = "", tileset: str = "rummikub") -> np.ndarray:
    """What a camera sees of a table."""
    from dataclasses import replace

    from referee.game.notation import parse_table
    from referee.game.tiles import TILE_SETS
    from referee.sim.scene.light import LIGHTS
    from referee.sim.table import Setting, VirtualTable

    setting = replace(Setting.usual(TILE_SETS[tileset]), light=LIGHTS[light])
    table = VirtualTable(setting, np.random.default_rng(1))
    if tiles:
        table.lay(parse_table(tiles))
    return table.picture()


def whole_box(tileset: str = "gin", pictures: int = 4) -> list[np.ndarray]:
    """Pictures of all tiles of a box, each tile by itself, mixed."""
    from referee.game.tiles import TILE_SETS
    from referee.sim.table import Setting, VirtualTable

    rng = np.random.default_rng(3)
    box = TILE_SETS[tileset]
    tiles = [tile for tile, count in box.inventory().items() for _ in range(count)]
    rng.shuffle(tiles)
    each = -(-len(tiles) // pictures)
    found = []
    for begin in range(0, len(tiles), each):
        table = VirtualTable(Setting.usual(box), rng)
        table.lay(tuple((tile,) for tile in tiles[begin : begin + each]))
        found.append(table.picture())
    return found
