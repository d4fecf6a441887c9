from dataclasses import replace

import pytest

from referee.game.judge.judge import Turn, judge
from referee.game.judge.verdict import FaultKind, Verdict
from referee.game.notation import format_set, parse_table
from referee.game.rulebooks import ruleset
from referee.game.rulebooks.model import JokerFreedom, JokerRule
from referee.i18n import ENGLISH

RAVENSBURGER, RUMMIKUB = ruleset("ravensburger"), ruleset("rummikub")
STRICT = RAVENSBURGER.choose(rebuild="strict")
FREE = RAVENSBURGER.with_value("joker_rule", JokerRule(JokerFreedom.ALWAYS))
EXCHANGE = RUMMIKUB.with_value("joker_rule", JokerRule(JokerFreedom.EXCHANGED, travels=True))
NEW = Turn(opened=False)


def judged(before, after, turn=None, rules=RAVENSBURGER):
    return judge(parse_table(before), parse_table(after), turn or Turn(), rules)


def kinds(verdict):
    return [fault.kind.value for fault in verdict.faults]


class TestAcceptance:
    def test_an_untouched_table_means_a_draw(self):
        assert judged("R1 R2 R3", "R1 R2 R3") == Verdict(accepted=True)

    def test_where_and_in_which_order_the_sets_lie_does_not_matter(self):
        assert judged("R1 R2 R3 | B7 K7 R7", "K7 R7 B7 | R3 R2 R1") == Verdict(accepted=True)

    def test_rebuilding_without_a_tile_of_the_own_is_accepted_as_nothing_laid(self):
        verdict = judged("R1 R2 R3 | R4 R5 R6", "R1 R2 R3 R4 R5 R6")
        assert verdict.accepted
        assert verdict.laid == ()

    def test_the_tiles_laid_and_their_points_are_told(self):
        verdict = judged("R4 R5 R6", "R3 R4 R5 R6 | B9 K9 R9")
        assert verdict.accepted
        assert format_set(verdict.laid) == "R3 K9 B9 R9"
        assert verdict.points == 30
        assert not verdict.opens

    @pytest.mark.parametrize(("rules", "points"), [(RAVENSBURGER, 33), (RUMMIKUB, 15)], ids=["fixed", "stands for"])
    def test_a_joker_laid_counts_as_in_a_first_meld(self, rules, points):
        assert judged("R4 R5 R6 | B1 K1 **", "R4 R5 R6 ** R8 | B1 K1 **", rules=rules).points == points

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param("Y8 G8 B8 R8", "Y8 G8 B8 | R7 R8 R9", id="fourth tile of a group"),
            pytest.param("B1 B2 B3 B4 B5 B6", "B1 B2 B3 B4 | B4 B5 B6", id="run cut in two"),
            pytest.param("R1 R2 R3 | B1 B2 B3", "R1 B1 Y1 | R2 B2 Y2 | R3 B3 Y3", id="runs turned into groups"),
            pytest.param("R1 R2 R3 R4 | B5 Y5 G5 R5", "R1 R2 R3 | B5 Y5 G5 | R4 R5 R6", id="ends of two sets"),
            pytest.param("R5 R6 R7", "R5 R6 R7 | R5 R6 R7", id="the same set again"),
        ],
    )
    def test_rebuilding_in_every_way_that_leaves_valid_sets(self, before, after):
        assert judged(before, after).accepted


class TestSetsAndTiles:
    def test_tiles_that_are_no_set_are_named_with_the_reason(self):
        (fault,) = judged("R1 R2 R3", "R1 R2 R3 | R7 B7 K8").faults
        assert fault.kind is FaultKind.NOT_A_SET
        assert fault.sets == (1,)
        assert format_set(fault.tiles) == "R7 B7 K8"
        assert ENGLISH(fault.notice) == "R7 B7 K8 is not a set: the numbers differ."

    def test_a_tile_that_vanished_is_named(self):
        (fault,) = judged("R1 R2 R3 R4", "R1 R2 R3").faults
        assert fault.kind is FaultKind.TILE_VANISHED
        assert ENGLISH(fault.notice) == "The red 4 was on the table before and is now missing."

    def test_a_tile_cannot_be_swapped_for_another(self):
        assert kinds(judged("R1 R2 R3 | B9 K9 R9", "R1 R2 R3 R4 | B9 K9 O9")) == ["tile-vanished"]

    def test_a_third_tile_of_a_kind_cannot_be(self):
        (fault,) = judged("R7 R8 R9 | R7 B7 K7", "R7 R8 R9 | R7 B7 K7 | R7 B7 O7").faults
        assert fault.kind is FaultKind.IMPOSSIBLE_TILE
        assert fault.sets == (0, 1, 2)
        assert "3 red 7s" in ENGLISH(fault.notice)

    def test_more_jokers_than_the_box_holds_cannot_be(self):
        before, after = "R1 ** R3 | B1 ** B3", "R1 ** R3 | B1 ** B3 | K1 ** K3"
        assert kinds(judged(before, after, rules=RUMMIKUB)) == ["impossible-tile"]
        assert judged(before, after).accepted
        assert kinds(judged(before, after, rules=RAVENSBURGER.choose(jokers="2"))) == ["impossible-tile"]

    def test_every_fault_is_reported(self):
        verdict = judged("R1 R2 R3 | B4 B5 B6", "R1 R2 | B4 B5 B6 B6 | K9", Turn(hand=1))
        assert kinds(verdict) == ["not-a-set", "not-a-set", "not-a-set", "tile-vanished", "more-than-hand"]
        assert not verdict.accepted

    def test_an_empty_place_is_no_set_and_no_fault(self):
        assert judge(((),), ((), parse_table("R1 R2 R3")[0]), Turn(), RUMMIKUB).accepted


class TestFirstMeld:
    @pytest.mark.parametrize(
        ("rules", "after", "points", "accepted"),
        [
            (RAVENSBURGER, "Y10 G10 B10 R10", 40, True),
            (RAVENSBURGER, "Y13 G13 B13", 39, False),
            (RAVENSBURGER, "** R7 R8", 40, True),
            (RAVENSBURGER, "** R1 B1", 27, False),
            (RAVENSBURGER, "Y5 G5 B5 | R8 R9 R10", 42, True),
            (RUMMIKUB, "R10 B10 K10", 30, True),
            (RUMMIKUB, "R9 R10 **", 30, True),
            (RUMMIKUB, "** R8 R9", 24, False),
            (RUMMIKUB, "R1 R2 R3 | B6 B7 B8", 27, False),
        ],
    )
    def test_it_needs_the_minimum(self, rules, after, points, accepted):
        before = "K1 K2 K3"
        verdict = judged(before, f"{before} | {after}", NEW, rules)
        assert (verdict.points, verdict.accepted, verdict.opens) == (points, accepted, accepted)
        assert kinds(verdict) == ([] if accepted else ["opening-too-low"])

    def test_laying_on_before_it_is_refused(self):
        assert kinds(judged("R4 R5 R6", "R4 R5 R6 R7", NEW)) == ["not-opened"]

    def test_rebuilding_before_it_is_refused(self):
        assert kinds(judged("R4 R5 R6 R7 R8 R9", "R4 R5 R6 | R7 R8 R9", NEW)) == ["not-opened"]

    def test_in_one_book_the_table_is_closed_until_the_next_turn(self):
        verdict = judged("R4 R5 R6", "R4 R5 R6 R7 | B10 K10 O10", NEW, RUMMIKUB)
        assert kinds(verdict) == ["opening-uses-table"]
        assert not verdict.opens

    def test_in_the_other_the_table_is_open_as_soon_as_the_minimum_lies(self):
        assert judged("R4 R5 R6", "R4 R5 R6 R7 | Y10 G10 B10 R10", NEW).opens

    def test_own_points_too_few_cannot_be_made_up_on_the_table(self):
        verdict = judged("R4 R5 R6", "R4 R5 R6 R7 | Y7 G7 B7", NEW)
        assert kinds(verdict) == ["opening-too-low", "opening-uses-table"]
        assert "21 points" in ENGLISH(verdict.faults[0].notice)

    def test_a_meld_that_was_built_into_the_table_counts(self):
        verdict = judged("R7 R8 R9", "R7 R8 R9 R10 | Y10 G10 B10", NEW)
        assert verdict.opens
        assert verdict.points == 40

    def test_a_joker_of_a_meld_built_into_the_table_counts_where_it_could_get_there(self):
        before = "R4 R5 R6 | Y1 G1 B1"
        assert judged(before, "R4 R5 R6 R7 R8 | Y1 G1 B1 **", NEW).opens

    def test_but_not_where_nothing_could_have_freed_it(self):
        before = "Y7 G7 B7 | Y8 G8 B8 | Y1 G1 B1"
        assert kinds(judged(before, "Y7 G7 B7 R7 | Y8 G8 B8 R8 | Y1 G1 B1 **", NEW)) == ["not-opened"]

    def test_two_melds_with_jokers_can_make_it_together(self):
        before = "R1 R2 R3 | G1 G2 G3"
        verdict = judged(before, "R1 R2 R3 R4 R5 ** | G1 G2 G3 G4 G5 **", NEW)
        assert verdict.opens
        assert verdict.points >= 40

    def test_jokers_that_share_a_tile_do_not_make_two_melds(self):
        rules = RAVENSBURGER.with_value("opening.minimum", 70)
        verdict = judged("R1 R2 R3", "R1 R2 R3 R4 ** **", NEW, rules)
        assert kinds(verdict) == ["not-opened"]

    def test_a_wrong_set_does_not_count(self):
        assert kinds(judged("", "R10 B10 R10", NEW, RUMMIKUB)) == ["not-a-set", "opening-too-low"]


class TestJokers:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param("R5 ** R7", "R5 R6 R7 | G9 ** G11", id="tile from the hand"),
            pytest.param("R5 ** R7 | Y6 G6 B6 R6", "R5 R6 R7 | Y6 G6 B6 | G9 ** G11", id="tile from the table"),
            pytest.param("Y5 G5 **", "Y5 G5 B5 | R9 ** R11", id="either missing colour of a group"),
            pytest.param("R5 R6 **", "R5 R6 R7 | G9 ** G11", id="end of a run"),
            pytest.param("R5 ** R6", "R4 R5 R6 | G9 ** G11", id="either end of a run that lies in no row"),
            pytest.param("** ** R7", "R5 R6 R7 | G9 ** ** G12", id="two jokers of one set"),
            pytest.param("** ** **", "Y1 ** ** | G9 ** G11", id="a set of nothing but jokers"),
            pytest.param("R5 ** R7", "R5 ** R7 R8 R9", id="set grows around it"),
            pytest.param("R3 R4 R5 ** R7 R8", "R3 R4 R5 | ** R7 R8", id="set cut beside it"),
            pytest.param("R5 R6 **", "R5 R6 R7 **", id="pushed on in its run"),
            pytest.param("R5 ** R7 | Y5 G5 B5", "Y5 G5 B5 R5 | ** R7 R8", id="neighbour taken away"),
        ],
    )
    def test_it_may_move_where_a_fitting_tile_could_take_its_place(self, before, after):
        assert judged(before, after).accepted
        assert judged(before, after, rules=FREE).accepted

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param(
                "R5 ** R7 | Y5 G5 B5 | Y7 G7 B7", "Y5 G5 B5 R5 | Y7 G7 B7 R7 | ** G9 G10", id="run dissolved"
            ),
            pytest.param("Y5 G5 B5 **", "Y5 G5 B5 | G9 ** G11", id="group of four"),
        ],
    )
    def test_otherwise_it_must_stay(self, before, after):
        assert kinds(judged(before, after)) == ["joker-not-replaced"]
        assert judged(before, after, rules=FREE).accepted

    def test_the_set_that_lost_it_is_named(self):
        (fault,) = judged("Y5 G5 B5 **", "Y5 G5 B5 | G9 ** G11").faults
        assert "Y5 G5 B5 **" in ENGLISH(fault.notice)
        assert fault.sets == (1,)

    def test_one_book_lets_it_travel_as_the_tile_it_stands_for(self):
        before, after = "R5 ** R7 | Y5 G5 B5 | Y7 G7 B7", "Y5 G5 B5 R5 | Y7 G7 B7 R7 | Y6 G6 **"
        assert judged(before, after, rules=RUMMIKUB).accepted
        assert kinds(judged(before, after)) == ["joker-not-replaced"]

    def test_where_it_must_be_exchanged_only_a_tile_from_the_hand_frees_it(self):
        from_hand, from_table = "R5 ** R7", "R5 ** R7 | Y6 G6 B6 R6"
        assert judged(from_hand, "R5 R6 R7 | G9 ** G11", rules=EXCHANGE).accepted
        verdict = judged(from_table, "R5 R6 R7 | Y6 G6 B6 | G9 ** G11", rules=EXCHANGE)
        assert kinds(verdict) == ["joker-not-replaced"]

    def test_a_freed_joker_may_not_go_to_the_hand(self):
        assert kinds(judged("R5 ** R7", "R5 R6 R7")) == ["tile-vanished", "joker-not-reused"]

    def test_a_joker_that_merely_vanished_was_never_freed(self):
        assert kinds(judged("R5 R6 R7 **  | Y1 G1 B1", "R5 R6 R7 | Y1 G1 B1")) == ["tile-vanished"]

    def test_a_joker_in_tiles_that_are_no_set_is_no_second_fault(self):
        assert kinds(judged("R5 ** R7", "R5 | ** R7 B2")) == ["not-a-set", "not-a-set"]

    def test_a_set_of_jokers_may_become_any_set_that_keeps_two_of_them_together(self):
        assert judged("** ** **", "** ** ** R1").accepted
        assert judged("** ** ** **", "** ** ** | R1 R2 **").accepted

    def test_a_joker_may_stay_where_it_lies_while_all_tiles_beside_it_change(self):
        before, after = "R5 ** R7 | Y5 G5 B5 | Y7 G7 B7", "Y5 G5 B5 R5 | Y7 G7 B7 R7 | ** ** **"
        assert judged(before, after).accepted
        assert judged("R5 R6 ** | Y4 Y5 Y6", "R4 R5 R6 | ** R8 R9 | Y4 Y5 Y6").accepted

    def test_a_turn_is_judged_alike_whichever_way_the_tiles_lie(self):
        assert judged("R5 ** R7", "R7 R6 R5 | G11 ** G9").accepted


class TestCounts:
    def test_no_more_tiles_than_the_hand_held(self):
        verdict = judged("", "R1 R2 R3", Turn(hand=2))
        assert kinds(verdict) == ["more-than-hand"]
        assert judged("", "R1 R2 R3", Turn(hand=3)).accepted

    def test_a_book_may_cap_the_tiles_of_one_turn(self):
        rules = replace(RAVENSBURGER, cap=3)
        assert judged("", "R1 R2 R3", rules=rules).accepted
        assert kinds(judged("", "R1 R2 R3 R4", rules=rules)) == ["too-many-tiles"]


class TestStrictRebuilding:
    @pytest.mark.parametrize(
        ("before", "after", "accepted"),
        [
            pytest.param("R5 R6 R7 R8", "R5 R6 R7 | R8 B8 Y8", True, id="three stay"),
            pytest.param("R5 R6 R7", "R5 Y5 B5 | R6 Y6 B6 | R7 Y7 B7", True, id="taken apart"),
            pytest.param("R5 R6 R7", "R4 R5 R6 | R7 B7 Y7", False, id="two stay"),
            pytest.param("R5 R6 R7 R8", "R4 R5 R6 | R7 R8 R9", False, id="two and two"),
            pytest.param("R5 R6 R7", "R5 R6 R7 R8", True, id="only added to"),
        ],
    )
    def test_three_tiles_stay_together_or_none(self, before, after, accepted):
        assert judged(before, after).accepted
        verdict = judged(before, after, rules=STRICT)
        assert verdict.accepted is accepted
        assert kinds(verdict) == ([] if accepted else ["original-broken-up"])
