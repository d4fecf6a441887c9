"""A little of `make soak`: every book is played under watch, and the watch sees what it should."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks import soak, soak_match
from benchmarks.soak_match import Soaked, Tally, any_options
from benchmarks.soak_truth import set_in_truth, wrong_in_truth
from referee.game.judge.verdict import Verdict
from referee.game.match.machine import new_match
from referee.game.match.state import Seat
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import RULESETS, Ruleset
from referee.sim.players.gin_mistakes import GinSlip
from referee.sim.players.wrong_turns import Slip

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("name", RULESETS)
def test_a_few_matches_by_every_book(name: str) -> None:
    tally = soak.play((name, 100, 3))
    assert tally.failures == []
    assert tally.matches == tally.ended == 3
    assert tally.broken == tally.legal_refused == tally.slips_accepted == 0
    assert tally.legal > 60
    assert len(tally.slips) >= 6
    assert tally.events > len(tally.judge_ms) > tally.legal / 2


def test_a_judge_who_refuses_what_is_legal_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.game.match.turn.judge", lambda *_: Verdict(accepted=False))
    monkeypatch.setattr(soak_match, "MOST_EVENTS", 60)
    tally = Soaked(RULESETS["rummikub"], 1).play()
    assert tally.legal_refused
    assert any("refused" in line for line in tally.failures)
    assert "not over after 60 events" in tally.failures[-1]


def test_a_judge_who_accepts_everything_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.game.match.turn.judge", lambda *_: Verdict(accepted=True, laid=parse_set("R1")))
    monkeypatch.setattr(soak_match, "MOST_EVENTS", 100)
    tally = Soaked(RULESETS["rummikub"], 1).play()
    assert tally.slips_accepted
    assert any("accepted: " in line for line in tally.failures)


def test_a_tile_that_gets_lost_is_found_out() -> None:
    soaked = Soaked(RULESETS["piatnik"], 1)
    deal = soaked.people.start

    def careless(t: float) -> object:
        event = deal(t)
        soaked.people.stock.pop()
        return event

    soaked.people.start = careless  # type: ignore[method-assign, assignment]
    tally = soaked.play()
    assert tally.broken
    assert "tiles came or went" in tally.failures[0]


def test_the_same_seed_is_the_same_match() -> None:
    one, other = (Soaked(RULESETS["classic"], 5).play() for _ in range(2))
    assert (one.events, one.slips) == (other.events, other.slips)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda r: r.name)
def test_options_are_drawn_that_agree(rules: Ruleset) -> None:
    drawn = [any_options(rules, np.random.default_rng(seed))[1] for seed in range(60)]
    assert (rules, {}) in [any_options(rules, np.random.default_rng(seed)) for seed in range(20)]
    for option in rules.options:
        seen = {chosen[option.name] for chosen in drawn if chosen}
        assert seen >= {name for name, _ in option.choices}


@pytest.mark.parametrize(
    ("tiles", "book", "valid"),
    [
        ("R4 R5 R6", "rummikub", True),
        ("R4 R5", "rummikub", False),
        ("R4 ** R6", "rummikub", True),
        ("R12 R13 R1", "rummikub", False),
        ("R12 R13 R1", "classic", True),
        ("R7 B7 K7 O7", "rummikub", True),
        ("R7 B7 K7 O7 **", "rummikub", False),
        ("R7 R7 K7", "rummikub", False),
        ("** ** **", "ravensburger", True),
        ("R4 R6 **  K7", "rummikub", False),
    ],
)
def test_sets_are_told_without_the_judge(tiles: str, book: str, valid: bool) -> None:
    assert set_in_truth(parse_set(tiles), RULESETS[book]) is valid


@pytest.mark.parametrize(
    ("slip", "before", "after", "wrong"),
    [
        (Slip.TOO_SHORT, "R1 R2 R3", "R1 R2 R3 | B4 B5", True),
        (Slip.TOO_SHORT, "R1 R2 R3", "R1 R2 R3 | B4 B5 B6", False),
        (Slip.VANISHED, "R1 R2 R3 R4", "R1 R2 R3", True),
        (Slip.MORE_THAN_HAND, "", "R1 R2 R3 R4 R5", True),
        (Slip.MORE_THAN_HAND, "", "R1 R2 R3", False),
        (Slip.FOREIGN, "R1 R2 R3 | R1 B1 K1", "R1 R2 R3 | R1 B1 K1 | R1 O1 B1", True),
        (Slip.JOKER_TAKEN, "R1 R2 R3 **", "R1 R2 R3 | B9 B10 **", True),
        (Slip.JOKER_TAKEN, "R1 R2 R3 ** | R4 B4 K4", "R1 R2 R3 | R4 B4 K4 | B9 B10 **", False),
        (Slip.NOTHING_LAID, "R1 R2 R3 R4 R5 R6", "R1 R2 R3 | R4 R5 R6", False),
    ],
)
def test_slips_are_held_against_the_truth(slip: Slip, before: str, after: str, wrong: bool) -> None:
    rules = RULESETS["rummikub"]
    state = new_match(rules)
    state = type(state)(
        rules, state.clock, state.sheet, seats=(Seat("Ann", 4, opened=True),), table=parse_table(before)
    )
    assert wrong_in_truth(slip, state, parse_table(after), rules) is wrong


def test_slips_of_gin_pass_where_nothing_can_be_told() -> None:
    rules = RULESETS["gin"]
    assert wrong_in_truth(GinSlip.TWO_OPEN, new_match(rules), (), rules)


def test_tallies_add_up() -> None:
    one = Tally(matches=1, slips=Counter(a=1), judge_ms=[1.0], failures=["x"])
    one.add(Tally(matches=2, slips=Counter(a=2, b=1), judge_ms=[2.0]))
    assert one == Tally(matches=3, slips=Counter(a=3, b=1), judge_ms=[1.0, 2.0], failures=["x"])


def test_play_goes_on_until_enough_turns_were_judged() -> None:
    played: list[soak.Batch] = []

    def share(_: object, batches: list[soak.Batch]) -> list[Tally]:
        played.extend(batches)
        return [Tally(matches=number, ended=number, judge_ms=[0.1] * 20) for _, _, number in batches]

    reported: list[tuple[int, int]] = []
    tally = soak.soak("gin", 60, 100, 1, share, lambda *done: reported.append(done))
    assert tally.matches == 125
    assert len(tally.judge_ms) == 100
    assert len({first for _, first, _ in played}) == 5
    assert reported == [(200, 1000), (400, 1000), (600, 1000), (800, 1000), (1000, 1000)]


def test_the_page_tells_figures_and_failures(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pool:
        imap_unordered = staticmethod(map)

        def __enter__(self) -> "Pool":
            return self

        def __exit__(self, *_: object) -> None: ...

    def failing(batch: soak.Batch) -> Tally:
        return Tally(
            batch[2], batch[2] - 1, 1, 10, 1, 5, 1, Counter(x=4), 1, [0.1], [0.1], Counter(), ["what went wrong"]
        )

    monkeypatch.setattr(
        soak.multiprocessing, "get_context", lambda _: type("Context", (), {"Pool": lambda *_: Pool()})
    )
    monkeypatch.setattr(soak, "play", failing)
    out = tmp_path / "SOAK.md"
    assert soak.main(["--rules", "gin", "--matches", "1", "--turns", "1", "--out", str(out)]) == 1
    page = out.read_text(encoding="utf-8")
    assert "| matches played to their end | gin | 96.00 %" in page
    assert "- what went wrong" in page
    assert "what went wrong" in capsys.readouterr().out
    monkeypatch.setattr(
        soak, "play", lambda batch: Tally(batch[2], batch[2], 1, 9, 0, 5, 0, Counter(x=4), 0, [0.1], Counter(), [])
    )
    assert soak.main(["--rules", "gin", "--matches", "1", "--turns", "1", "--out", str(out)]) == 0
    assert "None." in out.read_text(encoding="utf-8")
