"""Who may ask the coach, how much may be sent to it, and how often; and its picture of the table's camera."""

import json
import socket
from dataclasses import replace

import pytest
from guarded import ENDLESS, PATIENCE_S, house
from live_page import live
from page_loop import playing
from test_coach_in_match import RED_RUN, ask

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.page.access import Rate
from referee.pages.table.coach.pictures import MOST_BYTES

QUESTION = {"table": RED_RUN, "hand": ["red-7"]}
READ, SOLVE = "/api/coach/read", "/api/coach/solve"


def test_whoever_may_see_the_page_may_ask_and_may_change_nothing_else():
    with house() as home:
        assert home.post(SOLVE, QUESTION)[0] == 200
        assert home.post("/api/command", {"command": "begin", "id": "12345678", "n": 0})[0] == 403
        assert home.post(SOLVE, QUESTION, Origin="http://evil.example")[0] == 403


def test_where_looking_takes_the_pin_so_does_asking():
    with house(reading="pin") as home:
        assert home.post(SOLVE, QUESTION)[0] == 403
        assert home.ask("/coach")[0] == 401
        session = home.cookie()
        assert home.post(SOLVE, QUESTION, Cookie=session)[0] == 200
        assert home.ask("/coach", Cookie=session)[0] == 200


@pytest.mark.parametrize(("path", "most"), [(READ, MOST_BYTES), (SOLVE, ENDLESS.body_bytes)])
def test_more_than_a_picture_or_a_question_is_not_taken(path, most):
    with house() as home:
        status, _, told = home.post(path, "x" * (most + 10))
        assert (status, "told" in told) == (413, True)


def test_pictures_are_limited_apart_from_questions():
    with house(limits=replace(ENDLESS, large=Rate(2, 0.001))) as home:
        headers = {"Content_Type": "image/jpeg"}
        assert [home.ask(READ, "POST", b"x", **headers)[0] for _ in range(3)] == [409, 409, 429]
        assert home.post(SOLVE, QUESTION)[0] == 200


def test_only_so_many_pictures_are_received_at_a_time():
    with house() as home:
        half = (
            f"POST {READ} HTTP/1.1\r\nHost: {home.host}\r\nContent-Type: image/jpeg\r\nContent-Length: 9\r\n\r\n1234"
        )
        waiting = []
        for _ in range(ENDLESS.large_at_once):
            connection = socket.create_connection(("127.0.0.1", home.port), PATIENCE_S)
            connection.sendall(half.encode())
            waiting.append(connection)
        # What has been received so far is not known: one more is refused as soon as both are being read.
        status = 409
        while status == 409:
            status, headers, body = home.ask(READ, "POST", b"x", Content_Type="image/jpeg")
        assert (status, "told" in json.loads(body)) == (503, True)
        assert "Retry-After" in headers
        for connection in waiting:
            connection.close()


def test_without_a_reader_tiles_are_to_be_tapped():
    with playing() as table:
        for path in (READ, "/api/coach/look"):
            assert ask(table, path, {}) == (409, {"told": Wording("en")(Notice("coach.no_reader"))})


def test_before_a_match_the_table_is_read_as_the_camera_sees_it():
    with live() as table:
        table.lay("R4 R5 R6 | B9 K9 R9 O9")
        status, told = ask(table, "/api/coach/look", {})
        assert status == 200
        assert sorted(len(reads) for reads in told["sets"]) == [3, 4]
        assert table.read_for_coach == [True]
        table.lay("")
        status, told = ask(table, "/api/coach/look", {})
        assert (status, told["tiles"]) == (200, [])
        table.start()
        assert ask(table, "/api/coach/look", {})[0] == 403
        assert table.read_for_coach == [True, True]
