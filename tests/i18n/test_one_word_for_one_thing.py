"""One word for one thing within each language, one form of address, and the blanks of French."""

import re

import pytest

from referee.game.notice import Notice
from referee.i18n import Wording
from tools.catalogues import read_catalogue, written_catalogues

OTHER_WORDS = {
    "de": ("Linse", "Saal", "einlern", "Einlern", "eingelernt", "Spielbogen", "Regelwerk", "Variant", "Stifte"),
    "fr": (
        "pupitre",
        "Pupitre",
        "feuille de score ",
        "de marque",
        "livre de règles",
        "aire de jeu",
        "zone de jeu",
        "marqueur",
        "calibré",
        "programme du téléphone",
        "docteur",
        "en doute",
        "Prendre une image",
        "prends une image",
    ),
    "it": (
        "foglio dei punti",
        "prima calata",
        "giornale è",
        "variant",
        "Variant",
        "insegnat",
        "Fai un'immagine",
        "dalla mano",
        "tutta la mano",
        "resto della mano",
        "Mano scoperta",
        "mani di tessere",
        "riserva",
        "portatessere",
        "cambiamenti",
        "diario",
        "\N{RIGHT SINGLE QUOTATION MARK}",
    ),
}
"""Words whose thing is called otherwise in the rest: lens, hall, enrol, score sheet, rule book, hand, stock, rack."""
OTHERS = {
    "de": r"\b(?:[Ee]uch|[Ee]ure[rsnm]?|Ihnen|(?:[Ii]hr|Sie|sie) (?:habt|könnt|müsst|dürft|wollt|seid|macht|einigt)|"
    r"(?:habt|könnt|müsst|dürft|wollt|seid) ihr|Seid|Habt|Könnt|Drückt|[Nn]ehmt|[Gg]ebt|[Ss]eht nach|Prüft|"
    r"bringt (?:die )?Halle|[Mm]ischt|Macht|Zieht|Dreht|Schreibt|Wählt|Tippt|Stellt|Haltet|Wartet,|"
    r"(?:drücken|geben|nehmen|prüfen|wählen|halten|drehen) Sie)\b",
    "fr": r"(?i)\b(?:vous|votre|vos|\w{2,}ez(?<!assez)(?<!chez)(?<!nez)|faites|dites)\b",
    "it": r"(?i)\b(?:voi|vostr[oaie]|prem(?:ete|a)|togliete|controllate|aggiornate|date a|guardate|potete|avete|siete|"
    r"dovete|volete|scegliete|mettete|decidete|concordate|rimescolate|toccate|tenete|scrivete|\w+[aei]tevi)\b",
}
"""Forms of address for several, or for somebody one does not know well."""
LONG_IMPERATIVES = re.compile(r"(?i)\b(?:lege|tippe|wähle|drucke|nenne|trage|neige|tausche|bewege|korrigiere)\b")
"""Endings that nobody speaks: with *leg* in one sentence and *lege* in the next, two people seem to talk."""
SETTING = re.compile(r'(?:= |--set )"[^"]*"')
"""What somebody types, with the quotes that belong to it."""
UNSPACED = re.compile(r"[\w)}»](?:[;?!»]|:)(?=\s|$)|«(?! )| …$|[\xa0\N{RIGHT SINGLE QUOTATION MARK}]")
"""A high sign without a blank, or an ellipsis with one.

The page and the terminal make the blanks non-breaking; here they are plain, as the apostrophe is.
"""


def sentences(language):
    """Key and wording of every entry of a language, singular and plural."""
    for path in written_catalogues():
        if path.parent.parent.name == language:
            for entry in read_catalogue(path):
                for text in entry.msgstr_plural.values() if entry.msgid_plural else (entry.msgstr,):
                    yield entry.msgid, text


@pytest.mark.parametrize("language", OTHER_WORDS)
def test_a_thing_has_one_name(language):
    found = [(key, word) for key, text in sentences(language) for word in OTHER_WORDS[language] if word in text]
    assert not found


def test_a_round_of_a_tournament_is_no_turn_in_italian():
    tournament = ("tournament.", "tournament_page.", "director.")
    told = [(key, text) for key, text in sentences("it") if key.startswith(tournament)]
    assert told
    assert not [(key, text) for key, text in told if re.search(r"(?i)\bturn[oi]\b", text)]
    assert not [(key, text) for key, text in sentences("it") if re.search(r"(?i)\bdi turno\b", text)]


@pytest.mark.parametrize("language", OTHERS)
def test_everybody_is_addressed_alike(language):
    assert not [(key, text) for key, text in sentences(language) if re.search(OTHERS[language], text)]


def test_german_asks_in_one_form():
    assert not [(key, text) for key, text in sentences("de") if LONG_IMPERATIVES.search(text)]


def test_german_quotes_are_low_and_high():
    told = [(key, SETTING.sub("", text)) for key, text in sentences("de")]
    assert not [(key, text) for key, text in told if '"' in text]


def test_french_has_blanks_beside_high_signs_and_plain_apostrophes():
    assert not [(key, text) for key, text in sentences("fr") if UNSPACED.search(text)]


def test_french_has_a_blank_before_the_semicolon_of_a_list():
    pictures = Notice("lens.want_pictures", number=2)
    assert Wording("fr")(Notice("lens.left", wants=(pictures, pictures))).count(" ; ") == 1


def test_nobody_is_told_of_an_elided_name():
    """A name may begin with a vowel: *de Anna* is no French, so no sentence has *de* before a player."""
    assert not [
        key for key, text in sentences("fr") if re.search(r"\b(?:de|que) \{(?:player|players|winner)[:}]", text)
    ]


def test_an_italian_name_brings_its_own_preposition():
    """*a Anna* is written *ad Anna*, so before a player the grammar writes the preposition."""
    assert not [key for key, text in sentences("it") if re.search(r"\ba \{(?:player|who|winner)\}", text)]


@pytest.mark.parametrize(("language", "colon"), [("en", ": "), ("de", ": "), ("fr", " : "), ("it", ": ")])
def test_what_is_announced_stands_behind_a_colon(language, colon):
    assert Wording(language).colon == colon


RATINGS = {"en": "rating", "de": "wertung", "fr": "cote", "it": "rating"}
SCORES = {"en": "ranking score", "de": "rangpunkte", "fr": "score de classement", "it": "punteggio di classifica"}


@pytest.mark.parametrize("language", list(RATINGS))
def test_a_rating_and_the_score_that_decides_the_place_have_different_names(language):
    words = Wording(language)
    rated, scored = ({words(Notice(key, **told)).casefold() for key, told in some.items()} for some in (
        {"ranks.rating": {}, "ranks.ratings": {}, "director.ratings_planned": {}, "draw.groups_by_rating": {},
         "tournament_page.groups_example": {}},
        {"ranks.score_is": {"score": 1}, "ranks.score_text": {}, "tournament_page.score": {}},
    ))  # fmt: skip
    assert [one for one in rated if RATINGS[language] not in one or SCORES[language] in one] == []
    assert [one for one in scored if SCORES[language] not in one or RATINGS[language] in one] == []
