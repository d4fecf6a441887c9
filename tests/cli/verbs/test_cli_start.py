"""The first moments of every verb: Ctrl-C is answered quietly, closed streams in one line, and little is loaded."""

import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from command_line import run

from referee import __version__
from referee.cli.verbs.verbs import VERBS

LONGEST_S = 60
INTERRUPTED = """
import os, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
from referee.cli.main import main
sys.exit(main(sys.argv[2:]))
"""
"""The program, interrupted by Ctrl-C at the moment at which it imports the module that is named first."""
LOADED = """
import sys
from referee.cli.main import main
code = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""
"""The program, which tells on standard error what it has loaded."""
SLOW_TO_LOAD = {"numpy", "cv2", "onnxruntime"}
QUICK = [
    ["--help"],
    ["--version"],
    ["rules"],
    ["judge", "--rules", "rummikub", "--before", "", "--after", "R10 B10 K10"],
    ["scores"],
    ["init", "-"],
]


def python(program: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, timeout=LONGEST_S, check=False, env={**os.environ, **environ}
    )


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("typer", ["rules"]),
        ("numpy", ["play"]),
        ("cv2", ["read", "table.jpg"]),
        ("onnxruntime", ["demo"]),
        ("referee.vision.geometry.lens_calibration", ["calibrate"]),
    ],
)
def test_ctrl_c_while_modules_are_loaded_is_answered_quietly(module: str, arguments: list[str]) -> None:
    done = python(INTERRUPTED, module, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_whoever_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    ignoring = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)" + INTERRUPTED
    done = python(ignoring, "typer", "--version")
    assert (done.returncode, done.stdout) == (0, f"referee {__version__}\n")


@pytest.mark.parametrize("arguments", QUICK, ids=" ".join)
def test_a_verb_that_looks_at_nothing_loads_nothing_that_looks(arguments: list[str], tmp_path: Path) -> None:
    done = python(LOADED, *arguments, REFEREE_STATE=str(tmp_path))
    assert SLOW_TO_LOAD.isdisjoint(done.stderr.split())
    assert "rich" in done.stderr.split()


def test_the_rules_load_neither_journal_nor_vision() -> None:
    loaded = python(LOADED, "rules").stderr.split()
    ours = {name.split(".")[1] for name in loaded if name.startswith("referee.")}
    assert ours == {"cli", "devices", "errors", "game", "i18n", "settings"}


def test_a_table_without_the_page_loads_no_server(tmp_path: Path) -> None:
    folder = ["--set", "camera.kind=folder", "--set", "camera.source=nowhere", "--set", "panel.kind=none"]
    done = python(LOADED, "play", *folder, REFEREE_STATE=str(tmp_path / "state"))
    assert done.returncode == 2  # there is no such folder
    assert done.returncode == 2  # there is no such folder
    loaded = set(done.stderr.split())
    assert "referee.cli.programs.table" in loaded
    assert {"starlette", "uvicorn", "jinja2"}.isdisjoint(loaded)


def closed(redirections: str, arguments: Sequence[str], state: Path) -> subprocess.CompletedProcess[str]:
    command = f'exec "{sys.executable}" -m referee "$@" {redirections}'
    environ = {**os.environ, "REFEREE_STATE": str(state)}
    return subprocess.run(  # noqa: S603
        ["sh", "-c", command, "sh", *arguments],  # noqa: S607
        capture_output=True, text=True, timeout=LONGEST_S, check=False, env=environ, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [["rules"], ["init", "none.toml"]])
def test_results_that_nobody_can_get_are_refused_before_the_work(arguments: list[str], tmp_path: Path) -> None:
    done = closed(">&-", arguments, tmp_path)
    assert done.returncode == 2
    assert done.stderr == "referee: expected standard output for the results, found it closed\n"


def test_keys_without_standard_input_are_refused_in_one_line(tmp_path: Path) -> None:
    keys = ["play", "--set", "panel.kind=console", "--set", "camera.kind=virtual", "--keys"]
    done = closed("<&-", keys, tmp_path)
    assert done.returncode == 2
    assert done.stderr == "referee: --keys: expected a terminal or a pipe on standard input, found it closed\n"


def test_a_file_never_gets_the_number_of_a_closed_stream() -> None:
    program = (
        "import os\nfrom referee.cli.terminal.stopping import hold_standard_streams\nos.close(0)\nos.close(1)\n"
        "hold_standard_streams()\nprint(os.open(os.devnull, os.O_RDONLY), file=__import__('sys').stderr)"
    )
    assert int(python(program).stderr) > 2


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"])[0] == 0
    assert capsys.readouterr().out == f"referee {__version__}\n"


@pytest.mark.parametrize("verb", [[], ["rules"], ["read"]], ids=["all", "rules", "read"])
def test_help_has_a_short_name(verb: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for flag in ("-h", "--help"):
        assert run([*verb, flag])[0] == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].startswith("Usage: referee ")


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_of_verbs_says_what_their_own_help_says(verb: str) -> None:
    function = getattr(importlib.import_module(f"referee.cli.verbs.{verb}"), verb)
    assert VERBS[verb] == (function.__doc__ or "").splitlines()[0]
