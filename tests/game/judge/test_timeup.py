from collections import Counter
from dataclasses import replace

import pytest
from cases import case

from referee.game.judge.jokers.back import table_without_wrong_sets
from referee.game.judge.judge import Turn
from referee.game.judge.time_up import consequence, steps_to
from referee.game.notation import format_set, format_table, parse_table, parse_tile
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.rulebooks.model import TimeUpRule
from referee.game.table import tiles_on
from referee.i18n import ENGLISH

RAVENSBURGER, RUMMIKUB = ruleset("ravensburger"), ruleset("rummikub")
BRETTSPIELNETZ, PIATNIK, CLASSIC = ruleset("brettspielnetz"), ruleset("piatnik"), ruleset("classic")


def due(before, now, rules, opened=True, **turn):
    return consequence(parse_table(before), parse_table(now), Turn(opened=opened, **turn), rules)


def test_one_book_puts_everything_back_and_draws_three():
    result = due("R1 R2 R3 R4", "R1 R2 R3 | R4 R5 | B1 B2 B3", RUMMIKUB)
    assert format_table(result.target) == "R1 R2 R3 R4"
    assert format_set(result.takes) == "B1 B2 B3 R5"
    assert result.draws == 3
    assert tuple(map(ENGLISH, result.steps)) == (
        "Take the blue 1, the blue 2, the blue 3 and the red 5 into your hand.",
        "This set must be on the table: R1 R2 R3 R4.",
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
    found = table_without_wrong_sets(parse_table(now), RAVENSBURGER)
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
    told = ("Put the red 4 back on the table.", "This set must be on the table: R1 R2 R3 R4.")
    assert tuple(map(ENGLISH, steps)) == told


def test_no_steps_lead_to_where_one_is():
    assert steps_to(parse_table("R1 R2 R3"), parse_table("R3 R2 R1")) == ()


@pytest.mark.parametrize("rules", [RAVENSBURGER, PIATNIK, CLASSIC], ids=lambda rules: rules.name)
def test_three_books_make_the_player_take_what_lies_in_no_set(rules):
    result = due("R5 R6 R7 R8 | Y1 Y2 Y3", "R5 R6 | R7 R8 R9 | Y1 Y2 Y3 | K4 K5", rules)
    assert format_table(result.target) == "R7 R8 R9 | Y1 Y2 Y3"
    assert format_set(result.takes) == "K4 K5 R5 R6"
    assert (result.draws, result.opens) == (0, False)


def test_a_book_without_a_clock_puts_the_table_back_should_one_be_agreed():
    result = due("R5 R6 R7 R8", "R5 R6 | R7 R8 R9", BRETTSPIELNETZ.choose(minutes="2"))
    assert (format_table(result.target), format_set(result.takes), result.draws) == ("R5 R6 R7 R8", "R9", 1)


def test_a_run_over_the_ace_stays_where_it_is_one():
    assert format_table(table_without_wrong_sets(parse_table("R12 R13 R1 R5"), CLASSIC)) in (
        "R12 R13 R1",
        "R1 R12 R13",
    )
    assert table_without_wrong_sets(parse_table("R12 R13 R1 R5"), PIATNIK) == ()


def test_jokers_alone_stay_only_where_they_are_a_set():
    now = parse_table("** ** ** R1")
    refused = RAVENSBURGER.choose(joker_sets="refused")
    assert tiles_on(table_without_wrong_sets(now, RAVENSBURGER)).total() == 4
    assert table_without_wrong_sets(parse_table("** ** **"), refused) == ()


def test_a_joker_moved_against_the_rules_leaves_the_players_other_sets():
    result = due("Y5 G5 B5 **", "Y5 G5 B5 | G9 ** G11 | R1 R2 R3", RAVENSBURGER)
    assert format_table(result.target) == "Y5 G5 B5 ** | R1 R2 R3"
    assert format_set(result.takes) == "G9 G11"


def test_too_many_tiles_go_back_as_few_as_can_be():
    rules = replace(RAVENSBURGER, cap=6)
    result = due("", "R1 R2 R3 | B1 B2 B3 B4 B5", rules)
    assert format_set(result.takes) == "R1 R2 R3"
    result = due("Y1 Y2 Y3", "Y1 Y2 Y3 Y4 | B1 B2 B3 B4 B5 B6", rules)
    assert format_set(result.takes) == "Y4"


def test_tiles_added_to_a_set_can_be_taken_back_alone():
    rules = replace(RAVENSBURGER, cap=3)
    result = due("Y1 Y2 Y3 | K1 K2 K3", "Y1 Y2 Y3 Y4 | K1 K2 K3 | R7 R8 R9", rules)
    assert format_table(result.target) == "Y1 Y2 Y3 | K1 K2 K3 | R7 R8 R9"


def test_where_nothing_smaller_helps_everything_is_put_back():
    rules = replace(RAVENSBURGER, cap=0)
    result = due("Y1 Y2 Y3", "Y1 Y2 Y3 Y4 | B1 B2 B3 | R1 R2 R3 | K1 K2 K3", rules)
    assert format_table(result.target) == "Y1 Y2 Y3"
    assert len(result.takes) == 10


def test_a_row_that_does_not_tell_its_joker_is_no_reason_to_take_it():
    result = due("", "R5 ** R6 | R1", CLASSIC)
    assert format_table(result.target) == "R5 ** R6"


def test_a_table_spoilt_without_laying_is_taken_and_not_put_back():
    rules = RAVENSBURGER.choose(rearranging="put-back")
    result = due("R1 R2 R3 R4 | B1 B2 B3", "R1 R2 | R3 R4 | B1 B2 B3", rules)
    assert format_set(result.takes) == "R1 R2 R3 R4"
    result = due("R1 R2 R3 | R4 R5 R6", "R1 R2 R3 R4 R5 R6", rules)
    assert (result.takes, format_table(result.target)) == ((), "R1 R2 R3 | R4 R5 R6")


class TestTheTileAside:
    RULES = PIATNIK.choose(last_tile="on")

    @pytest.mark.parametrize(("before", "hand"), [("B1 B2 B3", 1), ("B1 B2 B3 | B4", 9)])
    def test_it_goes_back_aside(self, before, hand):
        result = due(before, "B1 B2 B3 B4 | R1", self.RULES, hand=hand, aside=parse_tile("B4"))
        assert result.aside == parse_tile("B4")
        assert format_table(result.target) == "B1 B2 B3"
        assert format_set(result.takes) == "R1"
        assert tuple(map(ENGLISH, result.steps)) == (
            "Set the blue 4 aside again.",
            "Take the red 1 into your hand.",
            "This set must be on the table: B1 B2 B3.",
        )

    def test_where_its_twin_was_laid_the_one_goes_back_that_keeps_more(self):
        now = "B1 B2 B3 B4 | B4 R4 K4 Y4 | R1"
        result = due("B1 B2 B3", now, self.RULES, hand=9, aside=parse_tile("B4"))
        assert tiles_on(result.target).total() == 7

    def test_it_stays_aside(self):
        for now in ("B1 B2 B3 B5 | B4", "B1 B2 B3 B5"):
            result = due("B1 B2 B3", now, self.RULES, hand=9, aside=parse_tile("B4"))
            assert (result.aside, format_table(result.target)) == (None, "B1 B2 B3")

    def test_nobody_goes_out_without_it(self):
        result = due("B1 B2 B3", "B1 B2 B3 | R1 R2 R3 R4 | B4", self.RULES, hand=4, aside=parse_tile("B4"))
        assert result.takes != ()


def test_tiles_are_never_lost_and_what_is_left_is_legal():
    for seed in range(600):
        turn = case(seed)
        if turn.judged.accepted or turn.turn.aside:
            continue
        result = consequence(turn.before, turn.after, turn.turn, turn.rules)
        on_table, taken = tiles_on(result.target), Counter(result.takes)
        returned = on_table + taken - tiles_on(turn.after)
        assert on_table + taken == tiles_on(turn.after) + returned
        assert not returned - (tiles_on(turn.before) - tiles_on(turn.after))
        assert steps_to(result.target, result.target) == ()
        kept_by_player = tiles_on(turn.before) - on_table
        assert kept_by_player or turn.rules.joker_rule.declared or replace(turn, after=result.target).legal
        if turn.rules.timing.consequence is TimeUpRule.ROLL_BACK:
            assert result.target == turn.before


def test_every_book_says_what_happens():
    assert {rules.timing.consequence for rules in RULESETS.values() if rules.melds is not None} == set(TimeUpRule)
