"""What the hall's page takes: tried out at random, and malformed, oversized, late and repeated commands."""

import json
import re

import pytest
from guarded_hall import WALL, hall_house
from tried_out import MISSING, commands_of, paths_of, tried_out

from referee.club.protocol import Event, Kind, Online
from referee.club.protocol.facts import MatchStarted

EXAMPLES = {"everything": 40, "nothing": 5}
ORDER = {"command": "order", "id": "one-of-a-kind", "n": 0, "do": "pause"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with hall_house(tmp_path_factory.mktemp("hall"), reading="pin") as made:
        made.session = made.cookie()
        yield made


def posts(house, **fields):
    number = int(fields.pop("n", 0))
    return house.post("/api/command", ORDER | {"n": number} | fields, Cookie=house.session)


def test_a_table_is_found_under_its_former_name(tmp_path):
    epoch = "89abcdef"
    with hall_house(tmp_path, reading="pin") as house:
        session = house.cookie()
        house.tell("three", Kind.ONLINE, Online(True, epoch, WALL))
        house.tell("three", Kind.EVENT, Event(epoch, 1, 1, 1, WALL, (MatchStarted("rummikub", ("Ann", "Ben"), 3),)))
        house.tell("three", Kind.ONLINE, Online(False, epoch, WALL))
        house.tell("four", Kind.ONLINE, Online(True, epoch, WALL))
        house.keep()
        status, headers, _ = house.ask("/table/three", Cookie=session)
        assert (status, headers["location"]) == (307, "/table/four")
        assert house.ask("/table/four", Cookie=session)[0] == 200
        assert house.ask("/table/five", Cookie=session)[0] == 404


def test_the_document_tells_of_every_operation_and_every_command(house):
    told = json.loads(house.ask("/api/openapi.json", Cookie=house.session)[2])
    phones = {"/player/{token}/result", "/player/{token}/call", "/at/{token}/call"}
    assert set(told["paths"]) >= paths_of(house) | {"/results.{kind}"} | phones
    for path in phones:
        (posted,) = told["paths"][path].values()
        assert posted["parameters"][0]["name"] == "token"
        assert "do" in posted["requestBody"]["content"]["application/json"]["schema"]["required"]
    assert commands_of(told) == set(house.server.app.state.commands.commands)
    assert told["info"]["title"] == "The page of the hall"


@pytest.mark.page
@pytest.mark.skipif(MISSING, reason="schemathesis is not installed")
@pytest.mark.parametrize("may", list(EXAMPLES))
def test_nothing_that_is_sent_makes_it_fail_or_answer_otherwise_than_it_says(house, tmp_path, may):
    tried_out(house, tmp_path, EXAMPLES[may], everything=may == "everything")


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 9000, b'{"command":"order"}',
        json.dumps(ORDER | {"do": "again"}).encode(), json.dumps(ORDER | {"do": []}).encode(),
        json.dumps(ORDER | {"table": ""}).encode(), json.dumps(ORDER | {"table": "x" * 33}).encode(),
        json.dumps(ORDER | {"table": None}).encode(), json.dumps(ORDER | {"text": "x" * 201}).encode(),
        json.dumps(ORDER | {"text": {}}).encode(), json.dumps(ORDER | {"n": -1}).encode(),
        json.dumps(ORDER | {"n": 1e300}).encode(), json.dumps(ORDER | {"id": "short"}).encode(),
        json.dumps(ORDER | {"command": "settle"}).encode(), json.dumps(ORDER | {"command": {}}).encode(),
    ],
)  # fmt: skip
def test_a_command_that_is_none_is_refused_in_one_sentence_and_nothing_is_asked(house, body):
    before = house.asked
    status, _, told = house.ask("/api/command", "POST", body, Cookie=house.session, Content_Type="application/json")
    assert status == 400
    assert re.match("(command: |id: |do: |table: |text: )?expected ", json.loads(told)["error"])
    assert house.asked == before


def test_a_body_that_is_too_large_is_refused(house):
    before = house.asked
    assert posts(house, text="x" * 20_000)[0] == 413
    assert posts(house, more="x" * 20_000)[0] == 413
    assert house.asked == before


def test_a_command_is_done_once_however_often_it_comes(house):
    before = len(house.asked)
    told = [posts(house, id="again-and-again", do="announce", text="Five minutes left.") for _ in range(5)]
    assert {(status, json.dumps(body)) for status, _, body in told} == {(200, '{"done": true}')}
    assert house.asked[before:] == [(name, "announce", "Five minutes left.") for name in ("one", "two")]


def test_a_command_of_a_time_to_come_is_refused(house):
    before = house.asked
    status, _, told = posts(house, id="from-the-future", n=2**52)
    assert (status, house.asked) == (409, before)
    assert told["told"]


@pytest.mark.parametrize(
    "order",
    [{"table": "nobody"}, {"table": "../one"}, {"table": "ONE"}, {"do": "announce"}, {"do": "announce", "text": " "}],
    ids=["an unknown table", "a path", "another name", "nothing", "a space"],
)
def test_an_order_that_cannot_be_is_told_and_not_sent(house, order):
    before = house.asked
    status, _, told = posts(house, id=f"cannot-be-{sorted(order.items())}"[:60], **order)
    assert (status, house.asked) == (409, before)
    assert told["told"]


def test_an_order_goes_to_one_table_or_to_all(house):
    before = len(house.asked)
    assert posts(house, id="to-one-of-them", do="look", table="two")[0] == 200
    assert posts(house, id="to-all-of-them", do="resume")[0] == 200
    assert house.asked[before:] == [("two", "look", ""), ("one", "resume", ""), ("two", "resume", "")]


def test_who_has_not_told_the_pin_asks_nobody_for_anything(house):
    before = house.asked
    assert house.post("/api/command", ORDER)[0] == 403
    assert house.ask("/picture/one.jpg")[0] == 401
    assert house.asked == before


@pytest.mark.parametrize(
    "path", ["/table/", "/table/%00", "/table/..%2f..", "/table/" + "x" * 4000, "/picture/%ff.jpg", "/picture/two.jpg",
             "/results.", "/results.%0a", "/results.csv/x", "/static/hall/../app.py", "/static/hall/%2e%2e/app.py"],
)  # fmt: skip
def test_a_place_that_is_none_is_not_found(house, path):
    assert house.ask(path, Cookie=house.session)[0] == 404


@pytest.mark.parametrize("wanted", [{"command": "forget"}, {}], ids=["forget", "order"])
def test_a_table_that_no_hall_knows_is_told_so(house, wanted):
    status, _, told = posts(house, id=f"nobody-{len(wanted)}", table="nowhere", **wanted)
    assert (status, told["told"]) == (409, "There is no table nowhere in this hall.")
