"""One word, one thing: a public class of `referee` has a name that no other one has."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "referee"
_SHARED = (
    "Address Asked Calibration Camera Choice Chosen Command Correction Enrolment Entry Evening Face "
    "Field Found Kept Kind Laying Left Limits Opened OutOfOrder Outcome Page Pictures Place Placed Plan Player "
    "Players Question Reread Result Round Row Screen Settling Standing Started Told Turn"
)
"""Names that two classes still share; no other comes to them, and whoever gives one a name of its own takes it out."""


def public_classes(source: str) -> set[str]:
    return {
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    }


def shared(sources: list[str]) -> set[str]:
    found = Counter(name for source in sources for name in public_classes(source))
    return {name for name, times in found.items() if times > 1}


def test_no_other_public_class_shares_its_name() -> None:
    assert shared([path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))]) == set(_SHARED.split())


@pytest.mark.parametrize(
    ("sources", "names"),
    [
        pytest.param(["class Look: ...", "class Look: ..."], {"Look"}, id="two modules"),
        pytest.param(["class _Look: ...", "class _Look: ..."], set(), id="private ones"),
        pytest.param(["class Look: ...", "from one import Look"], set(), id="imported"),
    ],
)
def test_a_shared_name_is_found(sources: list[str], names: set[str]) -> None:
    assert shared(sources) == names
