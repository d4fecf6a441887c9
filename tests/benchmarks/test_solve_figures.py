from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from command_line import FakeReader, read_of, sighting_of

from benchmarks import solve
from referee.game.judge.best_turn import best_turn
from referee.game.moves import Move, Step
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import ruleset
from referee.vision.sighting import Read

RULES = ruleset("rummikub")
CASE = solve.Case("a picture", np.zeros((2, 2, 3), np.uint8), RULES, (900.0, 600.0))


def reads(tiles: str) -> Sequence[Read]:
    return [read_of(tile.name) for tile in parse_set(tiles)]


def test_without_pictures_nothing_is_measured(tmp_path: Path) -> None:
    (row,) = solve.measure(FakeReader([]), tmp_path).rows
    assert "skipped" in row.figure


def test_every_picture_gives_a_turn() -> None:
    reader = FakeReader([
        sighting_of(reads("R4 ** R6"), reads("B7 K7 O7")),
        sighting_of(reads("R4 R5"), reads("R6 B7 K7 O7")),
        sighting_of(reads("R4"), reads("R5"), reads("R6"), reads("K1")),
    ])  # fmt: skip
    figures = solve.figures_of(reader, [CASE] * 3)
    assert [row.figure[:8] for row in figures.rows[:2]] == ["100.00 %"] * 2
    assert figures.rows[2].count.startswith("1 arranged tables, 1 hands, 1 legal tables;")
    assert figures.failures == {"best turns on pictures": []}


@pytest.mark.parametrize(
    ("tiles", "hand", "step"),
    [
        ("R4 R5 R6", "R8", Step(0, (Move(parse_set("R7")[0], None),), parse_set("R4 R5 R6 R7"))),
        ("R4 R5 R6", "R7", Step(0, (Move(parse_set("R7")[0], None),), parse_set("R4 R5 R6 R8"))),
    ],
    ids=["a tile that nobody has", "a set that does not come about"],
)
def test_a_step_that_cannot_be_made_is_noticed(tiles: str, hand: str, step: Step) -> None:
    assert solve.replay(parse_table(tiles), parse_set(hand), [step]) is None


def test_steps_lead_to_the_table_of_the_turn() -> None:
    table, hand = parse_table("R1 R2 R3 R4 R5 R6"), parse_set("R4 R7")
    turn = best_turn(table, hand, RULES)
    assert solve.Solved("legal tables", table, (), table, hand, turn).is_sound(RULES)
    assert not solve.Solved("legal tables", table, (), table, parse_set("R4 B7"), turn).is_sound(RULES)


def test_a_hand_holds_tiles_that_do_not_lie_on_the_table() -> None:
    table = parse_table("R1 R2 R3 | R1 R2 R3")
    hand = solve.draw_hand(table, RULES, 7)
    assert len(hand) == solve.HAND
    assert hand == solve.draw_hand(table, RULES, 7)
    assert not set(hand) & set(table[0])
