"""The moves that lead from one table to another, tried out tile by tile."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.moves import Move, Step, steps_between
from referee.game.notation import parse_set, parse_table
from referee.game.solver import best_play
from referee.game.table import Table, in_order, laid_tiles, tiles_on
from referee.game.tiles import JOKER, Colour, Tile


def steps(before: str, after: str) -> tuple[Step, ...]:
    return steps_between(parse_table(before), parse_table(after))


def carry_out(before: Table, found: tuple[Step, ...], hand: Counter[Tile]) -> list[Counter[Tile]]:
    """Move the tiles one by one; return the sets that lie there at the end."""
    table = {index: Counter(tiles) for index, tiles in enumerate(before)}
    left = Counter(hand)
    for number, step in enumerate(found):
        target = table.setdefault(len(before) + number, Counter()) if step.place is None else table[step.place]
        for move in step.moves:
            source = left if move.source is None else table[move.source]
            assert source[move.tile] > 0, f"{move.tile} is not there any more"
            source[move.tile] -= 1
            target[move.tile] += 1
    assert not +left
    return [+tiles for tiles in table.values() if +tiles]


def test_a_set_that_grows_stays_in_its_place() -> None:
    tile = parse_set("R7")[0]
    assert steps("R4 R5 R6 | B9 K9 R9", "K9 B9 R9 | R4 R5 R6 R7") == (
        Step(0, (Move(tile, None),), parse_set("R4 R5 R6 R7")),
    )


def test_nothing_has_to_be_done_for_a_table_in_another_order() -> None:
    assert steps("R4 R5 R6 | B9 K9 R9", "R9 K9 B9 | R6 R5 R4") == ()


def test_it_is_told_how_a_set_lies_that_keeps_a_joker_where_that_is_not_clear() -> None:
    assert steps("** R4 R5 ** | R7 R8 R9", "** R4 R5 | ** R7 R8 R9") == (
        Step(0, (), parse_set("** R4 R5")),
        Step(1, (Move(JOKER, 0),), parse_set("** R7 R8 R9")),
    )
    assert steps("R4 R5 **", "** R4 R5") == (Step(0, (), parse_set("** R4 R5")),)
    assert steps("R4 ** R6 R7 | R8 R9 R10", "R6 ** R4 | R7 R8 R9 R10") == (
        Step(1, (Move(parse_set("R7")[0], 0),), parse_set("R7 R8 R9 R10")),
    )


def test_a_tile_comes_from_the_set_that_no_longer_needs_it() -> None:
    (step,) = steps("R1 R2 R3 R4 | B4 K4 O4", "R1 R2 R3 | B4 K4 O4 R4")
    assert step.place == 1
    assert step.moves == (Move(parse_set("R4")[0], 0),)


def test_new_sets_come_last_and_take_from_the_table_what_is_not_needed_there() -> None:
    found = steps("R1 R2 R3 R4 R5 R6 | B1 B2 B3", "R4 R5 R6 R7 | R1 R2 R3 R4 | K1 B1 O1 | B1 B2 B3 B4")
    assert [step.place for step in found] == [1, None, None]
    assert [(str(move.tile), move.source) for move in found[1].moves] == [
        ("R4", None),
        ("R5", 0),
        ("R6", 0),
        ("R7", None),
    ]
    assert all(move.source is None for move in found[2].moves)


def test_a_table_without_a_tile_that_lay_there_is_refused() -> None:
    with pytest.raises(ValueError, match="every tile"):
        steps("R1 R2 R3", "B1 B2 B3")


numbered = st.builds(Tile, st.integers(1, 13), st.sampled_from((Colour.RED, Colour.BLUE, Colour.BLACK, Colour.ORANGE)))


@given(st.lists(numbered, max_size=24), st.lists(numbered, max_size=8))
def test_carrying_out_the_moves_gives_the_new_table(lying: list[Tile], hand: list[Tile]) -> None:
    before = best_play((), lying)
    assert before is not None
    play = best_play([tile for tiles in before.sets for tile in tiles], hand)
    assert play is not None
    found = steps_between(before.sets, play.sets)
    there = carry_out(before.sets, found, laid_tiles(before.sets, play.sets))
    assert Counter(in_order(tiles.elements()) for tiles in there) == Counter(map(in_order, play.sets))
    assert tiles_on(play.sets) == tiles_on(before.sets) + Counter(play.tiles)
