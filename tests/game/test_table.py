from collections import Counter

from drawn import loose, tables
from hypothesis import given

from referee.game.notation import parse_set, parse_table
from referee.game.table import Change, in_order, laid_tiles, tiles_on, vanished_tiles

BEFORE = parse_table("R1 R2 R3 | B7 K7 R7")


def test_what_came_and_what_went_is_counted_by_tiles():
    after = parse_table("R1 R2 R3 R1 | B7 K7")
    assert laid_tiles(BEFORE, after) == Counter(parse_set("R1"))
    assert vanished_tiles(BEFORE, after) == Counter(parse_set("R7"))


def test_only_sets_that_differ_are_part_of_a_change():
    change = Change.between(BEFORE, parse_table("K7 B7 R7 | R3 R2 R1 R4 | **"))
    assert change.old == parse_table("R1 R2 R3")
    assert change.new == ((1, parse_set("R3 R2 R1 R4")), (2, parse_set("**")))
    assert change.laid == Counter(parse_set("R4 **"))
    assert change.numbered_laid == Counter(parse_set("R4"))
    assert change.reachable_tiles == Counter(parse_set("R1 R2 R3 R4 B7 K7 R7"))
    assert not change.nothing


def test_two_equal_sets_are_two_sets():
    change = Change.between(parse_table("R1 R2 R3"), parse_table("R1 R2 R3 | R1 R2 R3"))
    assert change.old == ()
    assert len(change.new) == 1


@given(tables(3), loose(4))
def test_tiles_are_never_lost_between_two_tables(before, tiles):
    after = (*before[1:], tuple(tiles))
    change = Change.between(before, after)
    assert tiles_on(before) + change.laid == tiles_on(after) + change.vanished


@given(loose(6))
def test_order_does_not_matter_once_sorted(tiles):
    assert in_order(tiles) == in_order(tiles[::-1])
