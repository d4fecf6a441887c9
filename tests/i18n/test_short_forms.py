"""What a voice says: every spoken notice in at most 60 characters, in words that can be spoken."""

import re
from itertools import product

import pytest

from referee.game.notation import parse_set
from referee.game.notice import Notice
from referee.game.tiles import Colour, Tile
from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import NOTICES, SHORT, Kind, Speech, parse_notices
from referee.i18n.wording import SHORT_ENOUGH
from tools.catalogues import LOCALE, read_catalogue
from tools.samples import samples

SPOKEN = [key for key, declared in NOTICES.items() if declared.spoken is not None]
LONGEST_NAME, OTHER_NAME = "Maximilienne", "Bartholomäus"
ORANGE, YELLOW, BLACK = (Tile(13, colour) for colour in (Colour.ORANGE, Colour.YELLOW, Colour.BLACK))
QUESTIONS = [key for key in SPOKEN if key.startswith("reading.")]
OFFERS = [key for key in SPOKEN if "offered" in NOTICES[key].fields]
PLACES = [Notice(f"place.{name}") for name in ("top_left", "bottom_right", "bottom_left", "middle")]
DOUBTS = [key for key in QUESTIONS if "place" in NOTICES[key].fields] + [
    "play.covered", "play.marker_covered", "play.lay_there", "play.nothing_at_all",
]  # fmt: skip
NUMBERS = {"points": (104, -104), "scores": (104,), "number": (2, 14), "value": (12, 50), "minimum": (30, 51)}
FIELDS = {
    Kind.TILE: (ORANGE, YELLOW),
    Kind.TILES: ((ORANGE,), (ORANGE, YELLOW), (ORANGE, YELLOW, BLACK, BLACK)),
    Kind.SET: (parse_set("R10 R11 R12 R13"), parse_set("R13 B13 K13 O13"), parse_set("O12 O13 **")),
    Kind.COLOUR: (Colour.ORANGE, Colour.YELLOW),
    Kind.AMOUNT: (20.5,),
    Kind.NAME: (LONGEST_NAME, OTHER_NAME),
    Kind.NAMES: ((LONGEST_NAME,), (LONGEST_NAME, OTHER_NAME)),
}


def longest(key):
    """Return notices with the longest usual values in every field."""
    declared = NOTICES[key].fields
    values = [tuple(_values(key, name, kind)) for name, kind in declared.items()]
    return [Notice(key, **dict(zip(declared, chosen, strict=True))) for chosen in product(*values)]


def _values(key, name, kind):
    if key == "club.announced":
        return ("Ten minutes to go.",)  # what the hall says is as long as it is
    if name == "tiles" and key.startswith("reading.which"):
        return (parse_set("O13 O12"), parse_set("O13 Y13"))
    if kind is Kind.NUMBER:
        return NUMBERS.get(name, (1, 14))
    if kind in FIELDS:
        return FIELDS[kind]
    found = [notice for part in _parts(key, name) for notice in longest(part)] if name != "place" else PLACES
    return found if kind is Kind.NOTICE else [(notice,) for notice in found]


def _parts(key, name):
    if name == "doubts":
        return DOUBTS
    if name == "how":
        return OFFERS
    if name == "wrong":
        return [key for key in QUESTIONS if "tiles" not in NOTICES[key].fields and key not in DOUBTS]
    if key.startswith("match."):
        return ("match.miscounted",)
    if name in ("who", "what"):
        return ("play.name" if name == "who" else "play.label_tile",)
    return {"scores": ("play.score",), "places": ("place.top_left",), "had": ("judge.had_none",)}.get(
        name, ("play.label_back",)
    )


def written_shorts(language):
    found = {}
    for path in (LOCALE / language / "LC_MESSAGES").glob("*.po"):
        for entry in read_catalogue(path):
            if entry.msgid.endswith(SHORT):
                found[entry.msgid] = tuple(entry.msgstr_plural.values()) if entry.msgid_plural else (entry.msgstr,)
    return found


@pytest.mark.parametrize("faces", ["numbers", "cards"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_spoken_is_short(language, faces):
    words = Wording(language, faces)
    told = {(key, words.short(notice)) for key in SPOKEN for notice in longest(key)}
    assert not {(key, text): len(text) for key, text in told if len(text) > SHORT_ENOUGH}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_spoken_has_no_notation(language):
    words = Wording(language)
    told = {key: words.short(notice) for key in SPOKEN for notice in longest(key)}
    assert not {key: text for key, text in told.items() if re.search(r"[\[\](){}=`/<>+*]|\b[RBKYOG]\d", text)}


def test_each_short_form_is_in_every_language_and_belongs_to_a_notice():
    english = written_shorts("en")
    assert english
    for language in LANGUAGES:
        found = written_shorts(language)
        assert found.keys() == english.keys(), language
        assert {key: len(texts) for key, texts in found.items()} == {key: len(texts) for key, texts in english.items()}
    assert {key.removesuffix(SHORT) for key in english} <= set(SPOKEN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_turn_says_what_to_do(language):
    told = Wording(language).short(next(samples("judge.not_a_set")))
    assert (
        told
        == {
            "en": "Refused: not a set. Put it right and press.",
            "de": "Gilt nicht: Das ist keine Kombination. Leg um und drück.",
            "fr": "Refusé : combinaison non valable. Corrige et appuie.",
            "it": "Non vale: non è una combinazione. Correggi e premi.",
        }[language]
    )


def test_a_notice_without_a_short_form_is_said_as_it_is():
    assert Wording("en").short(Notice("match.your_turn", player="ann")) == "ann, it is your turn."


def test_a_long_notice_that_is_not_for_players_is_replaced_by_a_look_at_the_page():
    told = Notice("club.lost", address="192.168.1.10:1883")
    assert Wording("en").short(told) == "Please look at the page."
    assert Wording("en").short(Notice("club.well_again")) == "Club: connected again."


def test_the_points_of_a_round_are_said_player_by_player():
    scores = tuple(Notice("play.score", player=name, points=points) for name, points in (("Ann", 12), ("Ben", -1)))
    told = Notice("play.round_scored", round=2, scores=scores)
    assert Wording("en").short(told) == "Round 2. Ann: 12 points. Ben: -1 point."


def test_what_is_always_the_same_can_be_recorded():
    words = Wording("en")
    assert words.is_fixed(Notice("play.paused"))
    assert words.is_fixed(next(samples("judge.not_a_set")))
    assert not words.is_fixed(Notice("match.your_turn", player="Ann"))
    assert not words.is_fixed(Notice("club.lost", address="x"))


def test_a_kind_of_message_that_nobody_knows_is_refused():
    assert parse_notices("play", 'looking = { spoken = "news" }')["play.looking"].spoken is Speech.NEWS
    expected = r"play\.toml: looking: spoken: expected a kind of message \(fault, .*found 'shouted'"
    with pytest.raises(ValueError, match=expected):
        parse_notices("play", 'looking = { spoken = "shouted" }')
