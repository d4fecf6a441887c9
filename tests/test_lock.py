"""The locks of the installer: what they hold fits what the program asks for, on either release."""

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SYSTEMD = Path(__file__).parent.parent / "systemd"


def load_lock() -> ModuleType:
    spec = importlib.util.spec_from_file_location("systemd_lock", SYSTEMD / "lock.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


lock = load_lock()
NAMES = [f"{release.name}{end}" for release in lock.RELEASES for end in ("", "-oled", "-club", "-heic")]


def wheels(name: str) -> dict[str, str]:
    """What a lock holds: versions by name."""
    text = (SYSTEMD / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.replace("\\\n", " ").splitlines() if not line.startswith("#")]
    found = [re.fullmatch(r"([a-z0-9-]+)==(\S+) +--hash=sha256:[0-9a-f]{64}", line) for line in lines]
    assert all(found), lines
    return {one[1]: one[2] for one in found if one}


def head(name: str) -> list[str]:
    text = (SYSTEMD / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.startswith("#")]


@pytest.mark.parametrize("name", NAMES)
def test_a_lock_is_for_what_pyproject_asks_for_now(name: str) -> None:
    extra = name.partition("-")[2]
    told = [line.removeprefix("# wanted: ") for line in head(name) if line.startswith("# wanted: ")]
    assert told == lock.wanted(extra), "make lock"


@pytest.mark.parametrize("name", NAMES)
def test_every_dependency_is_met_by_a_lock_or_by_apt(name: str) -> None:
    release = next(one for one in lock.RELEASES if name.startswith(one.name))
    held = {**wheels(release.name), **wheels(name), "numpy": release.numpy}
    for text in lock.wanted(name.partition("-")[2]):
        need = Requirement(text)
        assert need.specifier.contains(held[canonicalize_name(need.name)]), text


@pytest.mark.parametrize("name", NAMES)
def test_what_apt_brings_is_left_to_it(name: str) -> None:
    assert not {"numpy", "lgpio", "picamera2"} & set(wheels(name))


def test_the_locks_are_those_of_the_releases_that_are_supported() -> None:
    assert sorted(path.stem for path in (SYSTEMD / "locks").iterdir()) == sorted(NAMES)
    script = (SYSTEMD / "install.sh").read_text(encoding="utf-8")
    assert f"{' | '.join(release.name for release in lock.RELEASES)}) ;;" in script
    assert "onnxruntime==1.21.0" not in "".join(path.read_text() for path in (SYSTEMD / "locks").iterdir())


def entry(name: str, version: str, needs: tuple[str, ...] = (), url: str = "") -> dict[str, Any]:
    """One file of pip's report."""
    url = url or f"https://files.example/{name}-{version}-py3-none-any.whl"
    info = {"url": url, "archive_info": {"hashes": {"sha256": f"{abs(hash(name)):064x}"}}}
    return {"metadata": {"name": name, "version": version, "requires_dist": list(needs)}, "download_info": info}


Report = Callable[[str, list[str]], dict[str, Any]]


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Callable[[Report], None]:
    """Lets pip report what a function gives for the version of Python and the requirements; it may raise."""

    def answer(report: Report) -> None:
        def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
            numpy = next(at for at, word in enumerate(command) if word.startswith("numpy=="))
            try:
                found = report(command[command.index("--python-version") + 1], command[numpy + 1 :])
            except RuntimeError as error:
                return subprocess.CompletedProcess(command, 1, "", f"a warning\n{error}\n")
            Path(command[command.index("--report") + 1]).write_text(json.dumps(found), encoding="utf-8")
            return subprocess.CompletedProcess(command, 0, "", "")

        monkeypatch.setattr(subprocess, "run", run)

    return answer


def test_what_only_the_other_python_needs_is_asked_for(pip: Callable[[Report], None]) -> None:
    """pip judges conditions by the Python it runs on, which is not the one of the Pi."""
    asked: list[list[str]] = []

    def report(_python: str, requirements: list[str]) -> dict[str, Any]:
        asked.append(requirements)
        found = [entry("a", "1", ('b>=2; python_version >= "3.13"', 'c; sys_platform == "win32"'))]
        return {"install": found + ([entry("B", "2.1")] if "b>=2" in requirements else [])}

    pip(report)
    bookworm, trixie = lock.RELEASES
    assert set(lock.resolved(trixie, ["a"])) == {"a", "b"}
    assert asked == [["a"], ["a", "b>=2"]]
    assert set(lock.resolved(bookworm, ["a"])) == {"a"}


def test_a_wheel_that_asks_for_a_newer_numpy_than_it_needs_is_taken_in_its_newest_version(
    pip: Callable[[Report], None],
) -> None:
    """Asked together with the numpy of Bookworm, pip would take an old OpenCV."""
    opencv, asked = "opencv-python-headless", []

    def report(_python: str, requirements: list[str]) -> dict[str, Any]:
        asked.append(requirements)
        if f"{opencv}>=4.8" in requirements:
            return {"install": [entry(opencv, "4.14", ("numpy>=2",))]}
        return {"install": [entry("numpy", "1.24.2"), entry("a", "1")]}

    pip(report)
    found = lock.resolved(lock.RELEASES[0], ["a", f"{opencv}>=4.8"])
    assert {name: wheel.version for name, wheel in found.items()} == {"a": "1", "numpy": "1.24.2", opencv: "4.14"}
    assert asked == [["a"], [f"{opencv}>=4.8"]]


def test_what_would_have_to_be_built_or_does_not_fit_is_refused(pip: Callable[[Report], None]) -> None:
    source = entry("a", "1", url="https://files.example/a-1.tar.gz")
    pip(lambda *_: {"install": [source]})
    with pytest.raises(RuntimeError, match="expected a wheel with a checksum"):
        lock.resolved(lock.RELEASES[0], ["a"])
    pip(lambda *_: {"install": [entry("a", "1", ("b>=2",)), entry("b", "1")]})
    with pytest.raises(RuntimeError, match="expected wheels that fit together"):
        lock.resolved(lock.RELEASES[0], ["a"])


def test_nothing_is_written_where_a_lock_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], pip: Callable[[Report], None]
) -> None:
    monkeypatch.setattr(lock, "LOCKS", tmp_path / "locks")

    def report(python: str, _requirements: list[str]) -> dict[str, Any]:
        if python == "3.13":
            raise RuntimeError("no such wheel")
        return {"install": [entry("a", "1"), entry("numpy", "1.24.2")]}

    pip(report)
    monkeypatch.setattr(lock, "wanted", lambda _extra="": ["a"])
    assert lock.main() == 1
    assert capsys.readouterr().err == "lock.py: trixie: no such wheel\n"
    assert not (tmp_path / "locks").exists()
