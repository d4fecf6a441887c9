"""The rules held against the collected cases, where their folder lies beside the project."""

import json
from pathlib import Path

import pytest

from referee.game.judge.jokers.values import counts, values
from referee.game.judge.judge import Turn, judge
from referee.game.rulebooks import RULESETS
from referee.game.scoring import ScoreSheet, hand_points, score_round
from referee.game.sets import is_set, shape
from referee.game.solver.solve import best_play, best_sets, face_value, partition
from referee.game.tiles import JOKER, Colour, Tile

CASES = Path(__file__).parents[3] / "shared" / "cases"
LETTERS = dict(zip("rybkgo", map(Colour, ("red", "yellow", "blue", "black", "green", "orange")), strict=True))

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="no folder shared/cases beside the project")


def rows(name, **wanted):
    path = CASES / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    cases = [json.loads(line) for line in lines]
    return [case for case in cases if all(case.get(key) in values for key, values in wanted.items())]


def examples(*kinds):
    cases = rows("rulebook_examples", kind=kinds, edition=tuple(RULESETS))
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases])


def tile(text):
    return JOKER if text == "J" else Tile(int(text[1:]), LETTERS[text[0]])


def tiles(texts):
    return tuple(map(tile, texts))


def table(sets):
    return tuple(map(tiles, sets))


@examples("set")
def test_sets_of_the_books(case):
    assert is_set(tiles(case["tiles"]), RULESETS[case["edition"]].wraps) == case["valid"]


@examples("layoff", "rebuild")
def test_turns_of_the_books(case):
    rules = RULESETS[case["edition"]]
    assert judge(table(case["before"]), table(case["after"]), Turn(), rules).accepted == case["legal"]


@examples("value")
def test_values_of_the_books(case):
    assert values(tiles(case["tiles"]), RULESETS[case["edition"]]) == {case["points"]}


@examples("tile_cap")
def test_caps_of_the_books(case):
    laid = tuple(Tile(number, Colour.RED) for number in range(1, case["from_hand_count"] + 1))
    assert judge((), (laid,), Turn(), RULESETS[case["edition"]]).accepted == case["legal"]


@examples("first_meld")
def test_first_melds_of_the_books(case):
    """The collection counts a joker as the most that it can stand for, wherever it lies."""
    rules = RULESETS[case["edition"]]
    if "joker-place" in {option.name for option in rules.options}:
        rules = rules.choose(joker_place="best")
    verdict = judge((), table(case["sets"]), Turn(opened=False), rules)
    assert (verdict.accepted, verdict.points) == (case["ok"], case["points"])


@examples("deal")
def test_deals_of_the_books(case):
    rules = RULESETS[case["edition"]]
    assert rules.hand_size(case["players"]) == case["hand"]
    assert rules.box.total == case["tiles_total"]


@examples("hand_value")
def test_hands_of_the_books(case):
    assert hand_points(tiles(case["tiles"]), RULESETS[case["edition"]]) == case["points"]


@examples("round_score")
def test_rounds_of_the_books(case):
    rules, winner = RULESETS[case["edition"]], case["hands"].index(0)
    if "hand_rummy" in case:
        rules = rules.choose(hand_rummy="on")
    score = score_round(case["hands"], winner, rules, in_one_turn=case.get("hand_rummy", False))
    assert list(score.scores) == case.get("scores", case.get("minus"))


@examples("score_table")
def test_score_tables_of_the_books(case):
    rules, sheet = RULESETS[case["edition"]], ScoreSheet(tuple(case["players"]))
    for line in case["rounds"]:
        score = score_round(line["hands"], case["players"].index(line["winner"]), rules)
        assert list(score.scores) == line["scores"]
        sheet = sheet.add(score)
    assert list(sheet.totals) == case["totals"]
    assert [case["players"][seat] for seat in sheet.leaders(rules)] == [case["match_winner"]]


def test_sets_of_other_projects():
    for case in rows("sets"):
        if case["valid_as_multiset_nowrap"] is not None:
            assert is_set(tiles(case["tiles"])) == case["valid_as_multiset_nowrap"], case
            assert is_set(tiles(case["tiles"]), wraps=True) == case["valid_as_multiset_cyclic"], case


def test_jokers_alone_as_other_projects_have_them():
    refused = RULESETS["ravensburger"].choose(joker_sets="refused")
    for case in rows("sets", profile=("no_all_joker_sets",)):
        assert counts(tiles(case["tiles"]), refused) == case["valid"], case


# Other games decide some rows by the order of the tiles, and let a run end at 13-1 but not go on to 2. Here a set is
# known by its tiles in any order, and runs over the ace go all the way round or not at all.
BY_ORDER = {
    "ordered": 1,
    "ordered_run_only": 2,
    "ace_high_ordered (12-13-1 allowed, 13-1-2 not; tiles in laid order)": 2,
}


def test_rows_that_only_their_order_decides_are_known():
    for profile, number in BY_ORDER.items():
        cases = rows("sets", profile=(profile,))
        wraps = profile.startswith("ace")
        apart = [case for case in cases if is_set(tiles(case["tiles"]), wraps) != case["valid"]]
        assert len(apart) in {0, number}, apart


def test_first_melds_of_other_projects():
    for case in rows("first_meld"):
        joker = 0 if case.get("joker_counts_as") == "0" else None
        points = sum(shape(some).value(joker) for some in table(case.get("sets", ())))
        assert (points >= case["threshold"]) == case.get("ok", False), case


def test_hands_that_open_in_other_projects():
    for case in rows("first_meld"):
        if "hand" in case:
            play = best_sets(tiles(case["hand"]), face_value)
            opens = sum(shape(some).value(None) for some in play.sets) >= case["threshold"]
            assert (len(play.tiles) if opens else 0) == case["max_hand_tiles_playable_first_meld"], case


def test_what_splits_into_sets():
    for case in rows("partition_oracle"):
        assert (partition(tiles(case["tiles"])) is not None) == case["partitionable"], case


def test_what_splits_into_sets_where_runs_go_on_over_the_ace():
    for case in rows("partition_wrap_oracle"):
        assert (partition(tiles(case["tiles"]), wraps=True) is not None) == case["partitionable"], case


@pytest.mark.parametrize("name", ["play_oracle", "play_public"])
def test_how_many_tiles_can_be_played(name):
    for case in rows(name):
        if case.get("max_hand_tiles_playable") is None or "table_sets" not in case:
            continue
        play = best_play([t for some in table(case["table_sets"]) for t in some], tiles(case["hand"]))
        assert play is not None
        assert len(play.tiles) == case["max_hand_tiles_playable"], case
