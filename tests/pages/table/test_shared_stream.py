"""All windows of a browser share one stream: a browser has six connections to a host, and a stream keeps one."""

from dataclasses import replace
from pathlib import Path

import pytest
from page import served

import referee
from referee.game.notice import Notice
from referee.page import stream
from referee.pages.table.parts import PARTS

ROOT = Path(referee.__file__).parent
PAGE, HALL = ROOT / "page" / "templates", ROOT / "pages" / "hall" / "templates"
WINDOWS = 8
PATHS = ("/", "/panel", "/display", "/setup")
NO_CHANNEL = "delete window.BroadcastChannel;"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get: function () { throw new Error('barred'); }});"


@pytest.fixture
def table():
    with served() as made:
        yield made


class Windows:
    """Windows of one browser; `streams` counts what they have open."""

    def __init__(self, table, screen, before=""):
        self.table, self.screen, self._before = table, screen, before
        self._driver, self.first = screen.driver, screen.driver.current_window_handle
        self.handles = []

    def open(self, path="/", language="en"):
        self._driver.switch_to.window(self.first)
        self._driver.switch_to.new_window("window")
        self.handles.append(self._driver.current_window_handle)
        if self._before:
            self._driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": self._before})
        self.screen.open(f"{self.table.address}{path}?lang={language}")
        return self.handles[-1]

    def at(self, handle):
        self._driver.switch_to.window(handle)
        return self.screen

    def close(self, handle):
        self.at(handle).driver.close()
        self.handles.remove(handle)
        self._driver.switch_to.window(self.first)

    @property
    def streams(self):
        return self.table.server.app.state.streams.open.total()

    def follow(self, text):
        """This is said, and every window knows it."""
        self.table.say(Notice("play.others_turn", player=text))
        told = "return (Referee.parts.said || []).some(one => one.text.includes(arguments[0]))"
        for handle in self.handles:
            screen = self.at(handle)
            screen.wait(lambda: self.screen.run(told, text), f"{text} in {handle}")

    def settle(self, count):
        self.screen.wait(lambda: self.streams == count, f"{count} streams")


@pytest.fixture
def windows(table, screen):
    made = []

    def make(before=""):
        made.append(Windows(table, screen, before))
        return made[-1]

    yield make
    for one in made:
        for handle in list(one.handles):
            one.close(handle)
        one.at(one.first)


def test_eight_windows_follow_by_one_stream_and_whoever_goes_hands_it_over(windows):
    opened = windows()
    for number in range(WINDOWS):
        opened.open(PATHS[number % len(PATHS)])
    opened.settle(1)
    opened.follow("first news")
    opened.close(opened.handles[0])  # the oldest leads
    opened.follow("second news")
    opened.settle(1)
    opened.at(opened.handles[0]).open("about:blank")
    opened.handles.pop(0)
    opened.follow("third news")
    opened.settle(1)


def test_a_window_that_leads_and_dies_without_a_word_is_replaced(windows):
    opened = windows()
    for _ in range(3):
        opened.open()
    opened.follow("first news")
    opened.settle(1)
    silence = "BroadcastChannel.prototype.postMessage = function () {};"  # as if it were gone, for all others
    opened.at(opened.handles[0]).run(silence)
    opened.follow("second news")
    opened.settle(2)  # its own, and that of the others


def test_windows_that_lack_the_channel_tell_each_other_by_what_they_store(windows):
    opened = windows(NO_CHANNEL)
    for path in ("/", "/panel", "/display"):
        opened.open(path)
    opened.follow("first news")
    opened.settle(1)
    opened.close(opened.handles[0])
    opened.follow("second news")
    opened.settle(1)


def test_windows_that_cannot_tell_each_other_anything_have_streams_of_their_own(windows):
    opened = windows(NO_CHANNEL + NO_STORAGE)
    opened.open()
    opened.open("/panel")
    opened.follow("first news")
    assert opened.streams == 2


def test_windows_of_two_languages_have_a_stream_each(windows):
    opened = windows()
    english, german = opened.open(language="en"), opened.open(language="de")
    opened.open(language="en")
    opened.follow("News")
    opened.settle(2)
    texts = {}
    for handle in opened.handles:
        opened.at(handle).until("#live", "Ann")
        texts[handle] = opened.screen.text("#live")
    assert "Ann's turn" in texts[english]
    assert "Ann ist am Zug" in texts[german]
    assert "Ann's turn" in texts[opened.handles[-1]]


def test_a_part_that_cannot_be_shown_is_told_to_windows_that_come_later(table, windows, monkeypatch):
    def broken(*_):
        raise LookupError("no such part")

    opened = windows()
    opened.open()
    opened.follow("first news")
    monkeypatch.setitem(PARTS, "said", replace(PARTS["said"], render=broken))
    table.say(Notice("play.looking"))
    opened.screen.until("#failure", "cannot be shown")
    opened.open()
    opened.screen.until("#failure", "cannot be shown")
    opened.settle(1)


def test_a_server_that_says_nothing_is_noticed_in_every_window(windows, monkeypatch):
    opened = windows()
    opened.open()
    opened.open("/panel")
    opened.follow("news")
    monkeypatch.setattr(stream, "ALIVE_S", 3600.0)  # the connection stays, and nothing comes
    for handle in opened.handles:
        opened.at(handle).until("#connection", "Connecting")
    opened.screen.until("#connection", "No news since")
    monkeypatch.undo()
    for handle in opened.handles:  # the stream that hangs is given up for another one
        screen = opened.at(handle)
        screen.wait(lambda screen=screen: not screen.all("#connection")[0].is_displayed(), "news again")


@pytest.mark.parametrize("pages", [PAGE, HALL])
def test_signs_of_life_come_often_enough_for_every_page(pages):
    """A single one that is late is no silence, and silence is noticed within two seconds and a half."""
    assert 2.5 * stream.ALIVE_S < stream.SILENT_S < 2.5
    assert 'data-silent-ms="{{ silent_ms }}"' in (pages / "base.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_told_how_long_silence_may_last(table, path):
    assert f'data-silent-ms="{round(1000 * stream.SILENT_S)}"'.encode() in table.get(path)[2]
