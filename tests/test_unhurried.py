"""No test has a deadline in real time: a machine that is slow, or busy with other things, fails none of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
MODULES = sorted(path for path in TESTS.rglob("*.py") if "hypothesis" in path.read_text(encoding="utf-8"))


def deadlines(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every `deadline=` in a module, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "deadline":
            yield node.value.lineno, ast.unparse(node.value)


def test_hypothesis_has_no_deadline_of_its_own() -> None:
    assert settings.default is not None
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_gives_it_one(module: Path) -> None:
    assert [one for one in deadlines(ast.parse(module.read_text(encoding="utf-8"))) if one[1] != "None"] == []
