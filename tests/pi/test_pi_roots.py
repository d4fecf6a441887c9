"""Roots in folders: made once, whole or not at all, and anew when their recipe changes. No root is entered here."""

import os
import time
from pathlib import Path

import pi_roots
import pytest
from pi_roots import Recipe, UnavailableError, made


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A recipe that writes what it was given into the folder, and a line for each time it is used."""
    path = tmp_path / "root.sh"
    path.write_text(f'echo made >> {tmp_path}/times\necho "$2" > "$1/told"\n', encoding="utf-8")
    return path


def times(folder: Path) -> int:
    return len((folder / "times").read_text(encoding="utf-8").splitlines())


def test_a_root_is_made_once(script: Path, tmp_path: Path) -> None:
    recipe = Recipe("some", script, arguments=("a", "b"))
    root = made(recipe, tmp_path / "cache")
    assert (root / "told").read_text(encoding="utf-8") == "a\n"
    assert made(recipe, tmp_path / "cache") == root
    assert times(tmp_path) == 1


def test_what_it_is_made_from_makes_it_anew(script: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    part.write_text("1", encoding="utf-8")
    roots = {made(Recipe("some", script, (part,), ("a",)), tmp_path / "cache")}
    roots.add(made(Recipe("some", script, (part,), ("b",)), tmp_path / "cache"))
    part.write_text("2", encoding="utf-8")
    roots.add(made(Recipe("some", script, (part,), ("a",)), tmp_path / "cache"))
    script.write_text(script.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    roots.add(made(Recipe("some", script, (part,), ("a",)), tmp_path / "cache"))
    assert len(roots) == times(tmp_path) == 4


def test_a_recipe_that_fails_leaves_nothing_and_its_last_words_are_told(script: Path, tmp_path: Path) -> None:
    script.write_text('touch "$1/half"\necho no room\nexit 3\n', encoding="utf-8")
    with pytest.raises(RuntimeError, match="ended with 3:\nno room"):
        made(Recipe("some", script), tmp_path / "cache")
    assert [one.name for one in (tmp_path / "cache").iterdir()] == ["some.lock"]


def test_what_a_machine_cannot_give_is_no_failure(script: Path, tmp_path: Path) -> None:
    script.write_text("echo apt knows no mirror of Debian\nexit 75\n", encoding="utf-8")
    with pytest.raises(UnavailableError, match="the some root cannot be made here: apt knows no mirror of Debian"):
        made(Recipe("some", script), tmp_path / "cache")


def test_half_of_a_root_from_before_is_made_anew(script: Path, tmp_path: Path) -> None:
    recipe = Recipe("some", script, arguments=("a",))
    half = tmp_path / "cache" / f"some-{recipe.key}.part"
    half.mkdir(parents=True)
    (half / "rest").touch()
    assert [one.name for one in made(recipe, tmp_path / "cache").iterdir()] == ["told"]


def test_roots_that_nobody_has_used_for_long_go(script: Path, tmp_path: Path) -> None:
    old = made(Recipe("some", script, arguments=("old",)), tmp_path / "cache")
    other = made(Recipe("another", script, arguments=("old",)), tmp_path / "cache")
    long_ago = time.time() - 2 * pi_roots.UNUSED_S
    for one in (old, other):
        os.utime(one, (long_ago, long_ago))
    new = made(Recipe("some", script, arguments=("new",)), tmp_path / "cache")
    assert new.is_dir()
    assert other.is_dir()
    assert not old.exists()


def test_they_lie_outside_the_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert pi_roots.cache() == tmp_path / "referee-pi"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert pi_roots.cache() == Path.home() / ".cache" / "referee-pi"
    assert pi_roots.PROJECT not in pi_roots.cache().parents


@pytest.mark.parametrize("value", ["", "0", None])
def test_the_quick_tests_make_no_roots(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    monkeypatch.delenv("REFEREE_TEST_PI", raising=False)
    if value is not None:
        monkeypatch.setenv("REFEREE_TEST_PI", value)
    assert pi_roots.why_not() == "run by make test-pi"


def test_what_the_project_needs_is_in_the_recipe() -> None:
    names = " ".join(pi_roots.requirements())
    assert all(name in names for name in ("numpy", "opencv-python-headless", "onnxruntime", "gpiozero"))
