"""A page of a house: served for real to whoever may be there, with a PIN."""

import http.client
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from referee.game.notice import Notice
from referee.i18n import ENGLISH
from referee.page.access import Limits, Policy, Rate
from referee.pages.table.server import Server
from referee.table.input.requests import Request
from referee.table.input.touches import Touch

PATIENCE_S = 60.0
PLENTY = Rate(1e6, 1e6)
ENDLESS = Limits(reading=PLENTY, writing=PLENTY)


class Recording:
    """Controls that do everything, and remember it."""

    journal = None
    reads = None

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.touches: list[Touch] = []

    async def send(self, request: Request) -> Notice | None:
        self.requests.append(request)
        return None

    async def touch(self, touch: Touch) -> Notice | None:
        self.touches.append(touch)
        return None

    def now(self) -> float:
        return time.monotonic()


class House:
    """A page on this machine that is asked as if from elsewhere in the house."""

    def __init__(self, folder: Path | None = None, **policy) -> None:
        policy = {"local": False, "limits": ENDLESS} | policy
        self.server = self.serves(Policy(**policy), folder)
        self.server.start()
        self.port = self.server.port
        self.host = f"127.0.0.1:{self.port}"

    def serves(self, policy: Policy, folder: Path | None):
        """The server of the page, to be started; what it does is recorded."""
        made = Server("127.0.0.1", 0, time.monotonic, "en", (900.0, 600.0), policy, folder)
        self.controls = Recording()
        made.attends(self.controls)
        return made

    @property
    def pin(self) -> str:
        return re.search(r"\d{6}", ENGLISH(self.server.access.pin()))[0]

    @property
    def other_pin(self) -> str:
        return f"{(int(self.pin) + 1) % 1_000_000:06}"

    def ask(self, path="/", method="GET", body=None, **headers):
        """Status, headers and body of one request; headers' names with _ for -."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as connection:
            told = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, told)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()

    def post(self, path, told, **headers):
        """Status, headers and the JSON that a post is answered with."""
        status, given, body = self.ask(
            path, "POST", json.dumps(told), **{"Content_Type": "application/json", **headers}
        )
        return status, given, json.loads(body)

    def enter(self, pin=None, **headers):
        return self.post("/api/enter", {"pin": self.pin if pin is None else pin}, **headers)

    def cookie(self) -> str:
        """A session, begun by telling the PIN; where somebody has told wrong ones before, after the wait."""
        status, headers, told = self.enter()
        while status == 429:
            time.sleep(int(headers["Retry-After"]))
            status, headers, told = self.enter()
        assert status == 200, told
        return headers["Set-Cookie"].partition(";")[0]

    def me(self, **headers):
        return json.loads(self.ask("/api/me", **headers)[2])

    def raw(self, data: bytes) -> bytes:
        """All that is answered to these bytes, until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_S) as connection:
            connection.sendall(data)
            return everything(connection)

    def close(self) -> None:
        self.server.close()


def everything(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    found = b""
    try:
        while part := connection.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    return found


@contextmanager
def house(folder: Path | None = None, **policy) -> Iterator[House]:
    made = House(folder, **policy)
    try:
        yield made
    finally:
        made.close()
