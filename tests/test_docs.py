"""The documents keep up with the program."""

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from command_line import run

from referee.cli.terminal.common import Code
from referee.cli.verbs.verbs import app
from referee.game.judge.verdict import FaultKind
from referee.game.rulebooks import RULESETS
from referee.game.rulebooks.summary import summary
from referee.game.tiles import TILE_SETS
from referee.settings.settings import SETTINGS
from tools import settings as page_of_settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
FIRST_CHANGE = (ROOT / "docs" / "first-change.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PROGRAM = "\n".join(
    path.read_text(encoding="utf-8")
    for path in (*(ROOT / "referee").rglob("*.py"), *(ROOT / "referee/i18n/locale/en").rglob("*.po"))
)
MOST_LINES, MOST_LETTERS = 90, 110
"""Of the README: two screens."""
MOST_BYTES = 250_000
"""Of its pictures together, so that a clone stays small."""
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
    """What the page of the command line tells about one verb."""
    start = COMMAND_LINE.index(f"## `referee {verb}`")
    end = re.compile(r"^##", re.MULTILINE).search(COMMAND_LINE, start + 3)
    return COMMAND_LINE[start : end.start() if end else None]


def test_the_readme_fits_two_screens_and_its_pictures_are_small() -> None:
    lines = README.splitlines()
    assert len(lines) <= MOST_LINES
    assert [line for line in lines if len(line) > MOST_LETTERS] == []
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert len(pictures) == 2
    assert sum((ROOT / picture).stat().st_size for picture in pictures) <= MOST_BYTES


def test_the_command_line_lists_every_verb() -> None:
    assert all(f"| `referee {verb}` | " in COMMAND_LINE for verb in COMMANDS)


@pytest.mark.parametrize("verb", COMMANDS)
def test_there_is_a_chapter_with_an_example_for_every_verb(verb: str) -> None:
    assert f"\n    referee {verb}" in chapter(verb)


@pytest.mark.parametrize(("verb", "option"), OPTIONS)
def test_every_option_is_explained(verb: str, option: str) -> None:
    assert re.search(rf"{re.escape(option)}(?![\w-])", chapter(verb))


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_is_explained(kind: FaultKind) -> None:
    assert f"| `{kind.value}` | " in RULES
    assert f"| `{kind.value}` | " in COMMAND_LINE


def test_exit_codes_tile_sets_and_books_are_named() -> None:
    assert all(f"\n| {code.value} | " in COMMAND_LINE for code in Code)
    assert all(f"`{name}`" in COMMAND_LINE for name in TILE_SETS)
    assert all(f"| `{name}` | " in RULES for name in RULESETS)


def test_the_page_of_the_settings_is_the_one_made_from_their_declarations() -> None:
    text = page_of_settings.PAGE.read_text(encoding="utf-8")
    assert text == page_of_settings.page(), "run python -m tools.settings"
    assert all(f"| `{setting.key}` | " in text for setting in SETTINGS.values())


def test_the_port_that_is_to_be_opened_is_the_default() -> None:
    assert f"TCP {SETTINGS['web.port'].default} " in (ROOT / "systemd" / "README.md").read_text(encoding="utf-8")


def test_json_in_examples_is_json() -> None:
    examples = re.findall(r"```json\n(.*?)```", COMMAND_LINE, re.DOTALL)
    assert len(examples) == 4
    assert all(json.loads(example) for example in examples)


@pytest.mark.parametrize("line", re.findall(r"^    referee (judge .*|rules.*)$", README + COMMAND_LINE, re.MULTILINE))
def test_examples_work(line: str) -> None:
    if ".jpg" not in line:
        assert run(shlex.split(line))[0] == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)", document.read_text(encoding="utf-8")):
        name, _, section = target.partition("#")
        path = document.parent / name if name else document
        assert path.exists(), target
        if section and path.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert section in [re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings], target


def places(page: str) -> list[str]:
    """The modules, scripts, styles, templates and catalogues that a page names, and the folders of the package."""
    rooms = {path.relative_to(ROOT / "referee").parts[0] for path in (ROOT / "referee").glob("*/**/*.py")}
    paths = re.findall(r"`([\w.*-]+/[\w.*/-]*)`", page)
    code = (".py", ".js", ".css", ".html", ".po")
    return [
        path
        for path in paths
        if path.endswith(code) or (path.endswith("/") and path.removeprefix("referee/").split("/")[0] in rooms)
    ]


@pytest.mark.parametrize("document", [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"], ids=lambda p: p.name)
def test_every_file_that_a_page_names_exists(document: Path) -> None:
    for path in places(document.read_text(encoding="utf-8")):
        assert any(any(folder.glob(path)) for folder in (ROOT, ROOT / "referee")), path


def test_a_path_that_leads_nowhere_would_be_noticed() -> None:
    assert places("`referee/game/gone.py`, `gone/too.py`, `game/gin/`, `/etc/referee/referee.toml`, `R7 | B7`") == [
        "referee/game/gone.py", "gone/too.py", "game/gin/",
    ]  # fmt: skip


def test_what_the_first_change_quotes_is_there() -> None:
    def text(path: str) -> str:
        return (ROOT / path).read_text(encoding="utf-8")

    row, line = re.findall(r"```\w+\n(.*?)\n```", FIRST_CHANGE, re.DOTALL)
    # What the page has its reader add comes after what is looked for, so this passes for the reader, too.
    assert line.rstrip(")") in text("referee/game/rulebooks/options.py")
    assert row.replace("4", "3") in text("tests/game/rulebooks/test_summary.py")
    assert '"A turn lasts 3 minutes' in FIRST_CHANGE
    assert "minutes = 2 | 1 | 3" in FIRST_CHANGE
    assert "minutes = 2 | 1 | 3" in text("tests/cli/verbs/test_cli_rules.py")


def test_the_glossary_names_each_term_once_in_order() -> None:
    sections = [re.findall(r"^\| (?!term )([^|]+) \|", part, re.MULTILINE) for part in GLOSSARY.split("\n## ")[1:]]
    terms = [term for section in sections for term in section]
    assert len(set(terms)) == len(terms)
    assert all(section == sorted(section) for section in sections)


@pytest.mark.parametrize("term", re.findall(r"^\| (?!term )([^|]+) \|", GLOSSARY, re.MULTILINE))
def test_every_term_of_the_glossary_is_used(term: str) -> None:
    used = re.compile(rf"(?<![a-z]){re.sub('[ -]', '[ _-]?', term)}", re.IGNORECASE)
    assert used.search(PROGRAM)


def test_every_target_that_the_readme_names_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"make ([a-z]+)(?=[ `\n])", README)) & {"demo", "test", "model", "bench", "lint"}:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_rule_book_has_a_summary() -> None:
    assert all(summary(book) for book in RULESETS.values())
