import pytest

from referee.game.judge import Turn
from referee.game.notation import format_set, format_table, parse_table
from referee.game.rulesets import ruleset
from referee.game.timeup import consequence, kept, steps_to

RAVENSBURGER, RUMMIKUB = ruleset("ravensburger"), ruleset("rummikub")


def due(before, now, rules, opened=True):
    return consequence(parse_table(before), parse_table(now), Turn(opened=opened), rules)


def test_one_book_puts_everything_back_and_draws_three():
    result = due("R1 R2 R3 R4", "R1 R2 R3 | R4 R5 | B1 B2 B3", RUMMIKUB)
    assert format_table(result.target) == "R1 R2 R3 R4"
    assert format_set(result.takes) == "B1 B2 B3 R5"
    assert result.draws == 3
    assert result.steps == (
        "Take the blue 1, the blue 2, the blue 3 and the red 5 into your hand.",
        "This set must lie on the table: R1 R2 R3 R4.",
    )


def test_before_the_first_meld_there_is_no_penalty_but_the_tile_of_a_turn_without_one():
    assert due("", "R1 R2", RUMMIKUB, opened=False).draws == 1


def test_the_other_book_makes_the_player_take_what_lies_in_no_set():
    result = due("R5 R6 R7 R8", "R5 R6 | R7 R8 R9", RAVENSBURGER)
    assert format_table(result.target) == "R7 R8 R9"
    assert format_set(result.takes) == "R5 R6"
    assert result.draws == 0


@pytest.mark.parametrize(
    ("now", "stays"),
    [
        ("R4 R5 R6 R9", "R4 R5 R6"),
        ("R7 B7 K7 R7", "B7 K7 R7"),
        ("R1 R2 R3 R5 R6 R7", "R1 R2 R3 | R5 R6 R7"),
        ("R1 B9", ""),
        ("R4 R5 R6 | R9", "R4 R5 R6"),
    ],
)
def test_the_largest_part_of_a_wrong_set_stays(now, stays):
    found = kept(parse_table(now), RAVENSBURGER)
    assert sorted(map(sorted, found)) == sorted(map(sorted, parse_table(stays)))


def test_a_first_meld_that_is_worth_enough_counts_although_other_tiles_go_back():
    result = due("", "Y10 G10 B10 R10 | Y1", RAVENSBURGER, opened=False)
    assert result.opens
    assert format_set(result.takes) == "Y1"


def test_a_first_meld_too_low_goes_back():
    result = due("R1 R2 R3", "R1 R2 R3 | Y1 G1 B1", RAVENSBURGER, opened=False)
    assert not result.opens
    assert format_table(result.target) == "R1 R2 R3"
    assert result.draws == 1


def test_loose_tiles_before_the_first_meld_go_back_and_a_tile_is_drawn():
    result = due("R1 R2 R3", "R1 R2 R3 | Y1", RAVENSBURGER, opened=False)
    assert (format_set(result.takes), result.draws, result.opens) == ("Y1", 1, False)


def test_a_joker_moved_against_the_rules_spoils_the_whole_turn():
    result = due("Y5 G5 B5 **", "Y5 G5 B5 | G9 ** G11", RAVENSBURGER)
    assert format_table(result.target) == "Y5 G5 B5 **"


def test_tiles_of_the_table_that_are_missing_must_be_put_back():
    steps = steps_to(parse_table("R1 R2 R3"), parse_table("R1 R2 R3 R4"))
    assert steps == ("Put the red 4 on the table again.", "This set must lie on the table: R1 R2 R3 R4.")


def test_no_steps_lead_to_where_one_is():
    assert steps_to(parse_table("R1 R2 R3"), parse_table("R3 R2 R1")) == ()
