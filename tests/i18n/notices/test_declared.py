"""Every notice that the source makes is declared, and every one that is declared has an English sentence."""

import ast
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

from referee.errors import BadInput, CannotJudge
from referee.game.notice import Notice
from referee.game.tiles import JOKER, Colour, Tile
from referee.i18n import ENGLISH, Wording, error_text
from referee.i18n.notices import DOMAINS, NOTICES, Kind, NoticeType, parse_notices

SOURCE = Path(__file__).parents[3] / "referee"
DECLARATIONS = sorted((SOURCE / "i18n" / "notices").glob("*.toml"))
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
    assert all(kind.accepts(values[name]) for name, kind in form.fields.items())
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


def test_a_declaration_gives_the_fields_in_their_order_and_the_one_that_is_counted():
    text = """
# What the judge says.
own_set = { tiles = "set" }
joker_freed = { by = "tiles", old = "set", tiles = "tiles" }
nothing_laid = {}
"""
    notices = parse_notices("judge", text)
    assert notices == {
        "judge.own_set": NoticeType({"tiles": Kind.SET}),
        "judge.joker_freed": NoticeType({"old": Kind.SET, "tiles": Kind.TILES}, "tiles"),
        "judge.nothing_laid": NoticeType({}),
    }
    assert list(notices["judge.joker_freed"].fields) == ["old", "tiles"]


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_can_be_declared(kind):
    assert parse_notices("judge", f'one = {{ field = "{kind.value}" }}') == {"judge.one": NoticeType({"field": kind})}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("own_set =", "judge.toml: expected TOML: Invalid value"),
        ("own_set = {}\nown_set = {}", "judge.toml: expected TOML: Cannot overwrite a value"),
        ("Own-Set = {}", "judge.toml: Own-Set: expected small letters, digits and underscores, found 'Own-Set'"),
        ('own_set = "set"', 'judge.toml: own_set: expected fields with their kinds, such as { tile = "tile" }, found'),
        ('own_set = { Tile = "tile" }', "judge.toml: own_set: Tile: expected small letters, digits and underscores"),
        (
            'own_set = { tile = "card" }',
            "judge.toml: own_set: tile: expected a kind (tile, tiles, set, colour, number, amount, name, names, "
            "notice, notices), found 'card'",
        ),
        ("own_set = { tile = 1 }", "judge.toml: own_set: tile: expected a kind (tile, "),
        (
            'own_set = { by = "jokers", tiles = "tiles", old = "set" }',
            "judge.toml: own_set: by: expected tiles or old, found 'jokers'",
        ),
        (
            'own_set = { by = "tiles" }',
            "judge.toml: own_set: by: expected no `by`, for there is no field, found 'tiles'",
        ),
        ('own_set = { by = [], tiles = "tiles" }', "judge.toml: own_set: by: expected tiles, found []"),
    ],
)
def test_what_is_no_declaration_is_refused_with_file_key_and_what_was_expected(text, error):
    with pytest.raises(ValueError, match=re.escape(error)):
        parse_notices("judge", text)


def test_every_file_is_a_domain_and_says_in_its_first_line_what_it_is_about():
    assert tuple(path.stem for path in DECLARATIONS) == DOMAINS
    for path in DECLARATIONS:
        assert re.match(r"# [A-Z].{10,}\.\n", path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.name)
def test_what_stands_in_a_file_is_what_the_program_knows(path):
    declared = parse_notices(path.stem, path.read_text(encoding="utf-8"))
    assert declared == {key: form for key, form in NOTICES.items() if key.startswith(f"{path.stem}.")}


@pytest.mark.parametrize("key", ["judge.none_such", "judge", "", "canasta.over", "../judge.own_set", "kinds.own_set"])
def test_what_is_not_declared_is_not_there(key):
    assert key not in NOTICES
    assert NOTICES.get(key) is None
    with pytest.raises(KeyError):
        NOTICES[key]


def test_a_file_is_read_once_and_only_when_one_of_its_keys_is_asked_for():
    program = """
import sys
opened = []
sys.addaudithook(lambda event, about: opened.append(str(about[0])) if event == "open" else None)
from referee.i18n.notices import NOTICES
NOTICES["judge.own_set"], NOTICES["gin.is_gin"], NOTICES["judge.had_none"]
print([path.rpartition("/")[2] for path in opened if path.endswith(".toml")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "['judge.toml', 'gin.toml']\n"
