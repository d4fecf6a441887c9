"""A run of all tests is never silent for long, does not end with one slow file, and needs compiled sentences."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest

ROOT = Path(__file__).resolve().parent.parent


def test_tests_that_still_run_are_named_where_no_result_has_come_for_a_while() -> None:
    told: list[str] = []
    t = [0.0]
    signs = conftest.SignsOfLife(told.append, lambda: t[0])
    signs.pytest_runtest_logstart("tests/a.py::slow")
    t[0] = 20.0
    signs.pytest_runtest_logstart("tests/b.py::quick")
    signs.pytest_runtest_logfinish("tests/b.py::quick")
    t[0] = 49.0
    signs.look()
    assert told == []
    t[0] = 51.0
    signs.look()
    assert told == ["\nstill running: tests/a.py::slow (51 s)"]
    t[0] = 60.0
    signs.look()
    assert len(told) == 1
    signs.pytest_runtest_logfinish("tests/a.py::slow")
    t[0] = 200.0
    signs.look()
    assert len(told) == 1


def test_this_run_is_watched_by_the_process_that_prints(request: pytest.FixtureRequest) -> None:
    watched = request.config.pluginmanager.get_plugin("signs-of-life") is not None
    assert watched == (not hasattr(request.config, "workerinput"))


def test_the_slowest_files_come_first_and_tests_of_a_file_stay_together() -> None:
    slow = conftest.SLOWEST_FILES
    names = ["tests/x.py::1", "tests/y.py::1", "tests/x.py::2", f"{slow[1]}::1", f"{slow[0]}::1"]
    items: list[pytest.Item] = [SimpleNamespace(nodeid=name) for name in names]  # type: ignore[misc]
    conftest.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == [
        f"{slow[0]}::1", f"{slow[1]}::1", "tests/x.py::1", "tests/x.py::2", "tests/y.py::1",
    ]  # fmt: skip


def test_the_slowest_files_are_there_and_the_makefile_leaves_their_order() -> None:
    assert all((ROOT / name).is_file() for name in conftest.SLOWEST_FILES)
    assert "--no-loadscope-reorder" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_a_run_without_compiled_sentences_ends_at_once_and_says_how_to_make_them(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    for name in ("gin.po", "gin.mo", "judge.po"):
        (folder / name).touch()
    with pytest.raises(pytest.UsageError) as refused:
        conftest.check_sentences(tmp_path)
    assert str(refused.value) == (
        f"expected compiled sentences, found 1 catalogues without, such as {folder / 'judge.po'}: run `make messages`"
    )
    (folder / "judge.mo").touch()
    conftest.check_sentences(tmp_path)
