"""What the six rule books say about turns, one after the other, and how open questions were settled."""

import inspect
import re
from dataclasses import replace
from itertools import combinations

import pytest

from referee.game.judge import faults
from referee.game.judge import first_meld as opening
from referee.game.judge import judge as judging
from referee.game.judge import time_up as timeup
from referee.game.judge.jokers import moved as jokers
from referee.game.judge.jokers.values import values
from referee.game.judge.judge import Turn, judge
from referee.game.judge.melds import pieces as melds
from referee.game.judge.verdict import FaultKind
from referee.game.notation import format_set, parse_set, parse_table, parse_tile
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.rulebooks.model import Extended
from referee.game.tiles import JOKER
from referee.i18n import ENGLISH

RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, RUMMIKUB = map(
    ruleset, ("ravensburger", "brettspielnetz", "piatnik", "classic", "rummikub")
)
NEW = Turn(opened=False)
DISSOLVED = "R5 ** R7 | Y5 G5 B5 | Y7 G7 B7", "R5 Y5 G5 B5 | R7 Y7 G7 B7 | G9 ** G11"
TRAVELLED = "R5 ** R7 | Y5 G5 B5 | Y7 G7 B7", "R5 Y5 G5 B5 | R7 Y7 G7 B7 | Y6 G6 **"


def explained(verdict):
    return tuple(map(ENGLISH, verdict.explanation))


def judged(before, after, turn=None, rules=RAVENSBURGER):
    return judge(parse_table(before), parse_table(after), turn or Turn(), rules)


def kinds(verdict):
    return [fault.kind.value for fault in verdict.faults]


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        # what Ravensburger, Brettspielnetz, Piatnik, Classic and Rummikub make of it
        ("** R7 R8", (40, 15, 21, 21, 21)),
        ("R7 R8 **", (40, 15, 24, 24, 24)),
        ("R12 R13 **", (50, 25, 36, 26, 36)),
        ("R10 B10 **", (45, 20, 30, 30, 30)),
        ("R13 ** **", (63, 13, 39, 39, 39)),
        ("R9 B9 ** | Y3 Y4 Y5", (55, 30, 39, 39, 39)),
        ("R13 B13 Y13 K13", (52, 52, 52, 52, 52)),
    ],
)
def test_five_books_count_a_first_meld_in_three_ways(tiles, points):
    books = (RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, RUMMIKUB)
    verdicts = [judged("", tiles, NEW, replace(rules, tileset="classic")) for rules in books]
    assert tuple(verdict.points for verdict in verdicts) == points
    opens = [worth >= rules.opening.minimum for worth, rules in zip(points, books, strict=True)]
    assert [verdict.opens for verdict in verdicts] == opens


class TestBrettspielnetz:
    def test_a_joker_of_a_dissolved_set_is_free_here_and_bound_elsewhere(self):
        assert judged(*DISSOLVED, rules=BRETTSPIELNETZ).accepted
        for rules in (RAVENSBURGER, PIATNIK, CLASSIC, RUMMIKUB):
            assert kinds(judged(*DISSOLVED, rules=rules)) == ["joker-not-replaced"]

    def test_a_joker_may_be_taken_out_of_a_set_that_stays_valid(self):
        assert judged("R5 R6 R7 **", "R5 R6 R7 | G9 ** G11", rules=BRETTSPIELNETZ).accepted

    def test_the_table_is_closed_in_the_turn_of_the_first_meld(self):
        own = "R10 B10 Y10"
        assert judged("B1 B2 B3", f"B1 B2 B3 | {own}", NEW, BRETTSPIELNETZ).opens
        assert kinds(judged("B1 B2 B3", f"B1 B2 B3 B4 | {own}", NEW, BRETTSPIELNETZ)) == ["opening-uses-table"]

    def test_twelve_tiles_from_the_hand_are_the_most_and_moves_do_not_count(self):
        before, row = "R1 R2 R3 R4", "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11"
        assert judged(before, f"{before} R5 | {row}", rules=BRETTSPIELNETZ).accepted
        assert kinds(judged(before, f"{before} R5 R6 | {row}", rules=BRETTSPIELNETZ)) == ["too-many-tiles"]

    def test_a_hand_holds_but_one_joker(self):
        one, two = "R5 ** R7", "R5 ** **"
        assert judged("", one, Turn(jokers=1), BRETTSPIELNETZ).accepted
        (fault,) = judged("", two, Turn(jokers=1), BRETTSPIELNETZ).faults
        assert fault.kind is FaultKind.MORE_THAN_HAND
        assert ENGLISH(fault.notice) == "I count 2 new jokers on the table, but you had only 1 in your hand."
        assert "you had none" in ENGLISH(judged("", one, Turn(jokers=0), BRETTSPIELNETZ).faults[0].notice)


class TestJokersOfTheTable:
    def test_a_tile_of_the_first_meld_does_not_free_it_as_well(self):
        """Where only tiles from the hand do, the table's own red 12 is none, and the other one lies in the meld."""
        before = "R11 ** R13 | R9 R10 R11 R12"
        after = "R11 R12 R13 | R9 R10 R11 | ** G10 G11 | R12 B12 Y12 K12"
        assert judged(before, after, NEW, RAVENSBURGER).accepted
        assert kinds(judged(before, after, NEW, PIATNIK)) == ["opening-too-low", "opening-uses-table"]

    @pytest.mark.parametrize("rules", [PIATNIK, CLASSIC, RUMMIKUB], ids=lambda rules: rules.name)
    def test_three_books_let_it_travel_as_the_tile_it_stands_for(self, rules):
        assert judged(*TRAVELLED, rules=rules).accepted
        assert kinds(judged(*TRAVELLED)) == ["joker-not-replaced"]

    @pytest.mark.parametrize(
        ("rules", "accepted"), [(RAVENSBURGER, True), (RUMMIKUB, True), (PIATNIK, False), (CLASSIC, False)]
    )
    def test_a_tile_of_the_table_frees_it_in_two_books_only(self, rules, accepted):
        verdict = judged("R5 ** R7 | Y6 G6 B6 R6", "R5 R6 R7 | Y6 G6 B6 | G9 ** G11", rules=rules)
        assert verdict.accepted is accepted
        assert judged("R5 ** R7", "R5 R6 R7 | G9 ** G11", rules=rules).accepted

    def test_one_tile_of_the_hand_frees_one_joker(self):
        before, after = "R5 ** R7 | R5 ** R7 | Y6 K6 B6", "R5 R6 R7 | R5 Y5 K5 | R7 Y7 K7 | Y6 K6 B6 | B8 ** ** B11"
        assert kinds(judged(before, after, rules=PIATNIK)) == ["joker-not-replaced"]
        assert judged(before, after).accepted  # there it can go on to the next

    def test_jokers_of_one_set_stand_for_different_tiles(self):
        before, after = "** ** R6 | B6 K6 Y6", "R6 B6 K6 Y6 | Y5 ** Y7 | {} ** {}"
        assert kinds(judged(before, after.format("Y5", "Y7"), rules=PIATNIK)) == ["joker-not-replaced"]
        assert judged(before, after.format("K5", "K7"), rules=PIATNIK).accepted

    def test_the_tile_that_freed_it_is_told(self):
        verdict = judged("R5 ** R7", "R5 R6 R7 | G9 ** G11")
        assert explained(verdict) == ("The red 6 took the place of a joker in R5 ** R7.",)
        verdict = judged("** ** R7", "R5 R6 R7 | G9 ** ** G12")
        assert explained(verdict) == ("The red 5 and the red 6 took the places of jokers in ** ** R7.",)

    def test_a_joker_that_never_moved_needs_no_explanation(self):
        assert judged("R5 ** R7 | G1 G2 G3", "R5 ** R7 R8 | G1 G2 G3").explanation == ()


class TestFirstMeldBuiltOn:
    def test_what_came_first_is_told(self):
        verdict = judged("R7 R8 R9", "R7 R8 R9 R10 | Y10 G10 B10", NEW)
        assert verdict.opens
        (told,) = map(ENGLISH, verdict.explanation)
        assert told.startswith("The first meld was ")
        assert told.endswith(": 40 points.")

    def test_a_tile_of_the_first_meld_no_longer_comes_from_the_hand(self):
        """The exchange of the joker needs the very tile without which the player has too few sets."""
        before = "Y5 ** Y7 | K5 B5 R5 | K7 B7 R7"
        after = "Y6 Y8 Y9 Y10 ** | K5 B5 R5 Y5 | K7 B7 R7 Y7"
        assert not judged(before, after, NEW, PIATNIK).accepted

    def test_the_table_may_not_help_before_the_minimum(self):
        assert kinds(judged("R10 R11 R12", "R10 R11 R12 R13", NEW, PIATNIK)) == ["not-opened"]


class TestClassic:
    EXAMPLE = "R12 R13 R1 R2 R3 | Y4 B4 K4 R4", "R12 R13 R1 | R1 R2 R3 R4 R5 | Y4 B4 K4"

    def test_the_ace_may_lie_behind_the_king_or_between_king_and_two(self):
        assert judged(*self.EXAMPLE, rules=CLASSIC).accepted
        assert not judged(*self.EXAMPLE, rules=PIATNIK).accepted
        assert values(parse_set("R12 R13 R1"), CLASSIC) == {26}

    def test_a_set_of_the_table_that_gets_longer_counts_whole(self):
        verdict = judged("B9 B10 B11 B12", "B9 B10 B11 B12 B13", NEW, CLASSIC)
        assert verdict.opens
        assert verdict.points == 55
        (told,) = map(ENGLISH, verdict.explanation)
        assert told == "The first meld was B9 B10 B11 B12 B13 (with B9 B10 B11 B12 from the table): 55 points."

    def test_or_only_the_tiles_added(self):
        added = CLASSIC.choose(opening_counts="added")
        verdict = judged("B9 B10 B11 B12", "B9 B10 B11 B12 B13", NEW, added)
        assert kinds(verdict) == ["opening-too-low"]
        assert ENGLISH(verdict.faults[0].notice) == "What you laid is worth 13 points, but your first meld needs 51."
        assert judged("B9 B10 B11 B12", "B9 B10 B11 B12 B13 | R13 Y13 K13", NEW, added).points == 52

    def test_tiles_that_are_no_set_cannot_get_longer(self):
        verdict = judged("R1 R2 | K11 K12 K13", "R1 R2 R3 | K11 K12 | K13", NEW, CLASSIC)
        assert "opening-too-low" in kinds(verdict) or "not-opened" in kinds(verdict)

    def test_rebuilt_sets_never_count(self):
        verdict = judged("B9 B10 B11 B12 B13", "B9 B10 B11 | B11 B12 B13", NEW, CLASSIC)
        assert kinds(verdict) == ["not-opened"]
        verdict = judged("B9 B10 B11 B12 B13 | R1 R2 R3", "B9 B10 B11 | B11 B12 B13 | R1 R2 R3 R4", NEW, CLASSIC)
        assert kinds(verdict) == ["opening-too-low", "opening-uses-table"]

    def test_but_after_51_points_the_table_is_open_at_once(self):
        before, after = "B9 B10 B11 B12 | Y1 Y2 Y3", "B9 B10 B11 | B12 K12 R12 | Y1 Y2 Y3 Y4"
        assert not judged(before, after, NEW, CLASSIC).accepted
        assert judged(before, after.replace("Y4", "Y4 | K13 R13 Y13 B13"), NEW, CLASSIC).opens

    def test_a_longer_set_may_be_rebuilt_after_it_has_counted(self):
        verdict = judged("B9 B10 B11 B12 | R13 Y13 K13", "B9 B10 B11 | B12 K12 R12 | R13 Y13 K13 B13", NEW, CLASSIC)
        assert verdict.opens
        assert verdict.points >= 51

    def test_an_exchanged_joker_makes_another_set_longer(self):
        """One tile of the hand, and two sets of the table count."""
        agreed = CLASSIC.choose(exchange="counts")
        before, after = "K12 K13 ** | Y11 Y12 Y13 | Y11 Y12 Y13", "K12 K13 K1 | ** Y11 Y12 Y13 | Y11 Y12 Y13"
        verdict = judged(before, after, NEW, agreed)
        assert (verdict.opens, verdict.points) == (True, 72)
        assert judged(before, after.replace("** Y11 Y12 Y13", "Y11 Y12 Y13 **"), NEW, agreed).points == 63

    def test_an_exchanged_joker_counts_if_agreed(self):
        before, after = "B11 ** B13 | R1 R2 R3", "B11 B12 B13 | R1 R2 R3 **"
        assert not judged(before, after, NEW, CLASSIC).accepted
        agreed = CLASSIC.choose(exchange="counts")
        verdict = judged(before, f"{after} | Y5 K5 R5", NEW, agreed)
        assert verdict.opens
        assert verdict.points >= 51

    @pytest.mark.parametrize(
        ("row", "kind"),
        [
            ("R5 R6 **", None),
            ("** R6 R5", None),
            ("R5 ** R6", "joker-undeclared"),
            ("R5 ** R7", None),
            ("R7 ** R5", None),
            ("** R5 R7", None),
            ("R7 ** **", None),
            ("R7 B7 **", None),
            ("R12 ** R13", "joker-undeclared"),
        ],
    )
    def test_a_row_must_tell_what_its_joker_stands_for(self, row, kind):
        verdict = judged("", row, rules=CLASSIC)
        assert kinds(verdict) == ([kind] if kind else [])
        assert judged("", row, rules=CLASSIC.choose(declare="spoken")).accepted
        assert judged(row, f"{row} | K1 K2 K3", rules=CLASSIC).accepted  # it lay there before

    def test_jokers_alone_need_to_be_declared(self):
        assert kinds(judged("", "** ** **", rules=CLASSIC)) == ["joker-undeclared"]
        assert judged("", "** ** **", Turn(declared=True), CLASSIC).accepted
        refused = CLASSIC.choose(joker_sets="refused")
        (fault,) = judged("", "** ** **", Turn(declared=True), refused).faults
        assert ENGLISH(fault.notice) == "** ** ** is not a set: jokers alone do not make a set."
        assert judged("", "** ** **").accepted


class TestPiatniksLastTurn:
    LAST_TILE, TWELVE = PIATNIK.choose(last_tile="on"), PIATNIK.choose(winning_set="12")
    ASIDE = parse_tile("B4")

    @pytest.mark.parametrize(
        ("after", "hand", "kind", "from_hand"),
        [
            pytest.param("B4 | B1 B2 B3 | R7 R8 R9", 14, None, 3, id="left alone"),
            pytest.param("B1 B2 B3 B4 | R7 R8 R9", 3, None, 3, id="gone out with it"),
            pytest.param("B4 | B1 B2 B3 | R7 R8 R9", 3, "last-tile-rule", 3, id="gone out without it"),
            pytest.param("B1 B2 B3 B4 | R7 R8 R9", 14, "last-tile-rule", 3, id="used too early"),
            pytest.param("B1 B2 B3 B4 | R7 R8 R9", None, None, 3, id="hand not known"),
            pytest.param("B1 B2 B3 | R7 R8 R9", 14, "tile-vanished", 3, id="gone altogether"),
            pytest.param("B1 B2 B3", 14, "tile-vanished", 0, id="gone and nothing laid"),
            pytest.param("B4 | B1 B2 B3 B4", 14, None, 1, id="its twin laid from the hand"),
        ],
    )
    def test_whoever_goes_out_uses_the_tile_aside(self, after, hand, kind, from_hand):
        verdict = judged("B1 B2 B3 | B4", after, Turn(hand=hand, aside=self.ASIDE), self.LAST_TILE)
        assert kinds(verdict) == ([kind] if kind else [])
        assert verdict.from_hand == from_hand

    @pytest.mark.parametrize(
        ("after", "hand", "kind", "from_hand"),
        [
            pytest.param("B1 B2 B3 | R7 R8 R9", 14, None, 3, id="left alone"),
            pytest.param("B1 B2 B3 B4 | R7 R8 R9", 3, None, 3, id="gone out with it"),
            pytest.param("B1 B2 B3 B4 | R7 R8 R9", 4, "last-tile-rule", 4, id="gone out with its twin"),
            pytest.param("B1 B2 B3 B4 | R7 R8 R9", 14, None, 4, id="its twin laid"),
            pytest.param("B1 B2 B3 B4 | R4 Y4 B4", 14, "last-tile-rule", 3, id="both laid"),
        ],
    )
    def test_out_of_sight_it_is_taken_to_lie_there_as_long_as_it_can(self, after, hand, kind, from_hand):
        verdict = judged("B1 B2 B3", after, Turn(hand=hand, aside=self.ASIDE), self.LAST_TILE)
        assert kinds(verdict) == ([kind] if kind else [])
        assert verdict.from_hand == from_hand

    def test_the_sets_keep_their_places_where_the_tile_aside_lies_among_them(self):
        (fault,) = judged("B4", "B4 | R1 R2", Turn(aside=self.ASIDE), self.LAST_TILE).faults
        assert fault.sets == (1,)

    def test_a_joker_may_stand_for_the_colour_of_the_tile_aside(self):
        before, after = "B5 R5 ** K5 | R5 Y5 K5", "K5 R5 ** Y5 | R5 B5 K5"
        green = Turn(aside=parse_tile("G2"))
        assert judged(before, after, green, self.LAST_TILE).accepted
        assert kinds(judged(before, after, Turn(aside=self.ASIDE), self.LAST_TILE)) == ["joker-not-replaced"]

    def test_the_tile_aside_is_counted_with_the_box(self):
        after = "B4 | B1 B2 B3 B4 | B4 R4 K4"
        assert kinds(judged("", after, Turn(aside=self.ASIDE), self.LAST_TILE)) == ["impossible-tile"]

    def test_without_the_variant_a_single_tile_is_no_set(self):
        assert kinds(judged("", "B4", Turn(aside=self.ASIDE), PIATNIK)) == ["not-a-set"]

    @pytest.mark.parametrize(
        ("after", "hand", "accepted"),
        [
            ("R3 R4 R5", 3, True),
            ("R3 R4 R5", 4, True),
            ("R4 R5 R6", 4, True),
            ("R4 R5 R6", 3, False),
            ("R4 R5 R6", None, True),
            ("R3 R4 **", 3, True),
            ("R2 R3 **", 3, False),
            ("R4 B4 **", 3, True),
            ("R3 R4 R5 | K7 B7 R7", 6, True),
        ],
    )
    def test_the_last_turn_must_hold_a_set_of_the_agreed_value(self, after, hand, accepted):
        verdict = judged("K1 K2 K3", f"K1 K2 K3 | {after}", Turn(hand=hand), self.TWELVE)
        assert kinds(verdict) == ([] if accepted else ["last-set-rule"])

    def test_that_value_may_be_a_minimum(self):
        least = PIATNIK.choose(winning_set="12", winning_sum="at-least")
        assert judged("", "R4 R5 R6", Turn(hand=3), least).accepted
        (fault,) = judged("", "R1 R2 R3", Turn(hand=3), least).faults
        assert ENGLISH(fault.notice) == "To go out you must lay a set of your own tiles worth at least 12 points."

    def test_single_tiles_laid_on_do_not_end_a_round_then(self):
        assert kinds(judged("R1 R2 R3", "R1 R2 R3 R4", Turn(hand=1), self.TWELVE)) == ["last-set-rule"]


class TestJokersAlone:
    def test_where_they_are_refused_they_are_no_first_meld_either(self):
        """Three jokers would be worth 75 and could have been spread afterwards."""
        before, after = "R1 R2 R3 | B1 B2 B3 | Y1 Y2 Y3", "R1 R2 R3 ** | B1 B2 B3 ** | Y1 Y2 Y3 **"
        assert judged(before, after, NEW).opens
        assert kinds(judged(before, after, NEW, RAVENSBURGER.choose(joker_sets="refused"))) == ["not-opened"]

    def test_five_of_them_can_only_be_a_run(self):
        assert min(values(parse_set("** ** ** ** **"), PIATNIK)) == 15
        assert min(values(parse_set("** ** ** **"), PIATNIK)) == 4


class TestNothingLaid:
    def test_a_rebuilt_table_stays_or_must_be_put_back(self):
        before, after = "R1 R2 R3 | R4 R5 R6", "R1 R2 R3 R4 R5 R6"
        for rules in (RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, RUMMIKUB):
            assert judged(before, after, rules=rules).accepted
            verdict = judged(before, after, rules=rules.choose(rearranging="put-back"))
            assert kinds(verdict) == ["nothing-laid"]
            assert verdict.faults[0].sets == (0,)


class TestStrictRebuilding:
    STRICT = RAVENSBURGER.choose(rebuild="strict")

    def test_two_sets_cannot_both_claim_the_same_tiles(self):
        before, after = "R10 R11 R12 | B11 Y11 R11", "G9 ** Y11 | B11 R11 ** | R9 R10 R11 R12"
        assert "original-broken-up" in kinds(judged(before, after, rules=self.STRICT))

    def test_identical_tiles_may_be_told_apart_as_it_suits_the_player(self):
        before = "Y2 B2 R2 | Y5 Y6 ** | ** Y5 R5"
        after = "R2 B2 ** Y2 | ** Y1 B1 | ** Y5 R5 | Y7 Y6 Y5"
        assert "original-broken-up" not in kinds(judged(before, after, rules=self.STRICT))

    def test_a_set_whose_jokers_went_is_broken_up_for_certain(self):
        before, after = "R10 R11 R12 | B11 Y11 R11", "Y9 ** Y11 | B11 R11 ** ** | R9 R10 R11 R12"
        assert "original-broken-up" in kinds(judged(before, after, rules=self.STRICT))

    def test_of_two_sets_alike_both_must_be_kept(self):
        before = "R5 R6 R7 | R5 R6 R7"
        assert judged(before, "R5 R6 R7 | R4 R5 R6 R7", rules=self.STRICT).accepted
        after = "R5 R6 R7 | R5 R6 R4 | R7 B7 Y7"
        assert kinds(judged(before, after, rules=self.STRICT)) == ["original-broken-up"]

    def test_two_jokers_of_one_set_are_two(self):
        before, after = "** ** R4 | K5 ** K7", "** ** R4 | B7 R7 K7 | K4 K5 ** K3"
        assert kinds(judged(before, after, rules=self.STRICT)) == ["original-broken-up"]

    @pytest.mark.parametrize("rules", [RAVENSBURGER, PIATNIK], ids=lambda rules: rules.name)
    @pytest.mark.parametrize(
        ("before", "after", "fine"),
        [
            pytest.param("R1 R2 R3 R4 R5 R6", "R1 R2 R3 | R4 R5 R6", True, id="three and three"),
            pytest.param("R1 R2 R3 R4 R5", "R1 R2 R3 | B4 R4 Y4 | B5 R5 Y5", True, id="three stay, two are parted"),
            pytest.param("R1 R2 R3 R4 R5", "R1 R2 R3 | R4 R5 R6", True, id="three stay, two lie together elsewhere"),
            pytest.param("R5 R6 R7", "B5 R5 Y5 | R6 B6 Y6 | R7 B7 Y7", True, id="all parted: taken whole"),
            pytest.param("R5 R6 R7", "R5 R6 R4 | R7 B7 Y7", False, id="two together"),
            pytest.param("R5 R6 R7 R8", "R4 R5 R6 | R7 R8 R9", False, id="two and two"),
            pytest.param("R5 B5 Y5", "R5 R6 R7 | B5 Y5 K5", False, id="two of a group"),
        ],
    )
    def test_of_a_set_that_is_not_taken_whole_three_tiles_stay_together(self, rules, before, after, fine):
        strict = rules.choose(rebuild="strict")
        verdict = judged(before, after, rules=strict)
        assert kinds(verdict) == ([] if fine else ["original-broken-up"])
        assert judged(before, after, rules=rules).accepted
        if not fine:
            told = f"You took tiles from {before}: keep 3 of its tiles together, or split it up completely."
            assert ENGLISH(verdict.faults[0].notice) == told

    def test_piatniks_example_keeps_to_it(self):
        strict = PIATNIK.choose(rebuild="strict")
        assert judged("R10 B10 Y10 K10", "B10 Y10 K10 | R8 R9 R10", rules=strict).accepted

    def test_the_printed_examples_keep_to_it(self):
        for before, after in (
            ("B8 G8 Y8 R8", "B8 G8 Y8 | R7 R8 R9"),
            ("B1 B2 B3 B4 B5", "B1 B2 B3 | B3 B4 B5"),
            ("G4 G5 G6 G7 | Y4 Y5 Y6 Y7 | B4 B5 B6", "G4 Y4 B4 R4 | G5 Y5 B5 | G6 Y6 B6 R6 | G7 Y7 R7"),
        ):
            assert judged(before, after, rules=self.STRICT).accepted


def test_a_longer_set_may_count_in_a_book_that_keeps_the_table_closed():
    """No book combines the two, but each field is read by itself."""
    rules = RUMMIKUB.with_value("opening.extended", Extended.WHOLE)
    assert judged("R9 R10 R11", "R9 R10 R11 R12", NEW, rules).opens
    assert not judged("R9 R10 R11 | K1 K2 K3 K4", "R9 R10 R11 R12 | K1 K2 K3 | K4 B4 O4", NEW, rules).accepted


def test_every_sentence_is_a_sentence():
    before = "R5 ** R7 | Y5 G5 B5 | R1 R2 R3"
    verdict = judged(before, "Y5 G5 B5 R5 | G9 ** G11 | R7 R8 | R1 R2 R3 R4", Turn(opened=False, hand=1, jokers=0))
    assert all(
        ENGLISH(fault.notice)[0].upper() == ENGLISH(fault.notice)[0] and ENGLISH(fault.notice).endswith(".")
        for fault in verdict.faults
    )
    assert len(verdict.faults) > 3
    assert format_set(verdict.laid) == "R4 R8 G9 G11"


@pytest.mark.parametrize("module", [judging, faults, opening, melds, jokers, timeup], ids=lambda m: m.__name__)
def test_no_book_has_a_rule_of_its_own_in_the_code(module):
    code = re.sub(r'""".*?"""', "", inspect.getsource(module), flags=re.DOTALL)
    assert not [name for name in RULESETS if name in code]


class TestWhatASecondReaderFound:
    @pytest.mark.parametrize("rules", [PIATNIK, CLASSIC])
    def test_a_joker_stands_only_for_colours_that_are_played(self, rules):
        before, after = "R7 B7 K7 ** | Y7 Y8 Y9 Y10", "R7 B7 Y7 ** | Y8 Y9 Y10 | K6 K7 K8"
        assert kinds(judged(before, after, rules=rules)) == ["joker-not-replaced"]
        assert judged(before.replace("K7", "G7"), after.replace("K", "G"), rules=rules).accepted

    def test_where_the_box_is_known_no_other_colour_can_be(self):
        tiles, known = "G13 Y13 K13", replace(RUMMIKUB, exact_box=True)
        assert judged("", tiles, NEW, RUMMIKUB).accepted
        verdict = judged("", tiles, NEW, known)
        assert kinds(verdict) == ["impossible-tile", "impossible-tile"]
        assert ENGLISH(verdict.faults[1].notice) == "The green 13 can't be there: the box has no green tiles."

    def test_no_hand_of_brettspielnetz_ever_holds_two_jokers(self):
        verdict = judged("", "R13 B13 ** | R12 ** B12", NEW, BRETTSPIELNETZ)
        assert kinds(verdict) == ["more-than-hand"]

    def test_the_winning_set_may_hold_a_joker_that_was_freed(self):
        rules = PIATNIK.choose(winning_set="12")
        assert judged("R3 ** R5", "R3 R4 R5 | B4 K4 **", Turn(hand=3), rules).accepted
        assert kinds(judged("R3 ** R5", "R3 R4 R5 | B5 K5 **", Turn(hand=3), rules)) == ["last-set-rule"]
        lent = judged("R10 B10 K10 Y10", "R10 B10 K10 | Y9 Y10 Y11", Turn(hand=2), PIATNIK.choose(winning_set="30"))
        assert kinds(lent) == ["last-set-rule"]

    @pytest.mark.parametrize("more", ["R1", "R1 R2", "R1 R2 R3 R4", "**"])
    def test_a_row_all_around_and_farther_lies_there_as_two_runs(self, more):
        around = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"
        assert judged(around, f"{around} {more}", rules=CLASSIC).accepted
        assert not judged(around, f"{around} {more}", rules=PIATNIK).accepted
        assert kinds(judged(around, f"{around} B1", rules=CLASSIC)) == ["not-a-set"]

    def test_jokers_alone_are_accepted_with_a_word_about_them(self):
        verdict = judged("R1 R2 R3", "R1 R2 R3 | ** ** **")
        assert explained(verdict) == ("** ** **: these are only jokers, so agree on what they stand for.",)

    def test_one_tile_lies_and_two_lie(self):
        assert "I count 1 new tile on the table, but you had none" in ENGLISH(
            judged("R1 R2 R3", "R1 R2 R3 R4", Turn(hand=0)).faults[0].notice
        )

    @pytest.mark.parametrize(
        ("before", "after", "fine"),
        [
            ("R12 Y12 **", "R12 Y12 B12 | R2 ** R4", True),
            ("R12 Y12 ** | B9 B10 B11 B12", "R12 Y12 B12 | B9 B10 B11 | R2 ** R4", True),
            ("R12 Y12 ** | B10 B11 B12", "R12 Y12 B12 | B9 B10 B11 | R2 ** R4", False),
            ("R5 R6 R7 R8", "R5 R6 B6 | R7 R8 R9", False),
        ],
    )
    def test_exchanging_a_joker_breaks_no_set_up(self, before, after, fine):
        verdict = judged(before, after, rules=RAVENSBURGER.choose(rebuild="strict"))
        assert ("original-broken-up" not in kinds(verdict)) == fine


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("R1 R2 R3 | R5 R6 R7", "R1 R2 R3 R4 R5 R6 R7", True),
        ("R1 R2 R3 | R5 R6 R7", "R1 R2 R3 R4 R5 R6 R7 | K3 B3 Y3", True),
        ("R1 R2 R3 | R4 R5 R6", "R1 R2 R3 R4 R5 R6 | K3 B3 Y3", True),
        ("R1 R2 R3 R4 | Y4 B4 K4", "R1 R2 R3 | R4 Y4 B4 K4", False),
    ],
)
def test_joining_two_runs_before_the_first_meld_is_called_rebuilding(before, after, told):
    verdict = judged(before, after, NEW, CLASSIC)
    assert not verdict.accepted
    sentence = "Joining two sets is rebuilding; you may do that once you have laid your first 51 points."
    assert (sentence in [ENGLISH(fault.notice) for fault in verdict.faults]) == told


def test_on_an_upset_table_no_two_sets_are_looked_for_where_not_even_one_lies(monkeypatch):
    pairs = []

    def counted(sets, size):
        pairs.extend(combinations(sets, size))
        return combinations(sets, size)

    monkeypatch.setattr(faults, "combinations", counted)
    before = " | ".join(f"{colour}{n} {colour}{n + 1} {colour}{n + 2}" for colour in "RYBK" for n in (1, 4, 7, 10))
    after = before.replace(" | ", " ").replace(" ", " | ")
    assert "not-opened" in kinds(judged(before, after + " | R13", NEW, CLASSIC))
    assert not pairs


@pytest.mark.parametrize("book", ["ravensburger", "brettspielnetz", "piatnik", "rummikub"])
def test_a_row_of_more_jokers_than_there_are_numbers_is_refused(book):
    verdict = judge((), ((JOKER,) * 14,), Turn(), ruleset(book))
    assert FaultKind.NOT_A_SET in {fault.kind for fault in verdict.faults}
