"""Writes docs/sentences.md, the page with all sentences in all languages, for proofreading."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import DOMAINS, NOTICES
from tools.samples import samples

PAGE = Path(__file__).parent.parent / "docs" / "sentences.md"
_HEAD = """# All sentences

Everything that players hear or read, with made-up tiles, names and numbers: first for one, then for several where that
makes a difference. Behind an arrow stands what a voice says instead. Written by `make messages` from
`referee/i18n/locale`; tiles are called as in Classic Rummy.
"""


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_HEAD, *(line for domain in DOMAINS for line in _chapter(domain))])


def _chapter(domain: str) -> Iterator[str]:
    keys = [key for key in sorted(NOTICES) if key.startswith(f"{domain}.")]
    words = [Wording(language, "cards") for language in LANGUAGES]
    yield f"## {domain}\n"
    for key in keys:
        yield f"**{key}**\n"
        for one in words:
            told = dict.fromkeys(one(notice) for notice in samples(key))
            spoken = dict.fromkeys(one.short(notice) for notice in samples(key)) if NOTICES[key].spoken else {}
            arrow = f" → {' · '.join(spoken)}" if spoken.keys() - told.keys() else ""
            yield f"- {one.language}: {' · '.join(told)}{arrow}"
        yield ""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
