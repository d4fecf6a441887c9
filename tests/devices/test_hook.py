"""Events are posted to addresses in the house, and to no other."""

import json
import queue
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from referee.devices.camera.network.address import parse_address
from referee.devices.hook import WAITING, Hook, post
from referee.errors import BadInput, CameraLost


@contextmanager
def lamp(status=200, waits=None):
    """A server that keeps what is posted to it: yields its address and a queue of (path, headers, body)."""
    came = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            came.put((self.path, dict(self.headers), json.loads(body)))
            if waits is not None:
                waits.wait(60)
            self.send_response(status)
            self.send_header("Location", "http://192.0.2.1/")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", came
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_an_event_is_posted_as_json():
    with lamp() as (address, came):
        hook = Hook(f"{address}/referee?room=kitchen")
        hook.send({"event": "turn", "player": "Zoé"})
        path, headers, body = came.get(timeout=60)
        hook.close()
    assert (path, body) == ("/referee?room=kitchen", {"event": "turn", "player": "Zoé"})
    assert headers["Content-Type"] == "application/json"
    assert headers["Host"] == address.removeprefix("http://")


def test_events_keep_their_order_and_a_refusal_keeps_none_of_them_back():
    with lamp(status=500) as (address, came):
        hook = Hook(address)
        for number in range(5):
            hook.send({"event": "round_over", "round": number})
        assert [came.get(timeout=60)[2]["round"] for _ in range(5)] == list(range(5))
        hook.close()


def test_no_redirect_is_followed():
    with lamp(status=302) as (address, came):
        assert post(parse_address(address), b"{}") == 302
        assert came.qsize() == 1


def test_an_address_outside_the_house_is_not_connected_to():
    with pytest.raises(CameraLost):
        post(parse_address("http://192.0.2.1/"), b"{}")


def test_while_an_address_hangs_only_the_newest_events_wait():
    goes_on = threading.Event()
    with lamp(waits=goes_on) as (address, came):
        hook = Hook(address)
        hook.send({"n": -1})
        assert came.get(timeout=60)[2] == {"n": -1}  # this one hangs
        for number in range(10 * WAITING):
            hook.send({"n": number})
        goes_on.set()
        found = [came.get(timeout=60)[2]["n"] for _ in range(WAITING)]
        hook.close()
    assert found == list(range(9 * WAITING, 10 * WAITING))
    assert came.empty()


def test_a_login_in_the_address_is_sent():
    with lamp() as (address, came):
        assert post(parse_address(address.replace("http://", "http://eve:secret@")), b"{}") == 200
        assert came.get(timeout=60)[1]["Authorization"] == "Basic ZXZlOnNlY3JldA=="


def test_a_name_that_cannot_be_sent_ends_nothing(monkeypatch):
    with lamp() as (address, came):
        hook = Hook(address)
        monkeypatch.setattr("referee.devices.hook.post", raises_once(UnicodeEncodeError("latin-1", "л", 0, 1, "no")))
        hook.send({"n": 0})
        hook.send({"n": 1})
        assert came.get(timeout=60)[2] == {"n": 1}
        hook.close()


def raises_once(error):
    """`post`, which fails the first time."""
    left = [error]

    def posts(address, body):
        if left:
            raise left.pop()
        return post(address, body)

    return posts


def test_closing_drops_what_waits():
    goes_on = threading.Event()
    with lamp(waits=goes_on) as (address, came):
        hook = Hook(address)
        hook.send({"n": 0})
        came.get(timeout=60)
        hook.send({"n": 1})
        closing = threading.Thread(target=hook.close)
        closing.start()
        goes_on.set()
        closing.join()
    assert came.empty()


@pytest.mark.parametrize("url", ["", "192.168.1.20", "ftp://192.168.1.20", "rtsp://192.168.1.20/", "http://",
                                 "http://[::1", "http://192.168.1.20:99999/"])  # fmt: skip
def test_what_is_no_address_is_refused_with_an_example(url):
    with pytest.raises(BadInput, match=r"expected an address such as http://192\.168\.1\.20/referee"):
        Hook(url)


def test_a_refused_address_is_not_shown_with_its_secret():
    with pytest.raises(BadInput) as refused:
        Hook("ftp://192.168.1.20:99999/token-123")
    assert "token-123" not in str(refused.value)
    assert "found 'ftp://192.168.1.20:99999'" in str(refused.value)


def test_a_refused_address_is_not_shown_with_its_login():
    with pytest.raises(BadInput) as refused:
        Hook("ftp://ann:geh/eim@192.168.1.20/")
    assert "geh" not in str(refused.value)
