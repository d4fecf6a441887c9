"""Before a restore, a check that does not end is given up, and what nobody wants to restore is removed."""

import asyncio
import errno
import http.client
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from browser import browser
from hanging_disk import HangingDisk, hanging_disk
from page_process import LONGEST_S
from restoring_page import BYTES, JSON, Restoring, left
from saved_tables import NOW, saved, table

from referee.backup.apart import examine_apart, read_apart
from referee.backup.arriving import PART, ArrivingBackup
from referee.backup.automatic import make_backup
from referee.backup.contents import Places
from referee.backup.counting import Report
from referee.backup.examining import Inside
from referee.backup.found import find_backups
from referee.backup.manifest import CHOSEN
from referee.backup.stick_folder import ON_STICK
from referee.backup.worker import MOST_LEFT
from referee.backup.writing import Continues, Stopped
from referee.game.notice import Notice
from referee.i18n import ENGLISH, LANGUAGES
from referee.pages.table.restore_api import FILE, KEPT, NO, PROGRESS
from referee.pages.table.restores import RestorePages

LARGE = 3_000_000
ON_IT = f"{ON_STICK}/referee-3f9a2c/referee-2026-10-19-0405.zip"
SOON_S = 0.5
"""How long these tests wait for a process that is silent, in seconds."""


@pytest.fixture
def old(tmp_path: Path) -> bytes:
    """A backup of another table, too large to be read at once."""
    (tmp_path / "old").mkdir()
    other = table(tmp_path / "old", "old")
    (other.state / "large.bin").write_bytes(os.urandom(LARGE))
    return saved(tmp_path / "old.zip", other).read_bytes()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return table(tmp_path, "one")


@pytest.fixture
def page(places: Places) -> Iterator[Restoring]:
    with closing(Restoring(places)) as made:
        yield made


@pytest.fixture
def disk(page: Restoring, old: bytes, tmp_path: Path) -> Iterator[HangingDisk]:
    """A stick in the middle of whose backup nothing comes any more."""
    with hanging_disk(tmp_path / "stick", {ON_IT: old}, len(old) // 2) as made:
        page.server.app.state.restores.sticks = lambda: [tmp_path / "stick"]
        yield made


def name_on(stick: Path) -> str:
    (one,) = [one for one in find_backups(Places(stick / "none"), [stick]) if one.table]
    return one.id


def test_a_stick_that_stops_answering_is_given_up_and_the_page_works_again(
    page: Restoring, places: Places, disk: HangingDisk, tmp_path: Path
) -> None:
    """Its process sleeps in the kernel and cannot be killed, so nobody waits for it."""
    own = make_backup(places, NOW.replace(day=20), pictures=False)
    name, seconds, asleep = name_on(tmp_path / "stick"), SOON_S, 0
    while asleep < MOST_LEFT + 2:  # each keeps a process, up to a limit
        page.server.app.state.restores.read = partial(read_apart, silent_s=seconds)
        status, answer = page.choose(name)
        assert (status, left(places)) == (504, set())
        assert answer["told"] == ENGLISH(Notice("backup.restore_stick_silent"))
        if disk.hung.is_set():
            asleep += 1
        else:
            seconds *= 2  # a machine that is busy needs longer to come so far
    status, answer = page.choose(own.name)
    assert status == 200, answer
    assert page.restore(answer["id"])[0] == 200


def test_a_check_whose_browser_goes_away_is_ended_at_once(
    page: Restoring, places: Places, disk: HangingDisk, tmp_path: Path
) -> None:
    """As after Cancel."""
    own = make_backup(places, NOW.replace(day=20), pictures=False)
    with closing(http.client.HTTPConnection("localhost", page.server.port)) as line:
        body = json.dumps({"name": name_on(tmp_path / "stick")})
        line.request("POST", KEPT, body, {"Content-Type": JSON, "Origin": page.address})
        assert disk.hung.wait(LONGEST_S)
        assert page.choose(own.name)[0] == 503
        percent = json.loads(page.read(PROGRESS))["percent"]
        assert 0 <= percent < 50  # it is read in the first half of the work, and checked in the second
    wait_until(lambda: page.choose(own.name)[0] == 200)
    assert left(places) == set()
    assert json.loads(page.read(PROGRESS))["percent"] is None


def wait_until(holds) -> None:
    deadline = time.monotonic() + LONGEST_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def sent_in_part(page: Restoring, data: bytes) -> Iterator[None]:
    """The first half of a backup is sent; whoever sends it goes away at the end of the context."""
    with closing(http.client.HTTPConnection("localhost", page.server.port)) as line:
        line.putrequest("POST", FILE)
        for name, value in {"Content-Type": BYTES, "Origin": page.address, "Content-Length": str(len(data))}.items():
            line.putheader(name, value)
        line.endheaders()
        line.send(data[: len(data) // 2])
        yield


def hold(monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[threading.Event, threading.Event]:
    """Let a method of what arrives wait, as on a slow card; return what is set once it waits, and what lets it go."""
    waits, go, method = threading.Event(), threading.Event(), getattr(ArrivingBackup, name)

    def run_slowly(*given: Any) -> None:
        waits.set()
        assert go.wait(LONGEST_S)
        method(*given)

    monkeypatch.setattr(ArrivingBackup, name, run_slowly)
    return waits, go


def send_again(page: Restoring, data: bytes, go: threading.Event) -> int:
    """Send a backup while the card is still slow with the one before, and let that go; return the status."""
    checks, waits = page.server.app.state.restores.checks, threading.Event()
    settle = checks.settle

    async def settle_watched() -> None:
        waits.set()
        await settle()

    checks.settle = settle_watched
    with ThreadPoolExecutor(1) as threads:
        sent = threads.submit(page.send, data)
        assert waits.wait(LONGEST_S)
        go.set()
        return sent.result()[0]


def test_whoever_cancels_while_a_file_arrives_sends_another_at_once(
    page: Restoring, places: Places, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow card takes its time to remove what has arrived."""
    closes, go = hold(monkeypatch, "close")
    with sent_in_part(page, old):
        wait_until(lambda: left(places) == {PART})
    assert closes.wait(LONGEST_S)
    assert send_again(page, old, go) == 200


def test_whoever_cancels_while_the_card_still_writes_sends_another_at_once(
    page: Restoring, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only afterwards is it seen that the browser has gone."""
    writes, go = hold(monkeypatch, "write")
    with sent_in_part(page, old):
        assert writes.wait(LONGEST_S)
    assert send_again(page, old, go) == 200


def test_a_page_that_is_closed_in_the_middle_of_a_check_leaves_nothing(
    places: Places, old: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Restoring(places)) as page, ThreadPoolExecutor(1) as threads:
        check = SlowCheck(page)
        sent = threads.submit(page.send, old)
        assert check.begun.wait(LONGEST_S)
        page.server.close()
        assert check.stopped.is_set()
        assert left(places) == set()
        assert sent.result()[0] == 400
    assert caplog.records == []


@pytest.mark.parametrize("fails", [OSError(errno.EMFILE, "too many files"), None])
def test_a_check_whose_process_does_not_start_or_is_killed_is_told_as_ended(
    page: Restoring, places: Places, old: bytes, monkeypatch: pytest.MonkeyPatch, fails: OSError | None
) -> None:
    """As Linux does where there is too little memory."""
    own = make_backup(places, NOW.replace(day=20), pictures=False)
    start = subprocess.Popen

    def start_and_kill(command: list[str], **how: Any) -> subprocess.Popen[bytes]:
        if "referee.backup" in command and fails is not None:
            raise fails
        process = start(command, **how)
        if "referee.backup" in command:
            process.kill()
        return process

    with monkeypatch.context() as killing:
        killing.setattr("referee.backup.worker.subprocess.Popen", start_and_kill)
        for status, answer in (page.send(old), page.choose(own.name)):
            assert (status, answer["told"]) == (504, ENGLISH(Notice("backup.restore_silent")))
        assert left(places) == set()
    assert page.send(old)[0] == 200


class SlowCheck:
    """A check that goes on until it is told to, as that of a large backup on a slow card."""

    def __init__(self, page: Restoring) -> None:
        self.percent, self.begun, self.stopped = 0, threading.Event(), threading.Event()
        self.go, self._page = threading.Event(), page
        page.server.app.state.restores.examine = self._examine

    def _examine(self, path: Path, places: Places, goes_on: Continues, report: Report) -> Inside:
        while not self.go.wait(0.01):
            report(self.percent, 100)
            self.begun.set()
            if not goes_on():
                self.stopped.set()
                raise Stopped
        return examine_apart(path, places, goes_on, report)


def test_the_page_says_how_far_a_check_is(page: Restoring, old: bytes) -> None:
    assert json.loads(page.read(PROGRESS))["percent"] is None
    check = SlowCheck(page)
    with ThreadPoolExecutor(1) as threads:
        sent: Future[tuple[int, dict]] = threads.submit(page.send, old)
        for percent in (20, 60):
            check.percent = percent
            wait_until(lambda: json.loads(page.read(PROGRESS))["percent"] == percent)  # noqa: B023 - at once
        check.percent = 100
        wait_until(lambda: json.loads(page.read(PROGRESS))["percent"] == 99)  # nobody knows yet whether it is whole
        check.go.set()
        assert sent.result()[0] == 200
    assert json.loads(page.read(PROGRESS))["percent"] is None


def test_what_is_not_to_be_restored_is_removed_at_once(page: Restoring, places: Places, old: bytes) -> None:
    chosen = page.send(old)[1]["id"]
    assert page.ask(NO, json.dumps({"id": "another"}))[0] == 200
    assert left(places) == {CHOSEN}
    status, answer = page.ask(NO, json.dumps({"id": chosen}))
    assert (status, answer["told"], left(places)) == (200, "Nothing was changed.", set())
    assert (page.restore(chosen)[0], page.restored) == (410, [])


def test_an_id_that_is_no_text_is_one_that_nobody_knows(page: Restoring, places: Places, old: bytes) -> None:
    page.send(old)
    assert page.restore("\ud800")[0] == 410
    assert (page.ask(NO, json.dumps({"id": "\ud800"}))[0], left(places)) == (200, {CHOSEN})


def test_what_nobody_confirms_is_removed_after_a_time(page: Restoring, places: Places, old: bytes) -> None:
    page.server.app.state.restores.question.seconds = 0.05
    chosen = page.send(old)[1]["id"]
    wait_until(lambda: left(places) == set())
    status, answer = page.restore(chosen)
    assert (status, answer["told"]) == (410, ENGLISH(Notice("backup.restore_late")))


def test_what_is_being_restored_is_not_removed(page: Restoring, places: Places, old: bytes) -> None:
    answers: Future[Notice | None] = Future()
    asked = threading.Event()

    def restoring(_: Path) -> Future[Notice | None]:
        asked.set()
        return answers

    page.server.restores(restoring)
    chosen = page.send(old)[1]["id"]
    with ThreadPoolExecutor(1) as threads:
        restored = threads.submit(page.restore, chosen)
        assert asked.wait(LONGEST_S)
        assert page.ask(NO, json.dumps({"id": chosen}))[0] == 200
        assert left(places) == {CHOSEN}
        answers.set_result(None)
        assert restored.result()[0] == 200
    assert page.ask(NO, json.dumps({"id": chosen}))[0] == 200
    assert left(places) == {CHOSEN}


def test_one_that_was_sent_is_removed_once_another_is_chosen(page: Restoring, places: Places, old: bytes) -> None:
    own = make_backup(places, NOW.replace(day=20), pictures=False)
    page.send(old)
    assert page.choose(own.name)[0] == 200
    assert left(places) == set()


def test_what_arrives_is_not_removed_by_whoever_did_not_want_the_one_before(
    page: Restoring, places: Places, old: bytes
) -> None:
    check = SlowCheck(page)
    with ThreadPoolExecutor(1) as threads:
        sent = threads.submit(page.send, old)
        assert check.begun.wait(LONGEST_S)
        asyncio.run(page.server.app.state.restores.remove_arrived())
        assert left(places) == {PART}
        check.go.set()
        assert sent.result()[0] == 200


def test_one_that_was_sent_makes_room_for_the_next_although_that_is_refused(
    page: Restoring, places: Places, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.send(old)
    full = type("Usage", (), {"free": 1000})()
    monkeypatch.setattr("shutil.disk_usage", lambda _: full)
    assert (page.send(old)[0], left(places)) == (507, set())


@pytest.mark.page
@pytest.mark.parametrize("language", LANGUAGES)  # a page of its own for each, since it limits how much is sent
def test_a_check_is_shown_cancelled_and_what_was_checked_is_kept_out(
    page: Restoring, places: Places, old: bytes, tmp_path: Path, language: str
) -> None:
    (tmp_path / "large.zip").write_bytes(old)
    with browser() as screen:
        check = SlowCheck(page)
        check.percent = 42
        screen.open(f"{page.address}/backup?lang={language}")
        screen.find("#restore-file").send_keys(str(tmp_path / "large.zip"))
        screen.find("#restore-send button").click()
        screen.until("#restore-sent", "40")
        assert screen.find("#restore-bar").get_attribute("value") == "42"
        assert screen.find("#restore-sent").get_attribute("role") == "status"
        assert (screen.violations(), screen.cut_off()) == ([], [])
        screen.find("#restore-stop").click()
        told = screen.find("#restore-send").get_property("parentNode").get_attribute("data-cancelled")
        screen.until("#restore-answer.failed", told)
        assert check.stopped.wait(LONGEST_S)
        wait_until(lambda: left(places) == set())
        check.go.set()
        screen.find("#restore-send button").click()
        screen.find("#restore-sure")
        assert left(places) == {CHOSEN}
        screen.find("#restore-no").click()
        screen.until("#restore-answer:not(.failed)", ".")
        assert left(places) == set()
        screen.find("#restore-send button").click()
        screen.find("#restore-sure")
        screen.open(f"{page.address}/more")  # whoever leaves the page does not restore it either
        wait_until(lambda: left(places) == set())
    assert page.restored == []


@pytest.mark.page
def test_a_phone_that_has_slept_through_the_restore_shows_the_first_page(
    page: Restoring, places: Places, old: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds the program that has started again, and has not seen that it was silent."""
    (tmp_path / "large.zip").write_bytes(old)
    with browser() as screen:
        screen.open(f"{page.address}/backup")
        screen.find("#restore-file").send_keys(str(tmp_path / "large.zip"))
        screen.find("#restore-send button").click()
        screen.find("#restore-yes").click()
        screen.until("#restore-answer:not(.failed)", ".")
        monkeypatch.setattr(RestorePages, "start", "another")
        screen.wait(lambda: not screen.all("#restore-part"), "the first page")
    assert page.restored == [places.state / CHOSEN]
