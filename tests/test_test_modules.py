"""Test modules can be collected together: no two have the same name, because none of them is in a package."""

from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parent


def modules_by_name(folder):
    """Return the test modules in `folder`, by their names without a folder."""
    modules = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        modules[path.name].append(str(path.relative_to(folder)))
    return modules


def test_no_two_test_modules_have_the_same_name():
    assert {name: paths for name, paths in modules_by_name(TESTS).items() if len(paths) > 1} == {}


def test_modules_of_the_same_name_are_found(tmp_path):
    for place in ("one", "other/below"):
        folder = tmp_path / place
        folder.mkdir(parents=True)
        (folder / "test_same.py").touch()
    assert modules_by_name(tmp_path) == {"test_same.py": ["one/test_same.py", "other/below/test_same.py"]}
