"""Time is up: who has laid nothing draws a tile, and jokers of the table go back to their sets."""

import pytest
from cases import case

from benchmarks.worst import forget_judgings
from referee.game.judge.jokers import back
from referee.game.judge.jokers.back import count_lost_jokers
from referee.game.judge.judge import Turn
from referee.game.judge.time_up import consequence
from referee.game.notation import format_set, format_table, parse_table
from referee.game.rulebooks import ruleset
from referee.game.rulebooks.model import TimeUpRule
from referee.game.table import tiles_on, vanished_tiles
from referee.i18n import ENGLISH

BOOKS = ("ravensburger", "piatnik", "classic")


def due(before, now, book="ravensburger", edition=2, **turn):
    rules = ruleset(book).of_edition(edition).choose(**turn.pop("options", {}))
    return consequence(parse_table(before), parse_table(now), Turn(**({"opened": True} | turn)), rules)


@pytest.mark.parametrize("book", BOOKS)
class TestWhoDraws:
    def test_who_took_back_all_that_was_laid_draws_a_tile(self, book):
        result = due("B1 B2 B3", "B1 B2 B3 | R1 K7", book)
        assert (format_table(result.target), format_set(result.takes), result.draws) == ("B1 B2 B3", "R1 K7", 1)

    def test_who_has_laid_a_tile_draws_none(self, book):
        result = due("B1 B2 B3", "B1 B2 B3 B4 | R1 K7", book)
        assert (format_set(result.takes), result.draws) == ("R1 K7", 0)

    def test_who_had_to_take_tiles_of_the_table_draws_none(self, book):
        result = due("R1 R2 R3 | B1 B2 B3", "R1 R2 | R3 | B1 B2 B3", book)
        assert (format_set(result.takes), result.draws) == ("R1 R2 R3", 0)

    def test_a_match_of_the_first_edition_goes_on_as_it_was_begun(self, book):
        assert due("B1 B2 B3", "B1 B2 B3 | R1 K7", book, edition=1).draws == 0


@pytest.mark.parametrize("book", BOOKS)
class TestJokers:
    def test_what_took_its_place_goes_back_to_the_hand(self, book):
        result = due("R5 ** R7", "R5 R6 R7 R8 | ** K1", book)
        assert (format_table(result.target), format_set(result.takes), result.draws) == ("R5 ** R7 R8", "K1 R6", 0)

    def test_the_table_is_then_as_before_and_a_tile_is_drawn(self, book):
        result = due("R5 ** R7", "R5 R6 R7 | **", book)
        assert (format_table(result.target), format_set(result.takes), result.draws) == ("R5 ** R7", "R6", 1)
        assert tuple(map(ENGLISH, result.steps)) == (
            "Take the red 6 into your hand.",
            "This set must be on the table: R5 ** R7.",
        )

    def test_one_that_is_in_the_hand_already_is_put_back(self, book):
        result = due("R5 ** R7", "R5 R6 R7", book)
        assert (format_table(result.target), result.missing, result.draws) == ("R5 ** R7", (), 1)
        assert "Put the joker back on the table." in map(ENGLISH, result.steps)

    def test_where_nothing_took_its_place_it_goes_back_among_its_tiles(self, book):
        result = due("R5 ** R7", "R5 R7 R8 | **", book)
        assert (format_table(result.target), result.takes) == ("R5 ** R7 R8", ())
        result = due("** R6 R7", "R6 R7 R8 | ** K1", book)
        assert (format_table(result.target), format_set(result.takes)) == ("** R6 R7 R8", "K1")

    def test_a_set_that_was_taken_apart_is_laid_again(self, book):
        result = due("R5 ** R7 | B1 B2 B3 B4", "R5 | R7 B4 | ** | B1 B2 B3", book)
        assert sorted(format_table(result.target).split(" | ")) == ["B1 B2 B3", "R5 ** R7"]
        assert (format_set(result.takes), result.draws) == ("B4", 0)

    def test_one_that_was_laid_from_the_hand_returns_to_it(self, book):
        result = due("B1 B2 B3", "B1 B2 B3 B4 | ** R1", book)
        assert (format_table(result.target), format_set(result.takes)) == ("B1 B2 B3 B4", "** R1")

    def test_it_is_taken_where_a_tile_of_its_set_is_gone(self, book):
        result = due("R5 ** R7", "** R7 | K1 K2 K3", book)
        assert (format_table(result.target), format_set(result.takes)) == ("K1 K2 K3", "** R5 R7")
        assert format_set(result.missing) == "R5"

    def test_two_of_one_set_both_go_back(self, book):
        result = due("R5 ** R7 ** R9", "R5 R6 R7 R8 R9 | ** | **", book)
        assert (format_table(result.target), format_set(result.takes), result.draws) == ("R5 ** R7 ** R9", "R6 R8", 1)

    def test_two_of_two_sets_go_back_each_to_its_own(self, book):
        result = due("R5 ** R7 | B5 ** B7", "R5 R6 R7 | B5 B6 B7 B8 | ** ** | K1", book)
        assert (format_table(result.target), format_set(result.takes)) == ("R5 ** R7 | B5 ** B7 B8", "K1 B6 R6")

    def test_one_that_was_played_again_stays_and_only_the_other_goes_back(self, book):
        before, now = "R5 ** R7 | B5 ** B7", "R5 R6 R7 | B5 B6 B7 | K9 K10 ** | **"
        result = due(before, now, book)
        assert tiles_on(result.target)[parse_table("**")[0][0]] == 2
        assert len(result.takes) == 1

    def test_a_match_of_the_first_edition_lets_it_be_taken(self, book):
        assert format_set(due("R5 ** R7", "R5 R6 R7 | **", book, edition=1).takes) == "**"


def test_a_group_gets_its_joker_back_as_well():
    result = due("Y5 G5 B5 **", "Y5 G5 B5 R5 | ** Y6")
    assert (format_table(result.target), format_set(result.takes)) == ("Y5 G5 B5 **", "R5 Y6")


def test_a_tile_of_the_table_that_took_its_place_is_taken_too():
    result = due("R5 ** R7 | R6 K6 B6 Y6", "R5 R6 R7 | K6 B6 Y6 | **")
    assert (format_table(result.target), format_set(result.takes)) == ("K6 B6 Y6 | R5 ** R7", "R6")
    assert result.draws == 0


@pytest.mark.parametrize(
    ("before", "now", "stays", "takes"),
    [
        ("R5 R6 **", "R5 R6 R7 | ** K1", "R5 R6 **", "K1 R7"),
        ("R7 R6 **", "R5 R6 R7 | ** K1", "** R6 R7", "K1 R5"),
        ("** R6 R7", "R5 R6 R7 R8 | **", "** R6 R7 R8", "R5"),
        ("** R7 R6", "R6 R7 R8 | **", "R6 R7 **", "R8"),
        ("R5 R7 **", "R5 R6 R7 | **", "R5 ** R7", "R6"),
    ],
)
def test_its_place_in_the_row_tells_what_took_it(before, now, stays, takes):
    result = due(before, now)
    assert (format_table(result.target), format_set(result.takes)) == (stays, takes)


def test_jokers_alone_are_no_set_where_the_players_want_it_so():
    result = due("R5 ** R7 ** R9", "R5 R6 R7 R8 R9 | ** ** **", options={"joker_sets": "refused"})
    assert (format_table(result.target), format_set(result.takes)) == ("R5 ** R7 ** R9", "** R6 R8")


def test_before_a_first_meld_everything_is_put_back():
    result = due("R5 ** R7", "R5 R6 R7 | **", opened=False)
    assert (format_table(result.target), format_set(result.takes), result.draws) == ("R5 ** R7", "R6", 1)


def test_the_player_never_takes_a_joker_of_a_table_that_is_all_there():
    seen = 0
    for seed in range(900):
        turn = case(seed)
        if turn.judged.accepted or turn.turn.aside or turn.rules.timing.consequence is TimeUpRule.ROLL_BACK:
            continue
        target = consequence(turn.before, turn.after, turn.turn, turn.rules).target
        if not any(not tile.is_joker for tile in vanished_tiles(turn.before, turn.after)):
            assert not count_lost_jokers(turn.before, target), seed
            seen += count_lost_jokers(turn.before, turn.after) > 0 or tiles_on(turn.before) != tiles_on(target)
    assert seen > 20


def test_heaps_that_differ_in_their_order_alone_are_sorted_into_sets_once(monkeypatch):
    forget_judgings()
    heaps, best_sets = [], back.best_sets
    monkeypatch.setattr(back, "best_sets", lambda tiles, **how: heaps.append(tiles) or best_sets(tiles, **how))
    one, other = parse_table("R1 ** R3 B7 B8 B9 K2 | B9 K2 R1 R3 B7 ** B8")
    rules = ruleset("classic")
    assert back.table_without_wrong_sets((one,), rules) == back.table_without_wrong_sets((other,), rules)
    assert len(back.table_without_wrong_sets((one,), rules)) == 2
    assert len(heaps) == 1
