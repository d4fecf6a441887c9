"""An address that cannot be had yet keeps no match waiting: the page is opened as soon as it can be."""

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest
from page import PATIENCE_S, TABLE_MM

from referee.errors import BadInput
from referee.i18n import ENGLISH
from referee.page import thread
from referee.pages.table.server import Server

ELSEWHERE = "192.0.2.77"
"""An address of documents: this machine has none such."""


class Told(list):
    """What is told in the server's thread; waited for."""

    def __init__(self):
        self._news = threading.Condition()

    def __call__(self, told):
        with self._news:
            self.append(told)
            self._news.notify_all()

    def until(self, holds):
        with self._news:
            assert self._news.wait_for(lambda: holds(self), PATIENCE_S), list(self)


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(thread, "RETRY_S", 0.02)
    return Told()


def server(listen, port, opened):
    return Server(listen, port, time.monotonic, "en", TABLE_MM, opened=opened)


def threads():
    """Those of pages that are served."""
    return {one for one in threading.enumerate() if one.name == "page"}


def status(port):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", "/api/now")
        return connection.getresponse().status


def test_a_port_that_is_taken_is_told_once_and_had_as_soon_as_it_is_free(told):
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    page = server("127.0.0.1", port, told)
    try:
        assert not page.listens
        page.start()
        time.sleep(0.2)  # some more tries
        assert [one.key for one in told] == ["console.page_waits"]
        assert f"127.0.0.1:{port} yet (Address already in use)" in ENGLISH(told[0])
        taken.close()
        told.until(lambda told: told[-1] is None)
        assert page.listens
        assert (page.port, status(port)) == (port, 200)
    finally:
        taken.close()
        page.close()


def test_an_address_that_the_router_has_not_given_yet_is_waited_for_and_the_end_does_not_wait(told):
    before = threads()
    page = server(ELSEWHERE, 0, told)
    page.start()
    assert len(threads() - before) == 1
    assert [one.key for one in told] == ["console.page_waits"]
    page.close()
    assert threads() <= before


def test_an_address_that_can_be_had_at_once_is_no_news(told):
    page = server("127.0.0.1", 0, told)
    page.start()
    assert status(page.port) == 200
    page.close()
    assert told == []


@pytest.mark.parametrize("listen", [ELSEWHERE, "a..b"])
def test_whoever_cannot_wait_is_told_at_once(listen):
    with pytest.raises(BadInput, match="to listen at"):
        server(listen, 0, None)


def test_a_table_is_refereed_while_somebody_else_has_the_port(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        chosen = (
            f"storage.state={tmp_path}", f"web.port={taken.getsockname()[1]}", "web.listen=127.0.0.1",
            "camera.kind=virtual", "panel.kind=none",
        )  # fmt: skip
        command = [sys.executable, "-m", "referee", "play", "--page"]
        process = subprocess.Popen(  # noqa: S603 - our own program
            [*command, *(flag for one in chosen for flag in ("--set", one))], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"LANG": "C.UTF-8", "NOTIFY_SOCKET": str(tmp_path / "notify")},
        )  # fmt: skip
        try:
            while not systemd.recv(1000).startswith(b"STATUS="):  # the loop tells where the match stands
                assert process.poll() is None
        finally:
            process.terminate()
            out, _ = process.communicate(timeout=PATIENCE_S)
    assert "The page cannot be opened at" in out
    assert "http://" not in out
