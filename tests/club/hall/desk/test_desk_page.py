"""The director's desk in a real browser: setting the time, answering calls, announcing; and what everybody sees."""

import http.client
import json
import re
from contextlib import closing
from dataclasses import replace

import pytest
from browser import NARROW
from guarded import ENDLESS
from hall_pages import hall_pages, tournament
from hall_states import desk_with_calls
from mosquitto import until
from recorded_broker import RecordedBroker

from referee.club.hall.desk.keeper import Announced, DeskKeeper
from referee.club.hall.reader import HallReader
from referee.club.hall.store import HallStore
from referee.club.protocol import (
    Calling,
    DirectorCall,
    Kind,
    Online,
    Reason,
    decode_document,
    encode_document,
    hall_topic,
    topic,
)
from referee.i18n import LANGUAGES
from referee.page.access import Policy
from referee.pages.hall.server import HallServer

WALL = "2026-03-01T18:30:00Z"
EPOCH = "0f6e2f3a"


class Hall:
    """A hall with a desk and its page; its broker is a recorded one, which steps when it is told to."""

    def __init__(self, folder):
        self.store = HallStore(folder / "hall.sqlite")
        self.desk = DeskKeeper(folder / "hall.sqlite")
        self.reader = HallReader(self.store, "referee", lambda: self.server.news(), desk=self.desk)  # noqa: PLW0108
        self.server = HallServer("localhost", 0, self.reader, "en", Policy(limits=ENDLESS), desk=self.desk)
        self.desk.news = self.server.news
        self.broker = RecordedBroker()
        self.server.start()
        self.broker.start(self.reader)
        self.broker.comes()

    @property
    def address(self):
        return f"http://localhost:{self.server.port}"

    def tell(self, table, kind, document):
        self.reader.on_message(topic("referee", table, kind), encode_document(document))
        self.broker.step(2)

    def sits(self, *tables):
        for table in tables:
            self.tell(table, Kind.ONLINE, Online(True, EPOCH[:-1] + table[-1], WALL))
            until(lambda: self.broker.step() or self.knows(table))  # noqa: B023 - it is called at once

    def knows(self, table):
        return table in self.reader.facts.tables and self.reader.facts.tables[table].online

    def calls(self, table, reason=None, text="", *, stopped=False):
        self.tell(table, Kind.CALL, DirectorCall(WALL, Calling(f"id-{table}", reason, text, stopped)))

    def told(self, table):
        """What the table was told last by the desk."""
        self.broker.step()
        return decode_document(Kind.DESK, self.broker.under(f"/{table}/desk")[-1].payload)

    def post(self, command, n, **fields):
        body = json.dumps({"command": command, "id": f"test-{command}-{n}-{fields}"[:60], "n": n, **fields})
        with closing(http.client.HTTPConnection("localhost", self.server.port, timeout=60)) as connection:
            connection.request("POST", "/api/command", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read()).get("told")

    def close(self):
        self.broker.close()
        self.server.close()
        self.desk.close()
        self.store.close()


@pytest.fixture
def hall(tmp_path):
    made = Hall(tmp_path)
    yield made
    made.close()


def test_a_director_sets_starts_pauses_extends_and_removes_the_time(hall, screen):
    hall.sits("table-1")
    screen.open(hall.address + "/director?lang=en")
    screen.until("#clock-none", "No time is set.")
    screen.find("#clock-minutes").clear()
    screen.find("#clock-minutes").send_keys("30")
    screen.find("#clock-set button").click()
    screen.until("#clock-left", "30:00")
    screen.until("#answer", "The clock is set to 30 min. for this round.")
    screen.until("#clock-state", "not started")
    assert not hall.told("table-1").clock.started
    screen.until("#clock-run", "Start")
    screen.find("#clock-run").click()
    screen.until("#clock-run", "Pause")
    screen.until("#clock-left", "29:")
    assert hall.told("table-1").clock.running
    screen.find("#clock-run").click()
    screen.until("#clock-run", "Go on")
    screen.until("#clock-state", "stopped")
    assert hall.told("table-1").clock.started
    assert not hall.told("table-1").clock.running
    screen.find("[data-more='5']").click()
    screen.until("#clock-left", "34:")
    screen.until("#answer", "Minutes added: 5.")
    assert hall.told("table-1").clock.left > 1700
    screen.find("#clock-stop").click()
    screen.until("#clock-none", "No time is set.")
    assert hall.told("table-1").clock is None
    # With the same time for every round, a page without a clock says what the next draw will set.
    screen.find("#clock-each").click()
    screen.find("#clock-set button").click()
    screen.until("#answer", "The clock is set to 30 min., and to the same at each draw from now on.")
    screen.find("#clock-stop").click()
    screen.until("#clock-none", "No clock at the moment. The next draw sets it to 30 min. again.")
    assert screen.complaints() == []


def test_of_two_directors_who_give_more_time_at_once_one_is_told_that_the_other_was_first(hall, screen):
    screen.open(hall.address + "/director?lang=en")
    screen.wait(lambda: "round-clock" in screen.run("return Object.keys(Referee.parts)"), "the parts of the page")
    number = screen.run("return Referee.number()")
    assert hall.post("clock-set", number, minutes=20)[0] == 200
    screen.until("#clock-left", "20:00")
    number = screen.run("return Referee.number()")
    assert hall.post("clock-extend", number, minutes=5)[0] == 200
    status, told = hall.post("clock-extend", number, minutes=10)
    assert status == 409
    assert told
    screen.until("#clock-left", "25:00")


def test_calls_are_answered_one_after_the_other(hall, screen):
    hall.sits("table-1", "table-2")
    screen.open(hall.address + "/director?lang=en")
    screen.until("#no-calls", "No table calls.")
    hall.calls("table-2", Reason.RULES, "May the joker go there?", stopped=True)
    hall.calls("table-1")
    screen.until("#calls li:nth-child(1)", "table-2")
    screen.until("#calls li:nth-child(1)", "A question about the rules: May the joker go there?")
    screen.until("#calls li:nth-child(1)", "The clock of this table is stopped")
    screen.until("#calls li:nth-child(2)", "table-1")
    assert hall.told("table-1").call.place == 2
    screen.find("#who").send_keys("Maya")
    screen.find("[data-answer='call-coming id-table-2']").click()
    screen.until("#calls li:nth-child(1)", "On the way: Maya")
    assert (hall.told("table-2").call.state.value, hall.told("table-2").call.who) == ("coming", "Maya")
    assert hall.post("call-coming", screen.run("return Referee.number()"), call="id-table-2")[1] == (
        "Already on the way to that table: Maya."
    )
    screen.find("[data-answer='call-done id-table-2']").click()
    screen.wait(lambda: len(screen.all("#calls li")) == 1, "one call")
    assert hall.told("table-2").call.state.value == "done"
    assert screen.violations() == []


def test_announcements_go_to_all_or_to_the_ticked_tables(hall, screen):
    hall.sits("table-1", "table-2")
    screen.open(hall.address + "/director?lang=en")
    screen.wait(lambda: "hall" in screen.run("return Object.keys(Referee.parts)"), "the parts of the page")
    screen.find("#text").send_keys("The buffet is open.")
    screen.find("#to-all").click()
    screen.wait(lambda: screen.all("#to-tables input[value='table-2']"), "the tables")
    screen.find("#to-tables input[value='table-2']").click()
    screen.find("#announce [type=submit]").click()
    screen.until("#answer", "The announcement is sent.")
    hall.broker.step()
    (sent,) = hall.broker.under("/do")
    told = decode_document(Kind.DO, sent.payload)
    assert (sent.topic.split("/")[2], told.text, told.seconds) == ("table-2", "The buffet is open.", 600)
    screen.until("#announced-list", "The buffet is open.")
    screen.until("#announced-list", "Sent to 1 table.")
    screen.until("#announced-list", "Boxes at the tables show it until its time is over")
    screen.find("#announced-list button").click()
    screen.until("#announced-list", "Withdrawn.")
    assert hall.desk.facts.announced == ()
    assert "The buffet is open." in screen.text("#announced-list")
    assert "Boxes" not in screen.text("#announced-list")
    assert screen.violations() == []


def test_the_hall_says_that_it_is_there_and_goes(hall):
    here = hall_topic("referee")
    assert json.loads(hall.broker.retained[here])["online"] is True
    hall.broker.close()
    assert json.loads(hall.broker.retained[here])["online"] is False
    hall.broker.comes()


def test_the_hall_says_so_again_if_an_earlier_connection_of_it_ends_late(hall):
    before = len(hall.broker.under("_hall/online"))
    hall.reader.on_message(hall_topic("referee"), encode_document(Online(False)), retained=False)
    until(lambda: hall.broker.step() or len(hall.broker.under("_hall/online")) > before)
    assert json.loads(hall.broker.retained[hall_topic("referee")])["online"] is True


def test_a_broker_with_an_old_access_list_is_told_to_the_director(hall, screen):
    hall.broker.refuses, hall.broker.refuses_under = "Not authorized", "/desk"
    hall.sits("table-1")
    screen.open(hall.address + "/director?lang=en")
    screen.until("#hall-troubles", "its access list is of an earlier release")


@pytest.fixture(scope="module")
def pages():
    with hall_pages() as made:
        yield made


def there(screen, pages, path, language):
    pages.tell(replace(tournament(13, "playing").facts, desk=desk_with_calls()))
    path, _, view = path.partition("#")
    screen.open(f"{pages.address}{path}?lang={language}{'#' * bool(view)}{view}")
    screen.until("#calls" if path.endswith("director") else "#calling", "table-17")


ALL = ("/", "/director", "/tournament", "/tournament/wall#tables", "/tournament/director")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_keeps_anybody_from_reading_time_and_calls(pages, screen, language):
    for path in ALL:
        there(screen, pages, path, language)
        assert screen.violations_in_both_schemes() == [], path
    assert screen.complaints() == []


@pytest.mark.parametrize("size", list(NARROW))
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_desk_is_cut_off_on_a_phone_or_at_twice_the_size(pages, screen, language, size):
    for path in ("/director", "/", "/tournament/wall#tables"):
        screen.narrow(size)
        there(screen, pages, path, language)
        assert (screen.sideways(), screen.cut_off(), screen.small()) == (0, [], []), path


def test_the_wall_shows_time_and_calls_and_marks_the_tables(pages, screen):
    screen.resize(1920, 1080)
    there(screen, pages, "/tournament/wall#tables", "en")
    screen.until("#round-clock", "4:12")
    assert [one.text for one in screen.all("#calling li")] == [
        "table-2: On the way: Maximiliane", "table-1: Calls the director", "table-17: Calls the director"
    ]  # fmt: skip
    marked = [card.find_element("css selector", ".box").text for card in screen.all("#by-table .seat-card.calls")]
    assert sorted(marked) == ["table-1", "table-2"]
    height = screen.run("return parseFloat(getComputedStyle(document.querySelector('#round-clock b')).fontSize)")
    assert height > 60  # it is read across a room
    assert screen.run("return document.documentElement.scrollHeight <= window.innerHeight")


TIMES = """return [].filter.call(document.querySelectorAll("#announced-list .at"), function (one) {
  return /^[0-9]{2}:[0-9]{2}$/.test(one.textContent);
});"""


def test_an_announcement_says_until_when_it_is_shown_and_that_it_is_over_once_it_is(pages, screen):
    there(screen, pages, "/director", "en")
    screen.wait(lambda: len(screen.all("#announced-list .until")) == 2, "both announcements")
    screen.wait(lambda: "…" not in screen.text("#announced-list"), "the server's clock")
    shown, over = (one.text for one in screen.all("#announced-list > li"))
    assert re.search(r"Shown until [0-9]{2}:[0-9]{2}\.", shown)
    assert "Withdraw the announcement" in shown
    assert re.search(r"Over since .*[0-9]{2}:[0-9]{2}; no longer shown\.", over)
    assert "Withdraw" not in over
    assert "Boxes" not in over


@pytest.mark.parametrize("language", LANGUAGES)
def test_earlier_announcements_are_listed_with_their_time_the_newest_first(hall, screen, language):
    for number in range(1, 4):
        text = f"Number {number}. " + "W" * 60
        hall.desk.announce(Announced(f"announce-{number}", text, 0.0, (), 2**40, for_all=True)).result()
    screen.narrow(next(iter(NARROW)))
    screen.open(f"{hall.address}/director?lang={language}")
    screen.until("#announced-list", "Number 1.")
    screen.wait(lambda: len(screen.run(TIMES)) == 3, "the times")
    listed = [one.text for one in screen.all("#announced-list li")]
    assert [f"Number {number}." in one for number, one in zip((3, 2, 1), listed, strict=True)] == [True] * 3
    assert (screen.sideways(), screen.cut_off()) == (0, [])
