"""Names of tiles and sets in each language, with their articles and cases, and several of them joined."""

import pytest

from referee.game.notation import parse_set
from referee.game.notice import Notice
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.i18n import ENGLISH, LANGUAGES, Wording


@pytest.mark.parametrize("faces", ["numbers", "cards"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_has_a_name_of_its_own(language, faces):
    words = Wording(language, faces)
    tiles = [JOKER, *(Tile(number, colour) for colour in Colour for number in range(1, HIGHEST + 1))]
    names = [words(Notice("play.label_tile", tile=tile)) for tile in tiles]
    assert len(set(names)) == len(tiles)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "The red jack, 2 jokers and the black king"),
        ("de", "Der rote Bube, 2 Joker und der schwarze König"),
        ("fr", "Le valet rouge, 2 jokers et le roi noir"),
        ("it", "Il fante rosso, 2 jolly e il re nero"),
    ],
)
def test_cards_are_called_as_cards(language, told):
    words = Wording(language, "cards")
    assert words.value(parse_set("R11 ** ** K13"), "The") == told


@pytest.mark.parametrize(
    ("language", "how", "told"),
    [
        ("de", "the", "die rote 7, der blaue Bube und das schwarze Ass"),
        ("de", "the_acc", "die rote 7, den blauen Buben und das schwarze Ass"),
        ("de", "the_dat", "der roten 7, dem blauen Buben und dem schwarzen Ass"),
        ("fr", "the", "le 7 rouge, le valet bleu et l'as noir"),
        ("fr", "the_of", "du 7 rouge, du valet bleu et de l'as noir"),
        ("it", "the", "il 7 rosso, il fante blu e l'asso nero"),
        ("it", "the_of", "del 7 rosso, del fante blu e dell'asso nero"),
    ],
)
def test_articles_and_cases(language, how, told):
    assert Wording(language, "cards").value(parse_set("R7 B11 K1"), how) == told


@pytest.mark.parametrize(
    ("how", "faces", "told"),
    [
        ("The", "numbers", "Die beiden roten 7er, die orange 12 und 2 Joker"),
        ("the_acc", "cards", "die beiden roten 7er, die orange Dame und 2 Joker"),
        ("the_dat", "numbers", "den beiden roten 7ern, der orange 12 und 2 Jokern"),
    ],
)
def test_equal_tiles_are_a_pair_in_german(how, faces, told):
    assert Wording("de", faces).value(parse_set("R7 O12 ** R7 **"), how) == told


@pytest.mark.parametrize(
    ("tiles", "told"),
    [
        ("R11 R11 R11", "3 rote Buben"),
        ("B1 B1 B1", "3 blaue Asse"),
        ("O7 O7", "2 orange 7er"),
        ("** ** **", "3 Joker"),
    ],
)
def test_too_many_tiles_are_counted_in_german(tiles, told):
    assert Wording("de", "cards").value(parse_set(tiles), "many") == told


@pytest.mark.parametrize(
    ("tiles", "how", "told"),
    [
        ("R7 R7", "the", "les deux 7 rouges"),
        ("K12 K12 R1 R1", "The", "Les deux dames noires et les deux as rouges"),
        ("O11 O11", "the_of", "des deux valets orange"),
        ("B13 B13", "the_to", "aux deux rois bleus"),
        ("R7 R7 R7", "Many", "Trois 7 rouges"),
        ("** ** **", "many", "3 jokers"),
        ("R5 R6 R7", "set", "5 6 7 rouges"),
    ],
)
def test_french_counts_equal_tiles_in_the_plural(tiles, how, told):
    assert Wording("fr", "cards").value(parse_set(tiles), how) == told


@pytest.mark.parametrize(
    ("language", "run", "group"),
    [
        ("en", "red 5 6 joker", "red 7, blue 7, joker"),
        ("de", "Rot 5 6 Joker", "rote 7, blaue 7, Joker"),
        ("fr", "5 6 joker en rouge", "7 rouge, 7 bleu, joker"),
        ("it", "5 6 rossi, jolly", "7 rosso, 7 blu, jolly"),
    ],
)
def test_a_run_names_its_colour_once_and_a_group_names_every_tile(language, run, group):
    words = Wording(language)
    assert words.value(parse_set("R5 R6 **"), "set") == run
    assert words.value(parse_set("R7 B7 **"), "set") == group


@pytest.mark.parametrize("how", ["set", "Set"])
def test_operators_read_sets_in_notation(how):
    assert ENGLISH.value(parse_set("R5 R6 **"), how) == "R5 R6 **"


@pytest.mark.parametrize(
    ("tiles", "told"),
    [
        ("R7", "the red 7"),
        ("R7 B8", "the red 7 and the blue 8"),
        ("R7 ** B8", "the red 7, the joker and the blue 8"),
        ("** **", "2 jokers"),
        ("R7 R7", "the two red 7s"),
        ("K1 K1 B13 B13 B13", "the two black 1s and the 3 blue 13s"),
    ],
)
def test_tiles_are_listed_with_what_comes_twice(tiles, told):
    assert ENGLISH.value(parse_set(tiles), "the") == told


@pytest.mark.parametrize(
    ("tiles", "told"),
    [
        ("R5 ** R7", "5 jolly 7 rossi"),
        ("R5 R6 ** **", "5 6 rossi, jolly, jolly"),
        ("** R12 R13", "jolly, regina re rossi"),
        ("** R12 **", "jolly, regina rossa, jolly"),
        ("** R7", "jolly, 7 rosso"),
    ],
)
def test_an_italian_joker_at_an_end_has_no_colour(tiles, told):
    assert Wording("it", "cards").value(parse_set(tiles), "set") == told


@pytest.mark.parametrize(
    ("name", "told"), [("Anna", "Tocca ad Anna."), ("Ágnes", "Tocca ad Ágnes."), ("Ben", "Tocca a Ben."),
                       ("Emma", "Tocca a Emma.")])  # fmt: skip
def test_an_italian_preposition_changes_before_its_own_vowel(name, told):
    assert Wording("it")(Notice("play.others_turn", player=name)) == told


def test_an_italian_and_changes_before_its_own_vowel():
    words = Wording("it")
    assert words.value(("Anna", "Ben", "Emma"), "") == "Anna, Ben ed Emma"
    assert words.value(("Emma", "Anna"), "") == "Emma e Anna"
    assert words.value(("Anna", "Emma"), "or") == "Anna o Emma"
