"""Puzzles can be solved, and their difficulty is what it is said to be."""

import random
from functools import cache
from itertools import combinations

import brute
import pytest

from benchmarks.comments import played_matches
from referee.game.coach import told_steps
from referee.game.judge.judge import Turn, judge
from referee.game.notation import parse_set, parse_table
from referee.game.puzzle.making import (
    ENOUGH_CHANGED,
    FEWEST_CHANGED,
    FEWEST_SETS,
    MOST_CHANGED,
    is_fit,
    make_puzzle,
    random_table,
    solve_puzzle,
)
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.table import Change, in_order, tiles_on
from referee.journal.rounds import RoundFollower

RUMMIKUB = ruleset("rummikub")
TABLE = parse_table("R1 R2 R3 R4 | B4 K4 O4 | K5 K6 K7 | O9 O10 O11 O12")


def chance(seed):
    return random.Random(seed).randrange  # noqa: S311 - chance for tests


def splits(tiles):
    """Whether tiles can all lie in sets, by trying every set that the first of them may lie in."""
    if not tiles:
        return True
    first, rest = tiles[0], tiles[1:]
    for size in range(2, min(len(rest), 12) + 1):
        for some in set(combinations(rest, size)):
            if brute.is_set((first, *some)):
                left = list(rest)
                for tile in some:
                    left.remove(tile)
                if splits(tuple(left)):
                    return True
    return False


@cache
def confirmed_tables():
    """Tables that virtual players have laid, with their rules."""
    found = []
    for state, events in played_matches(1):
        follower = RoundFollower(state)
        for event in events:
            follower.take(event)
        turns = (turn for played in follower.rounds for turn in played.turns)
        found += [(turn.after, state.rules) for turn in turns if is_fit(turn.after, state.rules)]
    return found


def made_puzzles(number, seed=1):
    tables = list(confirmed_tables())
    random.Random(seed).shuffle(tables)  # noqa: S311 - chance for tests
    found = (make_puzzle(table, rules, chance(seed)) for table, rules in tables)
    return [puzzle for puzzle, _ in zip((one for one in found if one is not None), range(number), strict=False)]


@pytest.fixture(scope="module")
def puzzles():
    return made_puzzles(12)


def test_a_puzzle_has_a_solution_that_the_judge_accepts(puzzles):
    assert len(puzzles) == 12
    for puzzle in puzzles:
        verdict = judge(puzzle.table, puzzle.solution, Turn(True), puzzle.rules)
        assert verdict.accepted
        assert in_order(verdict.laid) == in_order(puzzle.hand)
        assert tiles_on(puzzle.solution) == tiles_on((*puzzle.table, puzzle.hand))


def test_the_solution_changes_as_many_sets_as_is_said(puzzles):
    for puzzle in puzzles:
        assert FEWEST_CHANGED <= puzzle.changed <= MOST_CHANGED
        assert len(Change.between(puzzle.table, puzzle.solution).old) <= puzzle.changed


def test_fewer_changed_sets_do_not_suffice(puzzles):
    """Tried out with another search, where that does not take too long."""
    tried = 0
    for puzzle in puzzles:
        if puzzle.rules.wraps:
            continue
        for number in range(puzzle.changed):
            for changed in combinations(puzzle.table, number):
                tiles = in_order((*(tile for tiles in changed for tile in tiles), *puzzle.hand))
                if len(tiles) <= 11:
                    tried += 1
                    assert not splits(tiles), puzzle
    assert tried > 50


def test_no_tile_of_a_hand_can_simply_be_added(puzzles):
    for puzzle in puzzles:
        assert not any(brute.is_set((*tiles, tile)) for tiles in puzzle.table for tile in puzzle.hand)
        assert not any(brute.is_set(some) for some in combinations(puzzle.hand, 3))


def test_the_steps_lead_to_the_solution_and_move_every_tile_of_the_hand(puzzles):
    for puzzle in puzzles:
        steps = told_steps(puzzle.table, puzzle.steps)
        last = [one.tiles for one in steps[-1].after]
        assert sorted(map(in_order, last), key=str) == sorted(map(in_order, puzzle.solution), key=str)
        for step in steps:
            lying = tiles_on(one.tiles for one in step.after)
            assert tiles_on(puzzle.table) <= lying <= tiles_on(puzzle.solution)
            assert any(one.touched for one in step.after)
        laid = [tile for step in steps for tile in step.hand]
        assert in_order(laid) == in_order(puzzle.hand)


def test_the_same_chance_makes_the_same_puzzle():
    tables = [random_table(RUMMIKUB, chance(5)) for _ in range(2)]
    assert tables[0] == tables[1]
    assert make_puzzle(TABLE, RUMMIKUB, chance(3)) == make_puzzle(TABLE, RUMMIKUB, chance(3))


def test_a_hand_with_a_known_difficulty():
    """The runs that both 13s need take two tiles from each group, so that no group of three is left."""
    table = parse_table("R10 B10 K10 | R11 B11 K11 | R12 B12 K12 | O1 O2 O3")
    puzzle = solve_puzzle(table, parse_set("R13 K13"), RUMMIKUB)
    assert puzzle.changed == 3
    assert parse_set("O1 O2 O3") in puzzle.solution


def test_a_hand_that_can_simply_be_added_makes_no_puzzle():
    assert solve_puzzle(TABLE, parse_set("R5"), RUMMIKUB) is None


def test_what_no_rule_lets_anybody_lay_makes_no_puzzle():
    assert solve_puzzle(TABLE, parse_set("B13"), RUMMIKUB) is None


@pytest.mark.parametrize("name", [name for name in RULESETS if name != "gin"])
def test_a_table_that_is_made_up_is_legal(name):
    rules = ruleset(name)
    for seed in range(5):
        table = random_table(rules, chance(seed))
        assert all(brute.is_set(tiles) or rules.wraps for tiles in table)
        assert is_fit(table, rules) == (FEWEST_SETS <= len(table) <= 10)


def test_tables_that_are_small_illegal_or_of_gin_are_not_fit():
    assert is_fit(TABLE, RUMMIKUB)
    assert not is_fit(TABLE[:3], RUMMIKUB)
    assert not is_fit((*TABLE, parse_set("R7 R8 K9")), RUMMIKUB)
    assert not is_fit(TABLE, ruleset("gin"))
    assert make_puzzle(TABLE[:3], RUMMIKUB, chance(1)) is None


def test_a_puzzle_that_is_difficult_enough_ends_the_search():
    hard = [puzzle for puzzle in made_puzzles(8, seed=2) if puzzle.changed >= ENOUGH_CHANGED]
    assert hard
