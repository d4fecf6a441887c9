"""A wheel works by itself, far from any checkout: networks, lenses' profiles, notices and sentences travel in it."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import cv2
import pytest

from benchmarks import virtual
from tools.catalogues import compile_catalogue, written_catalogues

ROOT = Path(__file__).parent.parent
LONGEST_S = 300
"""A verb takes a second or two, on the slowest machine some more."""
ENVIRON = {name: value for name, value in os.environ.items() if not name.startswith(("REFEREE", "PYTHON"))}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def checkout(folder: Path) -> Path:
    """What git keeps of all that a wheel is made from: no compiled sentences."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.mo")
    for name in ("referee", "models", "calibration", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def build(hook: str, source: Path, target: Path) -> Path:
    """What a hook of the build, such as `build_sdist`, makes of a source."""
    target.mkdir(exist_ok=True)
    code = f"from setuptools import build_meta; build_meta.{hook}({os.fspath(target)!r})"
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, timeout=LONGEST_S, cwd=source, stdout=subprocess.DEVNULL)  # noqa: S603
    (made,) = target.iterdir()
    return made


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of ours but the wheel; other libraries come from the one that runs the tests.

    The wheel is made from what a checkout gives away as its source, so that nothing may be missing in that either.
    """
    folder = tmp_path_factory.mktemp("wheel")
    source = build("build_sdist", checkout(folder / "source"), folder / "sdist")
    wheels = folder / "wheels"
    wheel = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", wheels, source]
    subprocess.run(wheel, check=True, timeout=LONGEST_S)  # noqa: S603
    shutil.rmtree(folder / "source")
    venv.create(folder / "venv", with_pip=False)
    libraries = next((folder / "venv").glob("lib*/python*/site-packages"))
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    into = [*PIP, "--python", folder / "venv" / "bin" / "python", "install", "--no-deps", "--no-index"]
    into.extend(wheels.glob("*.whl"))
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
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd=environment, env=ENVIRON)  # noqa: S603
    assert found.stdout.startswith(str(environment / "venv"))


def test_a_wheel_carries_notices_and_sentences_as_they_are_now(environment: Path) -> None:
    (wheel,) = (environment / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        kept = {name: file.read(name) for name in file.namelist() if re.match(r"referee/i18n/.*\.(toml|[pm]o)$", name)}
    sentences = {path.with_suffix(".mo"): compile_catalogue(path) for path in written_catalogues()}
    notices = {path: path.read_bytes() for path in (ROOT / "referee" / "i18n" / "notices").glob("*.toml")}
    assert kept == {path.relative_to(ROOT).as_posix(): content for path, content in {**sentences, **notices}.items()}


def test_a_wheel_carries_the_letters_that_are_drawn_into_pictures(environment: Path) -> None:
    width = "from referee.table.output.lettering import text_width; print(text_width('Größe', 40) > 100)"
    command = [environment / "venv" / "bin" / "python", "-c", width]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=environment, env=ENVIRON)  # noqa: S603
    assert done.stdout == "True\n"


def test_an_editable_installation_compiles_sentences_where_they_stand(tmp_path: Path) -> None:
    source = checkout(tmp_path / "source")
    build("build_editable", source, tmp_path / "wheel")
    for path in written_catalogues():
        assert (source / path.relative_to(ROOT)).with_suffix(".mo").read_bytes() == compile_catalogue(path)


def test_without_compiled_sentences_the_program_says_how_to_make_them(tmp_path: Path) -> None:
    source = checkout(tmp_path / "source")
    command = [sys.executable, "-m", "referee", "rules"]
    environ = {**ENVIRON, "PYTHONPATH": os.fspath(source), "LANG": "C.UTF-8"}
    done = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=False, timeout=LONGEST_S, cwd=tmp_path, env=environ
    )
    missing = source / "referee" / "i18n" / "locale" / "en" / "LC_MESSAGES" / "console.mo"
    told = f"referee: expected compiled sentences in {missing}, found no such file: run `make messages`\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_the_same_source_gives_the_same_wheel(tmp_path: Path) -> None:
    made = []
    for number, (mode, day) in enumerate([(0o644, 1_600_000_000), (0o664, 1_700_000_000)]):
        source = checkout(tmp_path / f"source-{number}")
        for path in source.rglob("*"):
            if path.is_file():
                path.chmod(mode)
            os.utime(path, (day, day))
        if number:  # an earlier build, of a source that had another module
            left = source / "build/lib/referee/former.py"
            left.parent.mkdir(parents=True)
            left.write_text("")
        made.append(build("build_wheel", source, tmp_path / f"wheel-{number}"))
        shutil.rmtree(source)
    first, second = made
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


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
