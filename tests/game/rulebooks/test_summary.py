"""A rule book in sentences: what every book must say, and that the sentences follow the options chosen."""

import pytest

from referee.game.rulebooks import ruleset
from referee.game.rulebooks.summary import summary
from referee.i18n import ENGLISH


def told(book, **options):
    return ENGLISH.all(summary(ruleset(book).choose(**options)))


@pytest.mark.parametrize("book", ["ravensburger", "brettspielnetz", "piatnik", "rummikub"])
def test_groups_and_runs_are_told_and_that_1_does_not_follow_13(book):
    assert "three or four tiles of the same number in different colours" in told(book)
    assert "a run is three or more consecutive numbers in one colour" in told(book)
    assert "1 never follows 13" in told(book)


def test_runs_of_cards_go_on_after_the_king_or_end_there():
    classic = told("classic")
    assert (
        "may go on from the king to the ace: Q K A 2 3. The ace always counts 1, the jack 11, the queen 12" in classic
    )
    assert "three or four tiles of the same number in different suits" in told("gin")
    assert "no run goes on from the king to the ace" in told("gin")


@pytest.mark.parametrize(
    ("book", "sentence"),
    [
        ("ravensburger", "After the agreed number of rounds the highest total wins the match; a tie is shared."),
        ("classic", "After the agreed number of rounds the highest total wins the match; a tie is shared."),
        (
            "rummikub",
            "The book does not say, so the usual rule applies: after the agreed number of rounds the highest total",
        ),
        ("piatnik", "After the agreed number of rounds the lowest total wins the match; a tie is shared."),
        (
            "brettspielnetz",
            "The book does not say, so the usual rule applies: whoever wins the most rounds wins the match;",
        ),
        ("gin", "The first player to reach 100 points wins the match."),
        ("brettspielnetz", "equal points are a draw"),
        ("gin", "after that the loser of each round deals. After a draw the same player deals again."),
        ("rummikub", "whoever draws the highest number begins (jokers do not count, and the tiles drawn go back)"),
        ("rummikub", "the usual rule applies: a joker is free for the same turn once the right tile takes its place."),
        ("brettspielnetz", "at most 12"),
        ("ravensburger", "Leave out the four blank tiles in the box."),
        ("ravensburger", "You may not lay a tile you have just drawn until your next turn, even if"),
        ("piatnik", "even if it was all you needed for your first meld."),
        ("piatnik", "everybody else scores minus the points left in their hand, and a joker left there counts 20."),
        (
            "classic",
            "51 points in all: your own sets, one or several, and the whole sets on the table that you add to.",
        ),
        ("brettspielnetz", "Leave a gap between two sets."),
        ("piatnik", "The book itself limits only the time for rebuilding; an option times just that."),
        ("piatnik", "You may exchange a joker, even one that you laid, for the tile it stands for"),
        ("classic", "Tiles are never discarded."),
        ("classic", "Say what a joker in a group stands for; the referee does not check what you say."),
        ("gin", "without rebuilding them"),
        ("gin", "if both decline, the player who did not deal draws from the stock."),
        ("rummikub", "calls “Rummikub” out loud at once."),
    ],
)
def test_what_a_book_must_say(book, sentence):
    assert sentence in told(book)


@pytest.mark.parametrize("book", ["ravensburger", "classic", "rummikub", "piatnik", "brettspielnetz", "gin"])
def test_the_direction_is_told_where_the_book_tells_it(book):
    assert ("turns go clockwise" in told(book)) == (book in ("ravensburger", "classic", "rummikub"))


@pytest.mark.parametrize(
    ("book", "options", "sentence"),
    [
        ("ravensburger", {"jokers": "2"}, "there are 2 jokers in the game"),
        ("ravensburger", {"minutes": "1"}, "A turn lasts 1 minute; if you run out of time, you take"),
        ("ravensburger", {"minutes": "3"}, "A turn lasts 3 minutes; if you run out of time, you take"),
        (
            "ravensburger",
            {"rebuild": "strict"},
            "If you take only some of the tiles from a set, three of its tiles must stay together.",
        ),
        ("ravensburger", {"joker_sets": "refused"}, "Jokers alone do not make a set."),
        ("ravensburger", {"rearranging": "put-back"}, "without laying a tile from your hand, you must put it back."),
        ("ravensburger", {"stock": "last-drawn"}, "last tile of the stock is drawn, the round is over and nobody"),
        ("ravensburger", {"tie": "extra-round"}, "wins the match; a tie is decided by one more round."),
        (
            "brettspielnetz",
            {"minutes": "2"},
            "2 minutes; if you run out of time, the table is put back and you draw 1 tile.",
        ),
        (
            "piatnik",
            {"fresh_tile": "opening"},
            "You may use a tile you have just drawn for your first meld in the same turn.",
        ),
        ("piatnik", {"fresh_tile": "always"}, "You may lay a tile you have just drawn in the same turn."),
        ("piatnik", {"hand_rummy": "on"}, "All points count double if the winner lays the whole hand"),
        ("piatnik", {"last_tile": "on"}, "At the start one tile is set aside face up"),
        ("piatnik", {"winning_set": "12"}, "lay a set worth exactly 12 points"),
        ("piatnik", {"winning_set": "12", "winning_sum": "at-least"}, "lay a set worth at least 12 points"),
        (
            "piatnik",
            {"stock": "count"},
            "nobody can lay any more, the hand with the fewest points wins; everybody scores minus",
        ),
        ("classic", {"opening_counts": "added"}, "one or several, and the tiles that you add to sets on the table."),
        (
            "classic",
            {"exchange": "counts"},
            "In that turn you may exchange jokers on the table, and their sets count too.",
        ),
        ("classic", {"declare": "spoken"}, "Say what a joker stands for; to get it"),
        ("rummikub", {"empty_stock": "difference"}, "scores the difference to every other hand"),
    ],
)
def test_the_sentences_follow_the_options(book, options, sentence):
    assert sentence in told(book, **options)
    assert sentence not in told(book)


def test_the_clock_may_wait_for_the_first_meld():
    wanted = "if you run out of time, the table is put back and you draw 3 tiles."
    assert wanted in told("rummikub", entry="untimed")
    timed = told("rummikub", entry="timed")
    assert "even before your first meld (the book does not say so); if you run out of time, the table is" in timed
    assert "you draw 3 tiles, or 1 before your first meld." in timed


def test_what_is_timed_and_what_a_joker_stands_for_follow_the_options():
    told = [notice.key for notice in summary(ruleset("piatnik").choose(limit="rebuild", joker_place="best"))]
    assert {"rules.time_for_rebuilding", "rules.joker_best"} <= set(told)
    usual = [notice.key for notice in summary(ruleset("piatnik"))]
    assert {"rules.time_up_take", "rules.joker_as_laid"} <= set(usual)


@pytest.mark.parametrize("book", ["ravensburger", "classic", "rummikub"])
def test_what_is_left_in_the_hands_counts_against_the_losers_too(book):
    assert "and the winner scores the sum of those points" in told(book)


@pytest.mark.parametrize("book", ["ravensburger", "classic", "rummikub", "piatnik", "brettspielnetz", "gin"])
def test_what_books_print_alike_is_told_of_these_and_of_no_other(book):
    text = told(book)
    assert ("no tile may go from the table into your hand" in text) == (book != "gin")
    assert ("one set or several" in text or "your own sets, one or several" in text) == (book != "gin")
    assert ("You may not lay a tile you have just drawn" in text) == (book in ("ravensburger", "piatnik"))


def test_in_gin_the_other_player_deals_where_it_is_told_who_begins():
    assert "Who begins is decided by lot; the other player deals." in told("gin", starts="lot")
    assert "In each further round the next player clockwise begins; the other player deals." in told(
        "gin", starts="next"
    )
    assert "the other player deals" not in told("gin")


def test_jokers_in_groups_are_asked_for_once():
    assert "Say what a joker in a group stands for; the referee does not check what you say." not in told(
        "classic", declare="spoken"
    )
    assert told("classic", declare="spoken").count("what a joker") == 1


def test_a_drawn_tile_waits_only_where_nothing_else_was_agreed():
    assert "You may not lay a tile you have just drawn" not in told("piatnik", **{"fresh-tile": "opening"})


def test_where_only_rebuilding_is_timed_nothing_more_is_told_of_it():
    assert "an option times just that" not in told("piatnik", limit="rebuild")
