"""The page of updates: what it shows, what it takes from a browser or a stick, and what it asks the updater for."""

import http.client
import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from browser import NARROW, browser
from bundle_files import bundle_bytes
from kept_matches import Page
from page import PATIENCE_S
from update_box import NEW_SCHEMA, OLD_SCHEMA, Box
from updater.asking import carry_out

from referee.devices import update_files
from referee.devices.installed_versions import INCOMING, is_installed, read_versions
from referee.devices.stick_bundles import find_bundles
from referee.devices.update_files import BUNDLE, ORDER, PART, TAKEN_S, UPDATES
from referee.i18n import LANGUAGES
from referee.page.access import Policy
from referee.pages.table import updates
from referee.pages.table.updates import BACK, CANCEL, SEND, STATE, STICK, Updating

DATA = bundle_bytes("3-new", 700_000)
JSON, BYTES = "application/json", "application/octet-stream"


@pytest.fixture(autouse=True)
def plenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room on this disk."""
    monkeypatch.setattr(update_files, "FOR_INSTALLING", 0)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A machine on which version b is in use, and version a can be gone back to."""
    made = Box.made(tmp_path / "box", "works")
    made.watch()
    return made


def updating_of(box: Box, **how: object) -> Updating:
    stick = box.root.parent / "stick"
    how = {"tables": OLD_SCHEMA, "on_sticks": lambda: find_bundles([stick]), **how}
    return Updating(box.slots.home, box.folder, box.folder, **how)


class Boxed(Page):
    """The page of that machine; the journal that it shows is another one."""

    def __init__(self, box: Box, policy: Policy | None = None, **how: object) -> None:
        folder = box.root.parent / "page"
        folder.mkdir(exist_ok=True)
        super().__init__(folder, policy=policy, updating=updating_of(box, **how))

    def state(self) -> dict:
        status, _, body = self.get(STATE, Accept_Language="en")
        assert status == 200
        return json.loads(body)

    def order(self, path: str, body: str | bytes = "{}", kind: str = JSON, **headers: str) -> tuple[int, dict]:
        headers = {"Content_Type": kind, "Origin": self.address, "Accept_Language": "en", **headers}
        status, _, answer = self.get(path, "POST", body, **headers)
        return status, json.loads(answer)

    def send(self, data: bytes = DATA, **headers: str) -> tuple[int, dict]:
        return self.order(SEND, data, BYTES, **headers)


@pytest.fixture
def page(box: Box) -> Iterator[Boxed]:
    with closing(Boxed(box)) as made:
        yield made


def left(box: Box) -> list[str]:
    folder = box.folder / UPDATES
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def begin_match(box: Box) -> None:
    with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
        journal.execute("INSERT INTO events VALUES (2, 0, 'match', NULL)")


def result(box: Box, **changed: object) -> None:
    known = {"state": "stays", "version": "version b", "before": "version a", "reason": "", "detail": "", "lost": 0}
    (box.folder / "update.json").write_text(json.dumps({**known, **changed}))


# What it shows


def test_it_shows_both_versions_and_what_became_of_the_last_update(page: Boxed) -> None:
    text = page.read("/update?lang=en")
    assert "version b" in text
    assert "version a" in text
    assert "Version version b is in use: it has passed its trial." in text
    state = page.state()
    assert (state["in_use"], state["other"], state["state"]) == ("version b", "version a", "stays")
    assert (state["sends"], state["cancels"], state["back"]) == (True, False, "Go back to version version a")
    assert '<a href="/update">' in page.read("/more")


def test_an_installation_whose_end_could_not_be_written_keeps_nobody_from_the_next(page: Boxed, box: Box) -> None:
    result(box, state="installing")
    incoming = box.slots.home / INCOMING
    incoming.mkdir()
    state = page.state()
    assert (state["state"], state["sends"]) == ("installing", False)
    incoming.rmdir()
    state = page.state()
    assert (state["state"], state["sends"]) == ("failed", True)
    assert "there is not enough space on the memory card" in state["told"][0]


def test_on_a_laptop_it_says_that_updates_are_for_an_installed_box(tmp_path: Path) -> None:
    with closing(Page(tmp_path)) as page:
        text = page.read("/update?lang=en")
        assert "Updates are for a referee that is installed on its own machine." in text
        assert "<form id" not in text
        assert page.get(STATE)[0] == 404
        for path in (SEND, STICK, CANCEL, BACK):
            assert page.get(path, "POST", "{}", Content_Type=JSON)[0] == 404


def test_only_a_program_in_a_slot_can_be_exchanged(box: Box, tmp_path: Path) -> None:
    home = box.slots.home
    (home / "slots/b/venv").mkdir()
    assert is_installed(str(home / "current/venv"), home)
    assert is_installed(str(home / "slots/b/venv"), home)
    assert not is_installed(str(tmp_path / "checkout/.venv"), home)
    assert not is_installed(str(home / "slots/a/venv"), home)
    assert not is_installed(str(home / "current/venv"), tmp_path / "nowhere")
    assert read_versions(tmp_path / "nowhere", 1) is None


def test_a_version_that_was_taken_back_is_not_called_the_one_before(tmp_path: Path) -> None:
    box = Box.made(tmp_path / "box", "hangs")
    box.watch()
    with closing(Boxed(box)) as page:
        state = page.state()
        assert (state["in_use"], state["state"]) == ("version a", "back")
        assert state["back"] == "Use version version b"


def test_a_version_that_cannot_read_the_journal_is_not_offered(tmp_path: Path) -> None:
    box = Box.made(tmp_path / "box", "works", NEW_SCHEMA)
    box.watch()
    with closing(Boxed(box, tables=NEW_SCHEMA)) as page:
        state = page.state()
        assert state["back"] == ""
        assert "You cannot go back to version version a" in state["no_way_back"]
        assert page.order(BACK)[0] == 409


def test_during_a_trial_nothing_is_offered(tmp_path: Path) -> None:
    box = Box.made(tmp_path / "box", "works")
    box.change.switch()
    with closing(Boxed(box)) as page:
        state = page.state()
        assert (state["state"], state["sends"], state["back"], state["sticks"]) == ("trying", False, "", [])
        assert page.order(BACK)[0] == 409


@pytest.mark.parametrize("name", ["current", "schemas.json", "slots/a/version", "slots/b/version"])
def test_an_installation_that_is_damaged_is_no_reason_for_a_broken_page(box: Box, page: Boxed, name: str) -> None:
    path = box.slots.home / name
    if path.is_symlink():
        path.unlink()
    else:
        path.write_bytes(b"\xff" * 5000)
    assert page.get("/update")[0] == 200
    assert page.get(STATE)[0] == 200


# What it asks the updater for


def test_an_update_that_waits_can_be_cancelled(box: Box, page: Boxed) -> None:
    begin_match(box)
    box.change.request("a")
    box.change.switch()
    state = page.state()
    assert (state["state"], state["cancels"], state["back"]) == ("waits", True, "")
    assert "Until then you can cancel it." in state["told"]
    assert page.order(CANCEL)[1]["state"] == "asked"
    assert json.loads((box.folder / UPDATES / ORDER).read_text()) == {"do": "cancel"}
    assert not page.state()["cancels"]
    carry_out(box.folder, box.change)
    state = page.state()
    assert (state["state"], state["cancels"], state["back"]) == ("cancelled", False, "Use version version a")
    assert page.order(CANCEL)[0] == 409


def test_the_version_before_is_asked_for(box: Box, page: Boxed) -> None:
    assert page.order(BACK)[1]["state"] == "asked"
    carry_out(box.folder, box.change)
    assert box.change.switch()
    assert (box.running(), page.state()["in_use"]) == ("a", "version a")


def test_an_order_that_cannot_be_written_is_told(box: Box, page: Boxed) -> None:
    (box.folder / UPDATES).write_text("in the way")
    assert page.order(BACK) == (507, {"told": "The file could not be saved on the memory card."})


def test_what_no_updater_takes_is_said_after_a_while_and_can_be_removed(box: Box) -> None:
    clock = [0.0]
    with closing(Boxed(box, now=lambda: clock[0])) as page:
        assert page.send()[1]["state"] == "sent"
        clock[0] = TAKEN_S - 1
        assert page.state()["state"] == "sent"
        clock[0] = TAKEN_S
        state = page.state()
        assert (state["state"], state["cancels"], state["sends"]) == ("untaken", True, False)
        assert "the program that installs updates is not running" in state["told"][0]
        assert page.order(CANCEL)[0] == 200
        assert left(box) == []
        assert page.state()["sends"]


def test_an_order_that_nobody_reads_is_removed_too_and_a_newer_one_has_its_own_time(box: Box) -> None:
    clock = [0.0]
    with closing(Boxed(box, now=lambda: clock[0])) as page:
        assert page.order(BACK)[1]["state"] == "asked"
        clock[0] = 2 * TAKEN_S
        assert page.state()["state"] == "untaken"
        assert page.order(CANCEL)[1]["state"] != "untaken"
        assert left(box) == []
        assert page.order(BACK)[1]["state"] == "asked"


def test_while_the_updater_is_at_work_on_a_bundle_it_is_waited_for(box: Box) -> None:
    clock = [0.0]
    with closing(Boxed(box, now=lambda: clock[0])) as page:
        page.send()
        result(box, state="installing", version="3-new")
        assert page.state()["state"] == "installing"
        clock[0] = 10 * TAKEN_S
        assert page.state()["state"] == "installing"


# Bundles from a browser


def test_a_bundle_that_was_sent_waits_for_the_updater(box: Box, page: Boxed) -> None:
    status, state = page.send()
    assert (status, state["state"]) == (200, "sent")
    assert state["told"] == ["The update has arrived and will be checked."]
    assert (box.folder / UPDATES / BUNDLE).read_bytes() == DATA
    assert left(box) == [BUNDLE]
    result(box, state="installing", version="3-new")
    state = page.state()
    assert (state["state"], state["sends"], state["back"]) == ("installing", False, "")
    assert "Version 3-new is being installed." in state["told"][0]


def test_whatever_name_a_browser_tells_it_lies_where_the_updater_waits(box: Box, page: Boxed) -> None:
    for path in (f"{SEND}/../../etc/passwd", f"{SEND}/x", f"{SEND}%2f..%2fevil"):
        assert page.order(path, DATA, BYTES)[0] in (404, 405, 413)
    headers = {"Content_Disposition": 'attachment; filename="../../evil"'}
    assert page.order(f"{SEND}?name=../../evil", DATA, BYTES, **headers)[0] == 200
    assert left(box) == [BUNDLE]
    assert not [*box.root.parent.rglob("*evil*")]


@pytest.mark.parametrize(
    ("data", "status", "told"),
    [
        pytest.param(b"", 422, "This file is not an update of the referee.", id="nothing"),
        pytest.param(b"\xff\xd8" + bytes(900_000), 422, "This file is not an update of the referee.", id="a photo"),
        pytest.param(DATA[:300], 422, "This file is not an update of the referee.", id="the first bytes"),
    ],
)
def test_what_is_no_bundle_is_refused_and_leaves_nothing(
    box: Box, page: Boxed, data: bytes, status: int, told: str
) -> None:
    assert page.send(data) == (status, {"told": told})
    assert left(box) == []


def test_a_bundle_that_is_too_large_is_refused_before_it_is_read(box: Box, page: Boxed) -> None:
    with closing(http.client.HTTPConnection("localhost", page.server.port, timeout=PATIENCE_S)) as line:
        line.putrequest("POST", SEND)
        line.putheader("Content-Type", BYTES)
        line.putheader("Content-Length", str(10**12))
        line.endheaders()
        assert line.getresponse().status == 413
    assert left(box) == []


def test_a_bundle_without_a_length_ends_at_the_limit(box: Box, page: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_files, "MOST_BYTES", 600_000)
    with closing(http.client.HTTPConnection("localhost", page.server.port, timeout=PATIENCE_S)) as line:
        headers = {"Content-Type": BYTES, "Transfer-Encoding": "chunked"}
        line.request("POST", SEND, iter([DATA]), headers, encode_chunked=True)
        assert line.getresponse().status == 413
    assert left(box) == []


def test_without_room_it_is_refused(box: Box, page: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_files, "FOR_INSTALLING", 10**18)
    assert page.send()[0] == 507
    assert left(box) == []


def begun(page: Boxed, data: bytes) -> socket.socket:
    """A connection on which a bundle has been begun."""
    line = socket.create_connection(("localhost", page.server.port), PATIENCE_S)
    head = f"POST {SEND} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {BYTES}\r\nContent-Length: {len(DATA)}\r\n\r\n"
    line.sendall(head.encode() + data)
    return line


def wait_for(holds: object) -> None:
    """Wait until that is so, for as long as any test waits."""
    pause = threading.Event()
    for _ in range(int(PATIENCE_S / 0.02)):
        if holds():
            return
        pause.wait(0.02)
    raise AssertionError("it never came true")


def test_a_bundle_that_is_cut_off_leaves_nothing(box: Box, page: Boxed) -> None:
    line = begun(page, DATA[:500_000])
    wait_for(lambda: left(box) == [PART])
    line.close()
    wait_for(lambda: left(box) == [])
    assert page.send()[0] == 200


def test_a_bundle_that_comes_too_slowly_is_not_waited_for(box: Box) -> None:
    with closing(Boxed(box, patience=lambda _: 0.2)) as page, closing(begun(page, DATA[:1000])) as line:
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert answer.status == 408
        assert left(box) == []


def test_two_at_once_do_not_disturb_each_other(box: Box, page: Boxed) -> None:
    with closing(begun(page, DATA[:500_000])) as line:
        wait_for(lambda: left(box) == [PART])
        assert page.state()["state"] == "arriving"
        assert not page.state()["sends"]
        small = bundle_bytes("4-other", 100)
        assert page.send(small)[0] == 409
        line.sendall(DATA[500_000:])
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert answer.status == 200
    assert (box.folder / UPDATES / BUNDLE).read_bytes() == DATA
    assert page.send(small)[0] == 409  # until the updater has taken it


def test_when_the_page_ends_what_was_begun_is_no_obstacle_for_the_next(box: Box) -> None:
    with closing(Boxed(box)) as page:
        line = begun(page, DATA[:500_000])
        wait_for(lambda: left(box) == [PART])
    line.close()
    with closing(Boxed(box)) as page:
        assert page.send()[0] == 200


def test_a_bundle_is_never_held_in_memory(page: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    whole = update_files.ArrivingBundle.write

    def write(bundle: object, piece: bytes) -> None:
        sizes.append(len(piece))
        whole(bundle, piece)

    monkeypatch.setattr(update_files.ArrivingBundle, "write", write)
    data = bundle_bytes("3-new", 8_000_000)
    assert page.send(data)[0] == 200
    assert sum(sizes) == len(data)
    assert max(sizes) < 2 * updates.PIECE


# Who may


def test_without_the_pin_nothing_is_taken_and_nothing_is_shown_of_a_stick(box: Box) -> None:
    (box.root.parent / "stick").mkdir()
    (box.root.parent / "stick/referee.bundle").write_bytes(DATA)
    with closing(Boxed(box, Policy(local=False, reading="open", writing="pin"))) as page:
        for path in (SEND, STICK, CANCEL, BACK):
            assert page.order(path, DATA if path == SEND else "{}", BYTES if path == SEND else JSON)[0] == 403
        state = page.state()
        assert (state["sends"], state["cancels"], state["back"], state["sticks"]) == (False, False, "", [])
        text = page.read("/update?lang=en")
        assert "Enter the PIN to install an update." in text
        assert "<form id" not in text
    assert left(box) == []


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "http://evil.example"}, id="another website"),
        pytest.param({"Origin": "null"}, id="a page without an origin"),
        pytest.param({"Sec_Fetch_Site": "cross-site"}, id="a browser that says so"),
        pytest.param({"Content_Type": "multipart/form-data; boundary=x"}, id="the form of an old browser"),
        pytest.param({"Content_Type": "text/plain"}, id="a text of an old browser"),
    ],
)
@pytest.mark.parametrize("path", [SEND, STICK, CANCEL, BACK])
def test_no_other_website_can_send_or_ask(box: Box, page: Boxed, headers: dict[str, str], path: str) -> None:
    assert page.get(path, "POST", DATA, **{"Content_Type": BYTES, **headers})[0] in (403, 415)
    assert left(box) == []


def test_nothing_is_changed_by_following_a_link(box: Box, page: Boxed) -> None:
    for path in (SEND, STICK, CANCEL, BACK):
        assert page.get(path)[0] == 405
    assert left(box) == []


# Sticks


def test_a_bundle_on_a_stick_is_offered_and_installed_only_if_somebody_wants_it(box: Box, page: Boxed) -> None:
    stick = box.root.parent / "stick"
    stick.mkdir()
    (stick / "referee.bundle").write_bytes(DATA)
    (stick / "same.bundle").write_bytes(bundle_bytes("version-b"))
    (box.slots.path("b") / "version").write_text("version-b\n")
    (offer,) = page.state()["sticks"]
    assert offer["text"] == "On the USB stick: version 3-new (referee.bundle)"
    assert left(box) == []
    assert page.order(f"{STICK}?id={offer['id']}")[0] == 200
    wait_for(lambda: left(box) == [BUNDLE])
    assert (box.folder / UPDATES / BUNDLE).read_bytes() == DATA
    wait_for(lambda: page.state()["state"] == "sent")
    assert page.state()["sticks"] == []
    assert page.order(f"{STICK}?id={offer['id']}")[0] == 409


@pytest.mark.parametrize("query", ["", "?id=", "?id=../../etc/passwd", "?id=0123456789abcdef"])
def test_what_is_on_no_stick_is_not_installed(box: Box, page: Boxed, query: str) -> None:
    assert page.order(STICK + query) == (404, {"told": "This file is no longer on a stick."})
    assert left(box) == []


def test_a_stick_that_is_pulled_out_leaves_nothing(box: Box) -> None:
    stick = box.root.parent / "stick"
    stick.mkdir()
    (stick / "referee.bundle").write_bytes(DATA)
    found = find_bundles([stick])
    (stick / "referee.bundle").unlink()
    with closing(Boxed(box, on_sticks=lambda: found)) as page:
        assert page.order(f"{STICK}?id={found[0].id}")[0] == 200
        wait_for(lambda: page.state()["state"] == "stopped")
        assert page.state()["told"] == ["This file is no longer on a stick."]
        assert left(box) == []
        assert page.state()["sends"]


# For everybody


@pytest.mark.page
def test_a_bundle_is_sent_from_a_browser_and_the_page_follows_it(box: Box, page: Boxed, tmp_path: Path) -> None:
    (tmp_path / "referee.bundle").write_bytes(DATA)
    (tmp_path / "photo.bundle").write_bytes(b"\xff\xd8" + bytes(5000))
    with browser() as screen:
        screen.open(f"{page.address}/update?lang=en")
        screen.find("#file").send_keys(str(tmp_path / "photo.bundle"))
        screen.find("#send button").click()
        screen.until("#refused", "This file is not an update of the referee.")
        screen.find("#file").send_keys(str(tmp_path / "referee.bundle"))
        screen.find("#send button").click()
        screen.until("#told", "The update has arrived and will be checked.")
        assert not [one for one in screen.all("#send, #refused, #sending") if one.is_displayed()]
        assert (box.folder / UPDATES / BUNDLE).read_bytes() == DATA
        result(box, state="waits", version="version a")
        (box.folder / UPDATES / BUNDLE).unlink()
        box.change.request("a")
        screen.until("#told", "Until then you can cancel it.")
        screen.find("#cancel").click()
        wait_for(lambda: left(box) == [ORDER])
        carry_out(box.folder, box.change)
        screen.until("#told", "The update to version version a was cancelled.")
        screen.until("#back", "Use version version a")
        assert screen.complaints() == []


@pytest.mark.page
def test_what_is_on_a_stick_appears_while_the_page_is_open(box: Box, page: Boxed) -> None:
    result(box, state="waits")  # so that it is asked for often
    with browser() as screen:
        screen.open(f"{page.address}/update?lang=en")
        stick = box.root.parent / "stick"
        stick.mkdir()
        (stick / "referee.bundle").write_bytes(DATA)
        screen.until("#sticks", "On the USB stick: version 3-new (referee.bundle)")
        screen.find("#sticks button").click()
        screen.until("#told", "The update has arrived")


@pytest.mark.page
def test_the_page_of_updates_is_for_everybody(box: Box, page: Boxed, tmp_path: Path) -> None:
    stick = box.root.parent / "stick"
    stick.mkdir()
    (stick / "referee.bundle").write_bytes(DATA)
    shut = Boxed(box, Policy(local=False, reading="open", writing="pin"))
    laptop = Page(tmp_path)
    try:
        with browser() as screen:
            for address in (page.address, shut.address, laptop.address):
                for language in LANGUAGES:
                    for scheme in ("light", "dark"):
                        screen.prefers(scheme=scheme, motion="reduce")
                        screen.open(f"{address}/update?lang={language}")
                        assert (screen.violations(), screen.sideways(), screen.complaints()) == ([], 0, [])
            for size in NARROW:
                screen.narrow(size)
                screen.open(f"{page.address}/update?lang=de")
                screen.find("#sticks button")
                assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], [])
            screen.open(f"{page.address}/more?lang=de")
            screen.find("a[href='/update']").click()
            screen.until("h1", "Update")
            assert screen.all(".tabs a[aria-current=page]")[0].get_attribute("href").endswith("/more")
    finally:
        shut.close()
        laptop.close()


@pytest.mark.page
def test_the_page_of_updates_fits_with_text_of_twice_the_size(page: Boxed) -> None:
    with browser(text_px=32) as screen:
        screen.resize(360, 740)
        for language in LANGUAGES:
            screen.open(f"{page.address}/update?lang={language}")
            assert screen.sideways() == 0
