"""Whatever a broker may hand over is either a document or a BadMessage, never anything else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.club.protocol import (
    BadMessage,
    Kind,
    Told,
    address_of,
    decode_document,
    encode_document,
    subscription,
    table_id,
    topic,
)
from referee.club.protocol.coding import DEEPEST, LONGEST, picture
from referee.club.protocol.documents import Event, Online
from referee.club.protocol.facts import HasPaused
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.journal.codec import codec_of

EPOCH, WALL = "0f6e2f3a-1111-4222-8333-444455556666", "2026-03-01T18:30:00+00:00"
EVENT = {"version": 1, "epoch": EPOCH, "seq": 1, "match": 1, "number": 1, "wall": WALL, "facts": []}


def with_(**fields):
    return json.dumps({**EVENT, **fields}).encode()


def nested(levels):
    return b'{"version":1,"online":' + b"[" * levels + b"]" * levels + b"}"


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="a deleted one"),
        pytest.param(b"\xff\xfe", id="not UTF-8"),
        pytest.param(b"hello", id="not JSON"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"null", id="nothing"),
        pytest.param(b" " * (LONGEST + 1), id="too long"),
        pytest.param(nested(DEEPEST + 1), id="too deep"),
        pytest.param(nested(20_000), id="much too deep"),
        pytest.param(with_(seq=float("nan")), id="no number"),
        pytest.param(with_(seq=1.5), id="half an event"),
        pytest.param(with_(seq=True), id="true for a number"),
        pytest.param(with_(seq=-1), id="below zero"),
        pytest.param(with_(seq=2**53), id="larger than every reader keeps"),
        pytest.param(b'{"version":1,"seq":' + b"9" * 5000 + b"}", id="a number of 5,000 digits"),
        pytest.param(with_(epoch="../../etc"), id="no epoch"),
        pytest.param(with_(wall="yesterday"), id="no time of day"),
        pytest.param(with_(version=2), id="another version"),
        pytest.param(with_(version="1"), id="a version as a text"),
        pytest.param(with_(facts={}), id="an object for a list"),
        pytest.param(with_(facts=[{"kind": "paused"}] * 41), id="too many facts"),
        pytest.param(with_(facts=[{"kind": []}]), id="a list for a kind"),
        pytest.param(with_(facts=[{"kind": "time-up"}]), id="a fact without its seat"),
        pytest.param(with_(facts=[{"kind": "time-up", "seat": 8}]), id="a seat too many"),
        pytest.param(with_(facts=[{"kind": "answered", "seat": 0, "tile": "\ud800"}]), id="half a character"),
        pytest.param(with_(facts=[{"kind": "answered", "seat": 0, "tile": "a\0b"}]), id="a control character"),
        pytest.param(json.dumps(EVENT).encode()[:-1] + b',"seq":2}', id="a name twice"),
        pytest.param(json.dumps({k: v for k, v in EVENT.items() if k != "match"}).encode(), id="a field missing"),
    ],
)
def test_rubbish_is_refused(payload):
    with pytest.raises(BadMessage):
        decode_document(Kind.EVENT, payload)


def test_another_version_is_told_from_rubbish():
    with pytest.raises(BadMessage) as found:
        decode_document(Kind.EVENT, with_(version=0))
    assert found.value.old


def test_what_a_newer_table_adds_is_passed_over():
    body = {**EVENT, "weather": "fine", "facts": [{"kind": "danced", "seat": 1}, {"kind": "paused", "by": 2}]}
    assert decode_document(Kind.EVENT, json.dumps(body).encode()) == Event(EPOCH, 1, 1, 1, WALL, (HasPaused(),))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.sampled_from([kind for kind in Kind if kind is not Kind.PICTURE]),
)
def test_any_json_is_a_document_or_refused(value, kind):
    body = {**value, "version": 1} if isinstance(value, dict) else value
    try:
        document = decode_document(kind, json.dumps(body).encode())
    except BadMessage:
        return
    assert decode_document(kind, encode_document(document)) == document


@given(st.binary(max_size=200))
def test_any_bytes_are_a_document_or_refused(payload):
    for kind in Kind:
        with pytest.raises(BadMessage):
            decode_document(kind, payload)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="empty"),
        pytest.param({"notice": "No Key"}, id="no key"),
        pytest.param({"notice": "a.b", "x": None}, id="nothing in a field"),
        pytest.param({"notice": "a.b", "x": {"tile": "green-99"}}, id="no tile"),
        pytest.param({"notice": "a.b", "x": {"tile": []}}, id="a list for a tile"),
        pytest.param({"notice": "a.b", "x": {"seat": True}}, id="true for a seat"),
        pytest.param({"notice": "a.b", "x": {"y": 1}}, id="an object"),
        pytest.param({"notice": "a.b", "x": "y" * 301}, id="too long"),
        pytest.param({"notice": "a.b", "x": [[[[[[[[[1]]]]]]]]]}, id="too deep"),
    ],
)
def test_a_notice_that_is_none_is_refused(body):
    with pytest.raises(BadInput):
        codec_of(Told).read(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"notice": "future.key"}, id="unknown"),
        pytest.param({"notice": "match.your_turn"}, id="a field missing"),
        pytest.param({"notice": "match.your_turn", "player": 7}, id="a number for a name"),
        pytest.param({"notice": "match.your_turn", "player": "Ann", "x": 1}, id="a field too many"),
        pytest.param({"notice": "match.sentence", "what": {"notice": "future.key"}}, id="unknown within"),
    ],
)
def test_a_notice_that_cannot_be_worded_is_told_apart(body):
    told = codec_of(Told).read(body)
    with pytest.raises(BadInput):
        told.notice(("Ann",))


def test_a_seat_that_nobody_sits_at_is_told_by_its_number():
    told = Told.from_notice(Notice("match.your_turn", player="Cleo"), ("Ann", "Ben", "Cleo"))
    assert told.notice(()) == Notice("match.your_turn", player="3")


def test_topics_lead_there_and_back():
    for kind in Kind:
        found = address_of("club/rummy", topic("club/rummy", "table-7", kind))
        assert (found.table, found.kind) == ("table-7", kind)
    assert topic("referee", "a", Kind.DO) == "referee/1/a/do"
    assert topic("referee", "a", Kind.RESULT, 41) == "referee/1/a/result/41"
    assert address_of("referee", "referee/1/a/result/41").match == 41
    assert subscription("referee") == "referee/1/+/#"


@pytest.mark.parametrize(
    "found",
    [
        "referee",
        "referee/1/a",
        "referee/2/a/state",
        "referee/1/A/state",
        "referee/1/a/state/x",
        "x/1/a/state",
        "",
        "referee/1/a/result/",
        "referee/1/a/result/0",
        "referee/1/a/result/x",
        "referee/1/a/result/1/2",
        "referee/1/a/result/٣",
        "referee/1/a/state/1",
    ],
)
def test_a_topic_that_is_none_of_ours_is_refused(found):
    with pytest.raises(BadInput):
        address_of("referee", found)


@pytest.mark.parametrize("name", ["", "A", "a b", "a/b", "+", "#", "x" * 33, "tisch-ä"])
def test_a_name_that_is_no_table_is_refused(name):
    with pytest.raises(BadInput):
        table_id(name)


def test_a_picture_is_a_picture():
    assert picture(b"\xff\xd8\xff\xe0rest")
    for payload in (b"", b"GIF89a", b"\xff\xd8\xff" + bytes(2 * 1024 * 1024)):
        with pytest.raises(BadMessage):
            picture(payload)


def test_a_document_is_not_taken_for_one_of_another_kind():
    with pytest.raises(BadMessage):
        decode_document(Kind.STATE, encode_document(Online(True, EPOCH, WALL)))
