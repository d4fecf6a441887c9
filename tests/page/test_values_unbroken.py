"""A value with its unit is not broken at the end of a line, wherever a page tells it and in every language."""

import pytest

from referee.game.notice import Notice
from referee.i18n import LANGUAGES
from referee.i18n.notices import NOTICES
from referee.page.wording import PageWording
from tools.samples import samples

NBSP = "\N{NO-BREAK SPACE}"
UNITS = ("mm", "cm", "s", "ms", "min", "MB", "GB", "kB", "px", "%", "°C", "V", "dBm")


@pytest.mark.parametrize("language", LANGUAGES)
def test_number_and_unit_stay_together(language):
    words = PageWording(language)
    told = words(Notice("setup.apart", width=900, height=600))
    assert f"900{NBSP}mm" in told
    assert f"600{NBSP}mm" in told
    assert f"{{seconds}}{NBSP}s" in words(Notice("setup.still_trying", seconds="{seconds}"))


def test_width_and_height_stay_together():
    told = PageWording("en")(Notice("words.text", text="900 x 600 mm, 3 s later 12 sets"))
    assert told == f"900{NBSP}x{NBSP}600{NBSP}mm, 3{NBSP}s later 12 sets"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_a_page_breaks_a_value(language):
    words = PageWording(language)
    broken = [
        key
        for key in NOTICES
        for notice in samples(key)
        if any(f"{digit} {unit} " in f"{words(notice)} " for digit in "0123456789" for unit in UNITS)
    ]
    assert broken == []
