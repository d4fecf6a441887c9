"""Choices for the jokers of several sets: the first that go together, and nothing tried twice."""

from collections import Counter

from referee.game.judge.jokers.ways import Choice, SourceSearch
from referee.game.rulebooks import ruleset
from referee.game.tiles import JOKER, Colour, Tile

ONE, TWO, THREE, FOUR = (Tile(number, Colour.RED) for number in (1, 2, 3, 4))
OLD, OTHER = (JOKER, Tile(8, Colour.BLUE), Tile(9, Colour.BLUE)), (JOKER, Tile(5, Colour.BLACK), Tile(6, Colour.BLACK))


def searched(choices, places=(), hand=None, anywhere=0):
    return SourceSearch(ruleset("classic"), [OLD, OTHER], choices, places).run(hand, anywhere)


def test_jokers_that_may_lie_anywhere_are_as_many_as_were_said():
    choices = [[Choice((), (ONE,), True), Choice((TWO,), (ONE,), True), Choice((), (TWO,), True)]]
    choices.append([Choice((), (THREE,), True)])
    assert searched(choices, anywhere=1) is None
    assert searched(choices, anywhere=2) == ()


def test_a_tile_of_the_hand_frees_one_joker_only():
    places = ((JOKER, Tile(2, Colour.RED), Tile(3, Colour.RED)),)
    choices = [[Choice((THREE,), (ONE,), True), Choice((TWO,), (ONE,), True)], [Choice((THREE,), (), True)]]
    hand = Counter([TWO, THREE])
    assert searched(choices, places, hand) == ((OLD, (TWO,)), (OTHER, (THREE,)))
    assert searched(choices, places, Counter([THREE])) is None


def test_jokers_of_one_set_stand_for_different_tiles():
    places = ((JOKER, Tile(2, Colour.RED), Tile(3, Colour.RED)),)
    assert searched([[Choice((), (ONE,), True)], [Choice((), (FOUR,), True)]], places) is None
    assert searched([[Choice((), (ONE,), True)], [Choice((FOUR,), (), True)]], places) == ((OTHER, (FOUR,)),)
