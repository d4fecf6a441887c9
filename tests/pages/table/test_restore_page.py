"""Restoring on the page: a backup is checked before anybody decides, and whatever goes wrong changes nothing."""

import http.client
import json
import queue
import socket
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import NARROW, browser
from guarded import House
from kept_matches import Page
from page import served
from page_process import LONGEST_S, ready_page
from restoring_page import BYTES, JSON, Restoring, left
from saved_tables import NOW, content, saved, table

from referee.backup import arriving
from referee.backup.arriving import PART
from referee.backup.automatic import make_backup
from referee.backup.contents import Places
from referee.backup.examining import Inside, NotRestorable, examine
from referee.backup.found import MOST_OF_TABLE, find_backups
from referee.backup.manifest import CHOSEN, DONE, DRAFT, NAME
from referee.backup.resetting import reset
from referee.backup.stick_folder import ON_STICK
from referee.cli.programs import fresh_start
from referee.game.notice import Notice
from referee.i18n import ENGLISH, LANGUAGES
from referee.pages.table import restores
from referee.pages.table.presence.confirmations import Action
from referee.pages.table.restore_api import FILE, KEPT, RESTORE
from referee.table.preparation.values import SetUp

ELSEWHERE = {"X_Forwarded_For": "192.168.1.20"}
"""A request that another server forwards does not come from the machine itself."""


@pytest.fixture
def old(tmp_path: Path) -> bytes:
    """A backup of another table."""
    (tmp_path / "old").mkdir()
    return saved(tmp_path / "old.zip", table(tmp_path / "old", "old")).read_bytes()


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return table(tmp_path, "one")


@pytest.fixture
def page(places: Places) -> Iterator[Restoring]:
    with closing(Restoring(places)) as made:
        yield made


def test_a_file_is_checked_then_its_content_is_told_and_only_then_it_is_restored(
    page: Restoring, places: Places, old: bytes
) -> None:
    before = content(places)
    status, answer = page.send(old)
    assert status == 200, answer
    assert "26 November 2026" in answer["told"]
    assert "2 matches" in answer["told"]
    assert (page.restored, content(places), left(places)) == ([], before, {CHOSEN})
    status, told = page.restore(answer["id"])
    assert (status, page.restored) == (200, [places.state / CHOSEN])
    assert told["told"].startswith("The backup is being restored.")
    assert page.restore(answer["id"])[0] == 410  # a second tap
    assert len(page.restored) == 1


def test_nothing_is_sent_for_nothing_while_a_new_version_is_on_trial(
    page: Restoring, places: Places, old: bytes
) -> None:
    folders: list[Path] = []
    page.server.app.state.restores.is_on_trial = lambda folder: folders.append(folder) or True
    status, told = page.send(old)
    assert (status, folders, left(places)) == (409, [places.state], set())
    assert told["told"].startswith("A new version is on trial")


def test_what_has_arrived_is_in_no_backup(page: Restoring, places: Places, old: bytes, tmp_path: Path) -> None:
    page.send(old)
    (places.state / PART).write_bytes(old)
    with zipfile.ZipFile(saved(tmp_path / "b.zip", places)) as archive:
        assert not [name for name in archive.namelist() if CHOSEN in name or PART in name]


def test_backups_on_the_machine_are_offered_also_those_from_before_a_reset(places: Places) -> None:
    made = make_backup(places, NOW.replace(day=20), pictures=False)
    undo = reset(places, NOW, even_a_match=True)
    assert undo is not None
    (places.backups / "before-restore-2026-13-01-000000.zip").write_bytes(b"a wrong date")
    with closing(Restoring(places)) as page:
        text = page.read("/backup?lang=en")
        assert 0 < text.index(f'value="{made.name}"') < text.index(f'value="{undo.name}"')
        assert "21:30, before a restore or reset" in text
        assert "2026-13-01" not in text
    for path in (made, undo):
        with closing(Restoring(places)) as page:
            status, answer = page.choose(path.name)
            assert status == 200, answer
            assert page.restore(answer["id"])[0] == 200
            assert page.restored == [path]


def test_backups_on_a_stick_are_offered_with_the_table_that_they_are_of(
    page: Restoring, places: Places, old: bytes, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    folder = stick / ON_STICK / "referee-3f9a2c"
    folder.mkdir(parents=True)
    for day in range(1, 20):
        (folder / f"referee-2026-10-{day:02}-0405.zip").write_bytes(old)
    (folder / "referee-2026-10-21-0405.zip").symlink_to(tmp_path / "old.zip")
    (folder.parent / "link").symlink_to(tmp_path)
    page.server.app.state.restores.sticks = lambda: [tmp_path / "none", stick]
    text = page.read("/backup?lang=en")
    assert "19 October 2026, 04:05, on the USB stick (referee-3f9a2c)" in text
    assert text.count("on the USB stick (") == MOST_OF_TABLE
    (newest, *_) = [one for one in find_backups(places, [stick]) if one.table]
    status, answer = page.choose(newest.id)
    assert (status, "2 matches" in answer["told"]) == (200, True)
    (folder / "referee-2026-10-19-0405.zip").unlink()  # it was pulled out
    assert page.choose(newest.id)[0] == 404
    assert page.restore(answer["id"])[0] == 200
    assert page.restored == [places.state / CHOSEN]
    assert page.restored[0].read_bytes() == old


def on_stick(page: Restoring, folder: Path, data: bytes) -> tuple[Path, str]:
    """A backup on a stick, and what it is chosen by."""
    path = folder / ON_STICK / "referee-3f9a2c" / "referee-2026-10-19-0405.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    page.server.app.state.restores.sticks = lambda: [folder]
    (one,) = [one for one in find_backups(Places(folder / "none"), [folder]) if one.table]
    return path, one.id


def test_a_stick_may_be_pulled_out_once_its_backup_is_checked(page: Restoring, old: bytes, tmp_path: Path) -> None:
    path, name = on_stick(page, tmp_path / "stick", old)
    chosen = page.choose(name)[1]["id"]
    path.unlink()
    assert page.restore(chosen)[0] == 200
    assert [one.read_bytes() for one in page.restored] == [old]


def test_a_backup_is_not_confirmed_once_its_file_is_another_one(page: Restoring, old: bytes, places: Places) -> None:
    made = make_backup(places, NOW.replace(day=20), pictures=False)
    chosen = page.choose(made.name)[1]["id"]
    made.write_bytes(old)
    assert (page.restore(chosen)[0], page.restored) == (410, [])


def test_a_stick_that_cannot_be_read_is_told_as_a_stick(
    page: Restoring, places: Places, old: bytes, tmp_path: Path
) -> None:
    made = make_backup(places, NOW.replace(day=20), pictures=False)
    path, name = on_stick(page, tmp_path / "stick", old)
    pages = page.server.app.state.restores
    whole, pages.examine = pages.examine, fails
    status, answer = page.choose(made.name)
    assert (status, answer["told"][:44]) == (507, "The memory card cannot be written or read. N")
    status, answer = page.choose(name)  # the copy of it on the card
    assert (status, answer["told"][:44]) == (507, "The memory card cannot be written or read. N")
    pages.examine = whole
    find = pages.find

    def gone(places: Places) -> list:
        found = find(places)
        path.unlink()
        return found

    pages.find = gone
    status, answer = page.choose(name)
    assert (status, answer["told"][:29], left(places)) == (422, "The USB stick cannot be read.", set())


def fails(*_: object) -> Inside:
    raise NotRestorable("disk", "Input/output error")


def test_a_stick_that_does_not_answer_is_not_waited_for(
    page: Restoring, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, found = threading.Event(), []
    made = make_backup(places, NOW.replace(day=20), pictures=False)
    monkeypatch.setattr(restores, "STICK_S", 0.1)

    def hang() -> list[Path]:
        found.append("asked")
        found.append(str(answers.wait(LONGEST_S)))
        return []

    page.server.app.state.restores.sticks = hang
    try:
        for _ in range(5):
            assert f'value="{made.name}"' in page.read("/backup?lang=en")
        assert page.choose(made.name)[0] == 200
        assert page.choose("none")[0] == 404
        assert found == ["asked"]  # it keeps one thread, not one for each request: there are only so many
    finally:
        answers.set()


@pytest.mark.parametrize("name", ["page.json", "../page.json", "before-restore-x.zip", "referee-2026-01-01-0400.zip"])
def test_nothing_else_on_the_machine_can_be_chosen(page: Restoring, places: Places, name: str) -> None:
    places.backups.mkdir()
    (places.backups / "referee-2026-01-01-0400.zip").symlink_to(places.state / "page.json")
    assert page.choose(name)[0] == 404


def test_a_damaged_a_foreign_and_a_newer_file_are_refused_and_leave_nothing(
    page: Restoring, places: Places, old: bytes, tmp_path: Path
) -> None:
    before = content(places)
    middle = len(old) // 3
    damaged = old[:middle] + bytes(byte ^ 0xFF for byte in old[middle : middle + 40]) + old[middle + 40 :]
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("holiday.txt", "the sea")
    for data in (damaged, old[:-100], b"", b"no ZIP at all" * 1000, foreign.read_bytes()):
        status, answer = page.send(data)
        assert (status, left(places)) == (422, set())
        assert answer["told"] == "This file is not a backup of the referee, or it is damaged. Nothing was changed."
    for changed in ({"format": 99}, {"journal": 99}):
        status, answer = page.send(with_manifest(tmp_path / "old.zip", tmp_path / "new.zip", changed))
        assert (status, left(places)) == (422, set())
        assert "by a newer version of the referee" in answer["told"]
    assert (content(places), page.restored) == (before, [])


def with_manifest(path: Path, to: Path, changed: dict) -> bytes:
    """The same backup with something else in its manifest."""
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(to, "w") as other:
        for info in one.infolist():
            data = one.read(info)
            if info.filename == NAME:
                data = json.dumps({**json.loads(data), **changed}).encode()
            other.writestr(info, data)
    return to.read_bytes()


@pytest.mark.usefixtures("old")
def test_a_backup_that_claims_to_be_of_no_time_is_told_as_it_is(page: Restoring, tmp_path: Path) -> None:
    status, answer = page.send(with_manifest(tmp_path / "old.zip", tmp_path / "new.zip", {"made": "<b>once</b>"}))
    assert status == 200, answer
    assert "<b>once</b>" in answer["told"]


def test_a_backup_without_room_is_refused(
    page: Restoring, places: Places, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = type("Usage", (), {"free": arriving.SPARE + len(old) + 1000})()
    monkeypatch.setattr("shutil.disk_usage", lambda _: free)
    page.server.app.state.restores.examine = lambda path, places, _, report: examine(path, places, report)
    status, answer = page.send(old)
    assert (status, left(places)) == (507, set())
    assert "not enough space on the memory card" in answer["told"]
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000})())
    assert (page.send(old)[0], left(places)) == (507, set())


def test_a_disk_that_fails_meanwhile_is_told(page: Restoring, places: Places, old: bytes) -> None:
    page.server.app.state.restores.examine = fails
    status, answer = page.send(old)
    assert (status, left(places)) == (507, set())
    assert answer["told"] == "The memory card cannot be written or read. Nothing was changed."


def test_a_file_that_is_cut_off_leaves_nothing_and_another_can_be_sent(
    page: Restoring, places: Places, old: bytes
) -> None:
    head = f"POST {FILE} HTTP/1.1\r\nHost: localhost:{page.server.port}\r\nOrigin: {page.address}\r\n"
    head += f"Content-Type: {BYTES}\r\nContent-Length: {len(old)}\r\n\r\n"
    with socket.create_connection(("localhost", page.server.port)) as line:
        line.sendall(head.encode() + old[:5000])
    status, answer = page.send(old)
    while status in (429, 503):  # the page has not noticed yet that the other one is gone
        time.sleep(0.1)
        status, answer = page.send(old)
    assert status == 200, answer
    assert left(places) == {CHOSEN}


def test_a_file_that_arrives_too_slowly_is_given_up(page: Restoring, places: Places, old: bytes) -> None:
    page.server.app.state.restores.patience = lambda _: 0.1
    head = f"POST {FILE} HTTP/1.1\r\nHost: localhost:{page.server.port}\r\nOrigin: {page.address}\r\n"
    head += f"Content-Type: {BYTES}\r\nContent-Length: {len(old)}\r\n\r\n"
    with socket.create_connection(("localhost", page.server.port)) as line:
        line.sendall(head.encode() + old[:100])
        assert b" 408 " in line.recv(1000)
    assert left(places) == set()


def test_of_two_browsers_the_first_does_not_restore_what_the_second_has_sent(page: Restoring, old: bytes) -> None:
    first = page.send(old)[1]["id"]
    second = page.send(old)[1]["id"]
    status, answer = page.restore(first)
    assert (status, page.restored) == (410, [])
    assert answer["told"] == "Meanwhile another backup was chosen. Choose yours again."
    assert page.restore(second)[0] == 200


def test_what_is_confirmed_is_not_replaced_by_what_another_browser_sends(
    page: Restoring, places: Places, old: bytes
) -> None:
    """Table and page take some seconds to close: until then, another file of the same name would be restored."""
    chosen = page.send(old)[1]["id"]
    assert page.restore(chosen)[0] == 200
    made = make_backup(places, NOW.replace(day=20), pictures=False)
    for status, answer in (page.send(made.read_bytes()), page.choose(made.name)):
        assert (status, answer["told"]) == (409, ENGLISH(Notice("system.ends_already")))
    assert (places.state / CHOSEN).read_bytes() == old


def test_two_are_not_checked_at_a_time(page: Restoring, old: bytes) -> None:
    pages, found = page.server.app.state.restores, []
    whole = pages.examine

    def during(*how: Any) -> Inside:
        found.append(page.send(old)[0])
        return whole(*how)

    pages.examine = during
    assert page.send(old)[0] == 200
    assert found == [503]


def test_what_stands_in_the_way_is_told_and_it_can_be_tried_again(places: Places, old: bytes) -> None:
    with closing(Restoring(places, Notice("system.reset_hall"))) as page:
        chosen = page.send(old)[1]["id"]
        status, answer = page.restore(chosen)
        assert (status, answer["told"]) == (409, ENGLISH(Notice("system.reset_hall")))
        page.refused = None
        assert page.restore(chosen)[0] == 200


def test_a_match_comes_first_whether_it_is_played_or_waits_to_be_decided(old: bytes, tmp_path: Path) -> None:
    with served(folder=tmp_path / "table") as table:
        table.server.restores(lambda _: pytest.fail("it must not be restored"))
        headers = {"Content_Type": BYTES, "Origin": table.address}
        table.press()
        status, _, body = table.get(FILE, "POST", old, **headers)
        assert (status, json.loads(body)["told"]) == (
            409,
            "A match is under way. End it first: pause it, then hold start.",
        )
        table.follower.sets_up(SetUp(values={}, decision=True), (900.0, 600.0))
        status, _, body = table.get(FILE, "POST", old, **headers)
        assert (status, "Resume it or discard it first" in json.loads(body)["told"]) == (409, True)


def test_where_nothing_can_be_restored_it_is_not_offered(places: Places, old: bytes) -> None:
    with closing(Page(places.state)) as page:
        assert "restore-part" not in page.read("/backup")
        for path, kind in ((FILE, BYTES), (KEPT, JSON), (RESTORE, JSON)):
            body = {FILE: old, KEPT: '{"name": "x"}', RESTORE: '{"id": "x"}'}[path]
            assert page.get(path, "POST", body, Content_Type=kind, Origin=page.address)[0] == 404


@pytest.mark.parametrize("body", ["[]", "{}", '{"id": 7}', "no JSON", '{"id": "ä"}', '{"id": ""}'])
def test_a_request_that_is_none_is_refused(page: Restoring, body: str) -> None:
    assert page.ask(RESTORE, body.encode())[0] in (400, 410)
    assert page.restored == []


def test_it_takes_the_pin_and_before_the_pin_nothing_is_offered(places: Places, old: bytes) -> None:
    with closing(House(places.state)) as house:
        house.server.restores(lambda _: pytest.fail("it must not be restored"))
        assert house.ask(FILE, "POST", old, Content_Type=BYTES)[0] == 403
        assert house.post(KEPT, {"name": "x"})[0] == 403
        assert house.post(RESTORE, {"id": "x"})[0] == 403
        assert "restore-part" not in house.ask("/backup")[2]
        assert left(places) == set()


def test_where_everybody_may_write_it_is_allowed_at_the_table(places: Places, old: bytes) -> None:
    with closing(House(places.state, writing="open")) as house:
        house.server.restores(lambda _: pytest.fail("it must not be restored"))
        house.server.buttons.were_pressed()
        status, headers, _ = house.ask(FILE, "POST", old, Content_Type=BYTES, **ELSEWHERE)
        assert (status, headers["X-Confirm"], left(places)) == (428, Action.RESTORE, set())
        assert 'data-confirms="yes"' in house.ask("/backup", **ELSEWHERE)[2]
        status, _, told = house.post("/api/presence", {"action": Action.RESTORE}, **ELSEWHERE)
        assert status == 200
        asked = house.controls.requests[-1]
        assert "replace everything with a backup" in ENGLISH(asked.what)
        asked.answered(True)
        for expected in (200, 428):  # it allows one backup, once
            how = {"Content_Type": BYTES, "X_Confirmed": told["id"], **ELSEWHERE}
            assert house.ask(FILE, "POST", old, **how)[0] == expected


# What is done once the page is closed


def test_everything_but_the_settings_file_is_that_of_the_backup(
    places: Places, tmp_path: Path, old: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    again: list[str] = []
    monkeypatch.setattr(fresh_start.os, "execv", lambda program, _: again.append(program))
    over(places)
    (places.state / CHOSEN).write_bytes(old)
    fresh_start.restore_and_start_again(places, places.state / CHOSEN)
    there = content(Places(tmp_path / "old" / "state"))
    assert content(replace(places, settings=None)) == there
    assert places.settings is not None
    assert 'season = "one"' in places.settings.read_text()
    assert (len(again), fresh_start.take_refused(places.state)) == (1, ())


def over(places: Places) -> None:
    """Nothing of a match is left."""
    for path in places.state.glob("journal.db*"):
        path.unlink()


def test_a_restore_that_is_refused_after_all_is_told_once(
    places: Places, old: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fresh_start.os, "execv", lambda *_: None)
    before = content(places)
    (places.state / CHOSEN).write_bytes(old)
    fresh_start.restore_and_start_again(places, places.state / CHOSEN)
    assert "expected no match under way, found match 2" in capsys.readouterr().err
    (told,) = fresh_start.take_refused(places.state)
    assert ENGLISH(told).startswith(
        "The backup was not restored: everything is as it was before. A match is under way"
    )
    assert fresh_start.take_refused(places.state) == ()
    assert content(places) == before
    over(places)
    (places.state / CHOSEN).write_bytes(old[:-100])  # the disk has lost something meanwhile
    fresh_start.restore_and_start_again(places, places.state / CHOSEN)
    (told,) = fresh_start.take_refused(places.state)
    assert told.key == "backup.restore_failed"
    assert "a match is under way" not in ENGLISH(told).lower()
    for of_another_version in (b"restore", b"[]", b'{"notice": "backup.unheard_of"}'):
        (places.state / fresh_start.REFUSED).write_bytes(of_another_version)
        assert fresh_start.take_refused(places.state) == ()
        assert not (places.state / fresh_start.REFUSED).exists()


@pytest.mark.page
@pytest.mark.usefixtures("old")
def test_a_new_machine_gets_what_the_old_one_had_on_its_page(tmp_path: Path) -> None:
    new = tmp_path / "new"
    state = new / "state"
    state.mkdir(parents=True)
    (state / PART).write_bytes(b"left by a power cut")
    (state / CHOSEN).write_bytes(b"chosen, but not confirmed any more")
    (state / DRAFT / "state").mkdir(parents=True)
    (state / DONE).mkdir()
    with ready_page(new, "panel.kind=console", f"web.port={free_port()}") as process, browser() as screen:
        assert not [name for name in (PART, CHOSEN, DRAFT, DONE) if (state / name).exists()]
        screen.open(f"{process.url}/backup?lang=de")
        screen.find("#restore-file").send_keys(str(tmp_path / "old.zip"))
        screen.find("#restore-send button").click()
        screen.until("#restore-told", "2 Partien")
        assert (screen.complaints(), screen.violations()) == ([], [])
        screen.find("#restore-yes").click()
        screen.until("#restore-answer", "Die Sicherung wird zurückgespielt.")
        process.line(r"http://(\S+):(\d+)/")  # it has started again
        screen.wait(lambda: "/backup" not in screen.driver.current_url, "the first page")
        assert json.loads((state / "boxes" / "old.json").read_text()) == {"box": "old"}
        assert not (state / CHOSEN).exists()
        assert not (state / PART).exists()
        assert len(list((state / "backups").glob("before-restore-*.zip"))) == 1


@pytest.mark.parametrize("what", ["reset", "restore"])
def test_systemd_is_not_told_that_it_stops_while_it_resets_or_restores(
    tmp_path: Path, old: bytes, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """After that systemd would wait for 20 s and kill it, in the middle of a large restore or of the next match."""
    systemd = Told(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "10000000")
    (tmp_path / "new").mkdir()
    with ready_page(tmp_path / "new", "panel.kind=console", f"web.port={free_port()}") as process:

        def post(path: str, body: bytes, kind: str = JSON) -> dict:
            headers = {"Content-Type": kind, "Origin": process.url, "Accept-Language": "en"}
            with closing(http.client.HTTPConnection(process.host, process.port, timeout=LONGEST_S)) as line:
                line.request("POST", path, body, headers)
                answer = line.getresponse()
                told = json.loads(answer.read())
            assert answer.status == 200, told
            return dict(told)

        systemd.until(b"READY=1")
        if what == "reset":
            post("/api/machine/reset", b'{"word": "reset"}')
        else:
            post(RESTORE, json.dumps({"id": post(FILE, old, BYTES)["id"]}).encode())
        told = systemd.until(b"READY=1")
        assert b"WATCHDOG_USEC=3600000000" in told
        assert b"STOPPING=1" not in told
        systemd.until(b"WATCHDOG_USEC=10000000")


class Told:
    """What systemd is told; it is read at once, since a full socket takes nothing more."""

    def __init__(self, path: Path) -> None:
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._door.bind(str(path))
        self._found: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            self._found.put(self._door.recv(1000))

    def until(self, last: bytes) -> list[bytes]:
        """The messages up to that one."""
        found = [self._found.get(timeout=LONGEST_S)]
        while found[-1] != last:
            found.append(self._found.get(timeout=LONGEST_S))
        return found


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        return door.getsockname()[1]


@pytest.mark.page
def test_restoring_is_for_everybody(places: Places, old: bytes, tmp_path: Path) -> None:
    make_backup(places, NOW, pictures=False)
    (tmp_path / "bad.zip").write_bytes(old[:-100])
    with closing(Restoring(places)) as page, browser() as screen:
        for language in LANGUAGES:
            screen.resize(1280, 900)
            screen.open(f"{page.address}/backup?lang={language}")
            screen.find("#restore-file").send_keys(str(tmp_path / "bad.zip"))
            screen.find("#restore-send button").click()
            screen.until("#restore-answer.failed", ".")
            screen.find("#restore-choose button").click()
            screen.find("#restore-sure")
            assert not screen.all("#restore-answer")[0].is_displayed()
            for size in NARROW:
                screen.narrow(size)
                assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
            assert (screen.violations_in_both_schemes(), complaints(screen)) == ([], [])
            screen.find("#restore-no").click()
            screen.find("#restore-send")
        assert page.restored == []


def complaints(screen) -> list[str]:
    """What the console was told, but for the refusals that a script has asked for."""
    return [line for line in screen.complaints() if FILE not in line]
