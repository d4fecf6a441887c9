"""A wheel works by itself, far from any checkout: the networks and the lenses' profiles travel in it."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import cv2
import pytest

from benchmarks import virtual

ROOT = Path(__file__).parent.parent
LONGEST_S = 300
"""A verb takes a second or two, on the slowest machine some more."""
ENVIRON = {name: value for name, value in os.environ.items() if not name.startswith(("REFEREE", "PYTHON"))}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of ours but the wheel; other libraries come from the one that runs the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("referee", "models", "calibration"):
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    wheels = folder / "wheels"
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", wheels, source]
    subprocess.run(build, check=True, timeout=LONGEST_S)  # noqa: S603
    shutil.rmtree(source)
    venv.create(folder / "venv", with_pip=False)
    libraries = next((folder / "venv").glob("lib*/python*/site-packages"))
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (wheel,) = wheels.glob("*.whl")
    into = [*PIP, "--python", folder / "venv" / "bin" / "python", "install", "--no-deps", "--no-index", wheel]
    subprocess.run(into, check=True, timeout=LONGEST_S)  # noqa: S603
    return folder


def referee(environment: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The installed program, started where nothing of the project lies."""
    command = [environment / "venv" / "bin" / "referee", *arguments]
    return subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=False, timeout=LONGEST_S, cwd=environment, env=ENVIRON
    )


def test_it_is_the_wheel_that_runs(environment: Path) -> None:
    where = [environment / "venv" / "bin" / "python", "-c", "import referee; print(referee.__file__)"]
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd=environment)  # noqa: S603
    assert found.stdout.startswith(str(environment / "venv"))


def test_the_version_is_told(environment: Path) -> None:
    done = referee(environment, "--version")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_picture_is_read(environment: Path) -> None:
    picture, tiles = virtual.full_table()
    cv2.imwrite(str(environment / "table.png"), picture)
    done = referee(environment, "read", "table.png", "--tileset", "rummikub", "--json")
    assert done.returncode in (0, 3), done.stderr
    assert done.stdout.count('"confidence"') == tiles


def test_a_match_is_played(environment: Path) -> None:
    command = [environment / "venv" / "bin" / "referee", "demo", "--rules", "piatnik", "--seed", "6"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=environment, env=ENVIRON) as match:  # noqa: S603
        assert match.stdout is not None
        verdicts = sum(1 for _ in zip(range(3), (line for line in match.stdout if "●" in line), strict=False))
        match.terminate()  # a whole match takes half a minute, and shows no more of the wheel
    assert verdicts == 3
