"""Completion of the shells, by the shells themselves where they are installed; and the manual page."""

import shutil
import subprocess
from pathlib import Path

import pytest
import typer

from referee.cli.main import main
from referee.cli.terminal.command_tree import Verb, verbs_of
from referee.cli.terminal.shells import SHELLS, WORDS
from referee.cli.verbs.verbs import VERBS, app
from tools.manual import manual

TRIED = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _referee; printf "%s\\n" "${COMPREPLY[@]}"'


@pytest.fixture(scope="module")
def verbs() -> list[Verb]:
    return list(verbs_of(typer.main.get_command(app)))


@pytest.fixture(scope="module")
def scripts(verbs: list[Verb], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completion")
    for name, script in SHELLS.items():
        (folder / name).write_text(script(verbs), encoding="utf-8")
    return folder


def ask(*command: object) -> str:
    return subprocess.run([str(one) for one in command], capture_output=True, text=True, check=True).stdout  # noqa: S603


def in_bash(scripts: Path, *words: str) -> set[str]:
    bash = shutil.which("bash")
    assert bash is not None
    return set(ask(bash, "-c", f'. "{scripts}/bash"; {TRIED}', "bash", *words).split())


def test_every_verb_and_option_is_known(verbs: list[Verb]) -> None:
    assert [verb.name for verb in verbs] == list(VERBS)
    for verb in verbs:
        assert verb.text.splitlines()[0] == VERBS[verb.name]
        assert all(option.text for option in verb.options)
        assert all(argument.text for argument in verb.arguments)
    names = {name for verb in verbs for option in verb.options for name in option.names}
    assert set(WORDS) <= names


def test_bash_completes_verbs_options_and_values(scripts: Path, verbs: list[Verb]) -> None:
    assert in_bash(scripts, "referee", "do") == {"doctor"}
    assert in_bash(scripts, "referee", "") >= set(VERBS)
    assert in_bash(scripts, "referee", "doctor", "--bu") == {"--bundle"}
    assert in_bash(scripts, "referee", "rules", "--language", "") == {"en", "de", "fr", "it"}
    assert in_bash(scripts, "referee", "rules", "--language", "=") == {"en", "de", "fr", "it"}
    assert in_bash(scripts, "referee", "rules", "--language", "=", "d") == {"de"}
    assert in_bash(scripts, "referee", "config", "") == {"check"}
    assert in_bash(scripts, "referee", "config", "check", "") == set()  # bash itself completes files
    assert in_bash(scripts, "referee", "config", "--json", "") == {"check"}
    assert in_bash(scripts, "referee", "print", "markers", "") == {"calibration"}
    assert in_bash(scripts, "referee", "read", "pict") == set()  # bash itself completes files
    for verb in verbs:
        options = {name for option in verb.options for name in option.names}
        assert in_bash(scripts, "referee", verb.name, "--") == options | {"--help"}


def test_zsh_and_fish_complete_a_file_after_the_first_argument_that_takes_one(scripts: Path) -> None:
    (zsh,) = [line for line in (scripts / "zsh").read_text().splitlines() if line.lstrip().startswith("config)")]
    assert "'1:word:(check)' '*:file:_files'" in zsh
    (fish,) = [line for line in (scripts / "fish").read_text().splitlines() if line.endswith("-f -a 'check'")]
    assert "and not __fish_seen_subcommand_from check" in fish


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_read_its_script(scripts: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    ask(program, "-n", scripts / shell)


def test_fish_completes_verbs_and_options(scripts: Path) -> None:
    program = shutil.which("fish")
    if program is None:
        pytest.skip("fish is not installed")
    found = ask(program, "--no-config", "-c", f"source {scripts}/fish; complete -C'referee doctor --bun'")
    assert found.startswith("--bundle\t")


def test_the_command_prints_the_script(scripts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for shell in SHELLS:
        assert main(["completion", shell]) == 0
        assert capsys.readouterr().out == (scripts / shell).read_text(encoding="utf-8")
    assert main(["completion", "tcsh"]) == 2


def test_the_manual_has_every_verb_and_option_and_roff_takes_it(verbs: list[Verb], tmp_path: Path) -> None:
    page = manual({"SOURCE_DATE_EPOCH": "0"})
    assert page.startswith('.TH REFEREE 1 "1970-01-01"')
    for verb in verbs:
        assert f".SS referee {verb.name}" in page
        for option in verb.options:
            assert rf"\fB{option.names[0].replace('-', chr(92) + '-')}\fR" in page
    assert manual({}) == manual({})
    program = shutil.which("groff")
    if program is not None:
        (tmp_path / "referee.1").write_text(page, encoding="utf-8")
        done = subprocess.run(  # noqa: S603
            [program, "-man", "-ww", "-z", "-Kutf8", str(tmp_path / "referee.1")],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stderr == ""
