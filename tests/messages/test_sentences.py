"""Every sentence in every language, worded once in the singular and once in the plural; and the names of tiles."""

from pathlib import Path

import pytest

from referee.game.notation import parse_set
from referee.game.notice import Notice
from referee.game.tiles import HIGHEST, JOKER, Colour, Tile
from referee.messages import ENGLISH, LANGUAGES, Wording
from referee.messages.notices import NOTICES, Kind
from tools.samples import EXACTLY, PLAIN, samples, value
from tools.sentences import PAGE, page

FACES = ("numbers", "cards")
COLOURED = (Kind.COLOUR, Kind.TILE, Kind.TILES, Kind.SET)
SAME = 0.12
"""Of the sentences so many may be alike in two languages: names of things, units, commands."""


@pytest.mark.parametrize("faces", FACES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_said(language, faces):
    words = Wording(language, faces)
    for key in NOTICES:
        for notice in samples(key):
            text = words(notice)
            assert text, key
            assert text == text.strip(), key
            assert not {"{", "}", "  "} & {*text, text[text.find("  ") :][:2]}, f"{key}: {text}"


@pytest.mark.parametrize("faces", FACES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_about_tiles_can_be_said_in_every_colour(language, faces):
    words = Wording(language, faces)
    for key, declared in NOTICES.items():
        for colour in Colour if set(declared.fields.values()) & set(COLOURED) else ():
            jack, ace = Tile(11, colour), Tile(1, colour)
            fields = {
                Kind.COLOUR: colour,
                Kind.TILE: jack,
                Kind.TILES: (jack, ace, jack),
                Kind.SET: (jack, JOKER, ace),
            }
            filled = {
                name: fields[kind] if kind in fields else value(key, name, kind, 1)
                for name, kind in declared.fields.items()
            }
            text = words(Notice(key, **filled))
            assert text == text.strip(), key


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_another_language_says_it_otherwise(language):
    words = Wording(language)
    told = [(key, words(notice), Wording("en")(notice)) for key in NOTICES for notice in samples(key)]
    alike = {key for key, text, english in told if text == english}
    assert len(alike) < SAME * len(NOTICES), sorted(alike)


def test_samples_show_names_of_players_where_there_are_players():
    named = {name for key, form in NOTICES.items() for name, kind in form.fields.items()
             if kind is Kind.NAME and value(key, name, kind, 0) == PLAIN[kind][0]
             and f"{key}.{name}" not in EXACTLY}  # fmt: skip
    assert named == {"player"}


@pytest.mark.parametrize("faces", FACES)
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
    ("language", "run", "group"),
    [
        ("en", "red 5 6 joker", "7 in red, blue, joker"),
        ("de", "Rot 5 6 Joker", "7 in Rot, Blau, Joker"),
        ("fr", "5 6 joker rouges", "7 rouge, bleu, joker"),
        ("it", "5 6 jolly rossi", "7 rosso, blu, jolly"),
    ],
)
def test_a_set_is_named_by_what_its_tiles_have_in_common(language, run, group):
    words = Wording(language)
    assert words.value(parse_set("R5 R6 **"), "set") == run
    assert words.value(parse_set("R7 B7 **"), "set") == group


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tile_or_a_set_that_begins_a_sentence_has_a_capital(language):
    words = Wording(language, "cards")
    tiled = [key for key, form in NOTICES.items() if set(form.fields.values()) & set(COLOURED)]
    told = [(key, words(notice)) for key in tiled for notice in samples(key)]
    assert not [(key, text) for key, text in told if text[0].islower() and text.endswith(".")]


@pytest.mark.parametrize("how", ["set", "Set"])
def test_operators_read_sets_in_notation(how):
    assert ENGLISH.value(parse_set("R5 R6 **"), how) == "R5 R6 **"


def test_a_language_nobody_speaks_is_refused():
    with pytest.raises(KeyError):
        Wording("xx")


def test_the_page_of_all_sentences_is_as_they_are():
    assert Path(PAGE).read_text(encoding="utf-8") == page(), "run `make messages`"


@pytest.mark.parametrize(
    ("tiles", "told"),
    [
        ("R7", "the red 7"),
        ("R7 B8", "the red 7 and the blue 8"),
        ("R7 ** B8", "the red 7, the joker and the blue 8"),
        ("** **", "2 jokers"),
        ("R7 R7", "2 times the red 7"),
    ],
)
def test_tiles_are_listed_with_what_comes_twice(tiles, told):
    assert ENGLISH.value(parse_set(tiles), "the") == told
