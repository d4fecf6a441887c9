"""Four catalogues that say the same: every key, every placeholder, every plural, and compiled as they are written."""

import gettext
import io
import string
from pathlib import Path

import pytest

from referee.game.notice import Notice
from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import DOMAINS, NOTICES, SHORT
from tools import catalogues
from tools.catalogues import LOCALE, compile_catalogue, compile_catalogues, read_catalogue

ENTRIES = [(language, domain) for language in LANGUAGES for domain in DOMAINS]


def entries(language, domain):
    """Key to sentences: one, or one for the singular and one for the plural."""
    return {
        entry.msgid: tuple(entry.msgstr_plural.values()) if entry.msgid_plural else (entry.msgstr,)
        for entry in read_catalogue(LOCALE / language / "LC_MESSAGES" / f"{domain}.po")
    }


def placeholders(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize(("language", "domain"), ENTRIES)
def test_every_notice_has_a_sentence_with_all_its_fields(language, domain):
    written = {key: texts for key, texts in entries(language, domain).items() if not key.endswith(SHORT)}
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


@pytest.mark.parametrize(("language", "domain"), ENTRIES)
def test_a_short_form_is_of_a_spoken_notice_and_has_none_but_its_fields(language, domain):
    for key, texts in entries(language, domain).items():
        if key.endswith(SHORT):
            form = NOTICES[key.removesuffix(SHORT)]
            assert form.spoken is not None, key
            assert len(texts) == 1 or form.short_by is not None, key
            assert all(text and placeholders(text) <= set(form.fields) for text in texts), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_nouns_have_their_number_in_singular_and_plural(language):
    counted = {key: texts for key, texts in entries(language, "words").items() if key not in NOTICES}
    assert {"words.tile", "words.point", "words.joker"} <= counted.keys()
    for key, texts in counted.items():
        assert len(texts) == 2, key
        assert all(placeholders(text) == {"n"} for text in texts), key


@pytest.mark.parametrize(("language", "domain"), ENTRIES)
def test_a_compiled_catalogue_says_what_was_written(language, domain):
    path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
    compiled = gettext.GNUTranslations(io.BytesIO(compile_catalogue(path)))
    for key, texts in entries(language, domain).items():
        if len(texts) == 1:
            assert compiled.gettext(key) == texts[0]
        else:
            assert (compiled.ngettext(key, key, 1), compiled.ngettext(key, key, 2)) == texts
    assert compiled.info()["language"] == language


@pytest.mark.parametrize(("language", "domain"), ENTRIES)
def test_what_the_program_reads_here_is_up_to_date(language, domain):
    path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
    assert path.with_suffix(".mo").read_bytes() == compile_catalogue(path), "run `make messages`"


def test_compiling_writes_every_catalogue_and_takes_away_what_nobody_has_written(tmp_path):
    orphan = tmp_path / "de" / "LC_MESSAGES" / "canasta.mo"
    orphan.parent.mkdir(parents=True)
    orphan.write_bytes(b"")
    compile_catalogues(tmp_path)
    found = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {Path(language, "LC_MESSAGES", f"{domain}.mo") for language, domain in ENTRIES}


def test_a_key_that_stands_twice_is_refused_with_its_file(tmp_path):
    path = tmp_path / "judge.po"
    path.write_text('msgid "judge.had_none"\nmsgstr "none"\n' * 2, encoding="utf-8")
    with pytest.raises(ValueError, match=r"judge\.po: expected every key once: .*judge\.had_none"):
        read_catalogue(path)


def test_where_nothing_is_written_nothing_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    with pytest.raises(FileNotFoundError, match="expected catalogues to compile, found no "):
        compile_catalogues(tmp_path / "compiled")


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
