"""First melds are counted before they are made: what is counted is what can be made, all of it and no more."""

from collections import Counter
from itertools import combinations

import pytest

from referee.game.judge.first_meld import first_meld
from referee.game.judge.jokers.values import change_by, counts
from referee.game.judge.judge import Turn, judge
from referee.game.judge.melds.hand import code_of, in_code
from referee.game.judge.melds.pieces import longer_piece
from referee.game.judge.melds.plans import longer_plans, most_gained, most_together, own_plans
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import ruleset
from referee.game.rulebooks.model import Extended
from referee.game.table import in_order
from referee.game.tiles import JOKER

CLASSIC = ruleset("classic").with_value("opening.exchange_counts", True)
ADDED = CLASSIC.with_value("opening.extended", Extended.ADDED)
ANYHOW = ADDED.with_value("joker_rule.as_laid", False)
BOOKS = {
    "all tiles count": CLASSIC,
    "tiles added count": ADDED,
    "jokers count 25": ADDED.with_value("opening.joker", 25),
    "jokers count 25 in all tiles": CLASSIC.with_value("opening.joker", 25),
    "no joker is exchanged": ADDED.with_value("opening.exchange_counts", False),
    "runs end at 13": CLASSIC.with_value("wraps", False),
    "jokers lie anyhow": ANYHOW,
}
SETS = (
    "R5 R6 R7", "** R6 R7", "R12 ** R1", "** ** Y4", "** ** **", "R5 B5 K5", "R5 ** K5", "R5 B5 ** **",
    "R5 B5 K5 Y5", "** R2 ** R4", "K9 ** K11 K12 **", "** ** ** B1",
)  # fmt: skip
HAND = "R4 R5 R8 R13 R1 R6 B5 Y5 Y3 Y4 Y6 K10 K13 B13 B2"


def made(old, hand, jokers, rules, most):
    """Everything that can be made of a set, tried one by one."""
    found = set()
    for size in range(1, most + 1):
        for plain in range(max(0, size - jokers), size + 1):
            for some in combinations(hand, plain):
                exchanges = min(plain, old.count(JOKER)) if rules.opening.exchange_counts else 0
                for number in range(exchanges + 1):
                    for exchanged in combinations(some, number):
                        added = in_order((*(t for t in some if t not in exchanged), *(JOKER,) * (size - plain)))
                        found.update(longer_piece(old, 0, added, in_order(exchanged), rules))
    return found


@pytest.mark.parametrize("rules", BOOKS.values(), ids=BOOKS)
@pytest.mark.parametrize("old", SETS)
def test_what_is_counted_is_what_can_be_made_of_a_set(old, rules):
    before, hand = (parse_set(old),), parse_set(HAND)
    plans = list(longer_plans(before, Counter(hand) + Counter({JOKER: 2}), rules, most=3))
    assert {plan.piece for plan in plans} == made(before[0], hand, 2, rules, most=3)
    for plan in plans:
        uses = plan.piece.uses
        assert (plan.points, plan.gains, plan.size) == (plan.piece.points, plan.piece.gains, len(uses))
        assert (plan.code, plan.jokers) == (code_of(uses), uses.count(JOKER))
        assert plan.value == sum(tile.number for tile in uses)


@pytest.mark.parametrize("old", SETS)
def test_the_most_jokers_that_can_be_exchanged_are_those_of_the_best_piece(old):
    before, hand = (parse_set(old),), Counter(parse_set(HAND))
    most = max((plan.gains for plan in longer_plans(before, hand, CLASSIC)), default=0)
    assert most_gained(before, hand, CLASSIC)[0] == most


def test_of_tiles_that_are_no_set_nothing_is_made():
    before = parse_table("R5 R7 ** ** B9 | R1 R2")
    assert not list(longer_plans(before, Counter(parse_set("R6 R8 R3")), CLASSIC))
    assert not most_gained(before, Counter(parse_set("R6 R8 R3")), CLASSIC)


def test_own_sets_are_counted_before_they_are_made():
    hand = Counter(parse_set("R12 R13 R1 B13 K13 Y5 Y6 ** **"))
    plans = list(own_plans(hand, ADDED))
    assert len({plan.piece for plan in plans}) == len(plans)
    for plan in plans:
        assert plan.points == plan.piece.points
        assert counts(plan.piece.tiles, ADDED)
        assert not Counter(plan.piece.uses) - hand
    counted = {plan.points for plan in plans if plan.piece.uses == in_order(parse_set("** ** R12 R13"))}
    assert counted == {12 + 13 + 10 + 11, 12 + 13 + 11 + 1, 12 + 13 + 1 + 2}


def test_a_tile_is_exchanged_for_one_joker_only():
    before, hand = parse_table("R5 R6 ** | R5 R6 ** | B8 K8 **"), Counter(parse_set("R7 R4 Y8"))
    gained = most_gained(before, hand, ANYHOW)
    assert sum(gained.values()) == 3
    assert most_together(before, gained, hand, ANYHOW) == 3
    for tiles, most in (("R7", 1), ("R7 R7 R7", 2), ("R7 Y8", 2), ("B1", 0)):
        hand = Counter(parse_set(tiles))
        assert most_together(before, most_gained(before, hand, ANYHOW), hand, ANYHOW) == most


def test_a_tile_makes_room_for_another_where_both_can_be_exchanged_only_so():
    before, hand = parse_table("R5 R6 ** | R8 B8 **"), Counter(parse_set("R7 K8 R4"))
    assert most_together(before, most_gained(before, hand, ANYHOW), hand, ANYHOW) == 2
    before, hand = parse_table("** R8 R9 | R5 R6 **"), Counter(parse_set("R7 R10"))
    assert most_together(before, most_gained(before, hand, ANYHOW), hand, ANYHOW) == 2


MELDS = [
    # what lies there before, after, and what the first meld counts: enough, or the most there is
    ("R5 R6 R7 ** | R9 B9 K9", "R5 R6 R7 R8 | R9 B9 K9 Y9 | ** Y12 Y13", (True, 53)),
    ("R5 R6 ** | R5 R6 **", "R5 R6 R7 | R5 R6 R7 | ** Y12 Y13 | ** B12 B13", (True, 86)),
]


@pytest.mark.parametrize(("before", "after", "told"), MELDS)
def test_jokers_are_exchanged_for_tiles_of_the_hand_and_laid(before, after, told):
    verdict = judge(parse_table(before), parse_table(after), Turn(opened=False), ADDED)
    assert (verdict.accepted, verdict.points) == told


def test_jokers_that_no_tile_is_left_for_are_not_laid():
    """With R10 laid beside R8 and two jokers nothing frees the second of them; too little is found without that."""
    before, after = "R5 R6 R7 ** | R9 ** R11", "R5 R6 R7 R8 | R9 R10 R11 | ** K13 B13 | ** K12 B12 | B1"
    rules = ADDED.with_value("opening.minimum", 95)
    verdict = judge(parse_table(before), parse_table(after), Turn(opened=False), rules)
    assert "opening-too-low" in [fault.kind.value for fault in verdict.faults]
    assert verdict.points == 8 + 10 + 3 * 13 + 3 * 12


@pytest.mark.parametrize("minimum", [30, 53, 54, 86, 87])
@pytest.mark.parametrize("rules", [ADDED, CLASSIC, ANYHOW])
@pytest.mark.parametrize(("before", "after", "_"), MELDS)
def test_whether_a_first_meld_is_enough_is_the_same_where_its_points_are_not_told(before, after, _, rules, minimum):
    rules = rules.with_value("opening.minimum", minimum)
    change = change_by(rules, parse_table(before), parse_table(after))
    assert first_meld(change, rules, told=False).enough == first_meld(change, rules).enough


@pytest.mark.parametrize("book", BOOKS)
def test_plans_tell_what_jokers_stand_for_before_the_piece_is_made(book):
    rules = BOOKS[book]
    hand = Counter(parse_set(HAND)) + Counter({JOKER: 3})
    plans = [*own_plans(hand, rules), *longer_plans(parse_table(" | ".join(SETS)), hand, rules, most=3)]
    for plan in plans:
        bound = plan.piece.bound
        assert plan.staying == (bound.jokers if bound is not None else 0)
        if bound is not None:
            assert list(plan.stands) == [in_code(way) for way in bound.readings]
    assert any(code < 0 for plan in plans for code in plan.stands if plan.staying)
