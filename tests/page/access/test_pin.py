"""The PIN of a page: told, tried, changed, kept; and the sessions it begins. From a real server."""

import json
import stat
import threading
import time
from urllib.parse import quote

import pytest
from guarded import PATIENCE_S, house
from itsdangerous import TimestampSigner

from referee.i18n import ENGLISH
from referee.page.access import is_local
from referee.page.access.secret import AHEAD_S, FILE, LASTS_S, Secret, Sessions
from referee.page.access.sign_in import ALL, FREE, LONGEST_S, NEWCOMERS, REMEMBERED_S, Tries
from referee.page.access.sign_in import MOST_ADDRESSES as MOST

COMMAND = {"command": "settle", "id": "one-of-a-kind", "n": 0, "look": 1, "read": 0, "tile": "red-7"}


@pytest.fixture
def home(tmp_path):
    with house(tmp_path) as made:
        yield made


def test_everybody_may_look_on_and_whoever_tells_the_pin_may_write(home):
    assert home.me() == {"may_write": False, "may_read": True, "pin_needed": True}
    assert home.ask("/")[0] == 200
    status, _, answer = home.post("/api/command", COMMAND)
    assert status == 403
    assert "enter it at /enter" in answer["told"]
    session = home.cookie()
    assert home.me(Cookie=session) == {"may_write": True, "may_read": True, "pin_needed": False}
    assert home.post("/api/command", COMMAND, Cookie=session)[0] == 409  # nothing is to be settled


@pytest.mark.parametrize("path", ["/setup", "/setup/game", "/setup/more", "/setup/box"])
def test_what_can_only_be_changed_with_the_pin_asks_for_it_before_anything_is_entered(home, path):
    status, headers, _ = home.ask(path)
    assert (status, headers["Location"]) == (303, f"/enter?next={path}")
    assert home.ask(path, Cookie=home.cookie())[0] == 200


def test_no_script_and_no_other_page_gets_at_the_session(home):
    _, headers, _ = home.enter()
    told = {part.strip().lower() for part in headers["Set-Cookie"].split(";")}
    assert {"httponly", "samesite=strict", "path=/"} <= told


def test_a_wrong_pin_is_refused_and_after_a_few_for_a_while(home):
    for _ in range(FREE):
        status, headers, answer = home.enter(home.other_pin)
        assert (status, answer["told"]) == (403, "That is not the PIN.")
        assert "Set-Cookie" not in headers
    assert home.enter(home.other_pin)[0] in (403, 429)
    tries = home.server.access.tries
    for _ in range(8):
        tries.wrong("127.0.0.1")
    status, headers, answer = home.enter()
    assert status == 429
    assert int(headers["Retry-After"]) > 1
    assert "Wait" in answer["told"]
    # Start was held: there is a new PIN, and what was tried is forgotten.
    home.server.access.new_pin()
    assert home.enter()[0] == 200


def test_a_right_pin_forgets_the_wrong_ones(home):
    for _ in range(4):
        for _ in range(FREE - 1):
            assert home.enter(home.other_pin)[0] == 403
        assert home.enter()[0] == 200


@pytest.mark.parametrize("told", [{}, {"pin": 123456}, {"pin": None}, {"pin": ["1"]}, {"pin": "1" * 1000}, [], "x",
                                  None, {"pin": "١٢٣٤٥٦"}])  # fmt: skip
def test_what_is_no_pin_at_all_is_told_so_and_is_no_try(home, told):
    for _ in range(FREE + 5):
        status, _, answer = home.post("/api/enter", told)
        assert status == 400
        assert "digits" in answer["error"]


@pytest.mark.parametrize("pin", ["", " ", "12345", "1234567", "-12345", "abcdef"])
def test_a_pin_that_cannot_be_right_is_wrong(home, pin):
    assert home.enter(pin)[0] == 403


def test_a_new_pin_ends_all_sessions(home):
    session, before = home.cookie(), home.pin
    told = ENGLISH(home.server.access.new_pin())
    assert home.pin in told
    assert home.pin != before
    assert not home.me(Cookie=session)["may_write"]
    assert home.enter(before)[0] == 403
    assert home.me(Cookie=home.cookie())["may_write"]


def forgeries(session: str) -> list[str]:
    name, _, value = session.partition("=")
    parts = value.split(".")
    own = TimestampSigner("a key of somebody else", salt="page").sign("me").decode()
    return [f"{name}={forged}" for forged in (
        "", "x", "..", "admin", own, value[:-1], value[:-9] + ("A" if value[-9] != "A" else "B") + value[-8:],
        value + "x", '"' + value,
        ".".join(["other", *parts[1:]]), ".".join([parts[0], "zzzzzz", parts[2]]), value * 20,
    )]  # fmt: skip


def test_a_forged_session_is_none(home):
    session = home.cookie()
    assert home.me(Cookie=session)["may_write"]
    for forged in forgeries(session):
        assert not home.me(Cookie=forged)["may_write"], forged
        assert home.post("/api/command", COMMAND, Cookie=forged)[0] == 403


def test_a_session_ends_after_a_month():
    now = [1.7e9]
    sessions = Sessions(Secret(None), lambda: now[0])
    cookie = sessions.begin()
    assert sessions.session_in(cookie)
    for moment, holds in ((LASTS_S - 1, True), (LASTS_S + 5, False), (-AHEAD_S - 5, False), (-60, True)):
        now[0] = 1.7e9 + moment
        assert (sessions.session_in(cookie) is not None) is holds


def test_no_setting_of_the_clock_ends_or_prolongs_a_session(tmp_path):
    running, wall = [50.0], [1.7e9]
    secret = Secret(tmp_path, lambda: running[0], lambda: wall[0])
    sessions = Sessions(secret)
    cookie = sessions.begin()
    for there in (0.0, 1.7e9 + 10 * LASTS_S):
        wall[0] = there
        assert sessions.session_in(cookie)
    wall[0], running[0] = 1.7e9, running[0] + LASTS_S + 5
    assert sessions.session_in(cookie) is None


def test_the_clock_of_sessions_goes_on_after_a_start_and_loses_an_hour_at_most(tmp_path):
    cookie, lasted = None, 0.0
    for start in range(40):
        running = [1000.0 * start]  # a machine that was restarted counts anew
        secret = Secret(tmp_path, lambda running=running: running[0], lambda start=start: -1e6 * start)
        sessions = Sessions(secret)
        cookie = cookie or sessions.begin()
        if lasted < LASTS_S - 3600:
            assert sessions.session_in(cookie), lasted
        for _ in range(24):
            running[0] += 3600
            secret.clock()
            join_pin()
        lasted += 24 * 3600
        if lasted > LASTS_S + 40 * 3600:
            assert sessions.session_in(cookie) is None
    assert lasted > LASTS_S + 40 * 3600


def test_whoever_had_a_session_before_the_clock_of_sessions_was_kept_still_has_it(tmp_path):
    file = tmp_path / FILE
    secret = Secret(tmp_path)
    old = Sessions(secret, time.time).begin()
    told = json.loads(file.read_text())
    file.write_text(json.dumps({name: told[name] for name in ("pin", "key")}))
    assert Sessions(Secret(tmp_path)).session_in(old)


def join_pin() -> None:
    for thread in threading.enumerate():
        if thread.name == "pin":
            thread.join(PATIENCE_S)


def test_two_sessions_are_two():
    sessions = Sessions(Secret(None))
    begun = {sessions.session_in(sessions.begin()) for _ in range(3)}
    assert len(begun - {None}) == 3


def test_the_pin_is_kept_for_the_next_start_and_for_nobody_else(tmp_path):
    with house(tmp_path) as first:
        pin, session = first.pin, first.cookie()
    file = tmp_path / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with house(tmp_path) as second:
        assert second.pin == pin
        assert second.me(Cookie=session)["may_write"]
        second.server.access.new_pin()
        kept = second.pin
        join_pin()
    assert json.loads(file.read_text())["pin"] == kept
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pin": "12", "key": ""}', b'{"pin": 1}', b"\xff" * 20_000])
def test_a_damaged_file_makes_a_new_pin(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    with house(tmp_path) as home:
        assert home.enter()[0] == 200
        assert home.server.access.trouble() is None
    assert json.loads((tmp_path / FILE).read_text())["pin"]


def test_a_folder_that_is_not_there_yet_is_made_for_the_pin(tmp_path):
    with house(tmp_path / "new" / "state") as home:
        assert home.server.access.trouble() is None
    assert (tmp_path / "new" / "state" / FILE).exists()


def test_a_folder_that_takes_nothing_is_told_and_the_pin_holds_all_the_same(tmp_path):
    (tmp_path / "file").touch()
    with house(tmp_path / "file" / "there") as home:
        assert "only until the next start" in ENGLISH(home.server.access.trouble())
        assert home.enter()[0] == 200


def test_where_reading_takes_the_pin_nothing_is_shown_without_it(tmp_path):
    with house(tmp_path, reading="pin") as home:
        for path in (
            "/api/now",
            "/api/stream",
            "/picture/1.jpg",
            "/before/1/0.jpg",
            "/api/openapi.json",
            "/display",
            "/nothing",
        ):
            status, _, body = home.ask(path)
            assert status == 401
            assert "PIN" in json.loads(body)["told"]
        status, headers, _ = home.ask("/display", Accept="text/html")
        assert (status, headers["Location"]) == (303, "/enter?next=/display")
        assert home.ask("/enter")[0] == 200
        assert home.ask("/static/enter.js")[0] == 200
        assert home.ask("/display", Cookie=home.cookie())[0] == 200


def test_where_reading_takes_the_pin_a_stream_ends_with_its_session(tmp_path):
    with house(tmp_path, reading="pin") as home:
        session = home.cookie()
        threading.Timer(0.2, home.server.access.new_pin).start()
        assert home.ask("/api/stream", Cookie=session)[0] == 200  # and comes to its end


def test_writing_may_be_open_to_all(tmp_path):
    with house(tmp_path, writing="open") as home:
        assert home.me() == {"may_write": True, "may_read": True, "pin_needed": False}
        assert home.server.access.pin() is None
        assert home.post("/api/command", COMMAND)[0] == 409


def test_whoever_sits_before_this_machine_needs_no_pin(tmp_path):
    with house(tmp_path, local=True) as home:
        assert home.me()["may_write"]
        assert home.server.access.pin() is None
        assert home.server.access.new_pin() is None


@pytest.mark.parametrize("header", ["X_Forwarded_For", "Forwarded", "Via", "X_Real_IP"])
def test_but_whom_another_server_lets_in_does(tmp_path, header):
    with house(tmp_path, local=True) as home:
        assert not home.me(**{header: "for=192.0.2.7"})["may_write"]


def test_who_comes_through_another_server_finds_the_pin_told_at_the_table(tmp_path):
    told = []
    with house(tmp_path, local=True) as home:
        home.server.access.on_secret(told.append)
        home.ask("/")
        assert told == []
        for _ in range(3):
            home.ask("/", X_Forwarded_For="192.0.2.7")
        assert [one.key for one in told] == ["access.through_a_server"]
        assert home.pin in ENGLISH(told[0])
        assert home.pin in ENGLISH(home.server.access.on_display())
        before = home.pin
        assert home.server.access.new_pin() is not None
        assert home.pin != before
        assert home.enter(X_Forwarded_For="192.0.2.7")[0] == 200


def test_where_no_pin_is_wanted_none_is_told_to_who_comes_through_another_server(tmp_path):
    with house(tmp_path, local=True, writing="open") as home:
        home.ask("/", X_Forwarded_For="192.0.2.7")
        assert home.server.access.pin() is None


@pytest.mark.parametrize(("listen", "alone"), [("localhost", True), ("127.0.0.1", True), ("::1", True),
                                               ("0.0.0.0", False), ("::", False), ("192.168.1.7", False),  # noqa: S104
                                               ("referee.local", False), ("", False)])  # fmt: skip
def test_only_this_machine_can_reach_a_loopback_address(listen, alone):
    assert is_local(listen) is alone


@pytest.mark.parametrize("onward", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)",
                                    "/%0d%0aX:y", '/"><script>', "evil", "/a b"])  # fmt: skip
def test_whoever_has_entered_is_never_sent_elsewhere(home, onward):
    body = home.ask(f"/enter?next={quote(onward, safe='')}")[2]
    assert 'data-onward="/"' in body


def test_a_page_that_was_wanted_is_gone_on_to(home):
    assert 'data-onward="/display"' in home.ask("/enter?next=/display")[2]


class Clock:
    def __init__(self) -> None:
        self.t = 0.0

    def __call__(self) -> float:
        return self.t


def test_waits_double_up_to_a_minute_and_end():
    clock = Clock()
    tries, waits = Tries(clock), []
    for _ in range(12):
        wait = tries.wait("phone")
        waits.append(wait)
        clock.t += wait
        assert tries.wait("phone") == 0.0
        tries.wrong("phone")
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert max(waits) == LONGEST_S


def test_many_addresses_together_try_no_more_often_and_nobody_is_locked_out():
    clock = Clock()
    tries = Tries(clock)
    taken = 0
    for second in range(3600):
        clock.t = float(second)
        for phone in range(20):
            address = f"{second}-{phone}"
            if tries.wait(address) == 0.0:
                taken += 1
                tries.wrong(address)
    assert taken <= NEWCOMERS.burst + 3600 * NEWCOMERS.each_s + ALL.burst + 3600 * ALL.each_s + 1
    assert tries.wait("somebody else") <= 1 / ALL.each_s


def networks(guessers: int) -> list[str]:
    return [f"192.168.1.{number + 2}" for number in range(guessers)]


@pytest.mark.parametrize("guessers", [1, 20, 250])
def test_whoever_guesses_keeps_nobody_else_out(guessers):
    """A director with a new phone gets three tries at once, while every other address of the house guesses."""
    clock = Clock()
    tries = Tries(clock)
    for second in range(0, 1800, 5):
        clock.t = float(second)
        for address in networks(guessers):
            if tries.wait(address) == 0.0:
                tries.wrong(address)
    for _ in range(FREE):
        assert tries.wait("192.168.1.1") == 0.0
        tries.wrong("192.168.1.1")


def test_a_month_of_guessing_by_a_whole_house_tries_half_of_all_pins_at_most():
    clock, taken = Clock(), 0
    tries = Tries(clock)
    day = 24 * 3600
    for second in range(0, day, 60):
        clock.t = float(second)
        for address in networks(250):
            if tries.wait(address) == 0.0:
                taken += 1
                tries.wrong(address)
    assert taken * 25 < 500_000


def test_one_machine_is_one_address_however_many_it_gives_itself():
    clock, taken = Clock(), 0
    tries = Tries(clock)
    for number in range(1000):
        if tries.wait(f"2001:db8::{number:x}") == 0.0:
            taken += 1
            tries.wrong(f"2001:db8::{number:x}")
    assert taken == FREE
    assert tries.wait("::ffff:192.168.1.5") == 0.0
    for _ in range(FREE + 1):
        tries.wrong("192.168.1.5")
    assert tries.wait("::ffff:192.168.1.5") > 0.0


def test_free_tries_come_back_after_half_a_day():
    clock = Clock()
    tries = Tries(clock)
    for _ in range(FREE + 5):
        tries.wrong("phone")
    assert tries.wait("phone") > 0.0
    clock.t = REMEMBERED_S + 1.0
    for _ in range(FREE):
        assert tries.wait("phone") == 0.0
        tries.wrong("phone")


def test_what_is_remembered_of_wrong_tries_is_bounded():
    tries = Tries(Clock())
    for _ in range(FREE + 5):
        tries.wrong("first")
    for number in range(MOST - 1):
        tries.wrong(str(number))
    assert tries.wait("first") > 0.0
    tries.wrong("one more")
    assert tries.wait("first") == 0.0
