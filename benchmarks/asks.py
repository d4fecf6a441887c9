"""`make soak`, last part: how often a new user is asked, in `referee play` and `referee demo`; writes models/ASKS.md.

Both run unchanged at the usual virtual table: `play` in a process of its own, whose journal is read, and `demo` in
this one. Only the turns are shorter, so that little time is lost when a player runs out of time.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks.fire_process import JournalView, Referee, Step
from benchmarks.fire_truth import TOO_MANY, texts
from benchmarks.report import Figures, Row, failures_of, rate_row, show, table_of
from referee.cli.parts.readers import build_reader
from referee.cli.programs.demo_match import Evening
from referee.errors import RefereeError
from referee.game.match.events import Seen, Settled
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rulebooks import RULESETS, ruleset
from referee.i18n import ENGLISH, error_text
from referee.sim.match import NAMES, VirtualMatch
from referee.vision.sighting import Reader, Sighting

ROOT = Path(__file__).resolve().parent.parent
MATCHES = 3
SPEED = 1000
TURN_S = 25
MOST_TURNS = 150
"""The number of turns after which a match is ended; matches of Gin would go on until a number of points."""
MOST_ASKS = 30
"""The number of questions in one turn after which a match counts as stuck."""
STILL_S = 120.0
"""The seconds without a new event after which a match counts as stuck."""
ASKS_PER_TURN, DEMO_ASKED = 0.1, 0.03


@dataclass
class Asked:
    """The counts of some matches by one rule book."""

    matches: int = 0
    turns: int = 0
    asks: int = 0
    of_strangers: int = 0
    """Questions because there were more tiles of a kind than the box has: virtual players add some of another box."""
    stood_still: int = 0
    looks: int = 0
    looks_asked: int = 0
    wrong: int = 0
    failures: list[str] = field(default_factory=list)


class Follower:
    """Follows the journal of one match: counts turns and the questions in each.

    If a question remains for other tiles after a player has named one, this does not count as another question.
    """

    def __init__(self) -> None:
        self.turns = self.asks = self.of_strangers = self.in_this_turn = 0
        self._told = False
        self.last: list[str] = []
        """The texts of the last question."""
        self._turn: tuple[int, int] | None = None
        self.phase = Phase.LOBBY

    def follow(self, steps: Iterable[Step]) -> bool:
        """Take in new events; return whether there were any."""
        news = list(steps)
        for step in news:
            self._step(step)
        return bool(news)

    def _step(self, step: Step) -> None:
        self.phase = step.after.phase
        turn = whose(step.after)
        if turn is not None and turn != self._turn:
            self._turn, self.in_this_turn = turn, 0
            self.turns += 1
        told, self._told = self._told, isinstance(step.event, Settled)
        if isinstance(step.event, Seen) and step.after.asked and not told:
            self.asks += 1
            self.of_strangers += all(TOO_MANY in text for text in texts(step.event.doubts))
            self.in_this_turn += 1
            self.last = [*self.last[-2:], "; ".join(texts(step.event.doubts))]


def whose(state: State) -> tuple[int, int] | None:
    """Return the round and the player of the present turn; None if no turn is running."""
    return (len(state.sheet.rounds), state.current) if state.phase is Phase.TURN else None


def play(book: str, seed: int, folder: Path, asked: Asked) -> None:
    """Play one match with `referee play` at the virtual table."""
    referee = Referee(options(book, seed, folder), folder)
    view, counter = JournalView(folder / "state"), Follower()
    asked.matches += 1
    try:
        why = _until_over(referee, view, counter)
    finally:
        code, errors = referee.end(signal.SIGTERM)
    counter.follow(view.news())
    asked.turns += counter.turns
    asked.asks += counter.asks
    asked.of_strangers += counter.of_strangers
    if why is None and not (counter.turns >= MOST_TURNS or counter.phase is Phase.OVER):
        why = f"ended with {code} in {counter.phase}: {errors.strip()}"
    if why is not None:
        asked.stood_still += 1
        last = " / ".join(counter.last) or "nothing"
        asked.failures.append(f"play {book} seed {seed}, turn {counter.turns}: {why}; asked last: {last}")


def options(book: str, seed: int, folder: Path) -> list[str]:
    """Return the arguments for `referee play`, and prepare a folder for it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "referee.toml").write_text('[panel]\nkind = "console"\n', encoding="utf-8")
    rules = ruleset(book)
    players = NAMES[: rules.players[1]]
    handicap = 0 if rules.turn_seconds is None else TURN_S - rules.turn_seconds
    names = ",".join(f'"{name}"' for name in players)
    settings = {
        "game.rules": book, "game.rounds": "1", "game.players": f"[{names}]", "camera.kind": "virtual",
        "game.handicaps": f"[{','.join([str(handicap)] * len(players))}]", "storage.state": str(folder / "state"),
    }  # fmt: skip
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    return [*words, "--speed", str(SPEED), "--seed", str(seed)]


def _until_over(referee: Referee, view: JournalView, counter: Follower) -> str | None:
    """Follow a match until it ends or has lasted long enough; return why it is stuck, or None."""
    news = time.monotonic()
    while referee.alive:
        referee.line(0.5)
        if counter.follow(view.news()):
            news = time.monotonic()
        if counter.turns >= MOST_TURNS or counter.phase is Phase.OVER:
            return None
        if counter.in_this_turn >= MOST_ASKS:
            return f"stands still: asked {MOST_ASKS} times in one turn"
        if time.monotonic() - news > STILL_S:
            return f"stands still in {counter.phase}: nothing happens for {STILL_S:g} s"
    return None


class Counting:
    """A reader that counts looks whose only doubts are more tiles of a kind than the box has."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self.of_strangers = reader, 0

    def read(self, *arguments: Any, **named: Any) -> Sighting:
        """Read a picture, and count it if all its tiles in doubt have enough confidence."""
        seen = self._reader.read(*arguments, **named)
        doubts = [seen.reads[i].confidence for i in seen.doubts]
        self.of_strangers += bool(doubts) and min(doubts) >= seen.sure_from
        return seen


def demo(book: str, seed: int, reader: Reader, asked: Asked) -> None:
    """Play one match with `referee demo`."""
    rules = ruleset(book)
    match = VirtualMatch(rules, np.random.default_rng(seed), players=NAMES[: rules.players[1]], rounds=1)
    counting = Counting(reader)
    evening = Evening(match, counting, Console(file=io.StringIO()), ENGLISH)
    asked.matches += 1
    try:
        evening.play()
    except RefereeError as error:
        asked.stood_still += 1
        asked.failures.append(f"demo {book} seed {seed}: {error_text(error)}")
    asked.looks += evening.tally.looks
    asked.looks_asked += evening.tally.doubtful
    asked.of_strangers += counting.of_strangers
    asked.wrong += evening.tally.wrong


def measure(books: Sequence[str], matches: int, seed: int, demos: int, reader: Reader | None = None) -> Figures:
    """Play some matches by every book, with `play` and with `demo`, and return the figures."""
    figures = Figures()
    for book in books:
        played, shown = Asked(), Asked()
        with tempfile.TemporaryDirectory(prefix="asks-", ignore_cleanup_errors=True) as folder:
            for number in range(matches):
                play(book, seed + number, Path(folder) / str(number), played)
        for number in range(demos):
            reader = reader or build_reader()
            demo(book, seed + number, reader, shown)
        figures.rows += [*played_rows(book, played), *shown_rows(book, shown)]
        figures.failures[book] = played.failures + shown.failures
        print(f"{book}: {played.asks} asks in {played.turns} turns of `play`, "
              f"{shown.looks_asked} of {shown.looks} looks of `demo`", flush=True)  # fmt: skip
    return figures


def played_rows(book: str, asked: Asked) -> list[Row]:
    """Return the figures of `play`."""
    if not asked.matches:
        return []
    on, rate = f"`play` at the virtual table, {book}", asked.asks / max(asked.turns, 1)
    return [
        Row("asks per turn", on, f"{rate:.3f}", f"{asked.asks} in {asked.turns} turns", f"≤ {ASKS_PER_TURN:g}",
            rate <= ASKS_PER_TURN if asked.turns else None),
        _strangers_row(on, asked, f"{asked.asks} asks"),
        Row("matches that stand still", on, str(asked.stood_still), f"{asked.matches} matches", "0",
            asked.stood_still == 0),
    ]  # fmt: skip


def _strangers_row(on: str, asked: Asked, count: str) -> Row:
    return Row("of these, more tiles of a kind than the box holds", on, str(asked.of_strangers), count, "", None)


def shown_rows(book: str, asked: Asked) -> list[Row]:
    """Return the figures of `demo`."""
    if not asked.matches:
        return []
    on = f"`demo`, {book}"
    return [
        rate_row("looks asked about", on, asked.looks_asked, asked.looks, DEMO_ASKED, at_most=True),
        _strangers_row(on, asked, f"{asked.looks_asked} looks"),
        Row("looks read wrongly without a doubt", on, str(asked.wrong), f"{asked.looks} looks", "0", asked.wrong == 0),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the figures, and write the page; return 1 if a target was missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.asks", description=__doc__)
    parser.add_argument("--rules", action="append", choices=list(RULESETS), help="only this book; may be repeated")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches of `play` by each book")
    parser.add_argument("--demos", type=int, default=1, help="matches of `demo` by each book")
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    parser.add_argument("--out", default=str(ROOT / "models" / "ASKS.md"), help="where the figures go")
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    figures = measure(given.rules or list(RULESETS), given.matches, given.seed, given.demos)
    show(figures.rows)
    minutes = (time.perf_counter() - started) / 60
    command = f"python -m benchmarks.asks --matches {given.matches} --demos {given.demos} --seed {given.seed}"
    Path(given.out).write_text(page(figures, f"{command} ({minutes:.0f} minutes)"), encoding="utf-8")
    return 1 if any(row.reached is False for row in figures.rows) else 0


def page(figures: Figures, command: str) -> str:
    """Return the whole text of ASKS.md."""
    lines = [
        "# Figures of what is asked",
        "",
        "Written by `make soak`; not edited by hand. Rates are given with their 95 % Wilson interval.",
        "`referee play --set camera.kind=virtual` and `referee demo` as a new user would try them: the default",
        f"room, as many players as the book allows, one round (Gin up to 100 points, {MOST_TURNS} turns at most). An",
        "ask is a look after which the referee asked instead of judging; it may ask more than once about a turn.",
        f"Command: `{command}`.",
        f"Machine: {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores.",
        "",
        *table_of(figures.rows),
        "",
        *failures_of(figures.failures),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
