"""Hands laid open after a knock, judged by themselves."""

import pytest

from referee.errors import BadInput
from referee.game.gin.judging import judge_knock, judge_opponent
from referee.game.judge.judge import Turn, judge
from referee.game.judge.verdict import FaultKind
from referee.game.notation import parse_table
from referee.game.rulebooks.gin import GIN
from referee.game.rulebooks.rummikub import RUMMIKUB
from referee.i18n import ENGLISH

SETS = "R1 R2 R3 | Y9 B9 K9 | B4 B5 B6"
KNOCK = f"{SETS} | K2"
ALL_IN_SETS = "R1 R2 R3 R4 | Y9 B9 K9 | B4 B5 B6"
OPPONENT = "Y1 Y2 Y3 Y4 | K5 K6 K7"


def knock(table, number=10):
    return judge_knock(parse_table(table), number, GIN)


def opponent(before, after, number=10):
    return judge_opponent(knock(before)[1], parse_table(after), number, GIN)


def told(verdict):
    return ENGLISH.all(verdict.explanation)


def test_a_knock_counts_as_it_lies():
    verdict, hand = knock(KNOCK)
    assert (verdict.accepted, verdict.points, len(verdict.laid)) == (True, 2, 10)
    assert (len(hand.sets), hand.points) == (3, 2)
    assert told(verdict) == "The deadwood is worth 2 points, less than 10."
    assert told(knock(ALL_IN_SETS)[0]) == "There is no deadwood: gin!"


@pytest.mark.parametrize(
    ("table", "kind", "text"),
    [
        (f"{SETS} | K10", FaultKind.KNOCK_TOO_HIGH, "your deadwood is at least 10, and must be less than 10"),
        (
            "R1 R2 R3 | Y9 B9 K9 | B4 | B5 | B6 | K2",
            FaultKind.KNOCK_TOO_HIGH,
            "your deadwood is worth 17",
        ),
        (SETS, FaultKind.WRONG_NUMBER, "You should lay 10 tiles, but I see 9 new tiles."),
        ("R1 R2 R3 K2 | Y9 B9 K9 | B4 B5 B6", FaultKind.NOT_A_SET, "lay sets and single tiles farther apart"),
        (f"{SETS} | R1", FaultKind.IMPOSSIBLE_TILE, "the box has only 1"),
        (f"{SETS} | **", FaultKind.IMPOSSIBLE_TILE, ""),
    ],
)
def test_a_knock_is_refused_with_the_reason(table, kind, text):
    verdict, hand = knock(table)
    (fault,) = verdict.faults
    assert (verdict.accepted, hand, fault.kind) == (False, None, kind)
    assert text in ENGLISH(fault.notice)


@pytest.mark.parametrize(
    ("before", "after", "end"),
    [
        (
            KNOCK,
            f"R1 R2 R3 R4 | Y9 B9 K9 | B4 B5 B6 | K2 | {OPPONENT} | K13 Y12",
            "The red 4 was added to the knocker's sets. The knocker's deadwood is worth 2 points, the opponent's 20."
            " The knocker gets 18 points.",
        ),
        (
            KNOCK,
            f"R1 R2 R3 R4 | Y9 B9 K9 R9 | B4 B5 B6 | K2 | {OPPONENT} | Y12",
            "The red 4 and the red 9 were added to the knocker's sets. The knocker's deadwood is worth 2 points, the"
            " opponent's 10. The knocker gets 8 points.",
        ),
        (
            KNOCK,
            f"{KNOCK} | {OPPONENT} | R8 B8 Y8",
            "The knocker's deadwood is worth 2 points, the opponent's 0. The opponent gets 12 points.",
        ),
        (
            ALL_IN_SETS,
            f"{ALL_IN_SETS} | {OPPONENT} | R8 B8 Y8",
            "The knocker's deadwood is worth 0 points, the opponent's 0. The knocker gets 25 points.",
        ),
    ],
)
def test_the_opponents_hand_ends_the_round(before, after, end):
    verdict = opponent(before, after)
    assert verdict.accepted
    assert told(verdict) == end


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (KNOCK, f"R1 R2 | R3 | Y9 B9 K9 | B4 B5 B6 | K2 | {OPPONENT} | R8 B8 Y8", FaultKind.ORIGINAL_BROKEN_UP),
        (KNOCK, f"R1 R2 R3 R5 | Y9 B9 K9 | B4 B5 B6 | K2 | {OPPONENT} | K13 Y12", FaultKind.NOT_A_SET),
        (KNOCK, f"{SETS} | {OPPONENT} | R8 B8 Y8", FaultKind.TILE_VANISHED),
        (KNOCK, KNOCK, FaultKind.WRONG_NUMBER),
        (KNOCK, f"{KNOCK} | K2 | {OPPONENT} | R8 B8", FaultKind.IMPOSSIBLE_TILE),
        (
            ALL_IN_SETS,
            f"R1 R2 R3 R4 R5 | Y9 B9 K9 | B4 B5 B6 | {OPPONENT} | K13 Y12",
            FaultKind.TOO_MANY_TILES,
        ),
    ],
)
def test_an_opponents_hand_is_refused_with_the_reason(before, after, kind):
    verdict = opponent(before, after)
    assert (verdict.accepted, [fault.kind for fault in verdict.faults]) == (False, [kind])


def test_rules_of_another_game_are_refused():
    with pytest.raises(BadInput, match="expected a rule book with knocking, got rummikub"):
        judge_knock((), 10, RUMMIKUB)
    for turn in (Turn(), Turn(opened=False)):
        with pytest.raises(BadInput, match="expected rules by which sets are laid turn by turn, got gin"):
            judge((), parse_table("R1 R2 R3"), turn, GIN)
    with pytest.raises(BadInput, match="got gin"):
        judge((), (), Turn(), GIN)
