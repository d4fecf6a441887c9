"""The page with the statistics of all players."""

import pytest
from kept_matches import page, two_matches
from played import SETUPS, short, write

from referee.i18n import LANGUAGES
from referee.journal.opening import open_journal


@pytest.fixture
def there(tmp_path):
    with page(two_matches(tmp_path / "state")) as made:
        yield made


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_player_has_a_rating_and_figures(there, language):
    text = there.read(f"/scores/players?lang={language}")
    assert text.index("Ann") < text.index("Ben") or text.index("Ben") < text.index("Ann")
    assert text.count('class="rating"') == 2
    assert {"en": "Head to head", "de": "Im Vergleich", "fr": "Face à face", "it": "Testa a testa"}[language] in text


def test_decimals_are_written_as_the_language_writes_them(there):
    assert "first meld in turn 1.0" in there.read("/scores/players?lang=en").lower()
    assert "Erstauslage im Schnitt im 1,0. Zug" in there.read("/scores/players?lang=de")


def test_only_the_matches_of_a_season_count(there):
    assert "1 of 1 matches" in there.read("/scores/players?season=Winter")


def test_matches_that_were_not_gone_through_yet_are_told(tmp_path):
    journal = open_journal(tmp_path / "state").journal
    for _ in range(12):
        write(journal, SETUPS[0], short(SETUPS[0]))
    journal.close()
    with page(tmp_path / "state") as there:
        assert "do not include 2 matches yet" in there.read("/scores/players")
        assert "do not include" not in there.read("/scores/players")


def test_without_matches_it_says_so(tmp_path):
    open_journal(tmp_path / "state").journal.close()
    with page(tmp_path / "state") as there:
        assert "rating" in there.read("/scores/players")


@pytest.mark.parametrize("size", [(360, 640), (1280, 900)])
def test_nothing_keeps_anybody_from_reading_it(there, screen, size):
    screen.resize(*size)
    screen.open(f"{there.address}/scores/players?lang=en")
    screen.find(".people-list h2")
    assert (screen.violations(), screen.sideways(), screen.complaints()) == ([], 0, [])
