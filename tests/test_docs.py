"""The documents keep up with the program."""

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from command_line import run

from referee.commands.verbs import app
from referee.game.judge.verdict import FaultKind
from referee.game.rulebooks import RULESETS
from referee.game.tiles import TILE_SETS
from referee.terminal.common import Code

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
DOCUMENTS = [p for p in ROOT.rglob("*.md") if not any(part.startswith(".") for part in p.relative_to(ROOT).parts)]
OPTIONS = [
    pytest.param(verb, name, id=f"{verb} {name}")
    for verb, command in COMMANDS.items()
    for parameter in command.params
    for name in (*parameter.opts, *parameter.secondary_opts)
    if name.startswith("--") and name != "--help"
]


def chapter(verb: str) -> str:
    """The README's text about one verb."""
    start = README.index(f"### `referee {verb}`")
    end = re.compile(r"^##", re.MULTILINE).search(README, start + 3)
    return README[start : end.start() if end else None]


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_readme_has_a_chapter_with_an_example_for_every_verb(verb: str) -> None:
    assert f"\n    referee {verb}" in chapter(verb)


@pytest.mark.parametrize(("verb", "option"), OPTIONS)
def test_the_readme_explains_every_option(verb: str, option: str) -> None:
    assert re.search(rf"{re.escape(option)}(?![\w-])", chapter(verb))


@pytest.mark.parametrize("kind", FaultKind)
def test_the_readme_explains_every_kind_of_fault(kind: FaultKind) -> None:
    assert f"| `{kind.value}` | " in README


def test_the_readme_names_exit_codes_and_tile_sets() -> None:
    assert all(f"\n| {code.value} | " in README for code in Code)
    assert all(f"`{name}`" in README for name in TILE_SETS)


def test_the_readmes_json_is_json() -> None:
    examples = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    assert len(examples) == 2
    assert all(json.loads(example) for example in examples)


@pytest.mark.parametrize("line", re.findall(r"^    referee (judge .*|rules.*)$", README, re.MULTILINE))
def test_the_readmes_examples_work(line: str) -> None:
    if ".jpg" not in line:
        assert run(shlex.split(line))[0] == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target


def test_every_target_that_the_readme_names_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z]+)(?=[ `\n])", README)) & {"demo", "test", "model", "bench", "lint"}:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_rule_book_has_a_summary() -> None:
    assert all(book.summary for book in RULESETS.values())
