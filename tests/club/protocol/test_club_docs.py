"""docs/club.md keeps up with the code."""

import json
import re
import typing
from dataclasses import fields
from pathlib import Path

import pytest

from referee.club.protocol import Do, Kind, decode_document
from referee.club.protocol.coding import LONGEST, LONGEST_PICTURE
from referee.club.protocol.facts import Fact, Outcome
from referee.club.table_side.club import PLAIN_PORT, TLS_PORT
from referee.club.table_side.history import RESULTS
from referee.settings.settings import ClubSettings

DOCS = (Path(__file__).parents[3] / "docs" / "club.md").read_text(encoding="utf-8")
FACTS = [typing.get_args(typing.get_type_hints(cls)["kind"])[0] for cls in typing.get_args(Fact)]


@pytest.mark.parametrize("name", [*Kind, *Do, *Outcome, *FACTS, *(item.name for item in fields(ClubSettings))])
def test_everything_has_its_name_there(name):
    assert re.search(rf"\b{re.escape(str(name))}\b", DOCS)


def test_every_topic_has_its_line():
    assert all(f"\n| `{kind.value}` | {'yes' if kind.is_retained else 'no'} |" in DOCS for kind in Kind)


def test_the_examples_are_documents():
    event, result, begin, desk, call = re.findall(r"```json\n(.*?)```", DOCS, re.DOTALL)
    told = decode_document(Kind.RESULT, result.replace("5e1c…", "5e1c0000").encode())
    assert (told.totals, told.seq, set(json.loads(result))) == ((13, -13), 172, {one.name for one in fields(told)})
    assert decode_document(Kind.EVENT, event.replace("5e1c…", "5e1c0000").encode()).facts[0].kind == "turn"
    (command,) = re.findall(r"`(\{\"version\": 1, \"id\".*?\})`", DOCS)
    assert decode_document(Kind.DO, command.encode()).do is Do.AGAIN
    told = decode_document(Kind.DO, begin.encode())
    assert (told.do, told.players, told.draw) == (Do.BEGIN, ("Ann", "Ben", None), "spring-cup-r3-t2")
    desk, call = (decode_document(kind, text.encode()) for kind, text in ((Kind.DESK, desk), (Kind.CALL, call)))
    assert (desk.clock.left, desk.call.place, desk.call.id) == (1500.0, 2, call.call.id)
    assert set(json.loads(event)) == {"epoch", "seq", "match", "number", "wall", "begun", "facts", "version"}


def test_the_figures_are_those_of_the_code():
    assert (LONGEST, LONGEST_PICTURE) == (64 * 1024, 2 * 1024 * 1024)
    assert "64 kB" in DOCS
    assert f"the results of {RESULTS} matches" in DOCS
    assert f"(port {TLS_PORT} unless" in DOCS
    assert PLAIN_PORT == 1883
