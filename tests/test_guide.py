"""What the pages of hardware/ and systemd/ tell people to type, to look at and to wire is there."""

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from benchmarks.table import PI_4
from referee.cli.verbs.verbs import app
from referee.devices.wiring.header import nearest_ground
from referee.devices.wiring.pins import MEANINGS, PinMap
from referee.doctor.first.bench import Effort
from referee.doctor.first.steps import STEPS
from referee.settings.settings import SECTIONS

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "hardware").glob("*.md")), ROOT / "systemd" / "README.md"]
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
GUIDE = (ROOT / "hardware" / "guide.md").read_text(encoding="utf-8")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def code(page: Path) -> list[str]:
    """Everything on a page that is set as code: in backticks, and in blocks."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^(?: {4}(?! *\d+\. )|```\w*\n)(\S.*?)$", text, re.MULTILINE)
    return [*re.findall(r"`([^`]+)`", text), *blocks]


def commands(page: Path) -> Iterator[list[str]]:
    """The words of every command on a page, without `sudo` and whose right it takes."""
    for text in code(page):
        for part in re.split(r"&&|#", text):
            try:
                words = shlex.split(part)
            except ValueError:  # an apostrophe of a sentence
                continue
            if words[:1] == ["sudo"]:
                words = words[3:] if words[1:2] == ["-u"] else words[1:]
            if words:
                yield words


@each_page
def test_every_command_of_the_referee_has_its_verb_and_options(page: Path) -> None:
    for words in commands(page):
        if words[0] != "referee" or len(words) == 1:
            continue
        assert words[1] in COMMANDS, words
        known = {name for parameter in COMMANDS[words[1]].params for name in parameter.opts}
        assert {word for word in words[2:] if word.startswith("-")} <= known, words


def test_commands_are_found_however_they_are_written() -> None:
    told = [
        words[words.index("referee") :] for words in commands(ROOT / "hardware" / "guide.md") if "referee" in words
    ]
    assert ["referee", "doctor", "--panel"] in told
    assert ["referee", "doctor"] in told
    assert ["make", "install", "EXTRAS=oled"] in list(commands(ROOT / "systemd" / "README.md"))


@each_page
def test_every_target_of_make_is_in_the_makefile(page: Path) -> None:
    for words in commands(page):
        if words[0] == "make":
            targets = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
            assert all(re.search(rf"^{target}:", MAKEFILE, re.MULTILINE) for target in targets), words
            assert all(f"$({word.partition('=')[0]})" in MAKEFILE for word in words[1:] if "=" in word), words


@each_page
def test_every_file_of_ours_and_every_module_that_is_named_is_there(page: Path) -> None:
    for words in commands(page):
        for word in words:
            if re.fullmatch(r"[\w./-]+\.(md|scad|svg|py|sh|service|toml|conf)", word) and not word.startswith("/"):
                ours = [ROOT / word, page.parent / word, page.parent / Path(word).name]
                assert any(one.exists() for one in ours) or word in ("referee.toml", "override.conf"), word
        if words[:2] == ["python", "-m"]:
            assert (ROOT / f"{words[2].replace('.', '/')}.py").exists(), words


@each_page
def test_every_setting_that_is_named_is_one(page: Path) -> None:
    known = {*MEANINGS, *(name for section in SECTIONS.values() for name in section.__dataclass_fields__)}
    for text in code(page):
        if found := re.fullmatch(r"""([a-z_]+) = ("\w*"|\d+|\[.*\]|true|false)""", text):
            assert found[1] in known, text


def test_every_file_that_the_program_sends_people_to_is_there() -> None:
    for module in (ROOT / "referee").rglob("*.py"):
        for name in re.findall(r"(?:hardware|calibration|systemd)/[\w-]+\.\w+", module.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{module}: {name}"


def test_the_words_on_the_lid_are_those_of_the_guide() -> None:
    lid = (ROOT / "hardware" / "box.scad").read_text(encoding="utf-8")
    for word in ("NO", "?", "OK", "DRAW", "PAUSE"):
        assert f'"{word}"' in lid
        assert f"`{word}`" in GUIDE


def test_the_guide_counts_wires_screws_and_lamps_as_the_pin_map_has_them() -> None:
    pins = PinMap()
    grounds = Counter(nearest_ground(line.bcm) for line in pins.lines)
    assert f"{len(pins.lines)} lines, {len(pins.lines)} screws" in " ".join(GUIDE.split())
    assert f"{len(grounds)} twists, {len(grounds)} screws" in " ".join(GUIDE.split())
    assert (min(grounds.values()), max(grounds.values())) == (2, 4)
    assert "two to four" in " ".join(GUIDE.split())


def test_the_guide_leads_to_a_match_of_those_who_are_there() -> None:
    first_game = GUIDE[GUIDE.index("### 8.") : GUIDE.index("## If something")]
    for step in ("presses their button", "its lamp lights", "green lamp blinking slowly", "`PAUSE`"):
        assert step in " ".join(first_game.split())
    sits, deals, ends = map(first_game.index, ("presses their button", "Deal the tiles", "ends a turn"))
    assert sits < deals < ends


def test_every_step_of_the_first_evening_is_explained_in_its_order() -> None:
    text = (ROOT / "hardware" / "first-evening.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\d) \| `([\w-]+)` \|", text, re.MULTILINE)
    assert told == [(str(step.check), step.name) for step in STEPS]
    assert f"{2 * Effort().syncs} small writes, half of them while {Effort().disk_mb} MB" in text
    assert f"{Effort().reopenings} closings and openings" in text


def test_the_expected_figures_of_a_pi_are_those_that_were_measured_times_its_factor() -> None:
    """METRICS tells of a PC; a Pi 4 is taken to need five times as long, as there."""
    parts = (ROOT / "hardware" / "parts.md").read_text(encoding="utf-8")
    span = r"([\d.]+)\u2013([\d.]+) s"
    found = re.search(rf"91 tiles read \| {span} \| {span}", parts)
    assert found
    low, high, pi_low, pi_high = map(float, found.groups())
    assert pi_low == pytest.approx(PI_4 * low, abs=0.05)
    assert pi_high == pytest.approx(PI_4 * high, abs=0.05)
