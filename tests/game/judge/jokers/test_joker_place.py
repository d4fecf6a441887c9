"""A joker stands where it lies: its place in a row whose order tells counts for value, first meld and exchange."""

from dataclasses import replace

import pytest

from referee.game.judge.jokers.values import change_by, laid_back, readings, row_of, values
from referee.game.judge.judge import Turn, judge
from referee.game.judge.time_up import consequence
from referee.game.judge.verdict import FaultKind
from referee.game.notation import format_set, format_table, parse_set, parse_table
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.rulebooks.model import Extended
from referee.i18n import ENGLISH

RAVENSBURGER, BRETTSPIELNETZ, PIATNIK, CLASSIC, RUMMIKUB = map(
    ruleset, ("ravensburger", "brettspielnetz", "piatnik", "classic", "rummikub")
)
BY_PLACE = (RAVENSBURGER, PIATNIK, CLASSIC, RUMMIKUB)
NEW = Turn(opened=False)

by_place = pytest.mark.parametrize("rules", BY_PLACE, ids=lambda rules: rules.name)


def judged(before, after, rules, turn=None):
    return judge(parse_table(before), parse_table(after), turn or Turn(), rules)


def kinds(verdict):
    return [fault.kind.value for fault in verdict.faults]


def said(verdict):
    """What is said of jokers' places."""
    return [ENGLISH(fault.notice) for fault in verdict.faults if fault.kind is FaultKind.JOKER_PLACE]


def best(rules):
    return rules.choose(joker_place="best")


def stands_for(row, rules):
    """Everything that the jokers of a row may stand for together, run by run and then as a group."""
    return sorted(sorted(map(str, way.tiles)) for way in readings(parse_set(row), rules))


@pytest.mark.parametrize(
    ("row", "jokers"),
    [
        pytest.param("R4 R5 R6 **", [["R7"]], id="behind"),
        pytest.param("** R4 R5 R6", [["R3"]], id="before"),
        pytest.param("R6 R5 R4 **", [["R3"]], id="falling, behind"),
        pytest.param("** R6 R5 R4", [["R7"]], id="falling, before"),
        pytest.param("R4 ** R6", [["R5"]], id="between"),
        pytest.param("R4 ** R5", [["R3"], ["R6"]], id="no row"),
        pytest.param("R5 R4 ** R6", [["R3"], ["R7"]], id="a heap"),
        pytest.param("** R1 R2", [["R3"]], id="nothing comes before the one"),
        pytest.param("R12 R13 **", [["R11"]], id="nothing comes behind the thirteen"),
        pytest.param("** ** R5 R6", [["R3", "R4"]], id="two before"),
        pytest.param("** R5 R6 **", [["R4", "R7"]], id="one on either side"),
        pytest.param("** R5 ** R7", [["R4", "R6"]], id="one between, one before"),
        pytest.param("R7 B7 **", [["K7", "O7"]], id="a group"),
        pytest.param("** R9 **", [["B9", "K9", "O9"], ["R10", "R8"]], id="one number in the middle"),
        pytest.param(
            "R9 ** **", [["B9", "K9", "O9"], ["R10", "R11"], ["R7", "R8"]], id="one number, from either side"
        ),
    ],
)
def test_the_place_tells_what_a_joker_stands_for(row, jokers):
    assert stands_for(row, RUMMIKUB) == jokers


@pytest.mark.parametrize(
    ("row", "jokers"),
    [
        ("R12 R13 **", [["R1"]]),
        ("** R12 R13", [["R11"]]),
        ("** R1 R2", [["R13"]]),
        ("R2 R1 **", [["R13"]]),
        ("R13 ** R2", [["R1"]]),
        ("R13 R12 ** R1", [["R11"], ["R2"]]),
    ],
)
def test_a_cyclic_row_goes_by_its_places_too(row, jokers):
    assert stands_for(row, CLASSIC) == jokers


def test_at_best_it_stands_for_either_end():
    assert stands_for("R12 R13 **", best(CLASSIC)) == [["R1"], ["R11"]]
    assert stands_for("R4 R5 R6 **", best(RUMMIKUB)) == [["R3"], ["R7"]]


def test_jokers_alone_are_whatever_suits():
    assert readings(parse_set("** ** **"), RUMMIKUB) == readings(parse_set("** ** **"), best(RUMMIKUB))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_books_with_bound_jokers_have_the_option(rules):
    option = next((option for option in rules.options if option.name == "joker-place"), None)
    assert (option is not None) == (rules in BY_PLACE)
    assert (rules.melds is not None and rules.joker_rule.as_laid) == (rules in BY_PLACE)
    if option is not None:
        assert not rules.choose(joker_place="best").joker_rule.as_laid
        assert rules.of_edition(1).joker_rule == rules.choose(joker_place="best").joker_rule
        assert rules.of_edition(1).choose(joker_place="as-laid").joker_rule == rules.joker_rule


class TestFirstMeld:
    def test_the_example_of_the_ruling(self):
        verdict = judged("", "** R9 R10", RUMMIKUB, NEW)
        assert verdict.points == 27
        assert kinds(verdict) == ["opening-too-low", "joker-place"]
        assert said(verdict) == ["Here the joker stands for the red 8; to be the red 11 it must go at the other end."]
        assert verdict.faults[1].sets == (0,)
        assert verdict.faults[1].tiles == parse_set("** R9 R10")

    @pytest.mark.parametrize("row", ["R9 R10 **", "** R10 R9", "R9 ** R10"])
    def test_a_joker_that_lies_there_as_eleven_or_may(self, row):
        verdict = judged("", row, RUMMIKUB, NEW)
        assert (verdict.points, verdict.opens) == (30, True)

    def test_as_before_it_could_be_either(self):
        assert judged("", "** R9 R10", best(RUMMIKUB), NEW).opens
        assert judged("", "** R9 R10", RUMMIKUB.of_edition(1), NEW).opens

    @pytest.mark.parametrize(("rules", "points"), [(RAVENSBURGER, 44), (BRETTSPIELNETZ, 19)])
    def test_a_fixed_value_has_nothing_to_do_with_its_place(self, rules, points):
        for row in ("** R9 R10", "R9 R10 **"):
            assert judged("", row, rules, NEW).points == points

    def test_the_sentence_is_said_for_this_reason_alone(self):
        assert said(judged("", "** R8 R9", RUMMIKUB, NEW)) == []  # 27 at the other end, too
        assert said(judged("", "** R9 R10 | B1 B2", RUMMIKUB, NEW)) == []
        assert said(judged("K1 K2 K3", "** R9 R10 | K1 K2 K3 K4", RUMMIKUB, NEW)) == []

    def test_two_jokers_of_one_row(self):
        assert said(judged("", "** ** R9 R10", RUMMIKUB, replace(NEW, hand=4))) == []  # 7 8 9 10 are 34
        verdict = judged("", "** ** R5 R6", RUMMIKUB.with_value("opening.minimum", 26), NEW)
        assert said(verdict) == [
            "Here the jokers stand for the red 3 and the red 4; "
            "to be the red 7 and the red 8 they must go at the other end."
        ]
        rules = RUMMIKUB.with_value("opening.minimum", 20)
        assert said(judged("", "** ** R5 R6", rules, NEW)) == [
            "Here the joker stands for the red 3; to be the red 7 it must go at the other end."
        ]

    def test_jokers_of_two_rows(self):
        rules = RUMMIKUB.with_value("opening.minimum", 30)
        verdict = judged("", "** R4 R5 | ** B4 B5", rules, NEW)
        assert said(verdict) == [
            "Here the joker stands for the red 3; to be the red 6 it must go at the other end.",
            "Here the joker stands for the blue 3; to be the blue 6 it must go at the other end.",
        ]
        assert [fault.sets for fault in verdict.faults[1:]] == [(0,), (1,)]

    def test_more_rows_than_anybody_tries(self):
        rules = replace(RUMMIKUB, jokers=4).with_value("opening.minimum", 54)
        verdict = judged("", "** R5 R6 | ** B5 B6 | ** K5 K6", rules, NEW)
        assert said(verdict) == ["In a run, a joker stands for the number whose place it takes."]

    def test_a_meld_that_was_built_on_was_laid_as_its_joker_lies_there_now(self):
        """Nobody frees the joker between the meld of 42 points and the row in which it lies as the eight."""
        fours = "R4 B4 K4"
        assert judged("K1 K2 K3", f"K1 K2 K3 | R9 R10 ** | {fours}", PIATNIK, NEW).points == 42
        verdict = judged("K1 K2 K3", f"K1 K2 K3 | ** R9 R10 | {fours}", PIATNIK, NEW)
        assert kinds(verdict) == ["opening-too-low", "joker-place"]
        assert judged("K1 K2 K3", f"K1 K2 K3 | ** R9 R10 R11 | {fours}", PIATNIK, NEW).opens

    def test_a_meld_that_lies_there_no_more_is_told_in_a_row(self):
        before = "B11 K11 Y11 | K1 K2 K3"
        verdict = judged(before, "R9 R10 R12 ** | B11 K11 Y11 | K1 K2 K3 K4 | R4 B4 Y4", PIATNIK, NEW)
        assert verdict.opens
        verdict = judged("R8 B8 Y8 K8", "R8 R9 R10 ** | B8 Y8 K8 | R4 B4 Y4", PIATNIK, NEW)
        assert verdict.opens
        assert "R9 R10 **" in ENGLISH(verdict.explanation[0])

    def test_a_set_of_the_table_that_got_longer_counts_as_it_lies(self):
        before = "B9 B10 B11"
        assert judged(before, "B9 B10 B11 ** | K1 Y1 R1", CLASSIC, NEW).points == 45
        assert judged(before, "** B9 B10 B11 | K1 Y1 R1", CLASSIC, NEW).points == 41
        added = CLASSIC.choose(opening_counts="added")
        verdict = judged(before, "** B9 B10 B11 | K13 Y13 R13", added, NEW)
        assert (verdict.points, said(verdict)) == (
            47,
            ["Here the joker stands for the blue 8; to be the blue 12 it must go at the other end."],
        )
        assert judged(before, "B9 B10 B11 ** | K13 Y13 R13", added, NEW).opens

    def test_the_joker_that_lay_there_goes_on_being_what_it_was(self):
        assert judged("B10 B11 **", "B10 B11 ** B13 | R1 K1 Y1", CLASSIC, NEW).points == 49
        longer = RUMMIKUB.with_value("opening.extended", Extended.WHOLE)
        assert judged("B9 B10 **", "B8 B9 B10 **", longer, NEW).points == 38
        assert not judged("B9 B10 **", "** B8 B9 B10", longer, NEW).accepted


class TestExchange:
    TAKEN = "R3 R4 R5 R6 | B9 ** B11"

    @by_place
    def test_only_the_tile_of_its_place_frees_it(self, rules):
        verdict = judged("R4 R5 R6 **", self.TAKEN, rules)
        assert kinds(verdict) == ["joker-not-replaced", "joker-place"]
        assert said(verdict) == ["In R4 R5 R6 ** the joker stands for the red 7: no other tile can take its place."]
        assert judged("R4 R5 R6 **", self.TAKEN, best(rules)).accepted
        assert judged("** R4 R5 R6", self.TAKEN, rules).accepted
        assert judged("R6 R5 R4 **", self.TAKEN, rules).accepted
        assert judged("R4 R5 R6 **", "R4 R5 R6 R7 | B9 ** B11", rules).accepted

    @by_place
    def test_in_a_heap_either_tile_frees_it(self, rules):
        for tile in ("R3", "R7"):
            assert judged("R4 ** R5 R6", f"R4 R5 R6 {tile} | B9 ** B11", rules).accepted

    def test_where_jokers_are_free_nothing_is_asked(self):
        assert judged("R4 R5 R6 **", self.TAKEN, BRETTSPIELNETZ).accepted
        assert judged("R4 R5 R6 **", "** R4 R5 R6", BRETTSPIELNETZ).explanation == ()

    def test_a_cyclic_row(self):
        assert judged("R12 R13 **", "R12 R13 R1 | B9 ** B11", CLASSIC).accepted
        verdict = judged("R12 R13 **", "R11 R12 R13 | B9 ** B11", CLASSIC)
        assert said(verdict) == ["In R12 R13 ** the joker stands for the red 1: no other tile can take its place."]

    def test_both_jokers_of_a_row(self):
        verdict = judged("R4 R5 R6 ** **", "R3 R4 R5 R6 ** | B9 ** B11", RUMMIKUB)
        assert said(verdict) == [
            "In R4 R5 R6 ** ** the jokers stand for the red 7 and the red 8: no other tiles can take their places."
        ]
        assert judged("R4 R5 R6 ** **", "R4 R5 R6 ** R8 | B9 ** B11", RUMMIKUB).accepted

    @by_place
    def test_a_joker_that_is_pushed_on_was_replaced(self, rules):
        assert judged("R5 R6 **", "R5 R6 R7 **", rules).accepted
        assert judged("R5 R6 **", "** R5 R6 R7", rules).accepted
        assert judged("R5 R6 **", "R4 R5 R6 **", rules).accepted
        verdict = judged("R5 R6 **", "** R4 R5 R6", rules)
        assert said(verdict) == ["Here the joker stands for the red 3; to be the red 7 it must go at the other end."]

    def test_it_travels_only_as_what_it_lies_as(self):
        assert judged("R5 R6 ** | Y7 K7 B7", "R4 R5 R6 | Y7 K7 B7 **", PIATNIK).accepted
        assert not judged("** R5 R6 | Y7 K7 B7", "R5 R6 R7 | Y7 K7 B7 **", PIATNIK).accepted

    def test_a_tile_of_the_table_frees_it_where_that_is_allowed(self):
        """The red 7 could have taken its place and gone back."""
        assert judged("R5 R6 ** | R7 B7 K7 O7", "** R5 R6 | R7 B7 K7 O7", RUMMIKUB).accepted
        assert not judged("R5 R6 ** | R7 B7 K7", "** R5 R6 | R7 B7 K7", PIATNIK).accepted

    @pytest.mark.parametrize("rules", [PIATNIK, CLASSIC, RUMMIKUB], ids=lambda rules: rules.name)
    def test_it_may_take_the_place_of_one_that_goes_on(self, rules):
        """The joker of the row goes to the group as the red 7, and that of the group on, as the yellow one."""
        before, after = "R5 R6 ** | B7 K7 **", "R4 R5 R6 | B7 K7 ** | Y6 ** Y8"
        assert judged(before, after, rules).accepted
        assert not judged(before.replace("R5 R6 **", "** R5 R6"), after.replace("R4", "R7"), RAVENSBURGER).accepted

    def test_strictly_only_the_tile_of_its_place_stands_in_for_it(self):
        """Of the set two tiles stay together with the black 1, which took nobody's place."""
        strict, before = PIATNIK.choose(rebuild="strict"), "K2 K3 **"
        verdict = judged(before, "K1 K2 K3 | ** K4 R4", strict)
        assert kinds(verdict) == ["original-broken-up", "joker-place"]
        assert judged(before, "K2 K3 K4 | ** B4 R4", strict).accepted
        assert judged("** K2 K3", "K1 K2 K3 | ** K4 R4", strict).accepted


class TestMovedInItsRow:
    @by_place
    def test_a_joker_may_not_just_change_its_place(self, rules):
        verdict = judged("R5 R6 ** | B1 B2 B3", "** R5 R6 | B1 B2 B3", rules)
        assert kinds(verdict) == ["joker-not-replaced", "joker-place"]
        assert said(verdict) == ["Here the joker stands for the red 4; to be the red 7 it must go at the other end."]
        assert judged("R5 R6 **", "** R5 R6", best(rules)).accepted

    @by_place
    def test_a_row_may_be_turned_and_a_heap_tidied(self, rules):
        put_back = rules.choose(rearranging="put-back")
        for after in ("** R6 R5", "R5 ** R6", "R6 ** R5", "R5 R6 **"):
            assert judged("R5 R6 **", after, put_back).accepted
            assert judged("R5 ** R6", after, put_back, NEW).accepted
        assert judged("R5 B5 **", "** R5 B5", put_back).accepted

    def test_before_the_first_meld_it_is_the_tables(self):
        verdict = judged("R5 R6 **", "** R5 R6", RUMMIKUB, NEW)
        assert kinds(verdict) == ["not-opened", "joker-not-replaced", "joker-place"]

    def test_sets_with_the_same_tiles_are_told_apart_by_their_jokers(self):
        before, after = parse_table("R5 ** R6 | ** R5 R6"), parse_table("R6 R5 ** | R5 R6 ** | R1 ** R2")
        change = change_by(RUMMIKUB, before, after)
        assert change.old == ()
        assert [index for index, _ in change.new] == [2]
        assert change_by(RUMMIKUB, before[1:], after[1:2]).old == before[1:]
        assert change_by(best(RUMMIKUB), before[1:], after[1:2]).nothing

    def test_tiles_that_are_no_set_have_no_places(self):
        assert change_by(RUMMIKUB, parse_table("R5 ** R9"), parse_table("** R5 R9")).nothing

    def test_two_that_changed_places_draw_on_each_other(self):
        """Identical jokers: the one of the heap may have gone to the row, and that of the row to the heap."""
        assert judged("R5 R6 ** | R5 ** R6", "R6 ** R5 | R5 R6 **", RUMMIKUB).accepted
        assert judged("R5 ** R6 | R5 R6 **", "** R5 R6 | R5 R6 ** R8", RUMMIKUB).accepted


class TestWinningSet:
    def test_its_value_is_that_of_its_places(self):
        rules = PIATNIK.choose(winning_set="12")
        turn = Turn(hand=3)
        assert values(parse_set("** R4 R5"), PIATNIK) == {12}
        assert values(parse_set("R4 R5 **"), PIATNIK) == {15}
        assert judged("K1 K2 K3", "K1 K2 K3 | ** R4 R5", rules, turn).accepted
        verdict = judged("K1 K2 K3", "K1 K2 K3 | R4 R5 **", rules, turn)
        assert kinds(verdict) == ["last-set-rule", "joker-place"]
        assert said(verdict) == ["Here the joker stands for the red 6; to be the red 3 it must go at the other end."]
        assert judged("K1 K2 K3", "K1 K2 K3 | R4 ** R5", rules, turn).accepted

    def test_a_freed_joker_may_be_in_it_and_numbers_are_from_the_hand(self):
        rules, turn = PIATNIK.choose(winning_set="12"), Turn(hand=3)
        assert judged("K3 ** K5", "K3 K4 K5 | ** R4 R5", rules, turn).accepted
        assert kinds(judged("K3 ** K5", "K3 K4 K5 | R4 R5 **", rules, turn)) == ["last-set-rule", "joker-place"]
        lent = judged("R5 B5 K5 Y5", "B5 K5 Y5 | R3 R4 R5", rules, Turn(hand=2))
        assert kinds(lent) == ["last-set-rule"]


class TestTimeUp:
    def test_a_joker_that_changed_its_place_is_laid_back(self):
        before, now = parse_table("R5 R6 ** | B1 B2 B3"), parse_table("** R5 R6 | B1 B2 B3 | Y1 Y2")
        result = consequence(before, now, Turn(), PIATNIK)
        assert format_table(result.target) == "R5 R6 ** | B1 B2 B3"
        assert format_set(result.takes) == "Y1 Y2"
        assert tuple(map(ENGLISH, result.steps)) == (
            "Take the yellow 1 and the yellow 2 into your hand.",
            "This set must be on the table: R5 R6 **.",
        )

    def test_a_table_put_back_has_its_jokers_where_they_lay(self):
        before, now = parse_table("R5 R6 **"), parse_table("** R5 R6 | Y1 Y2")
        steps = consequence(before, now, Turn(), RUMMIKUB).steps
        assert ENGLISH(steps[-1]) == "This set must be on the table: R5 R6 **."

    def test_nothing_is_laid_back_where_places_do_not_count(self):
        before, now = parse_table("R5 R6 **"), parse_table("** R5 R6")
        assert laid_back(best(RUMMIKUB), before, now) is now
        assert laid_back(RUMMIKUB, before, now) == before

    def test_a_first_meld_that_only_its_place_makes_too_low_goes_back(self):
        result = consequence((), parse_table("** R9 R10 | R4 B4 K4"), NEW, PIATNIK)
        assert (result.target, result.opens) == ((), False)
        assert consequence((), parse_table("R9 R10 ** | R4 B4 K4 | R1"), NEW, PIATNIK).opens


@pytest.mark.parametrize(
    ("row", "wanted", "laid"),
    [("** R5 R6", "R7", "R5 R6 **"), ("R13 ** R12", "R1", "R12 R13 **"), ("R7 R5 **", "R6", "R5 ** R7")],
)
def test_where_a_joker_belongs(row, wanted, laid):
    way = next(way for way in readings(parse_set(row), best(CLASSIC)) if way.tiles == frozenset(parse_set(wanted)))
    assert format_set(row_of(parse_set(row), way)) == laid


def test_a_whole_circle_may_begin_anywhere():
    circle = parse_set("R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 **")
    way = readings(circle, CLASSIC)[0]
    assert format_set(row_of(circle, way)) == "** R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"
