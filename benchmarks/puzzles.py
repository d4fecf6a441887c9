"""Puzzles from tables of virtual players and from made-up tables: how hard they are, and how long one takes.

`python -m benchmarks.puzzles` prints the figures; `--days` is the number of made-up puzzles by each rule book.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import partial

from benchmarks.comments import played_matches
from referee.game.puzzle.making import Puzzle, is_fit, make_puzzle
from referee.game.rulebooks import RULESETS
from referee.game.rulebooks.model import Ruleset
from referee.game.table import Table
from referee.journal.rounds import RoundFollower
from referee.pages.table.puzzle.daily import puzzle_of

FIRST_DAY = date(2026, 1, 1)


def fit_tables(matches: int) -> list[tuple[Table, Ruleset]]:
    """Return the tables of so many virtual matches by each rule book that are fit for a puzzle."""
    found: dict[Table, Ruleset] = {}
    for state, events in played_matches(matches):
        follower = RoundFollower(state)
        for event in events:
            follower.take(event)
        turns = (turn for played in follower.rounds for turn in played.turns)
        found.update((turn.after, state.rules) for turn in turns if is_fit(turn.after, state.rules))
    return list(found.items())


def report(name: str, makers: Iterable[Callable[[], Puzzle | None]]) -> str:
    """Make each puzzle, and return how many sets must be changed, how often, and the times."""
    changed: Counter[str] = Counter()
    times = []
    for make in makers:
        began = time.process_time()
        puzzle = make()
        times.append(time.process_time() - began)
        changed["none" if puzzle is None else f"{puzzle.changed} sets"] += 1
    times.sort()
    told = ", ".join(f"{key}: {number}" for key, number in sorted(changed.items()))
    return f"{name}: {told}; seconds: median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure puzzles from played and from made-up tables.")
    parser.add_argument("--matches", type=int, default=2, help="matches by each rule book")
    parser.add_argument("--tables", type=int, default=60, help="tables of these matches")
    parser.add_argument("--days", type=int, default=30, help="days with a made-up puzzle, by each rule book")
    chosen = parser.parse_args()
    chance = random.Random(1)  # noqa: S311 - the same at every run
    tables = fit_tables(chosen.matches)
    chance.shuffle(tables)
    pick = chance.randrange
    played = [partial(make_puzzle, table, rules, pick) for table, rules in tables[: chosen.tables]]
    print(report("played tables", played))
    for book in RULESETS.values():
        days = [FIRST_DAY + timedelta(days=number) for number in range(chosen.days if book.melds is not None else 0)]
        if days:
            print(report(f"made up by {book.name}", [partial(_made_up, day, book) for day in days]))


def _made_up(day: date, rules: Ruleset) -> Puzzle | None:
    daily = puzzle_of(day, [], lambda _: [], rules)
    return None if daily is None else daily.puzzle


if __name__ == "__main__":
    main()
