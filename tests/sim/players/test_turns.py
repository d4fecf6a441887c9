from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import numpy as np
import pytest

from referee.game.judge.judge import Turn, judge
from referee.game.notation import format_table, parse_set, parse_table
from referee.game.rulebooks import RULESETS, Ruleset
from referee.game.sets import is_set
from referee.game.table import Change, Table, in_order, tiles_on
from referee.game.tiles import Colour, Tile
from referee.i18n import LANGUAGES, Wording
from referee.sim.players.gin_mistakes import GinSlip
from referee.sim.players.legal_turns import legal_turn
from referee.sim.players.players import slip_told
from referee.sim.players.set_finding import (
    Rack,
    extensions,
    neat,
    rest,
    sets_in,
    sets_with_joker,
    spares,
    value_as_laid,
)
from referee.sim.players.turn_in_progress import Laying, Situation
from referee.sim.players.wrong_turns import OUTSIDE, Slip, illegal_turn

OPEN_SETS = [rules for rules in RULESETS.values() if rules.knocking is None]
RAVENSBURGER, PIATNIK = RULESETS["ravensburger"], RULESETS["piatnik"]
LAST_TILE = PIATNIK.choose(last_tile="on")
THIRTEEN = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"
EVERY_BOOK = pytest.mark.parametrize("rules", OPEN_SETS, ids=lambda r: r.name)


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
            seen = Situation(table, hand, opened, rules)
            yield seen, 10 * seed + k
            table = legal_turn(seen, generator) or table


def turn(table: str, hand: str, rules: Ruleset, *, opened: bool = True, seed: int = 1, **more: Any) -> Table | None:
    return legal_turn(Situation(parse_table(table), rack(hand), opened, rules, **more), rng(seed))


@EVERY_BOOK
def test_legal_turns_are_accepted(rules: Ruleset) -> None:
    laid = Counter[bool]()
    for seen, seed in situations(rules, 10):
        after = legal_turn(seen, rng(seed))
        if after is None:
            continue
        verdict = judge(seen.table, after, seen.turn, rules)
        laid[bool(seen.table)] += 1
        assert verdict.accepted, verdict.faults
        assert verdict.laid
        assert not Counter(verdict.laid) - seen.rack
        assert verdict.opens != seen.opened
    assert min(laid.values()) >= 5


@EVERY_BOOK
def test_illegal_turns_are_refused(rules: Ruleset) -> None:
    made = Counter[Slip]()
    for seen, seed in situations(rules, 10):
        for kind in Slip:
            if found := illegal_turn(seen, rng(seed), kind):
                made[kind] += 1
                if kind not in OUTSIDE:  # the others are made of the player's own tiles and the table's
                    rest(seen.rack, seen.table, found[1])
                assert not judge(seen.table, found[1], seen.turn, rules).accepted
                assert found[0] is kind
    assert set(made) >= {Slip.TOO_SHORT, Slip.WRONG_NUMBER, Slip.WRONG_TILE_ADDED, Slip.VANISHED, Slip.BROKEN_UP}
    if not rules.wraps:  # there a first meld may lean on the table, so that little is surely wrong
        assert set(made) >= {Slip.SAME_COLOUR, Slip.OPENING_TOO_LOW, Slip.NOT_OPENED}


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
        (Slip.JOKER_KEPT, "R3 R4 **", "R5 B9", True, "joker-not-reused"),
        (Slip.OPENING_USES_TABLE, "R1 R2 R3", "B10 B11 B12 R4", False, "opening-uses-table"),
        (Slip.FOREIGN, "R1 R2 R3 | R4 R5 R6 | R4 B4 K4", "B9", True, "impossible-tile"),
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


@pytest.mark.parametrize(
    ("kind", "rules", "table", "hand", "fault"),
    [
        (Slip.STRICTLY_BROKEN, RAVENSBURGER.choose(rebuild="strict"), "R5 R6 R7", "R3 R4 R8", "original-broken-up"),
        (
            Slip.TOO_MANY,
            RULESETS["brettspielnetz"],
            "",
            "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13",
            "too-many-tiles",
        ),
        (Slip.NOTHING_LAID, RAVENSBURGER.choose(rearranging="put-back"), "R1 R2 R3 R4 R5 R6", "B9", "nothing-laid"),
        (Slip.JOKER_FOR_OTHER_END, PIATNIK, "R4 R5 **", "R3 B8 B9", "joker-place"),
        (Slip.JOKER_FOR_OTHER_END, RULESETS["rummikub"], "** R5 R4 | B1 B2 B3", "R3 B8 B10", "joker-place"),
        (Slip.JOKER_FOR_OTHER_END, RULESETS["classic"], "R12 R13 **", "R11 B8 B9", "joker-place"),
        (Slip.UNDECLARED, RULESETS["classic"], "", "R4 R5 **", "joker-undeclared"),
        (Slip.JOKERS_ALONE, RULESETS["classic"], "", "** ** ** R5", "joker-undeclared"),
        (Slip.JOKERS_ALONE, RAVENSBURGER.choose(joker_sets="refused"), "", "** ** ** R5", "not-a-set"),
        (Slip.LAST_TILE, LAST_TILE, "R1 R2 R3", "R4", "last-tile-rule"),
        (Slip.LAST_TILE, LAST_TILE, "R7 R8 R9 | R10 K10 B10", "R4 K1 K4 B8 B9 Y1", "last-tile-rule"),
        (Slip.LAST_SET, PIATNIK.choose(winning_set="12"), "R1 R2 R3", "R4", "last-set-rule"),
        (Slip.LAST_SET, PIATNIK.choose(winning_set="12"), "R1 R2 R3", "B4 B5 B6", "last-set-rule"),
    ],
)
def test_slips_by_some_rules_only(kind: Slip, rules: Ruleset, table: str, hand: str, fault: str) -> None:
    aside = Tile(10, Colour.RED) if rules.finish.last_tile else None
    seen = Situation(parse_table(table), rack(hand), True, rules, aside)

    found = illegal_turn(seen, rng(), kind)

    assert found is not None
    alone = () if aside is None or aside in tiles_on(found[1]) else ((aside,),)
    assert fault in {f.kind.value for f in judge(seen.table, (*alone, *found[1]), seen.turn, rules).faults}


def test_tiles_drawn_secretly_are_more_than_the_hand_held() -> None:
    stock = tuple(parse_set("R5 R6"))
    seen = Situation(parse_table("R1 R2 R3"), rack("R4"), True, PIATNIK, stock=stock)
    found = illegal_turn(seen, rng(), Slip.MORE_THAN_HAND)
    assert found is not None
    assert tiles_on(found[1]) == rack("R1 R2 R3 R4 R5 R6")
    assert "more-than-hand" in {f.kind.value for f in judge(seen.table, found[1], seen.turn, PIATNIK).faults}


def test_nothing_can_go_wrong_without_tiles() -> None:
    assert illegal_turn(Situation((), Counter(), True, RULESETS["rummikub"]), rng()) is None


@EVERY_BOOK
def test_nothing_is_laid_where_nothing_fits(rules: Ruleset) -> None:
    assert turn("", "R1 R5 K9", rules) is None
    assert turn("", "R1 R2 R3", rules, opened=False) is None


def any_turn(table: str, hand: str, rules: Ruleset, *, opened: bool = True, **more: Any) -> set[str]:
    """The tables that people come to, by notation in order."""
    ways = (turn(table, hand, rules, opened=opened, seed=seed, **more) for seed in range(60))
    return {format_table(sorted(map(in_order, after), key=str)) for after in ways if after is not None}


def as_text(table: str) -> str:
    return format_table(sorted(map(in_order, parse_table(table)), key=str))


@pytest.mark.parametrize(
    ("table", "hand", "after"),
    [
        pytest.param("R8 B8 O8 K8", "R7 R9 K1", "B8 O8 K8 | R7 R8 R9", id="a tile of a group of four"),
        pytest.param("R8 B8 O8 K8 | R9 R10 R11 R12", "R7 K1", "B8 O8 K8 | R10 R11 R12 | R7 R8 R9", id="of two sets"),
        pytest.param("B1 B2 B3 B4 B5", "B3 K1", "B1 B2 B3 | B3 B4 B5", id="a run parted"),
        pytest.param("R3 R4 **", "R5 K8 K9", "R3 R4 R5 | K8 K9 **", id="a joker exchanged"),
        pytest.param("R3 R4 ** | R5 R6 R7 R8", "K8 K9 B1", "R3 R4 R5 | R6 R7 R8 | K8 K9 **", id="from the table"),
        pytest.param("R8 B8 O8 | R9 B9 O9 | R10 B10 O10", "R11 K1", "B8 B9 B10 | O8 O9 O10 | R8 R9 R10 R11", id="all"),
    ],
)
def test_people_rebuild(table: str, hand: str, after: str) -> None:
    assert as_text(after) in any_turn(table, hand, RULESETS["rummikub"])


def test_other_sets_stay_as_they_are() -> None:
    after = turn("R8 B8 O8 K8 | B1 B2 B3 | K5 K6 K7", "B4 K12", RULESETS["rummikub"])

    assert after == parse_table("R8 B8 O8 K8 | B1 B2 B3 B4 | K5 K6 K7")


def test_the_last_tiles_are_laid_with_a_joker() -> None:
    assert turn("", "R4 ** R6", RULESETS["rummikub"]) == parse_table("R4 ** R6")


def test_no_more_tiles_are_laid_than_one_turn_allows() -> None:
    rules = RULESETS["brettspielnetz"]
    ways = any_turn("", "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 G1 B1", rules)
    assert ways
    assert max(tiles_on(parse_table(way)).total() for way in ways) <= 12


def test_the_strict_reading_keeps_three_tiles_together() -> None:
    rules = RULESETS["ravensburger"].choose(rebuild="strict")
    assert any_turn("R8 B8 G8 | R9 B9 G9 | R10 B10 G10", "R11 Y1", RULESETS["ravensburger"])
    assert not any_turn("R8 B8 G8 | R9 B9 G9 | R10 B10 G10", "R11 Y1", rules) - {
        as_text("R8 R9 R10 R11 | B8 B9 B10 | G8 G9 G10")  # there every tile went to a set of its own
    }


def test_jokers_alone_are_laid_where_the_book_allows_it() -> None:
    rules = RULESETS["ravensburger"]
    assert as_text("** ** **") in any_turn("", "** ** ** G1 R5", rules)
    assert as_text("** ** **") not in any_turn("", "** ** ** G1 R5", rules.choose(joker_sets="refused"))


@pytest.mark.parametrize(
    ("counts", "table", "hand", "opens"),
    [
        ("whole", "R10 R11 R12 | K1 K2 K3", "R13 K4", True),
        ("added", "R10 R11 R12 | K1 K2 K3", "R13 K4", False),
        ("added", "R10 R11 R12", "R13 K13 Y13 B13 K5", True),
        ("whole", "K1 K2 K3", "K4", False),
    ],
)
def test_a_first_meld_leans_on_the_table_in_classic(counts: str, table: str, hand: str, opens: bool) -> None:
    rules = RULESETS["classic"].choose(opening_counts=counts)
    assert bool(any_turn(table, hand, rules, opened=False)) == opens


def test_a_joker_exchanged_counts_in_a_first_meld_where_that_is_agreed() -> None:
    table, hand = "R10 R11 **", "R12 R1 K9 K10 B4"
    rules = RULESETS["classic"]
    assert not any_turn(table, hand, rules, opened=False)
    ways = any_turn(table, hand, rules.choose(exchange="counts"), opened=False)
    assert as_text("R10 R11 R12 | K9 K10 **") in ways


def test_runs_go_on_from_king_to_ace_in_classic() -> None:
    assert any_turn("", "R12 R13 R1 R2", RULESETS["classic"]) == {as_text("R12 R13 R1 R2")}
    assert not any_turn("", "R12 R13 R1 R2", RULESETS["piatnik"])


def test_nobody_goes_out_without_the_tile_aside() -> None:
    rules = RULESETS["piatnik"].choose(last_tile="on")
    assert any_turn("", "R4 R5 R6", rules, aside=Tile(9, Colour.RED)) == set()
    assert any_turn("", "R4 R5 R6", rules, aside=Tile(7, Colour.RED)) == {as_text("R4 R5 R6 R7")}
    ways = any_turn("", "R10 R11 R12 R13", rules, aside=Tile(9, Colour.RED), opened=False)
    assert ways == {as_text("R9 R10 R11 R12 R13")}


@pytest.mark.parametrize(
    ("value", "sum_", "hand", "out"),
    [("15", "exact", "R4 R5 R6", True), ("14", "exact", "R4 R5 R6", False), ("14", "at-least", "R4 R5 R6", True)],
)
def test_nobody_goes_out_without_the_agreed_set(value: str, sum_: str, hand: str, out: bool) -> None:
    rules = RULESETS["piatnik"].choose(winning_set=value, winning_sum=sum_)
    assert bool(any_turn("", hand, rules)) == out


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


@pytest.mark.parametrize(
    ("tiles", "wraps", "fits"),
    [
        ("R4 R5 R6", False, "R3 ** R7 **"),
        ("R11 R12 R13", False, "R10 **"),
        ("R11 R12 R13", True, "R10 ** R1 **"),
        ("R1 R2 R3", True, "R13 ** R4 **"),
        ("R6 R5 R4", False, "R3 ** R7 **"),
        ("R7 B7 K7", False, "Y7 O7 G7 **"),
        ("R7 B7 K7 O7", False, ""),
        ("** R12 R13", False, "R10 **"),
        ("** ** **", False, ""),
        ("Y9 Y10 Y11 Y12 Y13 **", False, ""),
        ("R4 R5", False, ""),
    ],
)
def test_what_fits_at_the_ends_of_a_set(tiles: str, wraps: bool, fits: str) -> None:
    ways = extensions(parse_set(tiles), wraps)
    assert Counter(tile for tile, _ in ways) == rack(fits)
    assert all(is_set(longer, wraps) for _, longer in ways)


@pytest.mark.parametrize(
    ("tiles", "can_go"),
    [
        ("Y9 Y10 Y11 Y12 Y13 **", ""),
        ("R7 ** ** B7", ""),
        ("R4 R5 R6", ""),
        ("R4 R5 R6 R7", "R4 R7"),
        ("** R5 R6 R7", "R7"),
        ("R7 B7 ** K7", "R7 B7 K7"),
        ("R7 B7 K7", ""),
    ],
)
def test_what_a_set_can_do_without(tiles: str, can_go: str) -> None:
    assert Counter(spare.tile for spare in spares(parse_set(tiles))) == rack(can_go)


def test_sets_that_lie_ready_in_a_rack() -> None:
    held = rack("R12 R13 R1 R2 K5 B5 Y5 O5 G9")
    assert set(map(in_order, sets_in(held))) == {in_order(parse_set("K5 B5 Y5 O5"))}
    assert parse_set("R12 R13 R1 R2") in sets_in(held, wraps=True)
    assert sets_in(Counter(Tile(n, Colour.RED) for n in range(1, 14)), wraps=True)[0][0].number == 1
    assert set(sets_with_joker(rack("R4 R6 R12"))) == {parse_set("R4 ** R6")}


@pytest.mark.parametrize(
    ("tiles", "joker", "points"),
    [("R4 R5 **", None, 15), ("** R5 R6", None, 15), ("R4 R5 **", 25, 34), ("R7 ** K7", None, 21), ("R4 R5 **", 0, 9)],
)
def test_points_of_a_set_as_it_lies(tiles: str, joker: int | None, points: int) -> None:
    assert value_as_laid(parse_set(tiles), joker) == points


def test_own_sets_are_those_that_still_lie_as_they_were_laid() -> None:
    laying = Laying.begin(Situation(parse_table("B1 B2 B3"), rack("R4 R5 R6 R7"), True, RULESETS["piatnik"]))
    laying.lay(parse_set("R4 R5 R6"))
    assert laying.own == [parse_set("R4 R5 R6")]
    laying.add(1, *extensions(laying.sets[1])[2])
    assert laying.own == []
    assert laying.rack == Counter()
    assert laying.laid == rack("R4 R5 R6 R7")


def test_turns_depend_on_the_generator_only() -> None:
    rules = RULESETS["ravensburger"]
    for seen, seed in situations(rules, 2):
        one, other = (legal_turn(seen, rng(seed)) for _ in range(2))
        assert one == other
        assert illegal_turn(seen, rng(seed)) == illegal_turn(seen, rng(seed))
        assert seen.turn == Turn(seen.opened, 20)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slip", [*Slip, *GinSlip], ids=lambda slip: slip.name)
def test_every_slip_can_be_told_to_spectators(slip: StrEnum, language: str) -> None:
    assert Wording(language)(slip_told(slip))
