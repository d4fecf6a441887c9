from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from referee.game.judge import Turn, judge
from referee.game.notation import parse_set, parse_table
from referee.game.rulesets import RULESETS, Ruleset
from referee.game.sets import is_set
from referee.game.table import Change, Table, in_order, tiles_on
from referee.sim.slips import Situation, Slip, illegal_turn
from referee.sim.turns import Rack, legal_turn, neat, rest

BOTH = pytest.mark.parametrize("rules", [RULESETS["ravensburger"], RULESETS["rummikub"]], ids=lambda r: r.name)


def rack(text: str) -> Rack:
    return Counter(parse_set(text))


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def situations(rules: Ruleset, count: int) -> Iterator[tuple[Situation, int]]:
    """Racks and tables that grew by legal turns."""
    for seed in range(count):
        generator = rng(seed)
        box = in_order(Counter(rules.box.inventory()).elements())
        order = [box[i] for i in generator.permutation(len(box))]
        table: Table = ()
        for k in range(4):
            hand = Counter(order[k * 20 : (k + 1) * 20])
            opened = bool(seed % 2) and k > 0
            yield Situation(table, hand, opened, rules), 10 * seed + k
            table = legal_turn(table, hand, opened, rules, generator) or table


@BOTH
def test_legal_turns_are_accepted(rules: Ruleset) -> None:
    laid = Counter[bool]()
    for seen, seed in situations(rules, 10):
        after = legal_turn(seen.table, seen.rack, seen.opened, rules, rng(seed))
        if after is None:
            continue
        verdict = judge(seen.table, after, seen.turn, rules)
        laid[bool(seen.table)] += 1
        assert verdict.accepted, verdict.faults
        assert verdict.laid
        assert not Counter(verdict.laid) - seen.rack
        assert verdict.opens != seen.opened
    assert min(laid.values()) >= 5


@BOTH
def test_illegal_turns_are_refused(rules: Ruleset) -> None:
    made = Counter[Slip]()
    for seen, seed in situations(rules, 10):
        for kind in Slip:
            if found := illegal_turn(seen, rng(seed), kind):
                made[kind] += 1
                rest(seen.rack, seen.table, found[1])  # made of the player's own tiles and the table's
                assert not judge(seen.table, found[1], seen.turn, rules).accepted
                assert found[0] is kind
    assert set(made) >= set(Slip) - {Slip.JOKER_TAKEN, Slip.PAST_THIRTEEN}


@pytest.mark.parametrize(
    ("kind", "table", "hand", "opened", "fault"),
    [
        (Slip.TOO_SHORT, "", "R4 R5 K9", True, "not-a-set"),
        (Slip.WRONG_NUMBER, "", "R4 R5 R7", True, "not-a-set"),
        (Slip.SAME_COLOUR, "", "R4 R4 K4", True, "not-a-set"),
        (Slip.PAST_THIRTEEN, "", "R12 R13 R1", True, "not-a-set"),
        (Slip.WRONG_TILE_ADDED, "R1 R2 R3", "K9", True, "not-a-set"),
        (Slip.OPENING_TOO_LOW, "", "R1 R2 R3", False, "opening-too-low"),
        (Slip.NOT_OPENED, "R1 R2 R3", "R4", False, "not-opened"),
        (Slip.VANISHED, "R1 R2 R3 R4", "K9", True, "tile-vanished"),
        (Slip.BROKEN_UP, "R1 R2 R3", "B2", True, "not-a-set"),
        (Slip.JOKER_TAKEN, "R3 R4 R5 **", "B8 B9", True, "joker-not-replaced"),
    ],
)
def test_every_slip_is_the_fault_it_is_meant_to_be(
    kind: Slip, table: str, hand: str, opened: bool, fault: str
) -> None:
    rules = RULESETS["rummikub"]
    seen = Situation(parse_table(table), rack(hand), opened, rules)

    found = illegal_turn(seen, rng(), kind)

    assert found is not None
    assert fault in {f.kind.value for f in judge(seen.table, found[1], seen.turn, rules).faults}


def test_nothing_can_go_wrong_without_tiles() -> None:
    assert illegal_turn(Situation((), Counter(), True, RULESETS["rummikub"]), rng()) is None


@BOTH
def test_nothing_is_laid_where_nothing_fits(rules: Ruleset) -> None:
    assert legal_turn((), rack("R1 R5 K9"), True, rules, rng()) is None
    assert legal_turn((), rack("R1 R2 R3"), False, rules, rng()) is None


def test_a_rebuilding_is_found() -> None:
    table = parse_table("R8 B8 O8 K8")

    after = legal_turn(table, rack("R7 R9 K1"), True, RULESETS["rummikub"], rng())

    assert after is not None
    assert {in_order(tiles) for tiles in after} == {in_order(t) for t in parse_table("B8 O8 K8 | R7 R8 R9")}


def test_other_sets_stay_as_they_are() -> None:
    table = parse_table("R8 B8 O8 K8 | B1 B2 B3 | K5 K6 K7")

    after = legal_turn(table, rack("B4 K12"), True, RULESETS["rummikub"], rng())

    assert after == (table[0], parse_set("B1 B2 B3 B4"), table[2])


def test_the_last_tiles_are_laid_with_a_joker() -> None:
    after = legal_turn((), rack("R4 ** R6"), True, RULESETS["rummikub"], rng())

    assert after == parse_table("R4 ** R6")


@pytest.mark.parametrize(
    ("laid", "expected"),
    [("R6 R4 **", "R4 ** R6"), ("** R11 R12", "R11 R12 **"), ("B7 ** K7", "K7 B7 **"), ("R3 R1 R2", "R1 R2 R3")],
)
def test_sets_lie_in_reading_order(laid: str, expected: str) -> None:
    assert neat(parse_set(laid)) == parse_set(expected)
    assert is_set(neat(parse_set(laid)))


def test_tiles_go_between_rack_and_table_only() -> None:
    before, after = parse_table("R1 R2 R3"), parse_table("R2 R3 R4")

    assert rest(rack("R4 K9"), before, after) == rack("R1 K9")
    assert Change.between(before, after).vanished == tiles_on(parse_table("R1"))
    with pytest.raises(ValueError, match="besides"):
        rest(rack("K9"), before, after)


def test_turns_depend_on_the_generator_only() -> None:
    rules = RULESETS["ravensburger"]
    for seen, seed in situations(rules, 2):
        one, other = (legal_turn(seen.table, seen.rack, seen.opened, rules, rng(seed)) for _ in range(2))
        assert one == other
        assert illegal_turn(seen, rng(seed)) == illegal_turn(seen, rng(seed))
        assert seen.turn == Turn(seen.opened, 20)
