"""Parts of all turns: what is decided in them, and how they are divided."""

from collections import Counter

from referee.game.judge.best.arranging import keep_sets
from referee.game.judge.best.parts import Part
from referee.game.judge.jokers.plans import FREE, STAYS, JokerPlan, joker_plans
from referee.game.notation import format_set, format_table, parse_set, parse_table
from referee.game.rulebooks import ruleset
from referee.game.table import tiles_on
from referee.game.tiles import JOKER, Tile

RUMMIKUB, RAVENSBURGER, PIATNIK, CLASSIC = map(ruleset, ("rummikub", "ravensburger", "piatnik", "classic"))


def tile(name: str) -> Tile:
    return parse_set(name)[0]


def plans(tiles: str, table: str, hand: str, rules: str) -> tuple[JokerPlan, ...]:
    return joker_plans(parse_set(tiles), tiles_on(parse_table(table)), Counter(parse_set(hand)), ruleset(rules))


def test_a_joker_is_free_where_the_book_says_so_or_its_tile_lies_on_the_table() -> None:
    assert plans("R4 ** R6", "", "", "brettspielnetz") == (FREE,)
    assert plans("R4 ** R6", "R5 B5 K5", "", "rummikub") == (FREE,)
    assert plans("R4 R5 R6", "", "", "piatnik") == (FREE,)


def test_a_joker_is_kept_or_freed_by_a_tile_of_the_hand() -> None:
    five = tile("R5")
    assert plans("R4 ** R6", "R5 R6 R7", "R5", "piatnik") == (
        JokerPlan(laid=(five,)),
        JokerPlan(kept=((five, False),)),
    )
    assert plans("R4 ** R6", "", "B5", "ravensburger") == (JokerPlan(kept=((five, True),)),)


def test_jokers_alone_may_stay_where_the_book_refuses_to_move_them_together() -> None:
    assert plans("** ** **", "", "", "classic")[0] is STAYS
    assert STAYS not in plans("** ** **", "", "", "ravensburger")


def part(table: str, hand: str) -> Part:
    return Part.whole(parse_table(table), parse_set(hand))


def test_a_tile_that_is_laid_frees_several_jokers_only_where_it_replaces_them_on_the_table() -> None:
    plan = JokerPlan(laid=(tile("R5"),))
    sets = parse_table("R4 ** R6 | R3 R4 **")
    for rules, frees_both in ((RUMMIKUB, True), (PIATNIK, False)):
        first = part("R4 ** R6 | R3 R4 **", "R5").with_plan(0, sets[0], plan, rules)
        assert first is not None
        assert first.laid == Counter([tile("R5")])
        assert (first.with_plan(1, sets[1], plan, rules) is not None) == frees_both


def test_a_joker_is_not_kept_where_a_tile_that_replaces_it_is_laid() -> None:
    sets = parse_table("R4 ** R6 | R3 R4 **")
    kept, laid = JokerPlan(kept=((tile("R5"), False),)), JokerPlan(laid=(tile("R5"),))
    for plans_in_order in ((kept, laid), (laid, kept)):
        first = part("R4 ** R6 | R3 R4 **", "R5").with_plan(0, sets[0], plans_in_order[0], RUMMIKUB)
        assert first is not None
        assert first.with_plan(1, sets[1], plans_in_order[1], RUMMIKUB) is None


def settled(table: str, hand: str, *plans_of_sets: JokerPlan) -> list[str]:
    whole = part(table, hand)
    for index, (tiles, plan) in enumerate(zip(parse_table(table), plans_of_sets, strict=True)):
        then = whole.with_plan(index, tiles, plan, RAVENSBURGER)
        assert then is not None
        whole = then
    return [format_set(each.done[-1]) for each in whole.settle(RAVENSBURGER)]


def test_a_joker_of_a_run_stays_in_a_run_of_three_to_five_tiles() -> None:
    kept = JokerPlan(kept=((tile("R5"), True),))
    assert settled("R4 ** R6 | R7 R8 R9", "R3", kept, FREE) == [
        "R3 R4 **",
        "R4 ** R6",
        "** R6 R7",
        "R3 R4 ** R6",
        "R4 ** R6 R7",
        "** R6 R7 R8",
        "R3 R4 ** R6 R7",
        "R4 ** R6 R7 R8",
        "** R6 R7 R8 R9",
    ]


def test_a_run_with_a_joker_ends_where_the_numbers_end() -> None:
    kept = JokerPlan(kept=((tile("R1"), True),))
    assert settled("** R2 R3", "", kept) == ["** R2 R3"]


def test_a_joker_of_a_group_stays_in_a_group_with_another_joker_where_no_tile_is() -> None:
    kept = JokerPlan(kept=((tile("G5"), False),))
    found = settled("R5 B5 **", "Y5 **", kept)
    assert sorted(" ".join(sorted(each.split())) for each in found) == [
        "** ** B5",
        "** ** B5 R5",
        "** ** R5",
        "** B5 R5",
        "** B5 R5 Y5",
        "** B5 Y5",
        "** R5 Y5",
    ]


def test_jokers_that_are_kept_may_lie_in_one_set() -> None:
    kept = JokerPlan(kept=((tile("R5"), True), (tile("R6"), True)))
    assert "R4 ** **" in settled("R4 ** **", "", kept)


def test_sets_of_the_table_stay_unless_their_tiles_lie_in_a_settled_set() -> None:
    table = parse_table("R4 ** R6 | B7 B8 B9 | R6 R7 R8")
    plan = JokerPlan(kept=((tile("R5"), True),))
    first = Part.whole(table, parse_set("B4 Y4 B6 Y6 G8 Y8")).with_plan(0, table[0], plan, RAVENSBURGER)
    assert first is not None
    then = next(each for each in first.settle(RAVENSBURGER) if format_set(each.done[0]) == "** R6 R7")
    sets = parse_table("B7 B8 B9 | B4 R4 Y4 | B6 R6 Y6 | G8 R8 Y8")
    assert format_table(keep_sets(table, then, sets, RAVENSBURGER)[:2]) == "** R6 R7 | B7 B8 B9"


def test_parts_are_divided_by_a_tile_that_is_not_laid() -> None:
    assert part("", "R1 R1 R2").without(tile("R1"), 2).hand == Counter(parse_set("R1 R2"))


def test_a_joker_of_the_hand_is_laid_as_a_tile() -> None:
    then = part("", "** R1").with_joker_as(tile("R5"))
    assert (then.must, then.laid, then.hand[JOKER]) == (Counter([tile("R5")]), Counter([JOKER]), 0)
