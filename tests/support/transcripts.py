"""Transcripts of whole matches: what happened, and all that the match wanted done about it, word by word.

    python tests/support/transcripts.py

writes down anew how the same events are answered: where players are to be told something else, and for nothing else.
With `--play` other matches are played, as for a new book. Each file holds a match, a line an event: its kind and body
as the journal keeps them, then the effects as they were.
"""

import json
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from referee.game.match.events import Effect, Event, TakeLook
from referee.game.match.machine import apply, new_match
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, ruleset
from referee.i18n import ENGLISH
from referee.journal.codec import event_from_text, event_to_text, to_text

FOLDER = Path(__file__).parent / "transcripts"
SEEDS = range(1, 4)
WRITTEN_AS = {TakeLook: "Look"}
"""Effects whose classes have been renamed since."""
WRITTEN_IN = 1
"""The edition of the rulings that held when they were written."""
TEXT = "text"
"""What the field of a sentence is called here; the match has notices there."""
Line = tuple[str, str, list[list[str]]]


def told(effects: tuple[Effect, ...]) -> list[list[str]]:
    """Effects by the names of their classes and as JSON, with the English sentences in place of notices."""
    return [[WRITTEN_AS.get(type(effect), type(effect).__name__), _worded(effect)] for effect in effects]


def _worded(effect: Effect) -> str:
    return json.dumps(_in_english(json.loads(to_text(effect, type(effect)))), separators=(",", ":"))


def _in_english(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_in_english, value))
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("notice"), str):
        return ENGLISH(Notice.from_json(value))
    return {TEXT if name == "notice" else name: _in_english(one) for name, one in value.items()}


def written(file: Path) -> tuple[str, dict[str, str], list[Line]]:
    """The book of a transcript, its options, and its lines."""
    head, *lines = lzma.decompress(file.read_bytes()).decode().splitlines()
    book, options = json.loads(head)
    return book, options, [tuple(json.loads(line)) for line in lines]


def replayed(book: str, options: dict[str, str], lines: list[Line]) -> Iterator[tuple[Event, list[list[str]]]]:
    """Every event of a transcript, and what the match answers to it today, by the rulings that held then."""
    state = new_match(ruleset(book).of_edition(WRITTEN_IN).choose(**options))
    for kind, body, _ in lines:
        event = event_from_text(kind, body)
        state, effects = apply(state, event)
        yield event, told(effects)


def _answer_anew() -> None:
    for file in sorted(FOLDER.glob("*.jsonl.xz")):
        book, options, lines = written(file)
        answers = (answered for _, answered in replayed(book, options, lines))
        anew = [[kind, body, answered] for (kind, body, _), answered in zip(lines, answers, strict=True)]
        print(file.name, sum(new[2] != old[2] for new, old in zip(anew, lines, strict=True)), "of", len(anew))
        _write(file, book, options, anew)


def _write(file: Path, book: str, options: dict[str, str], lines: list[list[Any]]) -> None:
    text = "\n".join(json.dumps(part) for part in [[book, options], *lines]) + "\n"
    file.write_bytes(lzma.compress(text.encode()))


def _play_anew() -> None:
    from benchmarks.soak_match import Soaked

    for book in RULESETS:
        for seed in SEEDS:
            lines: list[list[Any]] = []

            def keep(before: State, event: Event, lines: list[list[Any]] = lines) -> None:
                lines.append([*event_to_text(event), told(apply(before, event)[1])])

            soaked = Soaked(ruleset(book), seed, keep)
            tally = soaked.play()
            assert not tally.failures, tally.failures
            options = dict(part.split("=") for part in soaked.name.split() if "=" in part)
            _write(FOLDER / f"{book}-{seed}.jsonl.xz", book, options, lines)
            print(book, seed, options, len(lines), "events")


if __name__ == "__main__":
    _play_anew() if sys.argv[1:] == ["--play"] else _answer_anew()
