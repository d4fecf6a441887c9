"""Every event survives being written down, and what a newer version wrote is refused instead of dropped."""

import dataclasses
import json
import typing
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import BadInput
from referee.game.doubt import Doubt, ReadRecord
from referee.game.match.events import Event, Pressed, Seen, Started
from referee.game.notice import Notice
from referee.game.scoring import RoundScore, ScoreSheet
from referee.game.tiles import JOKER, Colour, Tile
from referee.i18n import error_text
from referee.journal.codec import (
    EVENTS,
    PLAIN,
    BadValue,
    Codec,
    bad_value,
    codec_of,
    event_from_text,
    event_to_text,
    from_text,
    kind_of,
    to_text,
)
from referee.journal.errors import NewerJournal, Unknown
from tests.support.errors import telling

TILES = st.one_of(st.just(JOKER), st.builds(Tile, st.integers(1, 13), st.sampled_from(Colour)))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
st.register_type_strategy(Tile, TILES)
st.register_type_strategy(float, NUMBERS)


def made(cls):
    """Any value of a dataclass."""
    hints = typing.get_type_hints(cls)
    return st.builds(cls, **{f.name: of_type(hints[f.name]) for f in dataclasses.fields(cls)})


def of_type(hint):
    if typing.get_origin(hint) is tuple and typing.get_args(hint)[-1] is Ellipsis:
        return st.lists(of_type(typing.get_args(hint)[0]), max_size=4).map(tuple)
    if hint is Notice:
        return st.builds(Notice, st.text(min_size=1), tile=TILES, number=st.integers(), name=st.text())
    if hint is Doubt:
        given = [of_type(ReadRecord) | st.none(), *(of_type(tuple[int, ...]) for _ in range(2))]
        return st.builds(Doubt, of_type(Notice) | st.text(), *given, of_type(tuple[str, ...]) | st.none())
    if dataclasses.is_dataclass(hint) and hint is not Tile:
        return made(hint)
    return st.from_type(hint)


@pytest.mark.parametrize("kind", EVENTS)
@given(data=st.data())
def test_every_event_comes_back_exactly(kind: str, data: st.DataObject) -> None:
    event = data.draw(made(EVENTS[kind]))

    written, body = event_to_text(event)

    assert written == kind
    assert event_from_text(kind, body) == event
    assert "\n" not in body
    assert body.isascii()


def test_every_event_of_the_game_has_a_name_of_its_own() -> None:
    assert set(EVENTS.values()) == set(typing.get_args(Event))
    assert kind_of(Started) == "started"


def test_tiles_are_written_by_their_long_names() -> None:
    _, body = event_to_text(Seen(((Tile(7, Colour.RED), JOKER),), 1.5, (Doubt("R7? (or R1)"),)))
    written = json.loads(body)
    assert written["table"] == [["red-7", "joker"]]
    assert written["doubts"] == ["R7? (or R1)"]


@given(made(ScoreSheet))
def test_a_score_sheet_comes_back_exactly(sheet: ScoreSheet) -> None:
    assert from_text(to_text(sheet, ScoreSheet), ScoreSheet) == sheet


def test_a_field_that_an_older_version_did_not_write_has_its_default() -> None:
    assert event_from_text("started", '{"players":["Ann","Ben"],"t":1.0}') == Started(("Ann", "Ben"), 1.0)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        pytest.param("teleported", "{}", id="an unknown event"),
        pytest.param("pressed", '{"player":0,"t":1.0,"hard":true}', id="an unknown field"),
        pytest.param("pressed", '{"player":0}', id="a field without default is missing"),
        pytest.param("pressed", '{"player":"Ann","t":1.0}', id="a text for a number"),
        pytest.param("pressed", '{"player":true,"t":1.0}', id="a truth for a number"),
        pytest.param("pressed", '{"player":0,"t":NaN}', id="a time that is no number"),
        pytest.param("pressed", '{"player":0,"t":"1"}', id="a time in quotes"),
        pytest.param("pressed", '{"player":0,"t":1' + "0" * 400 + "}", id="a time beyond all numbers"),
        pytest.param("pressed", "[0, 1.0]", id="a list for an object"),
        pytest.param("pressed", "[]", id="an empty list for an object"),
        pytest.param("pressed", '""', id="an empty text for an object"),
        pytest.param("pressed", "{", id="no JSON"),
        pytest.param("seen", '{"table":["red-7"],"t":1.0}', id="a tile for a set"),
        pytest.param("seen", '{"table":[["purple-7"]],"t":1.0}', id="a colour of a newer box"),
        pytest.param("seen", '{"table":[["red-14"]],"t":1.0}', id="a number of a newer box"),
        pytest.param("seen", '{"table":[[7]],"t":1.0}', id="a number for a tile"),
        pytest.param("started", '{"players":"Ann","t":1.0}', id="a text for several"),
    ],
)
def test_what_only_a_newer_version_may_know_is_refused(kind: str, body: str) -> None:
    with pytest.raises(Unknown) as caught:
        event_from_text(kind, body)
    assert isinstance(caught.value, NewerJournal)
    assert "\n" not in error_text(caught.value)
    assert "expected" in error_text(caught.value)


@pytest.mark.parametrize(
    ("kind", "body", "told"),
    [
        ("pressed", '{"player":"Ann","t":1.0}', "player: expected a whole number, got 'Ann'"),
        ("pressed", '{"player":0,"t":NaN}', "t: expected a finite number, got nan"),
        ("pressed", '{"player":0}', "expected an object with t, got {'player': 0}"),
        ("settled", '{"player":0,"t":1.0,"word":{"tile":null,"x_mm":1,"y_mm":[],"angle_deg":0}}',
         "word: y_mm: expected a finite number, got []"),
        ("seen", '{"table":[["red-14"]],"t":1.0}', "table: expected a tile such as red-7 or joker, got 'red-14'"),
    ],
)  # fmt: skip
def test_a_refused_event_says_in_which_field_what_was_expected(kind: str, body: str, told: str) -> None:
    with pytest.raises(Unknown) as caught:
        event_from_text(kind, body)
    assert f"({told})" in error_text(caught.value)


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(Pressed(0, float("nan")), id="no moment"),
        pytest.param(Pressed(0, float("inf")), id="a moment that never comes"),
        pytest.param(Pressed("Ann", 1.0), id="a name for a seat"),
        pytest.param(Pressed(True, 1.0), id="a truth for a seat"),
        pytest.param(Started("Ann", 1.0), id="a text for several names"),
        pytest.param(Started((1, 2), 1.0), id="numbers for names"),
        pytest.param(Seen((("red-7",),), 1.0), id="a name for a tile"),
        pytest.param(Seen((), 1.0, ("R7?",)), id="a text for a doubt"),
    ],
)
def test_an_event_with_a_wrong_value_is_not_written(event: Event) -> None:
    with telling(BadInput, match="expected a value the journal can keep"):
        event_to_text(event)


def test_a_dataclass_is_not_written_as_another() -> None:
    with telling(BadInput, match="RoundScore"):
        to_text(ScoreSheet(("Ann",), (Pressed(0, 1.0),)), ScoreSheet)
    assert to_text(ScoreSheet(("Ann",), (RoundScore(None, (0,), (0,)),)), ScoreSheet)


@pytest.mark.parametrize(
    "hint",
    [
        pytest.param(int | str, id="a union that JSON cannot tell apart"),
        pytest.param(Mapping[int, str], id="a mapping from numbers"),
        pytest.param(set[str], id="a set"),
        pytest.param(bytes, id="bytes"),
    ],
)
def test_a_type_without_a_form_is_refused_at_once(hint: object) -> None:
    with pytest.raises(TypeError, match="expected"):
        codec_of(hint)


@given(st.dictionaries(st.text(), st.integers() | st.none()))
def test_a_mapping_comes_back(value: dict[str, int | None]) -> None:
    assert from_text(to_text(value, Mapping[str, int | None]), Mapping[str, int | None]) == value


@given(st.tuples(st.integers(), st.booleans()))
def test_a_pair_comes_back(value: tuple[int, bool]) -> None:
    assert from_text(to_text(value, tuple[int, bool]), tuple[int, bool]) == value


def even(value):
    if value % 2:
        raise bad_value("an even number", value)
    return value


@dataclasses.dataclass(frozen=True)
class Inner:
    pair: typing.Annotated[int, Codec(int, even, {"multipleOf": 2})]
    name: str


@dataclasses.dataclass(frozen=True)
class Outer:
    inner: Inner


def test_a_field_may_have_a_codec_of_its_own():
    assert codec_of(Inner).schema["properties"]["pair"] == {"multipleOf": 2}
    assert codec_of(Inner).read({"pair": 4, "name": "Ann"}) == Inner(4, "Ann")


def test_the_first_fault_is_told_with_what_was_expected_what_was_found_and_where():
    with pytest.raises(BadValue, match="inner: pair: expected an even number, got 3") as caught:
        codec_of(Outer, PLAIN).read({"inner": {"pair": 3}})
    assert (caught.value.expected, caught.value.found, caught.value.missing) == ("an even number", 3, ())
    with pytest.raises(BadValue, match="inner: expected an object with name, got") as caught:
        codec_of(Outer, PLAIN).read({"inner": {"pair": 2}})
    assert caught.value.missing == ("name",)
