"""Commands are read by the codec of the journal: what they are refused with, and what their document says."""

import dataclasses
import enum
import re
import sys
import unicodedata
from dataclasses import dataclass
from typing import Annotated

import pytest
from starlette.routing import Route

from referee.page.command import (
    ANY_LETTER,
    ANY_LETTER_IN_SCHEMA,
    Command,
    Malformed,
    number,
    one_line,
    one_of,
    several,
    text,
    whole,
)
from referee.page.endpoint import ID, NUMBER
from referee.page.openapi import COMMAND, Described, document
from referee.pages.hall.orders import COMMANDS as ORDERS
from referee.pages.hall.tournament_commands import COMMANDS as TOURNAMENT
from referee.pages.table.commands import COMMANDS


class Way(enum.Enum):
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """One field of each kind."""

    count: Annotated[int, whole(1, 5)]
    way: Annotated[Way, one_of(*Way)] = Way.UP
    at: Annotated[float | None, number(0, 10, "seconds")] = None
    points: Annotated[tuple[int, ...], several(whole(0, 9), 3, 1)] = ()
    seat: Annotated[int, whole(0, 3)] | None = None
    sure: bool = False
    why: Annotated[str, text(1, 20, one_line, lettered=True)]


async def _nothing(*_):
    return None


ONE = Command(Fields, _nothing)
WHOLE = {"count": 1, "why": "so"}


def test_fields_are_read_as_their_types_and_others_are_passed_over():
    told = {"count": 3.0, "way": "down", "at": 2, "points": [1, 2], "seat": None, "sure": True, "why": " a \n b "}
    assert ONE.read({**told, "id": "x", "more": []}) == Fields(
        count=3, way=Way.DOWN, at=2.0, points=(1, 2), seat=None, sure=True, why="a b"
    )
    assert ONE.read(WHOLE) == Fields(count=1, why="so")


@pytest.mark.parametrize(
    ("told", "refused"),
    [
        ({"why": "so"}, "expected a field 'count', found none"),
        ({"count": 0}, "count: expected a whole number from 1 to 5, found '0'"),
        ({"count": 1}, "expected a field 'why', found none"),
        ({**WHOLE, "count": True}, "count: expected a whole number from 1 to 5, found 'True'"),
        ({**WHOLE, "count": 9.0}, "count: expected a whole number from 1 to 5, found '9.0'"),
        ({**WHOLE, "way": "left"}, "way: expected one of up, down, found 'left'"),
        ({**WHOLE, "at": None}, "at: expected a number of seconds from 0 to 10, found null"),
        ({**WHOLE, "at": float("nan")}, "at: expected a number of seconds from 0 to 10, found 'nan'"),
        ({**WHOLE, "points": []}, "points: expected a list of 1 to 3, found '[]'"),
        ({**WHOLE, "points": [1, 10]}, "points: expected a whole number from 0 to 9, found '10'"),
        ({**WHOLE, "seat": 4}, "seat: expected a whole number from 0 to 3, found '4'"),
        ({**WHOLE, "sure": 1}, "sure: expected true or false, found '1'"),
        ({**WHOLE, "why": "x" * 50}, f"why: expected 1 to 20 letters, found {'x' * 40!r}"),
        ({**WHOLE, "why": "--"}, "why: expected a text with a letter in it, found '--'"),
    ],
)
def test_the_first_fault_is_told_in_short(told, refused):
    with pytest.raises(Malformed) as caught:
        ONE.read(told)
    assert str(caught.value) == refused


def test_what_is_only_read_is_not_written():
    with pytest.raises(TypeError, match="expected a value that is only read"):
        ONE.codec.write(Fields(count=1, why="so"))


def test_the_document_has_the_fields_of_the_types():
    assert ONE.codec.schema["properties"] == {
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "way": {"type": "string", "enum": ["up", "down"]},
        "at": {"type": "number", "minimum": 0, "maximum": 10},
        "points": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "minItems": 1,
                   "maxItems": 3},
        "seat": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 3}, {"type": "null"}]},
        "sure": {"type": "boolean"},
        "why": {"type": "string", "minLength": 1, "maxLength": 20, "pattern": ANY_LETTER_IN_SCHEMA},
    }  # fmt: skip
    assert ONE.codec.schema["required"] == ["count", "why"]


@pytest.mark.parametrize("commands", [COMMANDS, {**ORDERS, **TOURNAMENT}], ids=["table", "hall"])
def test_every_command_is_in_the_document_with_its_fields(commands):
    told = document([Route(COMMAND, _nothing, methods=["POST"])], commands)
    bodies = told["paths"][COMMAND]["post"]["requestBody"]["content"]["application/json"]["schema"]["oneOf"]
    assert [one["title"] for one in bodies] == list(commands)
    for one in bodies:
        fields = dataclasses.fields(commands[one["title"]].fields)
        assert list(one["properties"]) == ["command", "id", "n", *(field.name for field in fields)]
        assert one["properties"]["id"] == ID.schema
        assert one["properties"]["n"] == NUMBER.schema
        needed = [field.name for field in fields if field.default is dataclasses.MISSING]
        assert one["required"] == ["command", "id", "n", *needed]


def test_a_letter_is_the_same_to_the_page_and_to_its_schema():
    """JSON Schema takes ``\\w`` for English letters alone: a reason of one Greek letter was no text by the schema."""
    assert ANY_LETTER_IN_SCHEMA == r"[\p{L}\p{N}_]"
    letters = {i for i in range(sys.maxunicode + 1) if unicodedata.category(chr(i))[0] in "LN" or chr(i) == "_"}
    assert {i for i in range(sys.maxunicode + 1) if re.match(ANY_LETTER, chr(i))} == letters


def test_what_only_reads_has_no_body_in_the_document():
    described = {path: Described("One.", {}, {"type": "object"}) for path in ("/api/read", "/api/write")}
    routes = [Route("/api/read", _nothing), Route("/api/write", _nothing, methods=["POST"])]
    told = document(routes, COMMANDS, described=described)["paths"]
    read, write = told["/api/read"]["get"], told["/api/write"]["post"]
    assert "requestBody" not in read
    assert write["requestBody"]["required"] is False
    assert [one["responses"]["200"]["description"] for one in (read, write)] == ["Here it is.", "Done."]
