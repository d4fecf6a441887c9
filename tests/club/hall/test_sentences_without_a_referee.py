"""What the pages of tables and halls share does not speak of a referee: in a hall without boxes there is none."""

import re

import pytest

from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import NOTICES

OWN = ("forgotten", "forgotten_console", "pin_to_read", "pin_to_write", "where")
"""Keys below `access` for which the hall has sentences of its own, or which are about the start button of a table."""
SHARED = [key for key in NOTICES if key.startswith("access.") and key.partition(".")[2] not in OWN]
ON_EVERY_PAGE = ["page.not_ready", "page.late", "page.part_failed", "page.connecting", "page.cut_off"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_shared_sentences_fit_a_hall_without_boxes(language):
    words = Wording(language)
    texts = {key: words.entry(key, 2 if NOTICES[key].by else None) for key in SHARED + ON_EVERY_PAGE}
    of_a_box = {key: text for key, text in texts.items() if re.search("referee|schiedsrichter|arbitr", text.lower())}
    assert texts
    assert not of_a_box


@pytest.mark.parametrize("key", OWN)
def test_the_hall_has_sentences_of_its_own_for_the_others(key):
    assert key == "forgotten" or f"hall.{key}" in NOTICES
