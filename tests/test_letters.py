"""Letters of names as people see them: an emoji of several characters is one, and what is invisible goes."""

import pytest

from referee.club.protocol.documents import Command, Do
from referee.club.tournament.events import Entered, Opened, Rules
from referee.club.tournament.machine import apply, open_tournament
from referee.errors import BadInput
from referee.letters import (
    NAME_CHARACTERS,
    NAME_LETTERS,
    alphabetical,
    can_be_shown,
    count_letters,
    is_too_long,
    shown,
)
from referee.page.command import one_line, visible_text

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
PILOT = "\U0001f469\U0001f3fd\u200d\u2708\ufe0f"
NODDING = "\U0001f642\u200d\u2195\ufe0f"
SHAKING = "\U0001f642\u200d\u2194\ufe0f"
RAINBOW = "\U0001f3f3\ufe0f\u200d\U0001f308"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
ITALY = "\U0001f1ee\U0001f1f9"
KEYCAP = "7\ufe0f\u20e3"
ONE_LETTER = [FAMILY, PILOT, NODDING, SHAKING, RAINBOW, SCOTLAND, ITALY, KEYCAP, "e\u0301", "\u1112\u1161\u11ab"]


@pytest.mark.parametrize("letter", ONE_LETTER)
def test_an_emoji_of_several_characters_stays_whole_and_is_one_letter(letter):
    name = f"Ann {letter}{letter} B"
    assert (visible_text(f" {name}\n"), one_line(f"{name}\n")) == (name, name)
    assert can_be_shown(name)
    assert count_letters(name) == 8


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("A\u200bnn", "Ann"),
        ("\u202eAnn\u2066", "Ann"),
        ("Ann\u200d", "Ann"),
        ("An\u200dn", "Ann"),
        ("\u200d\U0001f468", "\U0001f468"),
        ("\U0001f468\u200d\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("\U0001f468\u200b\u200d\U0001f469", "\U0001f468\U0001f469"),
        ("\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4"),
        ("Ann\U000e0067\U000e007f", "Ann"),
        ("\u0dc1\u0dca\u200d\u200b\u0dbb", "\u0dc1\u0dca\u0dbb"),
        ("A\0\x07nn\ufeff", "Ann"),
    ],
)
def test_what_is_invisible_and_joins_nothing_is_removed(typed, left):
    assert not can_be_shown(typed)
    assert shown(typed) == left
    assert can_be_shown(left)


@pytest.mark.parametrize(
    ("name", "long"),
    [
        ("x" * NAME_LETTERS, False),
        ("x" * (NAME_LETTERS + 1), True),
        ("x" * (NAME_LETTERS - 1) + FAMILY, False),
        (FAMILY * 9, False),
        (FAMILY * 10, True),  # ten letters, but 70 characters
        ("a" + "\u0301" * NAME_CHARACTERS, True),
    ],
)
def test_table_tournament_and_club_agree_on_how_long_a_name_may_be(name, long):
    assert is_too_long(name) is long
    tournament = open_tournament(Opened("Cup", Rules(3), 0.0))
    if long:
        with pytest.raises(BadInput, match="name_too_long"):
            apply(tournament, Entered(name, 1.0))
        with pytest.raises(BadInput, match="40 letters"):
            Command(Do.BEGIN, players=(name, "Ben"), draw="cup-1")
    else:
        assert apply(tournament, Entered(name, 1.0)).players[0].name == name
        assert Command(Do.BEGIN, players=(name, "Ben"), draw="cup-1").players[0] == name


def test_letters_of_a_flag_count_by_twos():
    assert [count_letters("\U0001f1ee" * many) for many in range(5)] == [0, 1, 1, 2, 2]


def test_names_are_sorted_as_people_look_them_up():
    names = ["Zo\u00eb", "\u00c4nne", "Bert", "anna", "\u00c7a\u011fla", "Anton", "Anne"]
    found = sorted(names, key=alphabetical)
    assert found == ["anna", "Anne", "\u00c4nne", "Anton", "Bert", "\u00c7a\u011fla", "Zo\u00eb"]
