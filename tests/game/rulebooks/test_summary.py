"""A rule book in sentences: what every book must say, and that the sentences follow the options chosen."""

import pytest

from referee.game.rulebooks import ruleset
from referee.game.rulebooks.summary import summary
from referee.i18n import ENGLISH


def told(book, **options):
    return ENGLISH.all(summary(ruleset(book).choose(**options)))


@pytest.mark.parametrize("book", ["ravensburger", "brettspielnetz", "piatnik", "rummikub"])
def test_groups_and_runs_are_told_and_that_1_does_not_follow_13(book):
    assert "three or four tiles of one number in different colours, a run three or more numbers of one colour" in told(
        book
    )
    assert "1 never follows 13" in told(book)


def test_runs_of_cards_go_on_after_the_king_or_end_there():
    assert (
        "also from king to ace: Q K A 2 3. The ace always counts 1, the jack 11, the queen 12, the king 13."
        in told("classic")
    )
    assert "three or four tiles of one number in different suits" in told("gin")
    assert "no run goes on from the king to the ace" in told("gin")


@pytest.mark.parametrize(
    ("book", "sentence"),
    [
        ("ravensburger", "The highest total after the rounds agreed on wins the match; a tie is shared."),
        ("classic", "The highest total after the rounds agreed on wins the match; a tie is shared."),
        (
            "rummikub",
            "As is usual (this book lacks it): the highest total after the rounds agreed on wins the match;",
        ),
        ("piatnik", "The lowest total after the rounds agreed on wins the match; a tie is shared."),
        (
            "brettspielnetz",
            "As is usual (this book lacks it): whoever wins more rounds wins the match; a tie is shared.",
        ),
        ("gin", "Whoever has 100 points first wins the match."),
        ("brettspielnetz", "equal points are a draw"),
        ("gin", "then the loser of each round deals; after a drawn round the dealer stays"),
        ("rummikub", "whoever draws the highest number begins (jokers do not count, and the tiles drawn go back)"),
        ("rummikub", "As is usual (this book lacks it)"),
        ("brettspielnetz", "at most 12"),
        ("ravensburger", "The four blank tiles of the box are sorted out."),
        ("ravensburger", "A tile just drawn waits for your next turn, even if your first meld lacked just that one."),
        ("piatnik", "A tile just drawn waits for your next turn, even if your first meld lacked just that one."),
        ("piatnik", "all others write down what is in their hands as minus points, a joker costs 20."),
        ("classic", "51 points in all: your own sets, one or several, and the sets on the table that you add to."),
        ("brettspielnetz", "Leave a gap between two sets."),
        ("piatnik", "The book itself limits only rebuilding; an option times just that."),
        ("piatnik", "Exchange a joker, even one that you laid, for the tile it stands for"),
        ("classic", "No tile is discarded."),
        ("classic", "Say what a joker in a group stands for; the referee does not check what is said."),
        ("gin", "without rebuilding them"),
        ("gin", "if both leave it, the one who did not deal draws a hidden one."),
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
        ("ravensburger", {"jokers": "2"}, "2 jokers play along"),
        ("ravensburger", {"minutes": "1"}, "A turn lasts 1 minute; then you take"),
        ("ravensburger", {"minutes": "3"}, "A turn lasts 3 minutes; then you take"),
        ("ravensburger", {"rebuild": "strict"}, "When you take only some tiles of a set, three of it stay together."),
        ("ravensburger", {"joker_sets": "refused"}, "Jokers alone are not a set."),
        ("ravensburger", {"rearranging": "put-back"}, "without a tile from the hand must be put back."),
        ("ravensburger", {"stock": "last-drawn"}, "last tile of the stock is drawn, the round is over and nobody"),
        ("ravensburger", {"tie": "extra-round"}, "wins the match; a tie is played out in one more round."),
        (
            "brettspielnetz",
            {"minutes": "2"},
            "2 minutes; then the table is put back and you draw 1 tile.",
        ),
        ("piatnik", {"fresh_tile": "opening"}, "A tile just drawn may serve for your first meld in the same turn."),
        ("piatnik", {"fresh_tile": "always"}, "A tile just drawn may be laid in the same turn."),
        ("piatnik", {"hand_rummy": "on"}, "All points count double if the winner lays the whole hand"),
        ("piatnik", {"last_tile": "on"}, "One tile lies open aside from the start"),
        ("piatnik", {"winning_set": "12"}, "lays a set worth exactly 12 points"),
        ("piatnik", {"winning_set": "12", "winning_sum": "at-least"}, "lays a set worth at least 12 points"),
        ("piatnik", {"stock": "count"}, "nobody can lay any more, the hand with the fewest points wins; all write"),
        ("classic", {"opening_counts": "added"}, "one or several, and the tiles that you add to sets on the table."),
        ("classic", {"exchange": "counts"}, "In it you may exchange jokers of the table, and their sets count too."),
        ("classic", {"declare": "spoken"}, "Say what a joker stands for; exchange it"),
        ("rummikub", {"empty_stock": "difference"}, "gets the difference to every other hand"),
    ],
)
def test_the_sentences_follow_the_options(book, options, sentence):
    assert sentence in told(book, **options)
    assert sentence not in told(book)


def test_the_clock_may_wait_for_the_first_meld():
    wanted = "once your first meld lies there; then the table is put back and you draw 3 tiles."
    assert wanted in told("rummikub", entry="untimed")
    timed = told("rummikub", entry="timed")
    assert "before your first meld, too (that is not in the book); then the table is put back" in timed
    assert "you draw 3 tiles, or 1 before your first meld." in timed


def test_what_is_timed_and_what_a_joker_stands_for_follow_the_options():
    told = [notice.key for notice in summary(ruleset("piatnik").choose(limit="rebuild", joker_place="best"))]
    assert {"rules.time_for_rebuilding", "rules.joker_best"} <= set(told)
    usual = [notice.key for notice in summary(ruleset("piatnik"))]
    assert {"rules.time_up_take", "rules.joker_as_laid"} <= set(usual)


@pytest.mark.parametrize("book", ["ravensburger", "classic", "rummikub"])
def test_what_is_left_in_the_hands_counts_against_the_losers_too(book):
    assert "counts as minus points there, and all of it as plus points for the winner" in told(book)


@pytest.mark.parametrize("book", ["ravensburger", "classic", "rummikub", "piatnik", "brettspielnetz", "gin"])
def test_what_books_print_alike_is_told_of_these_and_of_no_other(book):
    text = told(book)
    assert ("every tile on the table stays there, none goes into a hand" in text) == (book != "gin")
    assert ("one set or several" in text or "your own sets, one or several" in text) == (book != "gin")
    assert ("A tile just drawn waits" in text) == (book in ("ravensburger", "piatnik"))


def test_in_gin_the_other_player_deals_where_it_is_told_who_begins():
    assert "Lots decide who begins; the other player deals." in told("gin", starts="lot")
    assert "The next player clockwise begins each further round; the other player deals." in told("gin", starts="next")
    assert "the other player deals" not in told("gin")


def test_jokers_in_groups_are_asked_for_once():
    assert "Say what a joker in a group stands for; the referee does not check what is said." not in told(
        "classic", declare="spoken"
    )
    assert told("classic", declare="spoken").count("what a joker") == 1


def test_a_drawn_tile_waits_only_where_nothing_else_was_agreed():
    assert "A tile just drawn waits" not in told("piatnik", **{"fresh-tile": "opening"})


def test_where_only_rebuilding_is_timed_nothing_more_is_told_of_it():
    assert "an option times just that" not in told("piatnik", limit="rebuild")
