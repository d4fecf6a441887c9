"""The stream of the table's state, from a real server."""

import json
from dataclasses import replace

import pytest
from page import Stream, looked_at, served

from referee.game.doubt import Doubt, ReadRecord
from referee.game.match.events import Started
from referee.game.match.machine import new_match
from referee.game.notice import Notice
from referee.page import stream

OPENING = "R10 R11 R12 | B10 B11 B12"


@pytest.fixture
def table():
    with served() as made:
        yield made


@pytest.fixture
def following(table):
    opened = []

    def follow(**how):
        opened.append(Stream(table, **how))
        return opened[-1]

    yield follow
    for one in opened:
        one.close()


def test_a_screen_is_sent_everything_and_then_only_what_changes(table, following):
    screen = following()
    first = screen.next()
    assert screen.kind == "snapshot"
    assert first["match"]["players"][0]["name"] == "Ann"
    table.say(Notice("play.looking"))
    assert set(screen.next()) == {"said"}
    assert screen.kind == "changes"


def test_numbers_rise_with_every_change(table, following):
    screen = following()
    screen.next()
    before = screen.n
    table.press()
    screen.until(lambda parts: parts["match"]["phase"] == "looking")
    assert screen.n > before


def test_the_same_table_looked_at_twice_is_told_and_all_that_follows(table, following):
    """Two looks at one table differ in arrays alone; comparing those as one raises."""
    screen = following()
    table.press()
    table.see("R10 R11 B12")
    first = screen.until(lambda parts: parts["verdict"] and parts["picture"])["picture"]["look"]
    table.press()
    seen = looked_at("R10 R11 B12")
    sighting = replace(seen.sighting, reads=tuple(replace(one) for one in seen.sighting.reads))
    again = replace(seen, sighting=sighting, picture=seen.picture.copy()).with_words(())
    table.see("R10 R11 B12", look=again)
    told = screen.until(lambda parts: parts["verdict"] and parts["picture"]["look"] != first)
    assert told["verdict"]["accepted"] is False
    table.see_same(again.with_words(()))
    table.say(Notice("play.paused"))
    screen.until(lambda parts: "paused" in parts["said"][-1]["text"])


def test_a_page_that_ends_ends_its_streams_without_a_word(capfd):
    with served() as made:
        screen = Stream(made)
        screen.next()
    screen.answer.read()  # to its proper end: a stream that was cut off raises
    screen.close()
    assert capfd.readouterr().err == ""


def test_a_command_from_before_a_restart_is_late(table, following):
    screen = following()
    screen.next()
    with served() as other:
        status, told = other.post("agree", n=screen.n, look=1)
        assert status in (409, 503)
        assert not told.get("done")
        newer = Stream(other)
        newer.next()
        assert other.server.broadcast.late(screen.n, ["match"])
        assert table.server.broadcast.late(newer.n, ["match"])
        newer.close()


def test_whoever_was_cut_off_is_sent_what_changed_meanwhile_and_nothing_else(table, following):
    screen = following()
    screen.next()
    screen.close()
    table.say(Notice("play.looking"))
    table.say(Notice("play.paused"))
    again = following(last=screen.last)
    parts = again.next()
    assert again.kind == "changes"
    assert set(parts) == {"said"}
    assert [one["n"] for one in parts["said"]] == [1, 2, 3]


def test_half_a_character_in_a_name_breaks_neither_stream_nor_page(table, following):
    screen = following()
    screen.next()
    table.game.state = new_match(table.game.state.rules)
    table.game.do(Started(("A\ud800nn", "\udfff"), 0.0))
    table.follow()
    parts = screen.until(lambda parts: parts["match"]["players"][0]["name"] != "Ann")
    assert [one["name"] for one in parts["match"]["players"]] == ["A?nn", "?"]
    assert "A?nn" in parts["live"]["text"]
    table.say(Notice("play.others_turn", player="A\ud800nn"))
    assert "A?nn" in str(screen.until(lambda parts: "A?nn" in str(parts["said"]))["said"])
    for path in ("/", "/panel", "/display", "/setup", "/setup/game"):
        assert table.get(path)[0] == 200


def test_after_a_new_start_of_the_referee_everything_is_sent(following):
    screen = following(last="0123abcd-7")
    screen.next()
    assert screen.kind == "snapshot"


@pytest.mark.parametrize("last", ["rubbish", "-", "0-99999999999999999999", "\xa7-1"])
def test_a_number_nobody_has_given_is_as_none(following, last):
    screen = following(last=last)
    screen.next()
    assert screen.kind == "snapshot"


@pytest.mark.parametrize(("language", "turn"), [("en", "Ann's turn"), ("de", "Ann ist am Zug"), ("fr", "Ann de jouer"),
                                                ("it", "Tocca ad Ann")])  # fmt: skip
def test_every_screen_has_its_own_language(following, language, turn):
    assert turn in following(language=language).next()["live"]["text"]


def test_a_verdict_comes_with_its_faults_tiles_and_sets(table, following):
    screen = following()
    table.press()
    table.see("R10 R11 R12 | B10 B11 K12")
    verdict = screen.until(lambda parts: parts["verdict"])["verdict"]
    assert not verdict["accepted"]
    assert [fault["sets"] for fault in verdict["faults"] if fault["kind"] == "not-a-set"] == [[1]]
    assert "black 12" in json.dumps(verdict["faults"])
    picture = screen.parts["picture"]
    assert [one["state"] for one in picture["sets"]].count("refused") == 1
    assert len(picture["tiles"]) == 6
    assert all(0 < at < 1 for tile in picture["tiles"] for corner in tile["outline"] for at in corner)


def test_an_accepted_table_is_drawn(table, following):
    screen = following()
    table.press()
    table.see(OPENING)
    parts = screen.until(lambda parts: parts["table"]["sets"])
    assert [[face["sign"] for face in tiles] for tiles in parts["table"]["sets"]] == [["10", "11", "12"]] * 2
    assert parts["match"]["players"][0]["opened"]


def test_a_question_offers_the_likeliest_tiles_and_all_of_the_box(table, following):
    doubt = Doubt(
        Notice("play.nothing_at_all"), ReadRecord(0, "red-10", alternatives=(("red-12", 0.3), ("face-down", 0.1)))
    )
    screen = following()
    table.press()
    table.see(OPENING, (doubt,))
    parts = screen.until(lambda parts: parts["question"])
    question = parts["question"]
    assert [face["tile"] for face in question["doubts"][0]["likely"]] == ["red-10", "red-12", "face-down"]
    assert [len(row) for row in parts["box"]["rows"]] == [13, 13, 13, 13, 1]
    table.press()
    assert screen.until(lambda parts: not parts["question"])


def test_the_clock_is_told_by_its_end():
    with served("classic") as table:
        screen = Stream(table)
        clock = screen.next()["clock"]
        screen.close()
    assert clock["running"]
    assert clock["ends_at"] == pytest.approx(table.zero + 120, abs=1)


def test_too_many_screens_of_one_address_are_refused_politely(following, monkeypatch):
    monkeypatch.setattr(stream, "MOST_EACH", 3)
    for _ in range(3):
        assert following().answer.status == 200
    refused = following(language="de")
    assert refused.answer.status == 503
    assert refused.answer.headers["Retry-After"]
    assert "Bildschirme" in json.loads(refused.answer.read())["told"]
