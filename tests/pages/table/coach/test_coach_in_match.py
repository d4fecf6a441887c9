"""The coach beside a real loop: refused in a match without agreement, noted and shown to all in one with it."""

import http.client
import json
from contextlib import closing

import cv2
import pytest
from page import rendered, served
from page_loop import PATIENCE_S, playing

from referee.cli.parts.readers import build_reader
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.journal.codec import event_from_text
from referee.journal.replay import replay
from referee.page.wording import PageWording
from referee.pages.table.scores.replay import replay_turns

TABLE_MM = (900.0, 600.0)
RED_RUN = [["red-4", "red-5", "red-6"]]
PATHS = ("/api/coach/read", "/api/coach/look", "/api/coach/solve")


def ask(table, path, body, language="en", kind="application/json"):
    """The status and the answer to one post."""
    with closing(http.client.HTTPConnection("localhost", table.server.port, timeout=PATIENCE_S)) as connection:
        headers = {"Content-Type": kind, "Origin": table.address, "Accept-Language": language}
        connection.request("POST", path, body if isinstance(body, bytes) else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def solve(table, hand=("red-7", "black-1"), sets=RED_RUN, **fields):
    return ask(table, "/api/coach/solve", {"table": sets, "hand": list(hand), **fields})


def begun(table):
    """The stream of the page, once a match is under way."""
    stream = table.stream()
    stream.until(lambda parts: "match" in parts and parts["match"]["phase"] == "lobby")
    status, told = table.post(command="begin", n=stream.n)
    assert (status, told) == (200, {"done": True})
    stream.until(lambda parts: parts["match"]["phase"] == "turn")
    return stream


def coached(table):
    rows = [row for row in table.store.rows if row.kind == "coached"]
    return [event_from_text(row.kind, row.body) for row in rows]


@pytest.mark.parametrize("path", PATHS)
def test_in_a_match_without_agreement_nothing_is_told_and_it_is_said_why(path):
    with playing() as table, closing(begun(table)) as stream:
        for language in LANGUAGES:
            status, told = ask(table, path, {"table": RED_RUN, "hand": ["red-7"]}, language)
            assert (status, told) == (403, {"told": PageWording(language)(Notice("coach.not_agreed"))})
        coach = stream.until(lambda parts: not parts["coach"]["open"])["coach"]
        assert coach["why"] == Wording("en")(Notice("coach.not_agreed"))
        assert coach["lines"] == []
        assert coached(table) == []


@pytest.mark.parametrize("path", PATHS[:2])
def test_what_is_read_is_not_told_if_a_match_has_begun_meanwhile(path):
    def read(picture, box, _):
        begun(table).close()
        return table.sight.read(picture, box, TABLE_MM)

    with playing(reads=read) as table:
        table.sight.table = parse_table("R4 R5 R6")
        data = cv2.imencode(".png", rendered("R4")[0])[1].tobytes()
        kind = "image/png" if path.endswith("read") else "application/json"
        status, told = ask(table, path, data if kind == "image/png" else {}, kind=kind)
        assert (status, told) == (403, {"told": PageWording("en")(Notice("coach.not_agreed"))})


def test_what_all_have_agreed_to_is_noted_with_whose_turn_it_was_before_it_is_told():
    with playing(coach=True) as table, closing(begun(table)) as stream:
        stream.until(lambda parts: parts["coach"]["lines"] == ["Coach allowed"])
        status, told = solve(table)
        assert (status, told["told"]) == (200, ["Lay 1 of your 2 tiles (7 points)."])
        (event,) = coached(table)
        assert (event.laid, event.player) == (1, 0)
        stream.until(lambda parts: parts["coach"]["lines"] == ["Coach asked once"])
        stream.until(
            lambda parts: any("The coach was asked during Anna's turn" in one["text"] for one in parts["said"])
        )
        assert any("The coach was asked during Anna's turn: 1 tile can be laid." in text for text in table.said)
        assert solve(table, ["black-1"])[1]["told"] == ["None of your tiles can be laid."]
        stream.until(lambda parts: parts["coach"]["lines"] == ["Coach asked 2 times"])
        rows = table.store.rows
        kept = replay(rows)
        assert (kept.state.coach, kept.state.coached) == (True, (0, 0))
        said = [told for turn in replay_turns(rows).turns for one in turn.happenings for told in one.told]
        assert Notice("match.coached", player="Anna", laid=1) in said


def test_nothing_is_told_while_the_disk_does_not_write():
    with playing(coach=True) as table, closing(begun(table)):
        table.store.trouble = Notice("journal.disk_full", where="/var/lib/referee")
        status, told = solve(table)
        assert status == 403
        assert "laid" not in told
        assert coached(table) == []
        table.store.trouble = None
        assert solve(table)[0] == 200
        assert len(coached(table)) == 1


def test_a_use_does_not_end_the_turn_and_a_press_of_that_moment_still_counts():
    with playing(coach=True) as table, closing(begun(table)) as stream:
        before = table.state
        assert solve(table)[0] == 200
        after = table.state
        assert (after.phase, after.current, after.clock, after.table) == (
            Phase.TURN, before.current, before.clock, before.table,
        )  # fmt: skip
        touch = {"button": "button-1", "finger": "finger-0001", "doubt": 0.01}
        at = table.loop.now
        assert solve(table)[0] == 200
        assert table.post(command="press", n=stream.n, what="down", at=at, **touch)[0] == 200
        assert table.post(command="press", n=stream.n, what="up", at=at + 0.1, **touch)[0] == 200
        table.until(lambda: table.state.phase is not Phase.TURN or table.state.current == 1, "the press")


def test_in_gin_there_is_nothing_to_ask():
    with served("gin") as table:
        for path in PATHS:
            status, told = ask(table, path, {"table": [], "hand": ["red-7"]})
            assert (status, told) == (403, {"told": Wording("en")(Notice("coach.gin_match"))})


def test_before_a_match_anybody_may_ask_by_any_book_and_nothing_is_noted():
    with playing() as table:
        assert solve(table, rules="ravensburger")[0] == 200
        status, told = solve(table, rules="gin")
        assert (status, told) == (409, {"told": Wording("en")(Notice("coach.not_by_turns"))})
        assert table.store.rows == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({}, "table"),
        ({"table": [["red-14"]], "hand": ["red-1"]}, "red-14"),
        ({"table": [], "hand": ["red-1"] * 200}, "120"),
        ({"table": [["red-1"]] * 99, "hand": ["red-1"]}, "60"),
        ({"table": [], "hand": ["red-1"], "rules": "chess"}, "chess"),
        ([], "an object"),
    ],
)
def test_what_is_no_question_is_refused_and_said_to_be_none(body, found):
    with playing() as table:
        status, told = ask(table, "/api/coach/solve", body)
        assert status == 400
        assert found in told["error"]


def test_more_tiles_than_the_box_has_and_a_table_that_is_not_legal_are_told():
    with playing() as table:
        status, told = solve(table, ["red-4", "red-4"])
        assert (status, "the box has only 2" in told["told"]) == (409, True)
        status, told = solve(table, sets=[["red-4", "red-6", "red-7"]])
        assert (status, "not a set" in told["told"]) == (409, True)


def test_a_picture_is_read_with_the_tiles_in_doubt_and_shown_again_without_its_file():
    reader = build_reader()
    picture, _ = rendered("R4 R5 R6 | B9 K9 R9 O9")
    data = cv2.imencode(".jpg", picture)[1].tobytes()
    with playing(reads=lambda picture, box, _: reader.read(picture, box, TABLE_MM)) as table:
        status, told = ask(table, "/api/coach/read", data, kind="image/jpeg")
        assert status == 200
        named = [[told["tiles"][read]["tile"] for read in one] for one in told["sets"]]
        assert sorted(map(sorted, named)) == [
            sorted(["black-9", "blue-9", "orange-9", "red-9"]), ["red-4", "red-5", "red-6"],
        ]  # fmt: skip
        assert told["asked"] == []
        with closing(http.client.HTTPConnection("localhost", table.server.port, timeout=PATIENCE_S)) as connection:
            connection.request("GET", told["picture"])
            answer = connection.getresponse()
            kind, shown = answer.headers["Content-Type"], answer.read()
        assert kind == "image/jpeg"
        assert shown != data
        for wrong in (b"", b"no picture", data[: len(data) // 2]):
            status, told = ask(table, "/api/coach/read", wrong, kind="image/jpeg")
            assert (status, told) == (409, {"told": Wording("en")(Notice("coach.no_picture"))})
