"""Four catalogues that say the same: every key, every placeholder, every plural, and compiled as they are written."""

import string

import pytest

from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import DOMAINS, NOTICES
from tools.catalogues import LOCALE, compiled, read

ENTRIES = [(language, domain) for language in LANGUAGES for domain in DOMAINS]


def entries(language, domain):
    """Key to sentences: one, or one for the singular and one for the plural."""
    found = {}
    for message in read(LOCALE / language / "LC_MESSAGES" / f"{domain}.po"):
        if message.id:
            several = isinstance(message.id, tuple)
            found[message.id[0] if several else message.id] = message.string if several else (message.string,)
    return found


def placeholders(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("language", "domain"), ENTRIES)
def test_every_notice_has_a_sentence_with_all_its_fields(language, domain):
    written = entries(language, domain)
    declared = {key: form for key, form in NOTICES.items() if key.startswith(f"{domain}.")}
    assert declared.keys() <= written.keys()
    if domain != "words":  # whose other entries are parts of sentences, and each language has its own
        assert written.keys() == declared.keys()
    for key, form in declared.items():
        assert len(written[key]) == (1 if form.by is None else 2), key
        for text in written[key]:
            assert text, key
            unsaid = set(form.fields) - placeholders(text)
            assert placeholders(text) <= set(form.fields), f"{key}: {text}"
            assert not unsaid - {form.by}, f"{key}: {text}"  # the number may be said in a word


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_nouns_have_their_number_in_singular_and_plural(language):
    counted = {key: texts for key, texts in entries(language, "words").items() if key not in NOTICES}
    assert {"words.tile", "words.point", "words.joker"} <= counted.keys()
    for key, texts in counted.items():
        assert len(texts) == 2, key
        assert all(placeholders(text) == {"n"} for text in texts), key


@pytest.mark.parametrize(("language", "domain"), ENTRIES)
def test_what_the_program_reads_is_what_was_written(language, domain):
    path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
    assert path.with_suffix(".mo").read_bytes() == compiled(path), "run `make messages`"


def test_there_is_no_catalogue_that_nobody_reads():
    assert {(path.parent.parent.name, path.stem) for path in LOCALE.glob("*/LC_MESSAGES/*.?o")} == set(ENTRIES)


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [("en", "-1 point", "-27 points"), ("de", "-1 Punkt", "-27 Punkte"), ("fr", "-1 point", "-27 points"),
     ("it", "-1 punto", "-27 punti")],
)  # fmt: skip
def test_fewer_than_none_are_counted_as_more_than_none_are(language, one, many):
    words = Wording(language)
    assert [words(Notice("page.points", points=points)) for points in (-1, -27)] == [one, many]
