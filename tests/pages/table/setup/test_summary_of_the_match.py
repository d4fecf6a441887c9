"""The summary before a match: each row is a short label with its value, in every language, and no question."""

import re
from html import unescape

import pytest
from page_process import ready_page

from referee.game.rulebooks import RULESETS
from referee.i18n import LANGUAGES, Wording

pytestmark = pytest.mark.page
LONGEST = 34
"""The most letters of a label: more do not stand beside a value on a phone, or in two lines above it."""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with ready_page(tmp_path_factory.mktemp("table"), "panel.kind=console", 'game.players=["Anna","Ben"]') as process:
        yield process


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", ["classic", "rummikub"])
def test_the_rows_of_the_summary_are_no_questions(table, book, language):
    options = [f"{one.name}={next(name for name, _ in one.choices if name != one.default)}"
               for one in RULESETS[book].options if len(one.choices) > 1]  # fmt: skip
    before = table.parts["setup"]["run"]
    assert table.configure(game__rules=book, game__options=options) == (200, "")
    table.until(lambda parts: parts["setup"]["run"] > before and parts["setup"]["stage"] == "ready")
    page = table.get(f"/setup/start?lang={language}")[1].decode()
    labels = [unescape(label) for label in re.findall(r"<dt>(.*?)</dt>", page)]
    assert len(labels) == 3 + len(options)  # players, book and rounds
    assert [label for label in labels if "?" in label or len(label) > LONGEST] == []
    assert re.findall(r"<dd>\s*</dd>", page) == []


def test_every_option_has_a_short_label_in_every_language():
    options = [option for rules in RULESETS.values() for option in rules.options]
    labels = [Wording(language)(option.label) for language in LANGUAGES for option in options]
    assert [label for label in labels if not 3 <= len(label) <= LONGEST or "?" in label] == []
