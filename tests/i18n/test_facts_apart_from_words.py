"""Rules, loop, vision, journal, devices, club, hall and pages make notices: no sentence stands in their code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.doctor.finding import check_name

ROOT = Path(__file__).parents[2] / "referee"
BELOW = (
    "game", "vision", "table", "journal", "devices",
    "club", "page", "pages", "cli/programs", "cli/page", "doctor",
)  # fmt: skip
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}")
NO_SENTENCE = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|FROM|WHERE|ORDER|PIN realm=|private, |[A-Z][\w-]+: )"
)
"""Statements to a database, and lines of a protocol."""
FOR_PROGRAMS = ("plainly", "refuse_plainly", "document", "one_named")
"""What is answered to, or described for, whoever writes a program that asks the pages."""
OPERATORS = {
    "club/broker_setup.py": "files and scripts for whoever sets up a broker",
    "club/bridge_setup.py": "settings and rights of a broker, for whoever sets it up",
    "club/hall/file.py": "statements to a database",
    "club/table_side/club.py": "a library that is missing, and settings",
    "club/table_side/home_assistant.py": "templates, in the language of Home Assistant",
    "cli/programs/picture_keeper.py": "a file to write to",
    "cli/programs/first_evening.py": "the record of a first evening, for whoever builds referees",
    "cli/programs/going_on.py": "a command to type",
    "devices/box_file.py": "a box named on the command line or in the settings, and a file to write to",
    "club/tournament/players_file.py": "what spreadsheets call their columns",
    "club/mqtt/certificates.py": "settings of the program openssl",
    "devices/camera/network/address.py": "the address of a camera in the settings",
    "devices/camera/pi_opening.py": "what other programs' errors say, to tell them apart, and the log",
    "devices/camera/picture_kinds.py": "a file that is no picture, named on the command line",
    "devices/camera/stills.py": "a file to write to",
    "devices/decoders.py": "what other programs print, to know it again",
    "devices/hook.py": "addresses in the settings",
    "cli/programs/help_bundle.py": "a file to write to",
    "devices/installed_versions.py": "files of the installation",
    "devices/onnx.py": "files of the installation",
    "devices/panel/gpio.py": "pins in the settings",
    "devices/panel/real_buttons.py": "a file to write to",
    "devices/camera/kernel_sleep.py": "what the system answered",
    "devices/update_download.py": "`referee update` on the command line",
    "devices/update_files.py": "`referee update` on the command line; the page tells each reason in words of its own",
    "devices/system/bus.py": "what the bus answered, and the words of its protocol",
    "devices/system/clock.py": "a file to write to",
    "devices/system/safe_mode.py": "a file to write to",
    "devices/wiring": "settings, and the pages for whoever builds the panel",
    "doctor/first": "the record of a first evening, for whoever builds referees",
    "doctor/machine.py": "what the kernel calls a Pi, looked for in its own words",
    "doctor/panel.py": "pieces of what is told of pins in the settings",
    "game/rulebooks/ravensburger.py": "the name of the game",
    "pages/hall/app.py": "values of exported files",
    "pages/hall/phone_desk.py": "the description of calls for programs",
    "pages/hall/player_results.py": "the description of entering results for programs",
    "pages/hall/players_import.py": "the description of the import for programs",
    "pages/hall/tournament_saving.py": "the description of restoring for programs",
    "pages/table/coach/api.py": "the description of the coach for programs",
    "pages/table/machine/api.py": "the description of the page of the machine for programs",
    "pages/table/presence/api.py": "the description of what is confirmed at the table for programs",
    "pages/table/puzzle/api.py": "the description of the puzzle for programs",
    "pages/table/restore_api.py": "the description of restoring for programs",
    "pages/table/update_api.py": "the description of updates for programs",
    "journal/amending.py": "`referee scores` on the command line",
    "journal/scores.py": "values of exported files",
    "page/access/secret.py": "a file to write to",
    "page/command.py": "what is answered to whoever writes a program that sends commands",
    "page/openapi.py": "the description of the pages for programs",
}
"""Modules with texts that players never read, or that are no words of ours."""
MODULES = [path for room in BELOW for path in sorted((ROOT / room).rglob("*.py"))]


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


SPEAKING = [path for path in MODULES if not place(path).startswith(tuple(OPERATORS))]


def texts(tree: ast.AST, skipped: set[int]) -> Iterator[tuple[int, str]]:
    """Every text below a node but docstrings, what is raised for operators, and types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Raise) or id(node) in skipped or _for_programs(node):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        yield from texts(node, skipped | hints(node))


def _for_programs(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FOR_PROGRAMS


def hints(node: ast.AST) -> set[int]:
    """What is a type, not a text."""
    found = [getattr(node, name, None) for name in ("annotation", "returns")]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
        found.append(node.args[0])
    return {id(one) for one in found if one is not None}


def sentences(source: str) -> list[str]:
    found = texts(ast.parse(source), set())
    return [
        f"{line}: {text!r}"
        for line, text in found
        if SENTENCE.search(text) and not NO_SENTENCE.match(text) and not is_check(text)
    ]


def is_check(text: str) -> bool:
    """Whether this is what programs call a check of the doctor's."""
    return check_name(text).key.startswith("doctor.check_")


@pytest.mark.parametrize("path", SPEAKING, ids=place)
def test_no_sentence_stands_below_the_messages(path: Path) -> None:
    assert sentences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", OPERATORS)
def test_no_module_is_excused_that_needs_no_excuse(name: str) -> None:
    assert any(sentences(path.read_text(encoding="utf-8")) for path in MODULES if place(path).startswith(name))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('told = "Take the red 7 back."', True),
        ('told = f"Take {tiles} into your hand."', True),
        ('def f():\n    "What it does, in words."\n', False),
        ('raise BadInput("expected a name, found none")', False),
        ('Notice("judge.not_a_set")', False),
        ('ask("SELECT id FROM matches")', False),
        ('ok("journal folder", told)', False),
        ('return plainly(400, "expected a number")', False),
        ('tell("journal folder gone")', True),
        ('def f(node: "Node or None"): pass', False),
    ],
)
def test_what_counts_as_a_sentence(source: str, found: bool) -> None:
    assert bool(sentences(source)) is found
