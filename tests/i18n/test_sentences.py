"""Every sentence in every language, worded once in the singular and once in the plural."""

import re

import pytest

from referee.game.notice import Notice
from referee.game.tiles import JOKER, Colour, Tile
from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import DOMAINS, NOTICES, Kind
from tools.samples import EXACTLY, PLAIN, samples, value
from tools.sentences import drawn_sentences, page

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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tile_or_a_set_that_begins_a_sentence_has_a_capital(language):
    words = Wording(language, "cards")
    tiled = [key for key, form in NOTICES.items() if set(form.fields.values()) & set(COLOURED)]
    told = [(key, words(notice)) for key in tiled for notice in samples(key)]
    assert not [(key, text) for key, text in told if text[0].islower() and text.endswith(".")]


def test_a_language_nobody_speaks_is_refused():
    with pytest.raises(KeyError):
        Wording("xx")


def test_the_page_of_all_sentences_has_every_key_in_every_language():
    text = page()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(DOMAINS)
    assert sorted(re.findall(r"^\*\*(.*)\*\*$", text, re.MULTILINE)) == sorted(NOTICES)
    for language in LANGUAGES:
        assert len(re.findall(rf"^- {language}: \S", text, re.MULTILINE)) == len(NOTICES)
    assert "**judge.had_none**\n\n- en: none\n- de: " in text
    assert "- en: That press came too early in the turn to count; press again to end it. → Too early. " in text


def test_a_sentence_begins_with_a_capital_but_a_name_stays_as_it_is_written():
    words = Wording("en")
    assert words.sentence(Notice("start.begins", player="ann")) == "ann begins."
    assert words.sentence(Notice("camera.net_address_wanted", examples="x", found=Notice("camera.address_none"))) == (
        "Expected the address of a network camera, such as x, found nothing"
    )


def test_a_sample_is_the_same_each_time_and_has_every_notice_at_most_once() -> None:
    lines = drawn_sentences("fr", 300, 1)
    assert lines == drawn_sentences("fr", 300, 1) != drawn_sentences("fr", 300, 2)
    assert len({line.partition(":")[0] for line in lines}) == len(lines) == 300
