"""The page while tables are built: nobody's change is lost, nothing waits for a disk, and a camera may come late."""

import asyncio
import math
import threading
from types import SimpleNamespace

import pytest

from referee.cli.page import page as pages
from referee.cli.page import serving
from referee.cli.page.page import Anew, Page
from referee.cli.programs import one_table as one_table_module
from referee.cli.programs.one_table import Asked
from referee.devices.service import WITHOUT_TABLE
from referee.devices.system.safe_mode import SafeMode
from referee.errors import BadInput, CameraLost, Loss
from referee.game.notice import Notice
from referee.i18n import ENGLISH
from referee.settings.settings import Settings, Web, load
from referee.table.preparation.values import SetupStage

PATIENCE_S = 60.0
MISSING = Notice("camera.well_again")


class Changes:
    """Settings that are changed: takes everything, once `goes_on` is set."""

    def __init__(self):
        self.taken, self.threads = [], []
        self.begun, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()

    def take(self, _, changes):
        self.threads.append(threading.current_thread())
        self.begun.set()
        assert self.goes_on.wait(PATIENCE_S)
        self.taken.append(changes)


@pytest.fixture
def changes():
    return Changes()


@pytest.fixture
def page(tmp_path, monkeypatch, changes):
    monkeypatch.setattr(pages, "journal_folder", lambda _: tmp_path)
    settings = Settings(web=Web(port=0))
    made = Page(settings, lambda: settings, changes, "en", lambda _: None)
    made.starts()
    yield made
    made.close()


def build(page):
    page.announce_building(page.loads(), ENGLISH)


def test_settings_changed_after_they_were_read_have_the_table_built_once_more(page):
    settings = page.loads()
    assert page.submit_settings({"game.rounds": 2}).result(PATIENCE_S) is None
    page.announce_building(settings, ENGLISH)
    assert page.anew
    with pytest.raises(Anew):
        page.sleep(PATIENCE_S)
    build(page)
    assert not page.anew


@pytest.fixture
def safe_page(tmp_path, changes):
    """A page in safe mode, whose settings name recordings outside the journal's folder."""
    pack = tmp_path / "recordings"
    pack.mkdir()
    flags = {"storage.state": str(tmp_path / "state"), "web.port": "0", "camera.kind": "virtual",
             "voice.on": "true", "voice.pack": str(pack)}  # fmt: skip
    settings = load(None, {}, flags)
    safe = SafeMode(tmp_path / "state", {})
    (tmp_path / "state").mkdir()
    assert safe.change(on=True) is None
    made = Page(settings, lambda: settings, changes, "en", lambda _: None, safe)
    made.starts()
    yield made
    made.close()


def test_in_safe_mode_a_backup_has_what_the_settings_name(safe_page, tmp_path, monkeypatch):
    saved = []

    def backups_beside(places, *_):
        saved.append(dict(places.named))
        raise BadInput("enough")

    monkeypatch.setattr(one_table_module, "backups_beside", backups_beside)
    settings = safe_page.loads()
    assert not settings.voice.on
    asked = Asked(SimpleNamespace(reader=lambda: None, checksum=None, learner=None, reader_through=lambda _: None))
    with pytest.raises(BadInput, match="enough"):
        one_table_module.one_table(settings, asked, ENGLISH, safe_page)
    monkeypatch.setattr(pages, "reset_and_start_again", lambda places, _: saved.append(dict(places.named)))
    assert safe_page.submit_reset(False).result(PATIENCE_S) is None
    safe_page.afterwards()
    assert saved == [{"voice.pack": tmp_path / "recordings"}] * 2


def test_one_change_comes_after_the_other(page, changes):
    changes.goes_on.clear()
    first, second = page.submit_settings({"game.rounds": 2}), page.submit_settings({"game.rounds": 3})
    assert changes.begun.wait(PATIENCE_S)
    assert changes.taken == []
    changes.goes_on.set()
    assert (first.result(PATIENCE_S), second.result(PATIENCE_S)) == (None, None)
    assert changes.taken == [{"game.rounds": 2}, {"game.rounds": 3}]
    assert len(set(changes.threads)) == 1
    assert changes.threads[0] is not threading.current_thread()


def test_the_watchdog_is_told_while_the_disk_takes_its_time(page, changes, monkeypatch):
    monkeypatch.setattr(pages, "EVERY_S", 0.01)
    changes.goes_on.clear()
    alive = []

    def told():
        alive.append(True)
        changes.goes_on.set()

    page.service = SimpleNamespace(alive=told)
    assert page.configure({"game.rounds": 2}) is None
    assert alive


def test_a_loop_is_ended_in_its_own_thread_whoever_changes_settings(page):
    build(page)
    ended = []

    async def run():
        over = asyncio.Event()

        def stop():
            ended.append(threading.current_thread())
            over.set()

        loop = SimpleNamespace(contacts=(), touchable=False, stop=stop, now=0.0, reads_pictures=None)
        page.serves(loop)
        threading.Thread(target=page.configure, args=(None,)).start()
        await asyncio.wait_for(over.wait(), PATIENCE_S)
        page.serves(None)

    asyncio.run(run())
    assert ended == [threading.main_thread()]
    assert page.configure(None) is None  # nothing is there to be ended any more


def test_what_is_missing_is_waited_for_so_long_only(page):
    build(page)
    page.waits(MISSING, 0.05)
    assert not page.anew
    page.announce_building(page.loads(), ENGLISH, MISSING)
    page.announce(Notice("camera.waiting", why=MISSING, seconds=20.0), 20.0)
    assert (page.follower.facts.setup.stage, page.follower.facts.setup.missing) == (SetupStage.MISSING, MISSING)


class Waiting:
    """Stands for the page: remembers what it waited for, and how long."""

    anew = False
    afterwards = None

    def __init__(self):
        self.waited, self.shown, self.decisions, self.statuses = [], [], [], []

    def loads(self):
        return Settings()

    def announce_building(self, _, __, missing):
        self.shown.append(missing)

    def waits(self, _, seconds, *, decision, status):
        self.waited.append(seconds)
        self.statuses.append(status)
        self.decisions.append(decision)

    def take_decision(self):
        return None


def tables(monkeypatch, *ends):
    """The tables that end so one after the other, the last one well; how each was asked for, and what was waited."""
    page, asked, left = Waiting(), [], list(ends)

    def one_table(_, how, *__):
        asked.append(how)
        if left:
            raise left.pop(0)
        return 0

    monkeypatch.setattr(serving, "one_table", one_table)
    assert serving.run_tables(page, lambda _: ENGLISH, Asked(None, new=True)) == 0
    return asked, page


def lost(kind=Loss.ABSENT):
    return CameraLost(MISSING, kind)


def test_a_camera_that_comes_late_is_tried_again_without_anybodys_help(monkeypatch, capsys):
    asked, page = tables(monkeypatch, lost(), lost(), lost(Loss.STUCK))
    assert page.waited == [serving.AGAIN_S] * 3
    assert page.shown == [None, MISSING, MISSING, MISSING]  # it stays on the page
    assert [how.again for how in asked] == [False, True, True, True]
    assert [how.new for how in asked] == [True, False, False, False]
    assert len(capsys.readouterr().err.splitlines()) == 1  # the same reason is told once


def test_what_only_people_can_mend_waits_for_people(monkeypatch):
    _, page = tables(monkeypatch, BadInput("[camera] kind: no"), lost(Loss.UNUSABLE))
    assert page.waited == [math.inf, math.inf]
    assert page.decisions == [False, False]
    assert page.statuses == [f"{WITHOUT_TABLE} [camera] kind: no", f"{WITHOUT_TABLE} {lost(Loss.UNUSABLE)}"]


def test_a_camera_that_may_be_switched_off_is_not_told_as_the_fault_of_this_version(monkeypatch):
    _, page = tables(monkeypatch, lost(), lost(Loss.STUCK))
    assert page.statuses == [str(lost()), str(lost(Loss.STUCK))]


def test_whoever_hears_that_the_page_is_ready_knows_that_there_is_no_table(page):
    build(page)
    told = []
    page.service = SimpleNamespace(status=told.append, ready=lambda: told.append("ready"), alive=lambda: None)
    page.waits(MISSING, 0.0, status=f"{WITHOUT_TABLE}why")
    assert told == [f"{WITHOUT_TABLE}why", "ready"]


def test_a_program_in_a_slot_has_a_page_of_updates_and_looks_for_sticks(tmp_path, monkeypatch, changes):
    monkeypatch.setattr(pages, "journal_folder", lambda _: tmp_path)
    monkeypatch.setattr(pages, "is_installed", lambda: True)
    settings = Settings(web=Web(port=0))
    made = Page(settings, lambda: settings, changes, "en", lambda _: None)
    made.starts()
    assert "sticks" in [thread.name for thread in threading.enumerate()]
    made.close()
    assert "sticks" not in [thread.name for thread in threading.enumerate()]
