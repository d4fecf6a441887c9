import pytest

from referee.game.notation import parse_set
from referee.game.wording import count, joined, listed


def test_one_is_one_and_more_are_more():
    assert count(1, "tile") == "1 tile"
    assert count(0, "tile") == "0 tiles"


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ("R7", "the red 7"),
        ("R7 B8", "the red 7 and the blue 8"),
        ("R7 ** B8", "the red 7, the joker and the blue 8"),
        ("** **", "2 jokers"),
        ("R7 R7", "2 times the red 7"),
        ("", ""),
    ],
)
def test_tiles_are_listed_in_words(tiles, words):
    assert listed(parse_set(tiles)) == words


def test_nothing_joined_is_nothing():
    assert joined([]) == ""
