"""Every notice that the source makes is declared, and every one that is declared has an English sentence."""

import ast
import string
from pathlib import Path

import pytest

from referee.errors import BadInput, CannotJudge
from referee.game.notice import Notice
from referee.game.tiles import JOKER, Colour, Tile
from referee.i18n import ENGLISH, Wording, error_text
from referee.i18n.notices import NOTICES, Kind

SOURCE = Path(__file__).parents[3] / "referee"
RED_7 = Tile(7, Colour.RED)
SHOWN = {
    Kind.TILE: RED_7,
    Kind.TILES: (RED_7, JOKER),
    Kind.SET: (RED_7, Tile(8, Colour.RED), JOKER),
    Kind.COLOUR: Colour.RED,
    Kind.NUMBER: 3,
    Kind.AMOUNT: 2.5,
    Kind.NAME: "Anna",
    Kind.NAMES: ("Anna", "Ben"),
    Kind.NOTICE: Notice("place.middle"),
    Kind.NOTICES: (Notice("place.middle"), Notice("place.top")),
}


def made():
    """Every call in the source that makes a notice of a key it names: where, the key and the fields' names."""
    for path in sorted(SOURCE.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "referee.game.notice"]
        if not any(name.name == "Notice" for node in imports for name in node.names):
            continue
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Notice":
                fields = {keyword.arg for keyword in node.keywords}
                for key in keys_of(node.args[0]):
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}", key, fields


def keys_of(node):
    if isinstance(node, ast.IfExp):
        return [*keys_of(node.body), *keys_of(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) else []


def test_what_the_source_makes_is_declared_with_these_fields():
    found = list(made())
    assert len(found) > 100
    for where, key, fields in found:
        assert key in NOTICES, where
        assert None in fields or fields == set(NOTICES[key].fields), where


@pytest.mark.parametrize("key", sorted(NOTICES))
def test_what_is_declared_can_be_told(key):
    form = NOTICES[key]
    assert "notice" not in form.fields
    values = {name: SHOWN[kind] for name, kind in form.fields.items()}
    assert all(kind.holds(values[name]) for name, kind in form.fields.items())
    assert form.by is None or form.by in form.fields
    for faces in ("numbers", "cards"):
        assert Wording(faces=faces)(Notice(key, **values)).strip()
    for number in (1, 2) if form.by is not None else (None,):
        parts = string.Formatter().parse(ENGLISH.entry(key, number))
        assert {name for _, name, _, _ in parts if name is not None} <= set(form.fields)


def test_operators_read_errors_in_english_whatever_they_carry():
    assert error_text(CannotJudge(Notice("reading.too_dark"))) == "The picture is too dark: more light, please."
    assert error_text(BadInput("expected a box")) == "expected a box"
    assert error_text(OSError(28, "No space left on device")) == "[Errno 28] No space left on device"
