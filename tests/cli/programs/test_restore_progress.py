"""While the page is closed for a restore, its address says how far that is, and nothing else."""

import contextlib
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from browser import browser
from page_process import LONGEST_S
from restoring_page import Restoring
from saved_tables import saved, table

from referee.backup.counting import ignore_report
from referee.backup.manifest import CHOSEN
from referee.cli.programs import fresh_start
from referee.cli.programs.restore_progress import LONGEST, PATIENCE_S, Address, ProgressServer, progress_at
from referee.i18n import LANGUAGES
from referee.pages.table.restore_api import PROGRESS

HERE = "127.0.0.1"
SILENT = 2 * int(LONGEST_S / PATIENCE_S)


@pytest.fixture
def server() -> Iterator[ProgressServer]:
    made = ProgressServer(Address(HERE, 0, PROGRESS))
    made.start()
    with closing(made):
        yield made


def ask(port: int, path: str = PROGRESS, method: str = "GET") -> dict:
    with closing(http.client.HTTPConnection(HERE, port, timeout=LONGEST_S)) as line:
        line.request(method, path)
        answer = line.getresponse()
        assert answer.status == 200
        return dict(json.loads(answer.read()))


def test_it_says_how_far_the_restore_is(server: ProgressServer) -> None:
    assert ask(server.port) == {"restored": 0}
    server.report(10**9 // 2, 10**9)
    assert ask(server.port) == {"restored": 50}
    server.report(0, 0)
    assert ask(server.port) == {"restored": 0}


@pytest.mark.parametrize(("path", "method"), [("/", "GET"), ("/api/stream", "GET"), (PROGRESS, "POST")])
def test_everything_else_is_as_if_nobody_listened(server: ProgressServer, path: str, method: str) -> None:
    """A stream that gets an answer which is none would not be asked for again."""
    with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
        ask(server.port, path, method)
    assert ask(server.port) == {"restored": 0}


@pytest.mark.parametrize("sent", [b"", b"\x00" * 50, b"x" * (LONGEST + 1), b"GET /api"])
def test_no_other_program_keeps_it_from_answering(server: ProgressServer, sent: bytes) -> None:
    with socket.create_connection((HERE, server.port)) as silent:
        silent.sendall(sent)
        assert ask(server.port) == {"restored": 0}


def test_many_who_are_silent_keep_nobody_waiting(server: ProgressServer) -> None:
    """One after the other, they would be borne for a second each."""
    with contextlib.ExitStack() as silent:
        for _ in range(SILENT):
            silent.enter_context(socket.create_connection((HERE, server.port)))
        assert ask(server.port) == {"restored": 0}


def test_a_request_that_comes_byte_by_byte_does_not_keep_it_from_answering(server: ProgressServer) -> None:
    """Each byte is in time; the whole request is not."""
    over = threading.Event()

    def send_slowly(line: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while not over.wait(PATIENCE_S / 10):
                line.sendall(b"x")

    with socket.create_connection((HERE, server.port)) as line, ThreadPoolExecutor(1) as threads:
        threads.submit(send_slowly, line)
        try:
            assert ask(server.port) == {"restored": 0}
        finally:
            over.set()


def test_its_address_is_free_again_afterwards() -> None:
    with closing(socket.create_server((HERE, 0))) as door:
        port = door.getsockname()[1]
    for _ in range(3):
        with progress_at(Address(HERE, port, PROGRESS)) as report:
            report(1, 4)
            assert ask(port) == {"restored": 25}
    socket.create_server((HERE, port)).close()


@pytest.mark.parametrize("listen", ["no such address", "192.0.2.1", "a" * 300])
def test_without_an_address_the_restore_goes_on(listen: str) -> None:
    with progress_at(Address(listen, 0, PROGRESS)) as report:
        assert report is ignore_report
    with progress_at(None) as report:
        assert report is ignore_report
    with socket.create_server((HERE, 0)) as door, progress_at(Address(*door.getsockname(), PROGRESS)) as report:
        assert report is ignore_report


def test_a_restore_is_told_while_it_lasts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_start.os, "execv", lambda *_: None)
    (tmp_path / "old").mkdir()
    path = saved(tmp_path / "old.zip", table(tmp_path / "old", "old"))
    places = table(tmp_path, "one")
    for left in places.state.glob("journal.db*"):  # nothing of a match
        left.unlink()
    with closing(socket.create_server((HERE, 0))) as door:
        port = door.getsockname()[1]
    found: list[int] = []
    restore = fresh_start.restore

    def watched(*how: object, report: object, **more: object) -> object:
        def asked(done: int, total: int) -> None:
            report(done, total)  # type: ignore[operator]
            found.append(ask(port)["restored"])

        return restore(*how, report=asked, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(fresh_start, "restore", watched)
    fresh_start.restore_and_start_again(places, path, Address(HERE, port, PROGRESS))
    assert fresh_start.take_refused(places.state) == ()
    assert (places.state / "boxes" / "old.json").exists()
    assert found == sorted(found)
    assert (found[0], found[-1], len(set(found)) > 3) == (0, 100, True)
    with pytest.raises(ConnectionError):
        ask(port)


@pytest.mark.page
def test_the_page_shows_it_in_every_language(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    saved(tmp_path / "old.zip", table(tmp_path / "old", "old"))
    places = table(tmp_path, "one")
    with browser() as screen:
        for language in LANGUAGES:
            page = Restoring(places)
            with closing(page):
                screen.open(f"{page.address}/backup?lang={language}")
                screen.find("#restore-file").send_keys(str(tmp_path / "old.zip"))
                screen.find("#restore-send button").click()
                screen.find("#restore-sure")
                screen.find("#restore-yes").click()
                screen.until("#restore-answer:not(.failed)", ".")
            assert page.restored == [places.state / CHOSEN]
            with progress_at(Address("localhost", page.server.port, PROGRESS)) as report:
                report(67, 100)
                screen.until("#restore-sent", "60")
                assert screen.find("#restore-bar").get_attribute("value") == "67"
                assert not screen.all("#restore-stop")[0].is_displayed()
                assert screen.violations() == []
