"""Requests that a page of a house refuses: by name, origin, size, rate, form and place; from a real server."""

import json
import socket
import time

import numpy as np
import pytest
from guarded import PATIENCE_S, everything, house

from referee.i18n import LANGUAGES
from referee.page.access import Limits, Rate
from referee.page.stream import MOST_EACH
from referee.table.looking.look import Look

COMMAND = {"command": "settle", "id": "one-of-a-kind", "n": 0, "look": 1, "read": 0, "tile": "red-7"}
PRESS = {"command": "press", "id": "one-of-a-kind", "n": 0, "button": "1", "what": "down", "finger": "finger-1"}


@pytest.fixture(scope="module")
def home():
    with house() as made:
        made.session = made.cookie()
        yield made


@pytest.mark.parametrize("host", ["127.0.0.1", "192.168.1.7:8765", "localhost", "LOCALHOST:1", "referee.local",
                                  "referee.local.:80", "[::1]:8765", "[fe80::1]"])  # fmt: skip
def test_the_page_goes_by_its_addresses_and_by_names_of_the_house(home, host):
    assert home.ask("/", Host=host)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example",
                                  "evil.example:80", "evil.example#.local", "evil@x.local", "", "local", "[evil]",
                                  "1", "0x7f000001", "2130706433", "127.1", "localhost:80:80", "referee.local/x",
                                  "a" * 300 + ".local", "[::1", "::1"])  # fmt: skip
def test_a_name_that_somebody_gave_this_address_is_refused(home, host):
    status, _, body = home.ask("/api/now", Host=host)
    assert status in (400, 421)
    assert "answers" in body or "not known by that name" in json.loads(body)["told"]


def test_a_name_of_the_settings_is_one_of_the_page():
    with house(hosts=("Club.Example",)) as club:
        assert club.ask("/", Host="club.example:8765")[0] == 200
        assert club.ask("/", Host="other.example")[0] == 421


def test_two_hosts_or_none_are_refused(home):
    assert home.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert home.raw(b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert home.raw(b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 421")


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""},
                                     {"Origin": "http://127.0.0.1"}, {"Origin": "http://localhost:{port}"},
                                     {"Origin": "http://127.0.0.1:{port}.evil.example"},
                                     {"Origin": "ftp://127.0.0.1:{port}"}, {"Sec_Fetch_Site": "cross-site"},
                                     {"Sec_Fetch_Site": "same-site"}])  # fmt: skip
def test_what_another_page_sends_is_refused(home, headers):
    told = {name: value.format(port=home.port) for name, value in headers.items()}
    status, _, answer = home.post("/api/command", COMMAND, Cookie=home.session, **told)
    assert status == 403
    assert answer["told"] == "That request came from another page. Do it on this one."
    assert home.controls.requests == []


@pytest.mark.parametrize("headers", [{"Origin": "http://127.0.0.1:{port}"}, {"Origin": "https://127.0.0.1:{port}"},
                                     {"Sec_Fetch_Site": "same-origin"}, {}])  # fmt: skip
def test_what_this_page_sends_or_a_program_is_taken(home, headers):
    told = {name: value.format(port=home.port) for name, value in headers.items()}
    status, _, _ = home.post("/api/command", COMMAND, Cookie=home.session, **told)
    assert status == 409  # there is nothing to settle: it has come to its route


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_form_of_an_old_browser_that_tells_no_origin_is_refused(home, kind):
    status, _, _ = home.ask("/api/command", "POST", json.dumps(COMMAND), Content_Type=kind, Cookie=home.session)
    assert status == 415


@pytest.mark.parametrize("path", ["/", "/enter", "/api/now", "/static/page.js", "/nothing", "/api/stream"])
def test_every_answer_tells_the_browser_to_trust_nothing_else(home, path):
    _, headers, _ = home.ask(path, "HEAD")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "server" not in headers


@pytest.mark.parametrize(("headers", "sent"), [
    ({"Host": "localhost:{port}"}, True), ({"Host": "127.0.0.1:{port}"}, True), ({"Host": "[::1]:{port}"}, True),
    ({"Host": "192.168.1.7:{port}"}, False), ({"Host": "referee.local"}, False), ({"Host": "[fe80::1]"}, False),
    ({"Host": "referee.local", "X_Forwarded_Proto": "https"}, True),
    ({"Host": "referee.local", "X_Forwarded_Proto": "http"}, False),
    ({"Host": "referee.local", "Forwarded": "for=192.0.2.7;proto=https"}, True),
    ({"Host": "referee.local", "Forwarded": "for=192.0.2.7;proto=http"}, False),
])  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/api/now", "/static/page.js", "/nothing"])
def test_windows_of_other_pages_are_kept_apart_where_browsers_heed_it(home, path, headers, sent):
    told = {name: value.format(port=home.port) for name, value in headers.items()}
    _, answered, _ = home.ask(path, "HEAD", **told)
    assert answered.get("Cross-Origin-Opener-Policy") == ("same-origin" if sent else None)


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py",
                                  "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd", "/static//etc/passwd",
                                  "/static/..%5capp.py", "/static/%00", "/static/",
                                  "/static/%252e%252e/app.py", "/../app.py", "//etc/passwd",
                                  "/static/" + "a" * 5000])  # fmt: skip
def test_nothing_beside_the_static_files_is_given(home, path):
    status, _, body = home.ask(path)
    assert status == 404
    assert json.loads(body)["told"] == "There is no such page."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_one_sentence_in_the_language_of_whoever_asked(home, language):
    told = json.loads(home.ask(f"/nothing?lang={language}")[2])["told"]
    _, headers, shown = home.ask("/nothing", Accept="text/html,*/*", Accept_Language=language)
    assert shown == told
    assert headers["Content-Type"].startswith("text/plain")
    assert told.count(".") == 1


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(home, method):
    status, _, body = home.ask("/api/now", method, Cookie=home.session)
    assert status == 405
    assert json.loads(body)["told"] == "That cannot be done here."


BAD = ["", "x", "[]", "null", "7", "{}", '{"command": "settle"}', '{"command": ["settle"], "id": "12345678", "n": 1}',
       json.dumps(COMMAND | {"command": "format-the-disk"}), json.dumps(COMMAND | {"id": 7}),
       json.dumps(COMMAND | {"id": "short"}), json.dumps(COMMAND | {"id": "x" * 65}), json.dumps(COMMAND | {"n": -1}),
       json.dumps(COMMAND | {"n": True}), json.dumps(COMMAND | {"n": 1.5}), json.dumps(COMMAND | {"look": 2**31 + 1}),
       json.dumps(COMMAND | {"tile": "red-14"}), json.dumps(COMMAND | {"tile": {"a": 1}}), "[" * 5000,
       '{"n": ' + "9" * 6000 + "}", '{"n": NaN}',
       json.dumps(PRESS | {"at": 10**400}), json.dumps(PRESS | {"doubt": -(10**400)}),
       json.dumps(PRESS | {"at": float("inf")}), json.dumps(COMMAND | {"read": 10**400}),
       json.dumps(PRESS | {"what": "\ud800"}), json.dumps(COMMAND | {"tile": "red-\ud800"}),
       json.dumps(COMMAND | {"command": "\ud800"}), json.dumps(COMMAND | {"id": "\ud800"}),
       "\ud800", "{" + '"a":' * 2000]  # fmt: skip


@pytest.mark.parametrize("body", BAD, ids=[body[:30] for body in BAD])
def test_a_malformed_command_is_told_what_was_expected(home, body):
    data = body.encode("utf-8", "surrogatepass")
    status, _, answer = home.ask("/api/command", "POST", data, Content_Type="application/json", Cookie=home.session)
    assert status == 400
    assert "expected" in json.loads(answer)["error"]
    assert home.controls.requests == []


def test_a_late_command_is_refused_and_one_for_a_state_to_come_too(home):
    for number in (0, 10**9):
        status, _, answer = home.post(
            "/api/command", COMMAND | {"n": number, "id": f"later-{number:04}"}, Cookie=home.session
        )
        assert status == 409
        assert answer["told"]


def test_a_command_that_comes_again_counts_once_and_is_answered_the_same():
    with house() as home:
        mine, other = home.cookie(), home.cookie()
        home.server.follower.on_look(Look(None, np.zeros((4, 4, 3), np.uint8)))
        broadcast = home.server.broadcast
        waited(lambda: broadcast.facts.seen is not None)
        told = COMMAND | {"n": broadcast.number, "id": "pressed-twice", "look": broadcast.facts.seen.number}
        answers = [home.post("/api/command", told, Cookie=mine) for _ in range(3)]
        assert [(status, answer) for status, _, answer in answers] == [(200, {"done": True})] * 3
        assert len(home.controls.requests) == 1
        assert home.post("/api/command", told, Cookie=other)[0] == 200  # by chance the same id, of somebody else
        assert len(home.controls.requests) == 2


@pytest.mark.parametrize("size", [16_001, 200_000])
def test_a_body_that_is_too_large_is_refused(home, size):
    status, _, body = home.ask(
        "/api/command", "POST", b" " * size, Content_Type="application/json", Cookie=home.session
    )
    assert status == 413
    assert json.loads(body)["told"] == "That is too large: the limit is 16 kilobytes."


def test_nor_is_a_huge_one_waited_for(home):
    head = posting(home.session)
    for size in ("99999999999", "9" * 30):
        told = home.raw(f"{head}Content-Length: {size}\r\n\r\n".encode())
        assert told.split()[1] in (b"413", b"400")


def test_nor_one_that_tells_no_size(home):
    head = posting(home.session)
    chunk = b"3e8\r\n" + b" " * 1000 + b"\r\n"
    told = home.raw(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * 30 + b"0\r\n\r\n")
    assert told.startswith(b"HTTP/1.1 413")


def test_a_body_that_comes_too_slowly_is_not_waited_for():
    with house(limits=Limits(body_s=0.3)) as home:
        head = posting(home.cookie())
        assert home.raw(f"{head}Content-Length: 100\r\n\r\n{{".encode()).startswith(b"HTTP/1.1 408")


def test_a_request_that_never_ends_and_a_connection_kept_for_nothing_are_closed():
    with house(limits=Limits(idle_s=0.3)) as home:
        assert home.raw(b"GET / HTTP/1.1\r\nHost: local") == b""
        assert home.raw(b"") == b""
        assert home.raw(b"GET /api/now HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_a_stream_is_not_closed_for_being_long():
    with house(limits=Limits(idle_s=0.2)) as home, socket.create_connection(("127.0.0.1", home.port)) as screen:
        screen.settimeout(PATIENCE_S)
        screen.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        found = b""
        while found.count(b"event: alive") < 2:
            part = screen.recv(65_536)
            assert part
            found += part


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\0" * 100,
                                  b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 40_000,
                                  b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                                  b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"])  # fmt: skip
def test_what_is_no_http_is_told_so(home, data):
    told = home.raw(data)
    assert told.startswith(b"HTTP/1.1 400")
    assert b"This is not a request that a page can answer." in told
    assert b"Content-Security-Policy" in told


def test_whoever_asks_too_often_is_told_to_wait_and_may_go_on():
    with house(limits=Limits(reading=Rate(5, 20), writing=Rate(2, 20))) as home:
        answers = [home.ask("/api/now") for _ in range(40)]
        refused = [answer for answer in answers if answer[0] == 429]
        # On a machine so slow that a token has come before every request nobody is refused.
        for _, headers, body in refused:
            assert int(headers["Retry-After"]) >= 1
            assert "at once" in json.loads(body)["told"]
        assert {answer[0] for answer in answers} <= {200, 429}
    with house(limits=Limits(reading=Rate(5, 1e-9), writing=Rate(2, 1e-9))) as home:
        assert [home.ask("/api/now")[0] for _ in range(7)] == [200] * 5 + [429] * 2
        assert [home.enter()[0] for _ in range(3)] == [200, 200, 429]


def test_whoever_is_refused_while_still_sending_sees_why():
    """The rest of the body is read before the answer: on a connection that is reset, nobody sees an answer."""
    head = (
        b"POST /api/%b HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n"
    )
    with house(limits=Limits(writing=Rate(1, 1e-9))) as home:
        for status in (b"403", b"429"):
            with socket.create_connection(("127.0.0.1", home.port), PATIENCE_S) as client:
                client.sendall(head % b"command")
                for _ in range(90):
                    client.sendall(b"x" * 10_000)
                answer = b""
                while part := client.recv(65_536):
                    answer += part
            assert answer.startswith(b"HTTP/1.1 " + status), answer


def test_a_refused_body_that_never_ends_is_left():
    with house(limits=Limits(writing=Rate(1, 1e-9))) as home:
        head = b"POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n{"
        assert home.raw(head).startswith(b"HTTP/1.1 415")


def test_a_hundred_streams_of_one_address_are_refused_politely_and_leave_nothing():
    with house() as home:
        screens = [socket.create_connection(("127.0.0.1", home.port), PATIENCE_S) for _ in range(100)]
        for screen in screens:
            screen.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        told = [screen.recv(12) for screen in screens]
        assert told.count(b"HTTP/1.1 200") == MOST_EACH
        assert told.count(b"HTTP/1.1 503") == 100 - MOST_EACH
        assert home.ask("/api/now")[0] == 200
        close(screens)
        streams = home.server.app.state.streams
        waited(lambda: not streams.open)


def test_streams_that_are_left_before_they_begin_are_not_counted():
    with house() as home:
        for _ in range(30):
            with socket.create_connection(("127.0.0.1", home.port), PATIENCE_S) as screen:
                screen.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        streams = home.server.app.state.streams
        waited(lambda: home.ask("/api/stream", "HEAD")[0] == 200 and not streams.open)


def test_too_many_connections_are_told_so_and_far_too_many_are_closed():
    with house(limits=Limits(connections_each=10)) as home:
        held = [socket.create_connection(("127.0.0.1", home.port), PATIENCE_S) for _ in range(10)]
        one_more = home.raw(b"GET /api/now HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert one_more.startswith(b"HTTP/1.1 503")
        assert b"retry-after" in one_more
        more = [socket.create_connection(("127.0.0.1", home.port), PATIENCE_S) for _ in range(12)]
        assert everything(more[-1]) == b""
        close(held + more)
        waited(lambda: ok(home))


def posting(session) -> str:
    head = "POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Cookie: {session}\r\n"


def close(connections) -> None:
    for connection in connections:
        connection.close()


def ok(home) -> bool:
    try:
        return home.ask("/api/now")[0] == 200
    except OSError:
        return False


def waited(holds) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
