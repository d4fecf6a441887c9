"""Tests use the product as everybody may: no test reads a name of it that begins with an underscore."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("referee", "benchmarks")
TESTS = sorted((ROOT / "tests").rglob("*.py"))
OF_THE_LANGUAGE = frozenset({"_replace", "_asdict", "_fields", "_exit"})
"""Of named tuples and of `os`: public in spite of their names."""
BY_NAME = frozenset({"setattr", "delattr", "getattr", "hasattr", "object", "patch"})
"""Functions that take the name of an attribute as a text."""
OF_A_LIBRARY = {
    "tests/devices/camera/test_pi_tuning.py": {"_cm"},
    "tests/devices/camera/test_picamera2_contract.py": {"_cm"},
}
"""Of picamera2, which has no public name for it; the product needs it, too, and these compare it with the real one."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OF_THE_LANGUAGE | {"_"}


def defined_in(tree: ast.AST) -> Iterator[str]:
    """The private names that a module of the product gives to anything but a local variable."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
        if isinstance(node, ast.Module | ast.ClassDef):
            parts = (
                part for each in node.body if isinstance(each, ast.Assign | ast.AnnAssign) for part in ast.walk(each)
            )
            yield from (part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))


@cache
def names_of_the_product() -> frozenset[str]:
    modules = (path for folder in PRODUCT for path in (ROOT / folder).rglob("*.py"))
    return frozenset(name for path in modules for name in defined_in(ast.parse(path.read_text())) if is_private(name))


def private_names_read(source: str, known: frozenset[str]) -> set[str]:
    """The names among those `known` that a test reads, imports or replaces; those of `self` are the test's own."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")) | ast.Call(args=[ast.Name(id="self"), *_]):
                pass
            case ast.Attribute(attr=name):
                found.add(name)
            case ast.ImportFrom(module=str(module), names=aliases) if module.split(".")[0] in PRODUCT:
                found.update(alias.name for alias in aliases)
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called), args=arguments) if called in BY_NAME:
                texts = (one.value for one in arguments[:2] if isinstance(one, ast.Constant))
                found.update(text.rpartition(".")[2] for text in texts if isinstance(text, str))
    return {name for name in found if is_private(name)} & known


def test_no_test_reads_a_private_name_of_the_product() -> None:
    read = {}
    for path in TESTS:
        name = path.relative_to(ROOT).as_posix()
        names = private_names_read(path.read_text(), names_of_the_product()) - OF_A_LIBRARY.get(name, set())
        if names:
            read[name] = sorted(names)
    assert read == {}


@pytest.mark.parametrize(
    "source",
    [
        "loop._out",
        "evening.loop._out.words",
        "super()._out()",
        "from referee.table.event_loop import _out",
        "import benchmarks\nbenchmarks.worst._out",
        "monkeypatch.setattr(loop, '_out', None)",
        "patch('referee.table.event_loop._out')",
        "patch.object(loop, '_out')",
        "getattr(loop, '_out')",
    ],
)
def test_a_planted_private_name_is_caught(source: str) -> None:
    assert private_names_read(source, frozenset({"_out"})) == {"_out"}


@pytest.mark.parametrize(
    "source",
    [
        "self._out = 1",
        "loop._other",
        "loop.out",
        "loop.__class__",
        "row._replace(t=1)",
        "from gpiozero.pins import _out",
        "print('_out')",
    ],
)
def test_what_is_not_of_the_product_passes(source: str) -> None:
    assert private_names_read(source, frozenset({"_out", "_replace"})) == set()


def test_what_the_product_calls_private_is_known() -> None:
    source = (
        "class Loop:\n    _kind: int = 1\n    def __init__(self): self._out = 1\ndef _begin(): _local = 1\n_FEW = 2"
    )
    assert {name for name in defined_in(ast.parse(source)) if is_private(name)} == {"_kind", "_out", "_begin", "_FEW"}
