"""The page of backups: who gets one, what it contains, and that it is made while it is sent."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from browser import NARROW, browser
from kept_matches import Page
from saved_tables import NOW, content, furnish, table

from referee.backup.automatic import make_backup
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.restoring import restore
from referee.game.notice import Notice
from referee.i18n import LANGUAGES
from referee.page.access import Policy
from referee.pages.table import backups
from referee.pages.table.backups import BackupTroubles, Saving


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return table(tmp_path, "one")


def shown(places: Places, **how: object) -> Page:
    return Page(places.state, saving=Saving(places, **how))


def test_a_backup_is_downloaded_and_can_be_restored(places: Places, tmp_path: Path) -> None:
    page = shown(places)
    try:
        status, headers, data = page.get("/backup/now.zip")
        assert (status, headers["content-type"], headers["cache-control"]) == (200, "application/zip", "no-store")
        assert 'attachment; filename="referee-2' in headers["content-disposition"]
        path = tmp_path / "b.zip"
        path.write_bytes(data)
        assert not check_backup(path).pictures
        # The next one can be made as soon as the process that made the first has ended.
        while (answer := page.get("/backup/now.zip?pictures=yes"))[0] == 503:
            time.sleep(0.1)
        path.write_bytes(answer[2])
    finally:
        page.close()
    fresh = Places(tmp_path / "fresh", tmp_path / "fresh.toml")
    restore(path, fresh, NOW, lambda _: None)
    assert content(fresh) == content(places)
    assert not list(places.state.glob(".backup-*"))


def test_automatic_backups_are_listed_the_newest_first_and_can_be_downloaded(places: Places) -> None:
    old, new = (make_backup(places, NOW.replace(day=day), pictures=False) for day in (20, 21))
    page = shown(places)
    try:
        text = page.read("/backup")
        assert 0 < text.index(new.name) < text.index(old.name)
        assert "21 November 2026, 21:30, 0.1\u00a0MB" in text
        status, headers, data = page.get(f"/backup/{old.name}")
        assert (status, data, headers["cache-control"]) == (200, old.read_bytes(), "no-store")
    finally:
        page.close()


def test_why_there_is_no_automatic_backup_is_shown_until_there_is_one(places: Places) -> None:
    troubles = BackupTroubles()
    page = shown(places, troubles=troubles)
    try:
        assert "No backup could be made" not in page.read("/backup")
        troubles.show((Notice("backup.not_made", why=Notice("words.text", text="The card is <full>.")),))
        assert "No backup could be made. The card is &lt;full&gt;." in page.get("/backup")[2].decode()
        troubles.show(())
        assert "No backup could be made" not in page.read("/backup")
    finally:
        page.close()


@pytest.mark.parametrize("name", ["page.json", "..%2Fpage.json", "referee-2026-01-01-0400.zip", "referee-x.zip"])
def test_nothing_else_can_be_downloaded(places: Places, name: str) -> None:
    places.backups.mkdir()
    (places.backups / "page.json").write_text("{}")
    page = shown(places)
    try:
        assert page.get(f"/backup/{name}")[0] == 404
    finally:
        page.close()


def test_a_link_among_the_backups_is_not_followed(places: Places) -> None:
    places.backups.mkdir()
    (places.backups / "referee-2026-01-01-0400.zip").symlink_to(places.state / "page.json")
    page = shown(places)
    try:
        assert page.get("/backup/referee-2026-01-01-0400.zip")[0] == 404
        assert "referee-2026-01-01-0400" not in page.read("/backup")
    finally:
        page.close()


def test_without_the_pin_there_is_no_backup(places: Places) -> None:
    made = make_backup(places, NOW, pictures=False)
    page = Page(places.state, policy=Policy(local=False, reading="open", writing="pin"), saving=Saving(places))
    try:
        for path in ("/backup/now.zip", f"/backup/{made.name}"):
            assert page.get(path)[0] == 403
        text = page.read("/backup")
        assert made.name not in text
        assert "/backup/now.zip" not in text
        assert "Enter the PIN to download or restore a backup." in text
    finally:
        page.close()


def test_one_backup_is_made_at_a_time(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    page = shown(places)
    found = []
    whole = backups.stream_backup_apart

    def during(*arguments: object, **how: object):
        found.append(page.get("/backup/now.zip")[0])
        yield from whole(*arguments, **how)

    monkeypatch.setattr(backups, "stream_backup_apart", during)
    try:
        assert page.get("/backup/now.zip")[0] == 200
        assert found == [503]
        assert page.get("/backup/now.zip")[0] == 200
    finally:
        page.close()


def test_whoever_has_a_whole_backup_may_ask_for_the_next_one_at_once(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tidies up after an answer may come late on a busy machine."""
    in_time = backups.run_in_threadpool

    async def late(work, *arguments):
        if getattr(work, "__name__", "") == "close":
            await anyio.sleep(1.0)
        return await in_time(work, *arguments)

    monkeypatch.setattr(backups, "run_in_threadpool", late)
    page = shown(places)
    try:
        assert [page.get("/backup/now.zip")[0] for _ in range(2)] == [200, 200]
    finally:
        page.close()


def test_a_browser_that_goes_away_keeps_no_other_waiting(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that makes a backup has the lowest priority: beside a match it may take its time to end."""
    closing, answered, found = threading.Event(), threading.Event(), []

    def slow(*_: object, **__: object) -> Iterator[bytes]:
        try:
            while True:
                yield bytes(100_000)
        finally:
            closing.set()
            found.append(answered.wait(20))

    monkeypatch.setattr(backups, "stream_backup_apart", slow)
    page = shown(places)
    try:
        with socket.create_connection(("localhost", page.server.port)) as line:
            line.sendall(f"GET /backup/now.zip HTTP/1.1\r\nHost: localhost:{page.server.port}\r\n\r\n".encode())
            assert line.recv(1000).startswith(b"HTTP/1.1 200")
        assert closing.wait(60)
        assert page.get("/api/me")[0] == 200
        answered.set()
    finally:
        page.close()
    assert found == [True]


def test_a_journal_that_is_damaged_cuts_the_download_off(places: Places) -> None:
    journal = places.state / "journal.db"
    data = journal.read_bytes()
    journal.write_bytes(data[:4096] + b"\xff" * 4096 + data[8192:])
    page = shown(places)
    try:
        for _ in range(2):  # the second attempt is not told that another one is under way
            with pytest.raises(http.client.IncompleteRead):
                page.get("/backup/now.zip")
    finally:
        page.close()


def test_a_table_without_files_and_one_that_makes_none_say_so(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    furnish(tmp_path / "state", "one")
    page = Page(tmp_path / "state")
    try:
        assert "There are none yet." in page.read("/backup")
    finally:
        page.close()
    page = shown(Places(tmp_path / "state"), automatic=False)
    try:
        assert "Automatic backups are switched off" in page.read("/backup")
    finally:
        page.close()
    page = Page(None)
    try:
        assert page.get("/backup/now.zip")[0] == 404
        assert "/backup/now.zip" not in page.read("/backup")
    finally:
        page.close()


@pytest.mark.page
def test_the_page_is_for_everybody(places: Places) -> None:
    make_backup(places, NOW, pictures=False)
    page = shown(places)
    shut = Page(places.state, policy=Policy(local=False, reading="open", writing="pin"), saving=Saving(places))
    try:
        with browser() as screen:
            for address in (page.address, shut.address):
                for language in LANGUAGES:
                    for scheme in ("light", "dark"):
                        screen.prefers(scheme=scheme, motion="reduce")
                        screen.open(f"{address}/backup?lang={language}")
                        assert (screen.violations(), screen.sideways(), screen.complaints()) == ([], 0, [])
            for size in NARROW:
                screen.narrow(size)
                screen.open(f"{page.address}/backup?lang=de")
                assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
            screen.open(f"{page.address}/more")
            screen.find("a[href='/backup']").click()
            screen.until("h1", "Sicherung")
            assert screen.all(".tabs a[aria-current=page]")[0].get_attribute("href").endswith("/more")
    finally:
        page.close()
        shut.close()


@pytest.mark.page
def test_the_page_fits_with_text_of_twice_the_size(places: Places) -> None:
    make_backup(places, NOW, pictures=False)
    page = shown(places)
    try:
        with browser(text_px=32) as screen:
            screen.resize(360, 740)
            for language in LANGUAGES:
                screen.open(f"{page.address}/backup?lang={language}")
                assert screen.sideways() == 0
    finally:
        page.close()
