"""What lies on the table is compared with a puzzle: first its beginning, then every solution counts."""

import pytest

from referee.game.notation import parse_set, parse_table
from referee.game.puzzle.checking import MOST_TOLD, check_beginning, check_solution
from referee.game.puzzle.making import Puzzle
from referee.game.rulebooks import ruleset

START = "R10 B10 K10 | R11 B11 K11 | R12 B12 K12 | O1 O2 O3"
SOLVED = "R10 R11 R12 R13 | B10 B11 B12 | K10 K11 K12 K13 | O1 O2 O3"
PUZZLE = Puzzle(parse_table(START), parse_set("R13 K13"), parse_table(SOLVED), 3, ruleset("rummikub"))


def told(found):
    return [(one.key.removeprefix("puzzle."), dict(one.fields).get("tiles")) for one in found]


def test_the_beginning_is_right_in_any_order_and_from_any_side():
    assert check_beginning(PUZZLE, parse_table("O3 O2 O1 | K12 R12 B12 | B10 R10 K10 | K11 B11 R11")) == ()


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param("R10 B10 K10 | R11 B11 K11 | R12 B12 K12 | O1 O2", [("missing", "O3")], id="a tile is missing"),
        pytest.param(f"{START} | R13", [("too_many", "R13")], id="a tile of the hand lies there"),
        pytest.param(START.replace("O3", "O4"), [("missing", "O3"), ("too_many", "O4")], id="another tile"),
        pytest.param(
            SOLVED.replace(" R13", "").replace(" K13", ""),
            [("lay_set", "R10 B10 K10"), ("lay_set", "R11 B11 K11"), ("lay_set", "R12 B12 K12")],
            id="the right tiles in other sets",
        ),
    ],
)
def test_what_is_wrong_with_the_beginning_is_told(seen, expected):
    found = told(check_beginning(PUZZLE, parse_table(seen)))
    assert found == [(key, parse_set(tiles)) for key, tiles in expected]
    assert len(found) <= MOST_TOLD


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(SOLVED, id="the solution that was found"),
        pytest.param("R13 R12 R11 R10 | B10 B11 B12 | K10 K11 K12 K13 | O3 O2 O1", id="from another side"),
    ],
)
def test_a_solution_counts(seen):
    assert check_solution(PUZZLE, parse_table(seen)) == ()


def test_another_solution_than_the_one_that_was_found_counts_as_well():
    other = "R10 B10 K10 | R11 R12 R13 | B11 B12 B13 | K11 K12 K13"
    puzzle = Puzzle(
        parse_table("R10 B10 K10 | R11 B11 K11 | R12 B12 K12"), parse_set("R13 B13 K13"),
        parse_table("R10 R11 R12 R13 | B10 B11 B12 B13 | K10 K11 K12 K13"), 3, ruleset("rummikub"),
    )  # fmt: skip
    assert check_solution(puzzle, puzzle.solution) == ()
    assert check_solution(puzzle, parse_table(other)) == ()


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param(START, [("still_to_lay", "R13 K13")], id="nothing laid"),
        pytest.param(SOLVED.replace(" K13", ""), [("still_to_lay", "K13")], id="one tile is left"),
        pytest.param(SOLVED.replace(" | O1 O2 O3", ""), [("missing", "O1 O2 O3")], id="tiles were taken away"),
        pytest.param(f"{SOLVED} O4", [("too_many", "O4")], id="a tile of the box"),
    ],
)
def test_what_keeps_it_from_being_a_solution_is_told(seen, expected):
    tiles = [(key, tuple(sorted(parse_set(tiles), key=str))) for key, tiles in expected]
    found = told(check_solution(PUZZLE, parse_table(seen)))
    assert [(key, tuple(sorted(some, key=str))) for key, some in found] == tiles


def test_all_tiles_but_not_in_sets_is_told_by_the_judge():
    found = check_solution(PUZZLE, parse_table(f"{START} | R13 K13"))
    assert [one.key for one in found] == ["judge.not_a_set"]
