from dataclasses import replace

import pytest

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, choices_of, ruleset
from referee.game.rulebooks.choices import Option
from referee.game.rulebooks.model import EDITION, Finish, Opening, StockEnd
from referee.game.rulebooks.summary import summary
from referee.i18n import ENGLISH, LANGUAGES, Wording, error_text


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
class TestEveryBook:
    def test_its_name_finds_it(self, rules):
        assert ruleset(rules.name) is rules

    def test_it_tells_itself_in_plain_sentences(self, rules):
        assert rules.title
        assert all(ENGLISH(told).endswith(".") for told in summary(rules))

    def test_every_option_is_a_short_question_with_one_example(self, rules):
        for option in rules.options:
            for language in LANGUAGES:
                words = Wording(language)
                question, example, label = words(option.text), words(option.example), words(option.label)
                assert question.endswith("?"), question
                assert example.endswith("."), example
                assert len(question) <= 100, question
                assert len(example) <= 100, example
                assert len(label) <= 42, label
                assert label[-1] not in "?.:", label

    def test_every_choice_of_an_option_is_known_from_the_rules(self, rules):
        for option in rules.options:
            assert rules.choice_of(option) == option.default
            for choice, _ in option.choices:
                others = {"winning-set": "12"} if option.name == "winning-sum" else {}
                assert rules.choose(**others, **{option.name: choice}).choice_of(option) == choice

    def test_there_are_tiles_enough_for_every_table(self, rules):
        for players in range(rules.players[0], rules.players[1] + 1):
            assert rules.hand_size(players) * players < rules.box.total

    def test_the_default_of_every_option_changes_nothing(self, rules):
        for option in rules.options:
            assert rules.choose(**{option.name: option.default}) == rules


def test_an_unknown_book_is_refused_with_those_known():
    with pytest.raises(BadInput, match="ravensburger, brettspielnetz, piatnik, classic, gin, rummikub"):
        ruleset("canasta")


def test_the_two_books_differ_where_they_say_so():
    one, other = ruleset("ravensburger"), ruleset("rummikub")
    assert one.opening == Opening(40, joker=25, same_turn=True)
    assert other.opening == Opening(30)
    assert (one.turn_seconds, other.turn_seconds) == (120, 60)
    assert (one.box.total, other.box.total) == (108, 106)


@pytest.mark.parametrize(("players", "stock"), [(2, 80), (3, 66), (4, 52)])
def test_fourteen_tiles_each_leave_the_stock(players, stock):
    rules = ruleset("ravensburger")
    assert rules.box.total - players * rules.hand_size(players) == stock


@pytest.mark.parametrize("players", [1, 5])
def test_too_few_or_too_many_players_are_refused(players):
    with pytest.raises(BadInput, match=f"2-4 players for rummikub, got {players}"):
        ruleset("rummikub").hand_size(players)


def test_options_change_the_book():
    rules = ruleset("ravensburger").choose(jokers="2", stock="last-drawn")
    assert rules.box.total == 106
    assert rules.stock_end is StockEnd.LAST_DRAWN


def test_an_option_with_a_dash_may_be_named_with_an_underscore():
    rules = ruleset("rummikub")
    assert rules.choose(empty_stock="difference") == rules.choose(**{"empty-stock": "difference"}) != rules


def test_unknown_options_and_choices_are_refused_with_those_known():
    with pytest.raises(BadInput, match="jokers, minutes, rebuild"):
        ruleset("ravensburger").choose(colour="red")
    with pytest.raises(BadInput, match="jokers out of 4, 2, got '3'"):
        ruleset("ravensburger").choose(jokers="3")


def test_a_number_may_be_chosen_within_its_range():
    piatnik = ruleset("piatnik")
    assert piatnik.choose(winning_set="12", winning_sum="at-least").finish == Finish(set_value=12, at_least=True)
    for wrong in ("2", "92", "1_0", "-5", "٣", "9" * 5000):
        with pytest.raises(BadInput, match="winning-set out of off, 3-91"):
            piatnik.choose(winning_set=wrong)


@pytest.mark.parametrize("value", ["5", "7", "11", "13", "89"])
def test_a_winning_set_that_nobody_can_lay_is_refused(value):
    with pytest.raises(BadInput, match=f"expected winning-set that some set can be worth, got {value}"):
        ruleset("piatnik").choose(winning_set=value)


def test_choices_come_as_texts_each_option_once():
    assert choices_of(["jokers=2", " tie = shared ", "jokers=2"]) == {"jokers": "2", "tie": "shared"}
    for wrong in (["jokers"], ["=2"], ["jokers="]):
        with pytest.raises(BadInput, match="expected an option as NAME=CHOICE"):
            choices_of(wrong)
    with pytest.raises(BadInput, match="expected one choice for the option joker_sets, found both a and b"):
        choices_of(["joker-sets=a", "joker_sets=b"])


def test_options_of_one_part_do_not_undo_each_other():
    rules = ruleset("piatnik").choose(hand_rummy="on", tie="extra-round", minutes="3")
    assert (rules.scoring.hand_rummy, rules.scoring.tie_break, rules.turn_seconds) == (2, True, 180)


def test_choices_that_contradict_each_other_are_refused_with_the_reason():
    with pytest.raises(BadInput) as raised:
        ruleset("piatnik").choose(winning_sum="at-least")
    told = "winning-set=off and winning-sum=at-least: without a winning set there is no value to reach"
    assert error_text(raised.value) == f"expected options of piatnik that agree, got {told}"


def test_a_book_for_two_says_so():
    with pytest.raises(BadInput, match="expected 2 players for gin, got 4"):
        ruleset("gin").hand_size(4)


def test_a_match_of_an_older_edition_is_played_by_what_held_then():
    newer = Option(
        "sun",
        Notice("rules.option_sun"),
        "up",
        (("up", (("wraps", True),)), ("down", (("wraps", False),))),
        formerly="down",
    )
    book = replace(ruleset("rummikub"), wraps=True, options=(newer,))
    assert book.of_edition(EDITION) is book
    assert (book.of_edition(1).wraps, book.of_edition(1).edition) == (False, 1)
    assert book.of_edition(1).choose(sun="up").wraps
    assert book.of_edition(1).options[0].every_choice == ("down", "up")


def test_a_number_that_was_chosen_is_known_from_the_rules():
    rules = ruleset("piatnik").choose(winning_set="12")
    assert [rules.choice_of(option) for option in rules.options if option.name == "winning-set"] == ["12"]


def test_gin_has_no_rules_for_laying_in_turns():
    gin = ruleset("gin")
    assert gin.melds is None
    assert gin.turn_seconds is None
    for field in ("opening", "joker_rule", "timing", "stock_end"):
        with pytest.raises(BadInput, match="expected rules by which sets are laid turn by turn, got gin"):
            getattr(gin, field)
    with pytest.raises(BadInput, match="laid turn by turn, got gin"):
        gin.with_value("opening.minimum", 30)


def test_rulings_of_a_newer_referee_are_not_known():
    with pytest.raises(BadInput, match="expected rulings of edition 2 or older, got edition 3"):
        ruleset("rummikub").of_edition(3)
