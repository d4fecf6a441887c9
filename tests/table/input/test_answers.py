"""What can be told about a tile that is asked about in vain, and how."""

from dataclasses import replace

import numpy as np
import pytest

from referee.errors import BadInput
from referee.game.doubt import Doubt, ReadRecord
from referee.game.tiles import JOKER, Tile
from referee.i18n import ENGLISH, error_text
from referee.table.input.answers import Answers, told_of
from referee.vision.sighting import Read, Sighting

JACK = Read(
    Tile.from_name("blue-11"), 0.5, True, (("blue-13", 0.3), ("green-8", 0.1), ("blue-8", 0.05)),
    np.zeros((4, 2), np.float32), 0.0, 200.0, 300.0,
)  # fmt: skip


def asked(answers, *reads, again=False, tileset="classic"):
    sighting = Sighting(tileset, "markers", reads, ())
    doubts = [Doubt("B11? (or B13)", ReadRecord(i, "blue-11")) for i in range(len(reads))]
    return answers.ask(sighting, doubts, again=again)


def twice(*reads):
    answers = Answers()
    asked(answers, *reads)
    asked(answers, *reads)
    return answers


def told(answers, *, start=True):
    return ENGLISH(told_of(answers.open, start=start))


def test_only_a_second_look_that_is_no_surer_lets_players_tell():
    answers = Answers()
    (doubt,) = asked(answers, JACK)
    assert doubt.offered is None
    assert answers.open is None
    (doubt,) = asked(answers, replace(JACK, x_mm=205.0))
    assert doubt.offered == ("blue-11", "blue-13", "blue-8")  # the box has no green
    letters = "a) blue 11, b) blue 13, c) blue 8"
    assert told(answers) == f"Straighten it once more, or say what it is: {letters} (tap start to choose)."
    assert told(answers, start=False).endswith(f"{letters} (hold the button to choose).")


def test_two_inks_that_may_be_each_other_are_told_at_once() -> None:
    answers = Answers()
    sighting = Sighting("classic", "markers", (JACK,), (), sure_from=0.9)
    (doubt,) = answers.ask(sighting, [Doubt("B11", ReadRecord(0, "blue-11"), together=(0,))])
    assert doubt.offered
    assert told(answers) == "Say what it is: a) blue 11, b) blue 13, c) blue 8 (tap start to choose)."


def test_a_clear_tile_too_many_is_told_at_once():
    sure, unsure = replace(JACK, confidence=0.99), replace(JACK, confidence=0.6, x_mm=300.0)
    reads = (sure, sure, replace(sure, x_mm=300.0))
    sighting = Sighting("classic", "markers", reads, (), sure_from=0.9)
    answers = Answers()
    doubts = answers.ask(sighting, [Doubt("B11", ReadRecord(2, "blue-11"))])
    assert doubts[0].offered == ("blue-11", "blue-13", "blue-8")
    letters = "a) blue 11, b) blue 13, c) blue 8"
    assert told(answers) == f"Take one away, or say what it is: {letters} (tap start to choose)."
    assert told(answers, start=False) == f"Take one away, or say what it is: {letters} (hold the button to choose)."
    answers = Answers()
    answers.ask(replace(sighting, reads=(sure, sure, unsure)), [Doubt("B11", ReadRecord(2, "blue-11"))])
    assert answers.open is None  # perhaps it is another tile, once it lies straight


def test_the_same_look_counts_once():
    answers = Answers()
    asked(answers, JACK)
    asked(answers, JACK, again=True)
    assert answers.open is None


def test_a_look_that_is_surer_is_worth_another_one_but_no_third():
    answers = Answers()
    asked(answers, JACK)
    asked(answers, replace(JACK, confidence=0.8))
    assert answers.open is None
    asked(answers, replace(JACK, confidence=0.95))
    assert answers.open is not None


def test_elsewhere_it_may_be_another_tile_but_not_for_ever():
    answers = Answers()
    asked(answers, JACK)
    for number, x in enumerate((400.0, 600.0), 2):
        asked(answers, replace(JACK, x_mm=x))
        assert (answers.open is not None) is (number > 2)
    asked(answers, replace(JACK, tile=JOKER, x_mm=50.0))
    assert answers.open is None


def test_a_picture_of_nothing_forgets_nothing():
    answers = twice(JACK)
    assert answers.ask(None, [Doubt("the whole table")]) == (Doubt("the whole table"),)
    assert answers.open is not None


@pytest.mark.parametrize(("read", "tileset"), [(replace(JACK, x_mm=None), "classic"), (JACK, "of glass")])
def test_without_a_place_or_a_box_nothing_can_be_told(read, tileset):
    answers = Answers()
    for _ in range(3):
        asked(answers, read, tileset=tileset)
    assert answers.open is None


def test_what_is_in_doubt_no_more_can_be_told_no_more():
    answers = twice(JACK)
    asked(answers)
    assert answers.open is None
    answers = twice(JACK)
    answers.clear()
    assert answers.open is None


class TestByName:
    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("a", "blue-11"),
            ("b", "blue-13"),
            ("K13", "black-13"),
            ("k13", "black-13"),
            ("**", "joker"),
            ("back", None),
        ],
    )
    def test_a_letter_or_any_tile_of_the_box(self, text, name):
        tile = twice(JACK).tile(text)
        assert (None if tile is None else tile.name) == name

    @pytest.mark.parametrize("text", ["d", "G8", "R14", "", "B 11"])
    def test_nothing_else(self, text):
        with pytest.raises(BadInput) as refused:
            twice(JACK).tile(text)
        assert error_text(refused.value) == (
            "Expected a) blue 11, b) blue 13, c) blue 8, another tile of the box such as =R7, or =back, "
            f"found '{text}'."
        )

    def test_not_before_it_was_asked_twice(self):
        with pytest.raises(BadInput) as refused:
            Answers().tile("a")
        assert "will ask a second time" in error_text(refused.value)


class TestByButtons:
    def test_line_by_line_and_round_again(self):
        answers = twice(JACK)
        seen = []
        for _ in range(6):
            answers.next()
            seen.append(ENGLISH(answers.shown_choice))
        assert seen == ["blue 11", "blue 13", "blue 8", "another", "look again", "blue 11"]
        answers.next()
        assert answers.yes() == (Tile.from_name("blue-13"),)

    def test_another_tile_by_colour_and_number(self):
        answers = twice(JACK)
        for _ in range(4):
            answers.next()
        assert answers.yes() is None
        seen = []
        for _ in range(6):
            seen.append(ENGLISH(answers.shown_choice))
            answers.next()
        assert seen == ["black", "yellow", "blue", "red", "joker", "back"]
        for _ in range(3):
            answers.next()
        assert answers.yes() is None
        assert ENGLISH(answers.shown_choice) == "red 1"
        for _ in range(6):
            answers.next()
        assert answers.yes() == (Tile.from_name("red-7"),)

    def test_a_back_and_looking_again(self):
        answers = twice(JACK)
        for _ in range(4):
            answers.next()
        answers.yes()
        for _ in range(5):
            answers.next()
        assert answers.yes() == (None,)
        answers = twice(JACK)
        for _ in range(5):
            answers.next()
        assert answers.yes() is None
        assert not answers.is_choosing
        assert answers.shown_choice is None

    def test_nothing_to_tell_is_no_dialogue(self):
        answers = Answers()
        answers.next()
        assert not answers.is_choosing

    def test_another_look_at_the_same_tile_does_not_end_it_but_one_without_does(self):
        answers = twice(JACK)
        answers.next()
        asked(answers, JACK)
        assert answers.is_choosing
        answers.settle(JACK)
        assert answers.open is None
        assert not answers.is_choosing

    def test_tiles_are_told_one_after_the_other(self):
        other = replace(JACK, x_mm=500.0)
        answers = twice(JACK, other)
        answers.settle(JACK)
        assert answers.open.read is other
