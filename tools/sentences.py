"""Writes docs/sentences.md, the page with all sentences in all languages, for proofreading.

    python -m tools.sentences --language de --sample 300 --seed 1

prints so many sentences of one language instead, drawn at random, for a reader who marks them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.i18n import LANGUAGES, Wording
from referee.i18n.notices import DOMAINS, NOTICES
from tools.samples import samples

PAGE = Path(__file__).parent.parent / "docs" / "sentences.md"
SHARE_SPOKEN = 0.3
"""Of the notices that a voice speaks, this share is drawn in the short form."""
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


def drawn_sentences(language: str, count: int, seed: int) -> list[str]:
    """Return `count` sentences, each with its key: long and short ones of random notices, each notice once."""
    chance, words = random.Random(seed), Wording(language, "cards")  # noqa: S311 - no secret
    lines = []
    for key in chance.sample(sorted(NOTICES), min(count, len(NOTICES))):
        notice = chance.choice(list(samples(key)))
        told = words.short(notice) if NOTICES[key].spoken and chance.random() < SHARE_SPOKEN else words(notice)
        lines.append(f"{key}: {told}")
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or print some of its sentences."""
    parser = argparse.ArgumentParser(prog="python -m tools.sentences", description=__doc__)
    parser.add_argument("--language", choices=list(LANGUAGES), default="en")
    parser.add_argument("--sample", type=int, default=0, help="print so many sentences and write nothing")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.sample:
        print(*drawn_sentences(given.language, given.sample, given.seed), sep="\n")
    else:
        PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
