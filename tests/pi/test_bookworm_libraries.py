"""The program beside the libraries of Bookworm: a numpy that is years older than the one that all other tests have.

What they lack is found in two ways: mypy looks up every name that the program takes from numpy in the old one, and
what the installer tries before a version counts is tried here with the same commands.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from pi_roots import HERE, PROJECT, Recipe, UnavailableError, cache, made
from pi_tables import picture

from tools import card_bundle

BOOKWORM = next(one for one in card_bundle.releases() if one.name == "bookworm")
FROM_DEBIAN = (f"numpy=={BOOKWORM.numpy}", "scipy==1.10.1")
"""What Bookworm's own packages bring."""
MISSING = re.compile(r"\[(attr-defined|call-arg|call-overload|import-not-found)\]$")
"""What mypy says of something that is not there; the types of an old numpy are vaguer, which it says otherwise."""


def versions() -> list[str]:
    """Each wheel of the locks for Bookworm, with its version."""
    texts = [path.read_text() for path in sorted((PROJECT / "systemd/locks").glob("bookworm*.txt"))]
    return re.findall(r"^[a-z0-9-]+==[^ ]+", "".join(texts), re.MULTILINE)


@pytest.fixture(scope="module")
def python() -> Path:
    """A Python with the libraries of Bookworm."""
    if os.environ.get("REFEREE_TEST_PI") != "1":
        pytest.skip("run by make test-pi")
    if f"{sys.version_info[0]}.{sys.version_info[1]}" != BOOKWORM.python:
        pytest.skip(f"Bookworm has Python {BOOKWORM.python}")
    recipe = Recipe("bookworm", HERE / "bookworm/libraries.sh", (HERE / "debian.sh",), (*FROM_DEBIAN, *versions()))
    try:
        return made(recipe, cache()) / "venv/bin/python"
    except UnavailableError as error:
        pytest.skip(str(error))


def run(python: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    environ["PYTHONPATH"] = str(PROJECT)
    return subprocess.run([python, *words], capture_output=True, text=True, check=False, env=environ)  # noqa: S603


def test_nothing_is_used_that_these_libraries_lack(python: Path, tmp_path: Path) -> None:
    options = ("--python-executable", str(python), "--cache-dir", str(tmp_path))
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "mypy", *options, "referee"], capture_output=True, text=True, check=False, cwd=PROJECT
    )
    assert "checked" in done.stdout.splitlines()[-1], done.stdout + done.stderr
    assert [line for line in done.stdout.splitlines() if MISSING.search(line)] == []


def test_the_match_and_the_picture_that_the_installer_tries_are_played_and_read(python: Path, tmp_path: Path) -> None:
    played = run(python, "-m", "referee", "demo", "--players", "2", "--out", tmp_path)
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr[-2000:]
    settings = ("--config", "/dev/null", "--set", f"storage.state={tmp_path}")
    looked = run(python, "-m", "referee", "doctor", "--picture", tmp_path / "table.png", *settings)
    assert looked.returncode == 0, looked.stdout[-2000:] + looked.stderr[-2000:]


def test_a_picture_is_read_as_it_is_here(python: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "set.png"), picture("R7 B7 K7 | B4 B5 ** B7"))
    words = ("-m", "referee", "read", "--tileset", "rummikub", "--json", tmp_path / "set.png")
    here, there = (json.loads(run(one, *words).stdout.splitlines()[-1]) for one in (Path(sys.executable), python))
    assert there["sets"] == here["sets"]
    assert [one["tile"] for one in there["tiles"]] == [one["tile"] for one in here["tiles"]]


def test_the_seats_of_a_round_are_found_with_the_scipy_of_debian(python: Path) -> None:
    done = run(python, "-c", "from scipy.optimize import milp; import referee.club.tournament.seating.schedule")
    assert done.returncode == 0, done.stderr
