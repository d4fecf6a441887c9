"""Whole matches by every book, written down once: the same events still lead to the same lamps and words."""

from pathlib import Path

import pytest
from transcripts import FOLDER, replayed, written

from referee.game.rulebooks import RULESETS

FILES = sorted(FOLDER.glob("*.jsonl.xz"))


def test_every_book_has_transcripts() -> None:
    assert {file.name.rpartition("-")[0] for file in FILES} == set(RULESETS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_the_same_events_are_answered_with_the_same_effects(file: Path) -> None:
    book, options, lines = written(file)
    for number, (line, (event, answered)) in enumerate(zip(lines, replayed(book, options, lines), strict=True), 1):
        assert answered == line[2], f"{file.name}, line {number}: {event}"
