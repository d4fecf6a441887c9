"""What can be laid, in sentences and steps: what is answered, what is refused, and that no tile is made or lost."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from referee.game import coach
from referee.game.coach import NO_HAND, NOT_BY_TURNS, Question, advise, objection, told_steps
from referee.game.judge.best_turn import best_turn
from referee.game.judge.judge import Turn, judge
from referee.game.moves import Move, Step, members_moved, members_staying
from referee.game.notation import parse_set, parse_table
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, ruleset
from referee.game.table import tiles_on
from referee.i18n import LANGUAGES, Wording

TABLES = (
    "",
    "R4 R5 R6 | B9 K9 R9 O9",
    "R3 R4 R5 R6 R7 | B7 K7 O7 | ** K2 K3 | O1 O2 O3",
    "R10 R11 R12 R13 | B10 B11 B12 | K4 B4 R4 | O6 O7 O8 O9 | B1 B2 B3 B4 B5 | K10 O10 R10",
)
NO_FIRST_MELD = "No first meld is possible: your own sets must be worth at least 30 points."


def question(table, hand, rules="rummikub", **how):
    return Question(parse_table(table), parse_set(hand), ruleset(rules), **how)


def told(asked):
    return [Wording("en")(one) for one in advise(asked).told]


def test_the_best_turn_is_one_sentence_and_its_steps_say_where_each_tile_comes_from():
    asked = question("R4 R5 R6 | B9 K9 R9 O9", "R3 R7 B8 B7 K1")
    assert objection(asked) is None
    advice, words = advise(asked), Wording("en")
    assert told(asked) == ["Lay 4 of your 5 tiles (25 points)."]
    assert [[words(step.told), *map(words, step.sources)] for step in advice.steps] == [
        ["Add to red 4 5 6 to make red 3 4 5 6 7.", "Take the red 3 and the red 7 from your hand."],
        [
            "Make a new set: blue 7 8 9.",
            "Take the blue 7 and the blue 8 from your hand.",
            "Take the blue 9 from the set blue 9, black 9, red 9, orange 9.",
        ],
    ]
    first, second = advice.steps
    assert (first.comes, first.stays, first.gone) == ((), ((0, 0), (0, 1), (0, 2)), ())
    assert (second.comes, second.stays, second.gone) == (((1, 0),), (), ())
    assert [lain.tiles for lain in second.after] == [*parse_table("R3 R4 R5 R6 R7 | K9 R9 O9 | B7 B8 B9")]
    assert [(lain.touched, lain.new) for lain in first.after] == [(True, (0, 4)), (False, ())]


def test_with_a_tile_set_aside_nobody_is_told_to_go_out_without_it():
    rules = ruleset("piatnik").choose(**{"last-tile": "on"})
    asked = Question(parse_table("R4 R5 R6"), parse_set("R7 R8"), rules)
    assert told(asked) == [
        "Lay 2 of your 2 tiles (15 points).",
        "To go out you must also use the tile that is set aside; otherwise keep one tile.",
    ]
    aside = Turn(True, 2, 0, aside=parse_set("K1")[0])
    assert not judge(asked.table, parse_table("R4 R5 R6 R7 R8"), aside, rules).accepted


@pytest.mark.parametrize(
    ("table", "hand", "how", "says"),
    [
        ("R4 R5 R6", "R7", {}, "Lay your last tile (7 points): you go out!"),
        ("R4 R5 R6", "R7 R8", {}, "Lay all 2 tiles (15 points): you go out!"),
        ("R4 R5 R6", "K1", {}, "None of your tiles can be laid."),
        (
            "",
            "R1 R2 R3",
            {"opened": False},
            "No first meld is possible: your own sets must be worth at least 30 points.",
        ),
    ],
)
def test_what_goes_out_and_what_cannot_be_laid_is_said_plainly(table, hand, how, says):
    asked = question(table, hand, **how)
    assert told(asked) == [says]
    assert bool(advise(asked).steps) == ("go out" in says)


@pytest.mark.parametrize("points", [False, True])
def test_where_more_might_be_possible_the_coach_says_so(points, monkeypatch):
    monkeypatch.setattr(coach, "best_turn", lambda *a, **k: replace(best_turn(*a, **k), proven=False, most=9))
    more = told(question("R4 R5 R6", "R7 K1", points=points))[1:]
    assert more == [Wording("en")(Notice(f"coach.perhaps_{'points' if points else 'tiles'}", most=9))]


def test_of_a_set_from_which_tiles_are_only_taken_it_is_said_how_it_lies_then():
    (step,) = told_steps(parse_table("R4 ** R6 R7"), [Step(0, (), parse_set("** R6 R7"))])
    assert Wording("en")(step.told) == "The rest of red 4 joker 6 7 becomes red joker 6 7."


def test_most_points_may_be_other_tiles_than_most_tiles():
    hand = "R1 R2 R3 R4 R11 B11 K11"
    asked = question("", hand, "ravensburger")
    assert len(advise(asked).laid) == 7
    few = question("R2 R3 R4", "R1 R5 R13", "brettspielnetz")
    assert objection(few) is None
    tiles, points = (advise(Question(few.table, few.hand, few.rules, points=p)).laid for p in (False, True))
    assert len(tiles) >= len(points)
    assert sum(tile.number for tile in points) >= sum(tile.number for tile in tiles)


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        (question("R4 R5 R6", "R7", "gin"), NOT_BY_TURNS.key),
        (question("R4 R5 R6", ""), NO_HAND.key),
        (question("R4 R5 R6", "R4 R4"), "judge.more_than_box"),
        (question("R4 R5 R6", "** ** **"), "judge.more_than_box"),
        (question("R4 R5 R7", "R8"), "coach.table_not_legal"),
        (question("R4 R5", "R8"), "coach.table_not_legal"),
    ],
)
def test_what_cannot_be_answered_says_why_in_every_language(asked, key):
    why = objection(asked)
    assert why is not None
    assert why.key == key
    assert all(Wording(language)(why) for language in LANGUAGES)


def hands(rules, seed):
    """A table, and a hand out of what the box has left."""
    rng = np.random.default_rng(seed)
    table = parse_table(TABLES[rng.integers(len(TABLES))])
    left = sorted((Counter(rules.box.inventory()) - tiles_on(table)).elements(), key=str)
    return table, tuple(left[i] for i in rng.choice(len(left), rng.integers(1, 15), replace=False))


@pytest.mark.parametrize("name", [name for name, rules in RULESETS.items() if rules.melds is not None])
@pytest.mark.parametrize("seed", range(12))
def test_no_step_makes_or_loses_a_tile_and_the_last_table_is_legal(name, seed):
    rules = ruleset(name)
    table, hand = hands(rules, seed)
    asked = Question(table, hand, rules, opened=bool(table))
    if objection(asked) is not None:  # the table has colours or sets that this book does not know
        return
    advice, laid, moved = advise(asked), Counter(), set()
    for step in advice.steps:
        laid += Counter(step.hand)
        assert not moved & {*step.comes}
        assert moved == {*step.gone}
        moved |= {*step.comes}
        assert tiles_on(lain.tiles for lain in step.after) == tiles_on(table) + laid
        assert sum(lain.touched for lain in step.after) == 1
    assert laid == Counter(advice.laid)
    if advice.steps:
        after = tuple(lain.tiles for lain in advice.steps[-1].after)
        turn = Turn(bool(table), len(hand), sum(tile.is_joker for tile in hand))
        assert judge(table, after, turn, rules).accepted


def test_of_equal_tiles_in_a_set_each_moves_once():
    before = parse_table("R4 R5 R6 | R5 B5 K5 O5")
    steps = (
        Step(None, (Move(parse_set("R5")[0], 1), Move(parse_set("O5")[0], 1)), parse_set("R5 O5 **")),
        Step(None, (Move(parse_set("R5")[0], 0),), parse_set("R5 R6 R7")),
    )
    moved = members_moved(before, steps)
    assert moved == (((1, 0), (1, 3)), ((0, 1),))
    assert members_staying(before, moved, 1) == ((1, 1), (1, 2))


def test_a_tile_that_a_later_step_takes_lies_beside_its_set_until_then():
    before = parse_table("R4 R5 R6 R7 | B7 K7 O7")
    after = (
        Step(0, (Move(parse_set("R3")[0], None),), parse_set("R3 R4 R5 R6")),
        Step(1, (Move(parse_set("R7")[0], 0),), parse_set("B7 K7 O7 R7")),
    )
    first, second = told_steps(before, after)
    assert [lain.tiles for lain in first.after] == [*parse_table("R3 R4 R5 R6 | R7 | B7 K7 O7")]
    assert [lain.tiles for lain in second.after] == [*parse_table("R3 R4 R5 R6 | B7 K7 O7 R7")]
