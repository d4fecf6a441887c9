"""`make soak`: matches without pictures by every rule book, checked after every event; writes models/SOAK.md."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.progress import Report, report_nothing, show_bar
from benchmarks.report import Row, rate_row, show, table_of
from benchmarks.soak_match import Soaked, Tally
from referee.game.rulebooks import RULESETS, ruleset

ROOT = Path(__file__).resolve().parent.parent
Batch = tuple[str, int, int]
"""A book, the first seed, how many matches."""
Share = Callable[["Callable[[Batch], Tally]", Iterable[Batch]], Iterable[Tally]]
MATCHES, TURNS = 1000, 10_000
AT_ONCE = 25
"""The number of matches that one process plays before it reports."""
MEDIAN_MS, WORST_MS = 1.0, 50.0
PARTS = 1000
"""The parts of the work in which progress is shown."""
SHOWN = 50
"""The most failures that are listed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the figures, and write the page; return 1 if something went wrong."""
    given = _arguments(arguments)
    rows: list[Row] = []
    failures: list[str] = []
    started = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for name in given.rules or RULESETS:
            begun = time.perf_counter()
            with show_bar(name) as report:
                tally = soak(name, given.matches, given.turns, given.seed, pool.imap_unordered, report)
            seconds = time.perf_counter() - begun
            print(f"{name}: {tally.matches} matches in {seconds:.0f} s, {len(tally.failures)} failures", flush=True)
            rows += rows_of(name, tally)
            failures += tally.failures
    show(rows)
    for line in failures[:SHOWN]:
        print(line)
    command = f"python -m benchmarks.soak --matches {given.matches} --turns {given.turns} --seed {given.seed}"
    text = page(rows, failures, f"{command} ({(time.perf_counter() - started) / 60:.0f} minutes)")
    Path(given.out).write_text(text, encoding="utf-8")
    return 1 if failures or any(row.reached is False for row in rows) else 0


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--rules", action="append", choices=list(RULESETS), help="only this book; may be repeated")
    parser.add_argument("--matches", type=int, default=MATCHES, help="matches by each book")
    parser.add_argument("--turns", type=int, default=TURNS, help="judged turns by each book, at least")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other matches")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many play at once")
    parser.add_argument("--out", default=str(ROOT / "models" / "SOAK.md"), help="where the figures go")
    return parser.parse_args(arguments)


def soak(name: str, matches: int, turns: int, seed: int, share: Share = map, report: Report = report_nothing) -> Tally:
    """Play at least `matches` matches by one book, and until at least `turns` turns were judged.

    `share` is `map`, or a method of a pool that distributes the work. `report` is told how many of 1,000 parts of the
    work are done.
    """
    tally = Tally()
    batches = _batches(name, seed)
    while tally.matches < matches or len(tally.judge_ms) < turns:
        wanted = max(1, -(-(matches - tally.matches) // AT_ONCE))
        for part in share(play, list(islice(batches, wanted))):
            tally.add(part)
            done = min(tally.matches / max(1, matches), len(tally.judge_ms) / max(1, turns), 1.0)
            report(int(PARTS * done), PARTS)
    return tally


def _batches(name: str, seed: int) -> Iterator[Batch]:
    first = 0
    while True:
        yield name, 1_000_000 * seed + first, AT_ONCE
        first += AT_ONCE


def play(batch: Batch) -> Tally:
    """Play some matches, one seed after the other."""
    name, first, number = batch
    tally = Tally()
    for seed in range(first, first + number):
        tally.add(Soaked(ruleset(name), seed).play())
    return tally


def rows_of(name: str, tally: Tally) -> list[Row]:
    """Return the figures of one book."""
    slips = sum(tally.slips.values())
    return [
        rate_row("matches played to their end", name, tally.ended, tally.matches, 1.0),
        rate_row("everything counted right after an event", name, tally.events - tally.broken, tally.events, 1.0),
        rate_row("legal turns accepted", name, tally.legal - tally.legal_refused, tally.legal, 1.0),
        rate_row("illegal turns refused", name, slips - tally.slips_accepted, slips, 1.0),
        Row("kinds of illegal turns", name, f"{len(tally.slips)} kinds", _rarest(tally), "", None),
        _judged(f"{name}, no option chosen", tally.usual_ms),
        _judged(f"{name}, all matches", tally.judge_ms),
    ]


def _judged(on: str, unsorted: list[float]) -> Row:
    times = sorted(unsorted) or [0.0]
    median, worst = statistics.median(times), times[-1]
    figure = f"{median:.2f} ms median, {times[int(0.999 * (len(times) - 1))]:.1f} ms at 99.9 %, {worst:.0f} ms worst"
    reached = median <= MEDIAN_MS and worst <= WORST_MS
    target = f"≤ {MEDIAN_MS:g} ms median, ≤ {WORST_MS:g} ms worst"
    return Row("one turn judged, processor time", on, figure, f"{len(times)} turns", target, reached)


def _rarest(tally: Tally) -> str:
    """Return the slips that occurred least often."""
    return ", ".join(f"{kind} {times}" for kind, times in tally.slips.most_common()[:-4:-1])


def page(rows: list[Row], failures: list[str], command: str) -> str:
    """Return the whole text of SOAK.md."""
    lines = [
        "# Figures of the soak",
        "",
        "Written by `make soak`; not edited by hand. Rates are given with their 95 % Wilson interval.",
        "Virtual players play whole matches by every rule book without pictures, with options drawn at random: the",
        "referee gets the table exactly as it is. After every event all tiles, hands, stock, first melds and scores",
        "are compared with the true ones. Legal turns are composed of steps that the book allows. Illegal turns are",
        "made so that they are known to be illegal without asking the judge; which faults they have is computed a",
        "second time, independently, from the two tables.",
        f"Command: `{command}`.",
        f"Machine: {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores.",
        "",
        *table_of(rows),
        "",
        "## Every failure",
        "",
        *([f"- {line}" for line in failures[:SHOWN]] or ["None."]),
    ]
    if len(failures) > SHOWN:
        lines.append(f"- and {len(failures) - SHOWN} more")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
