"""The scripts: shellcheck finds nothing in them, and the whole check ends as its jobs do."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHECK = ROOT / ".ci" / "run"
SCRIPTS = [CHECK, *sorted(path for path in ROOT.rglob("*.sh") if not path.relative_to(ROOT).parts[0].startswith("."))]
PLAIN = '{"install": [{"metadata": {"name": "torch"}}]}'
WITH_CARDS = '{"install": [{"metadata": {"name": "torch"}}, {"metadata": {"name": "nvidia-cublas"}}]}'


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_shellcheck_finds_nothing(script: Path) -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("shellcheck is not installed")
    command = [shellcheck, "--external-sources", f"--source-path={ROOT}", str(script)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert checked.returncode == 0, checked.stdout


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of which nothing is left but the check and what it calls; the user is not root."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    program(tmp_path / ".ci" / "run", "")
    (tmp_path / ".ci" / "run").write_bytes(CHECK.read_bytes())
    program(tmp_path / "bin" / "id", "echo 1000")
    program(tmp_path / "bin" / "npm", "")
    program(tmp_path / ".venv" / "bin" / "python", f"case \"$*\" in *dry-run*) echo '{PLAIN}' ;; esac")
    jobs = "test test-page test-club test-pi .venv/.dev .venv/.train"
    rule = "@echo job $@; exit $(if $(filter $@,$(BROKEN)),1,0)"
    (tmp_path / "Makefile").write_text(f".PHONY: {jobs}\n{jobs}:\n\t{rule}\n", encoding="utf-8")
    return tmp_path


def checked(project: Path, broken: str = "") -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environ |= {"PATH": f"{project / 'bin'}:{os.environ['PATH']}", "BROKEN": broken}
    command = [str(project / ".ci" / "run")]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)  # noqa: S603


def test_the_check_runs_all_jobs_and_says_what_it_could_not_fetch(project: Path) -> None:
    done = checked(project)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        ".ci/run: nothing is installed with apt: this does not run as root, or not on Debian",
        "job .venv/.dev", "job .venv/.train", "job test", "job test-page", "job test-club", "job test-pi",
    ]  # fmt: skip


@pytest.mark.parametrize("broken", ["test", "test-page", "test-club", "test-pi", "test test-pi"])
def test_the_check_fails_where_a_job_does_and_still_runs_the_other(project: Path, broken: str) -> None:
    done = checked(project, broken)
    assert done.returncode != 0
    assert done.stdout.splitlines()[-5:-1] == ["job test", "job test-page", "job test-club", "job test-pi"]
    assert done.stdout.splitlines()[-1] == f".ci/run: failed: {', '.join(f'make {one}' for one in broken.split())}"


def test_libraries_of_training_for_graphics_cards_are_left_out(project: Path) -> None:
    program(project / ".venv" / "bin" / "python", f"case \"$*\" in *dry-run*) echo '{WITH_CARDS}' ;; esac")
    done = checked(project)
    assert done.returncode == 0
    assert "job .venv/.train" not in done.stdout
    assert "would bring gigabytes for graphics cards" in done.stdout


def made(project: Path, target: str) -> list[str]:
    """What `make` runs for a target: programs of the environment, without the options of pip."""
    log = project / "log"
    log.write_text("", encoding="utf-8")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "--silent", target]
    subprocess.run(command, check=True, cwd=project, env=environ)  # noqa: S603
    return [line.replace(" --quiet --disable-pip-version-check", "") for line in log.read_text().splitlines()]


def test_make_compiles_sentences_that_were_changed_or_are_missing_and_installs_nothing(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "catalogues.py").touch()
    written = tmp_path / "referee" / "i18n" / "locale" / "de" / "LC_MESSAGES" / "judge.po"
    written.parent.mkdir(parents=True)
    written.touch()
    compiled = written.with_suffix(".mo")
    # Whatever it is asked for, it compiles: installing the program does as well.
    program(tmp_path / ".venv" / "bin" / "python", f"echo python $* >> log; touch {compiled}")
    program(tmp_path / ".venv" / "bin" / "referee", "echo referee $* >> log")
    compiling, playing = "python -m tools.catalogues", "referee demo"
    assert made(tmp_path, "demo") == ["python -m pip install -e . polib", compiling, playing]
    assert made(tmp_path, "demo") == [playing]
    later = (tmp_path / ".venv" / ".messages").stat().st_mtime + 5
    os.utime(written, (later, later))
    for stamp in (".run", ".messages"):
        os.utime(tmp_path / ".venv" / stamp, (later - 2, later - 2))
    assert made(tmp_path, "demo") == [compiling, playing]
    os.utime(tmp_path / ".venv" / ".messages", (later + 1, later + 1))
    assert made(tmp_path, "demo") == [playing]
    compiled.unlink()
    assert made(tmp_path, "demo") == [compiling, playing]
    assert made(tmp_path, "messages") == [compiling, "python -m tools.sentences"]
