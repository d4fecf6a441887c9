"""Every sentence that a template of a page names is declared."""

import re
from pathlib import Path

import pytest

from referee.i18n.notices import NOTICES

ROOT = Path(__file__).parents[3] / "referee"
TEMPLATES = sorted([*(ROOT / "page").rglob("*.html"), *(ROOT / "pages").rglob("*.html")])
NAMED = re.compile(r"""\bt\(\s*["']([\w.!]+)["']\s*[,)]""")


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_every_sentence_of_a_template_is_declared(template):
    keys = [key if "." in key else f"page.{key}" for key in NAMED.findall(template.read_text(encoding="utf-8"))]
    assert [key for key in keys if key not in NOTICES] == []


def test_templates_name_sentences():
    assert sum(len(NAMED.findall(template.read_text(encoding="utf-8"))) for template in TEMPLATES) > 300
