"""The best legal turn: as much as the rule book allows, and the judge accepts it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import BadInput
from referee.game.judge.best.search import Proposal, TurnSearch
from referee.game.judge.best_turn import BestTurn, arrange, best_turn
from referee.game.judge.judge import Turn, judge
from referee.game.notation import format_set, format_table, parse_set, parse_table
from referee.game.rulebooks import RULESETS, Ruleset, ruleset
from referee.game.solver import best_play
from referee.game.table import tiles_on
from referee.game.tiles import JOKER, Colour, Tile

BOOKS = [book.name for book in RULESETS.values() if book.melds is not None]


def best(table: str, hand: str, rules: str = "rummikub", *, opened: bool = True, points: bool = False) -> BestTurn:
    return best_turn(parse_table(table), parse_set(hand), ruleset(rules), opened=opened, points=points)


@pytest.mark.parametrize("rules", BOOKS)
def test_tiles_are_added_to_sets_of_the_table(rules: str) -> None:
    turn = best("R4 R5 R6 | B9 K9 R9", "R3 R7 K1", rules)
    assert format_set(turn.laid) == "R3 R7"
    assert [step.place for step in turn.steps] == [0]
    assert format_set(turn.steps[0].result) == "R3 R4 R5 R6 R7"


def test_the_table_is_rebuilt_for_more_tiles() -> None:
    turn = best("R1 R2 R3 R4 R5 R6", "R3 B3 K3 R4")
    assert len(turn.laid) == 4
    assert judge(parse_table("R1 R2 R3 R4 R5 R6"), turn.table, Turn(hand=4), ruleset("rummikub")).accepted


def test_sets_that_need_not_change_stay_as_they_are() -> None:
    turn = best("R7 R6 R5 | O8 K8 B8 | B1 B2 B3", "B4")
    assert turn.steps[0].place == 2
    assert len(turn.steps) == 1
    assert "R7 R6 R5 | O8 K8 B8" in format_table(turn.table)


def test_a_first_meld_uses_own_tiles_only() -> None:
    assert best("R4 R5 R6", "R7 R8", opened=False).laid == ()
    turn = best("R4 R5 R6", "R7 K10 B10 R10", opened=False)
    assert format_set(turn.laid) == "K10 B10 R10"


def test_a_first_meld_that_is_worth_too_little_is_not_laid() -> None:
    assert best("", "R1 R2 R3", opened=False) == BestTurn((), (), ())


def test_points_may_count_instead_of_tiles() -> None:
    hand = "R1 R2 R3 R4 B11 K11 O11 R11 R12 R13"
    assert best("", hand, points=True).points >= best("", hand).points


def test_a_book_that_keeps_jokers_still_lets_others_grow() -> None:
    """Whatever way lays most is found by some proposal; in any case a tile that only continues a run is laid."""
    for rules in BOOKS:
        turn = best("R5 ** R7 R8 | B1 B2 B3", "B4 K1", rules)
        assert parse_set("B4")[0] in turn.laid


@pytest.mark.parametrize("hand", ["R1 R2 R3 B5 B6 B7 **", "B1 B2 B3 R5 R6 R7 **"])
def test_a_joker_of_the_hand_lies_where_a_first_meld_needs_it(hand: str) -> None:
    turn = best("R4 B4 K4", hand, opened=False)
    assert (len(turn.laid), turn.proven) == (7, True)


def test_the_table_is_used_after_the_first_meld_where_the_book_allows_it() -> None:
    for rules in ("piatnik", "ravensburger", "classic"):
        turn = best("Y4 Y5 Y6", "R10 R11 R12 R13 B12 Y7", rules, opened=False)
        assert format_set(turn.laid) == "Y7 R10 R11 R12 R13"
    assert len(best("Y4 Y5 Y6", "R10 R11 R12 R13 B12 Y7", "brettspielnetz", opened=False).laid) == 4


def test_no_more_tiles_are_laid_than_the_book_allows() -> None:
    turn = best("R1 R2 R3", "R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B1 B2 B3 B4", "brettspielnetz")
    assert (len(turn.laid), turn.most) == (12, 12)
    turn = best("R1 R2 R3", "R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 B1 B2 B3 B4", "brettspielnetz", points=True)
    assert (len(turn.laid), turn.points, turn.proven) == (12, 90, True)


def test_a_joker_is_freed_by_a_tile_of_the_hand() -> None:
    for rules in ("piatnik", "rummikub", "ravensburger", "classic"):
        turn = best("R4 R5 ** R7", "R6 B10 B11", rules)
        assert (len(turn.laid), turn.proven) == (3, True)


def test_a_joker_that_is_not_freed_moves_only_as_its_tile() -> None:
    table, hand = "R2 R3 R4 ** R6 R7 R8", "B5 K5"
    assert format_set(best(table, hand, "piatnik").laid) == "K5 B5"
    assert best(table, hand, "ravensburger").laid == ()


def test_a_tile_of_the_table_frees_a_joker_only_where_the_book_says_so() -> None:
    table, hand = "R9 R10 R11 R12 | B9 K9 **", "B5 K5"
    assert len(best(table, hand, "rummikub").laid) == 2
    assert best(table, hand, "piatnik") == BestTurn((), parse_table(table), ())


def test_a_joker_of_a_run_stays_in_a_run() -> None:
    turn = best("B2 B3 B4 | R2 R3 R4 **", "Y5 B5 Y1 R4", "ravensburger")
    assert (format_set(turn.laid), turn.proven) == ("B5", True)


def test_jokers_alone_may_stay_where_they_lie() -> None:
    turn = best("** ** ** | R4 R5 R6", "R7", "classic")
    assert format_set(turn.laid) == "R7"
    assert "** ** **" in format_table(turn.table)


def test_a_set_stays_that_must_not_be_broken_up() -> None:
    strict = ruleset("ravensburger").choose(rebuild="strict")
    turn = best_turn(parse_table("** R8 ** | R7 ** R9"), parse_set("R10 B9"), strict)
    assert (format_set(turn.laid), turn.proven) == ("R10", False)


def test_a_search_that_is_cut_short_still_has_a_bound() -> None:
    table, hand = parse_table("R4 ** R6"), parse_set("B5 K5 O5")
    search = TurnSearch(table, table, ruleset("rummikub"), Turn(), False, Proposal((), table), left=0)
    assert search.run(hand) == 3
    assert search.best == ((), table)


def test_gin_has_no_turns_of_this_kind() -> None:
    with pytest.raises(BadInput, match="turn by turn"):
        best("", "R1 R2 R3", "gin")


def test_a_table_that_is_not_legal_is_arranged() -> None:
    turn = arrange(parse_table("R1 R2 | R3 K5 B5 O5"), ruleset("rummikub"))
    assert turn is not None
    assert turn.laid == ()
    assert [format_set(step.result) for step in turn.steps] == ["R1 R2 R3"]


def test_tiles_that_cannot_lie_in_sets_have_no_arrangement() -> None:
    assert arrange(parse_table("R1 R2 | K7"), ruleset("rummikub")) is None


numbered = st.builds(Tile, st.integers(1, 13), st.sampled_from((Colour.RED, Colour.BLUE, Colour.BLACK, Colour.ORANGE)))
tiles = st.one_of(numbered, numbered, numbered, numbered, st.just(JOKER))


def within(found: list[Tile], book: Ruleset, most: int) -> list[Tile]:
    """Return the tiles that one box can hold."""
    left = dict(book.box.inventory())
    kept = []
    for tile in found[:most]:
        if left.get(tile, 0):
            left[tile] -= 1
            kept.append(tile)
    return kept


@settings(max_examples=60)
@given(st.lists(tiles, max_size=40), st.sampled_from(BOOKS), st.booleans())
def test_the_judge_accepts_every_turn_and_no_way_lays_more(found: list[Tile], name: str, points: bool) -> None:
    book = ruleset(name)
    every = within(found, book, 40)
    lying, hand = every[: 2 * len(every) // 3], tuple(every[2 * len(every) // 3 :])
    table = best_play((), lying)
    assert table is not None
    turn = best_turn(table.sets, hand, book, points=points)
    assert tiles_on(turn.table) == tiles_on(table.sets) + tiles_on((turn.laid,))
    assert judge(table.sets, turn.table, Turn(hand=len(hand)), book).accepted
    freely = best_play([tile for tiles in table.sets for tile in tiles], hand, wraps=book.wraps)
    assert freely is not None
    assert len(turn.laid) <= len(freely.tiles)
    if not points and JOKER not in every:
        assert len(turn.laid) == len(freely.tiles)
