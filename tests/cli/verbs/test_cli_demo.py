"""`referee demo`: a match is played to its end, told turn by turn; doubts are asked about, misreads are counted."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import negative
from rich.console import Console

from referee.cli.main import main
from referee.cli.parts.readers import Parts
from referee.cli.programs.demo_match import Evening
from referee.cli.verbs import demo as verb
from referee.errors import CannotJudge
from referee.game.match.phases import Phase
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.tiles import TileSet
from referee.i18n import ENGLISH
from referee.sim.match import VirtualMatch
from referee.vision.sighting import Image, Read, Sighting

Captured = pytest.CaptureFixture[str]
Change = Callable[[Sighting, int], Sighting]


class Blind(VirtualMatch):
    """A match whose camera gives no picture worth reading: quick."""

    def picture(self, *, hand: bool = False) -> Image:  # noqa: ARG002 - as its base
        return np.zeros((8, 8, 3), np.uint8)


@dataclass
class Spectator:
    """Reads from the tiles themselves, and changes what it saw as told."""

    match: VirtualMatch | None = None
    change: Change = lambda sighting, _: sighting
    looks: int = 0

    def read(self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], **_: bool) -> Sighting:
        assert self.match is not None
        assert tileset == self.match.rules.box
        assert table_mm == (900.0, 600.0)
        assert picture.ndim == 3
        self.looks += 1
        reads: list[Read] = []
        sets = []
        for row in self.match.table.layout.rows:
            sets.append(tuple(range(len(reads), len(reads) + len(row.placed))))
            reads += [
                Read(tile.tile, 1.0, False, (), np.zeros((4, 2), np.float32), tile.angle_deg) for tile in row.placed
            ]
        return self.change(Sighting(tileset.name, "markers", tuple(reads), tuple(sets)), self.looks)


def evening(
    change: Change | None = None, rules: str = "rummikub", rounds: int = 1, kind: type[Blind] = Blind
) -> Evening:
    match = kind(ruleset(rules), np.random.default_rng(1), players=("Anna", "Ben"), rounds=rounds)
    reader = Spectator(match, change or (lambda sighting, _: sighting))
    return Evening(match, reader, Console(markup=False, soft_wrap=True), ENGLISH)


def doubting(sighting: Sighting) -> Sighting:
    if not sighting.reads:
        return sighting
    return replace(sighting, reads=(replace(sighting.reads[0], doubtful=True), *sighting.reads[1:]))


@pytest.mark.parametrize("rules", RULESETS)
def test_a_match_is_played_and_told_to_its_end(rules: str, capsys: Captured) -> None:
    played = evening(rules=rules, rounds=2)
    state = played.play()
    assert state.phase is Phase.OVER
    assert len(state.sheet.rounds) == 2 or (rules == "gin" and max(state.sheet.totals) >= 100)
    told = capsys.readouterr().out
    assert "green lamp" in told
    assert "red lamp and low tone" in told
    assert "short beep" in told
    assert "The match is over" in told
    assert played.tally.wrong == played.tally.doubtful == 0


def test_a_doubt_that_passes_is_asked_about_and_changes_nothing() -> None:
    plain = evening().play()
    asked = evening(lambda sighting, look: doubting(sighting) if look % 5 == 0 else sighting)
    state = asked.play()
    assert state.phase is Phase.OVER
    assert asked.tally.doubtful > 0
    assert asked.tally.tapped == asked.tally.wrong == 0
    assert len(state.sheet.rounds) == len(plain.sheet.rounds)


def test_a_doubt_that_stays_is_answered_on_the_page_at_the_third_look(capsys: Captured) -> None:
    stubborn = evening(lambda sighting, _: doubting(sighting))
    assert stubborn.play().phase is Phase.OVER
    tally = stubborn.tally
    assert tally.tapped > 0
    assert tally.doubtful == 3 * tally.tapped
    told = capsys.readouterr().out
    assert "I cannot read: " in told
    assert "Please straighten what I cannot read: " in told
    assert "is tapped on the page" in told


def test_a_misread_is_counted_and_told(capsys: Captured) -> None:
    def losing(sighting: Sighting, look: int) -> Sighting:
        return replace(sighting, sets=sighting.sets[1:]) if look == 30 else sighting

    misread = evening(losing)
    assert misread.play().phase is Phase.OVER
    assert misread.tally.wrong == 1
    assert "misread" in capsys.readouterr().out


class Swept(Blind):
    """A match at whose table no tile stays but the first, whatever is laid."""

    def picture(self, *, hand: bool = False) -> Image:
        self.table.lay(tuple(tiles[:1] for tiles in self.table.table[:1]))
        return super().picture(hand=hand)


def test_a_match_that_stands_still_is_given_up() -> None:
    stuck = evening(kind=Swept)
    with pytest.raises(CannotJudge, match="found turn"):
        stuck.play()


def test_the_verb_ends_with_the_score_sheet_and_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    spectator = Spectator()

    def seen(*arguments: object, **named: object) -> VirtualMatch:
        spectator.match = Blind(*arguments, **named)  # type: ignore[arg-type]
        return spectator.match

    monkeypatch.setattr(verb, "VirtualMatch", seen)
    out = tmp_path / "evening"
    arguments = [
        "demo",
        "--rules",
        "ravensburger",
        "--option",
        "jokers=2",
        "--players",
        "2",
        "--seed",
        "7",
        "--out",
        str(out),
    ]
    assert main(arguments, lambda: Parts(lambda: spectator, negative)) == 0
    told, errors = capsys.readouterr()
    assert "Anna and Ben, 1 round, seed 7" in told
    assert "Score sheet" in told
    assert "0 misread" in told
    assert errors == ""
    for name in ("table.png", "table-read.png"):
        assert cv2.imread(str(out / name)).shape == (8, 8, 3)
        assert str(out / name) in told
