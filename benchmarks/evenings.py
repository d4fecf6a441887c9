"""`make soak`, with pictures: matches by every rule book in random rooms; writes models/EVENINGS.md.

Virtual players play in rendered pictures; the loop, the journal and the vision are the real ones. Light, table top,
make of the tiles, and position, exposure, white balance, focus and noise of the camera are random for every match.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from benchmarks.boxes import enrolled_reader
from benchmarks.cost import reader_with
from benchmarks.evening_match import Evening, Seats, Tally, play, taught
from benchmarks.progress import Report, report_nothing, show_bar, tell
from benchmarks.report import Row, failures_of, rate_row, show, skipped, table_of
from referee.game.rulebooks import RULESETS
from referee.vision.pipeline import TableReader

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "evenings"
TURNS = 3000
MATCH_TURNS = 40
"""The most turns of a match; after that, another room is used."""
PROCESSES = 2
UNKNOWN, ENROLLED = "not enrolled", "enrolled"
MOST_ASKED = {UNKNOWN: 0.015, ENROLLED: 0.008}
"""The largest share of turns about which something may be asked."""
Job = tuple[str, Evening]
"""`UNKNOWN` or `ENROLLED`, and the match."""
Share = Callable[[Callable[[Job], Tally | None], Iterable[Job]], Iterable[Tally | None]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the figures, and write the page; return 1 if something went wrong."""
    given = _arguments(arguments)
    started = time.perf_counter()
    tallies: dict[str, dict[str, Tally] | None] = {}
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for known in given.known or (UNKNOWN, ENROLLED):
            saved = Saved(given.resume, known)
            with show_bar(known) as report:
                tallies[known] = evenings(known, given.rules or list(RULESETS), given.turns, given.seed,
                                          pool.imap, saved, report)  # fmt: skip
    rows = [row for known, by_book in tallies.items() for row in rows_of(known, by_book, given.turns)]
    failures = {
        f"{known}": [line for tally in (by_book or {}).values() for line in tally.failures]
        for known, by_book in tallies.items()
    }
    show(rows)
    minutes = (time.perf_counter() - started) / 60
    took = f"({minutes:.0f} minutes)" if given.resume is None else "--resume FILE"
    command = f"python -m benchmarks.evenings --turns {given.turns} --seed {given.seed} {took}"
    Path(given.out).write_text(page(rows, failures, command), encoding="utf-8")
    return 1 if any(failures.values()) or any(row.reached is False for row in rows) else 0


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evenings", description=__doc__)
    parser.add_argument("--rules", action="append", choices=list(RULESETS), help="only this book; may be repeated")
    parser.add_argument("--known", action="append", choices=(UNKNOWN, ENROLLED), help="only so; may be repeated")
    parser.add_argument("--turns", type=int, default=TURNS, help="turns by all books together, at least")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other matches and rooms")
    parser.add_argument("--processes", type=int, default=PROCESSES, help="how many matches at once")
    parser.add_argument("--resume", type=Path, help="keep every match in this file, and play none that stands there")
    parser.add_argument("--out", default=str(ROOT / "models" / "EVENINGS.md"), help="where the figures go")
    return parser.parse_args(arguments)


class Saved:
    """The tallies of matches played before, one JSON object per line; valid only for the program that played them."""

    def __init__(self, file: Path | None, known: str) -> None:
        self._file, self._known = file, known
        self._tallies: dict[str, Tally] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else ():
            entry = json.loads(line)
            if entry["known"] == known:
                values = entry["tally"]
                counters = {name: Counter(values[name]) for name in ("asked", "faults")}
                self._tallies[entry["match"]] = Tally(**(values | counters))

    def get(self, evening: Evening) -> Tally | None:
        """Return the tally of a match; None if it has not been played."""
        return self._tallies.get(_key(evening))

    def put(self, evening: Evening, tally: Tally) -> None:
        """Store the tally of a match."""
        if self._file is not None:
            entry = {"known": self._known, "match": _key(evening), "tally": vars(tally)}
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")


def _key(evening: Evening) -> str:
    return f"{evening.name}, {evening.turns} turns"


def evenings(
    known: str,
    books: Sequence[str],
    turns: int,
    seed: int,
    share: Share,
    saved: Saved,
    report: Report = report_nothing,
) -> dict[str, Tally] | None:
    """Play at least the same number of turns by every book; return None if no box at all can be enrolled.

    A match whose box cannot be enrolled is counted, and another one is played. `share` is `map`, or a method of a pool
    that distributes the work and keeps the order. `report` is told how many turns were judged.
    """
    tallies, numbers = {book: Tally() for book in books}, dict.fromkeys(books, 0)
    each = -(-turns // len(books))
    while lacking := {book: each - tally.judged for book, tally in tallies.items() if tally.judged < each}:
        round_ = [evening for book, lack in lacking.items() for evening in _next_matches(book, lack, seed, numbers)]
        due = [evening for evening in round_ if saved.get(evening) is None]
        played: dict[Evening, Tally | None] = {}
        judged = sum(min(tally.judged, each) for tally in tallies.values())
        for evening, came_to in zip(due, share(play_one, [(known, evening) for evening in due]), strict=True):
            played[evening] = came_to
            if came_to is not None:  # each at once, as a long run may be interrupted
                saved.put(evening, came_to)
                judged += came_to.judged
                report(min(judged, turns), turns)
        came = [(evening, saved.get(evening) or played[evening]) for evening in round_]
        if all(tally is None for _, tally in came):
            return None
        for evening, tally in came:
            tallies[evening.book].add(tally or Tally(not_learnt=1))
        told = ", ".join(f"{book} {tally.judged}" for book, tally in tallies.items())
        tell(f"{known}: turns {told}")
    return tallies


def _next_matches(book: str, lacking: int, seed: int, numbers: dict[str, int]) -> Iterator[Evening]:
    """Yield as many matches as are needed for the lacking turns."""
    for _ in range(-(-lacking // MATCH_TURNS)):
        yield Evening(book, 1_000_000 * seed + numbers[book], min(MATCH_TURNS, lacking))
        numbers[book] += 1


@cache
def _reader() -> TableReader:
    return reader_with(ROOT / "models", 1)


def play_one(job: Job) -> Tally | None:
    """Play one match in this process; return None if its box cannot be enrolled."""
    known, evening = job
    seats, reader = Seats(evening), _reader()
    if known == ENROLLED:
        setting = seats.setting
        learnt = enrolled_reader(reader, seats.whole_box(), setting.tileset, setting.table_mm)
        if learnt is None:
            return None
        reader = learnt
    with tempfile.TemporaryDirectory(prefix="evening-", ignore_cleanup_errors=True) as folder:
        return play(evening, seats, taught(reader), Path(folder), KEPT / known.replace(" ", "-"))


def rows_of(known: str, by_book: dict[str, Tally] | None, turns: int) -> list[Row]:
    """Return the figures of all books together, and the questions by book."""
    if by_book is None:
        return [skipped("turns asked about", f"evenings, {known}", "no box can be enrolled yet")]
    total = Tally()
    for tally in by_book.values():
        total.add(tally)
    on, sure = f"evenings, {known}", total.looks - total.doubts
    about = ", ".join(f"{name} {number}" for name, number in total.asked.most_common()) or "nothing"
    return [
        Row("turns with a verdict", on, f"{total.matches} matches, each in a room of its own", str(total.judged),
            f"≥ {turns}", total.judged >= turns),
        rate_row("accused wrongly", on, total.legal_refused, total.legal, 0.0, at_most=True),
        rate_row("let pass", on, total.slips_accepted, total.slips, 0.0, at_most=True),
        rate_row("illegal", on, total.slips, total.judged, None),
        rate_row("read otherwise than it lies, without doubt", on, total.misread, sure, 0.0, at_most=True),
        rate_row("turns asked about", on, total.asked_turns, total.judged, MOST_ASKED[known], at_most=True),
        rate_row("turns asked about, apart from tiles that had been taken away", on,
                 total.asked_turns - total.asked_taken, total.judged, None),
        Row("looks asked about", on, f"{total.doubts}: {about}", f"{total.looks} looks", "", None),
        Row("looks asked about, rightly", on, f"{total.foreign}: a tile of another box lies there",
            f"{total.looks} looks", "", None),
        Row("matches that stand still", on, str(total.stood_still), f"{total.matches} matches", "0",
            total.stood_still == 0),
        *([Row("matches not played, their box could not be enrolled", on, str(total.not_learnt),
               f"{total.matches + total.not_learnt} matches", "", None)] if known == ENROLLED else []),
        *(rate_row("turns asked about", f"{on}, {book}", tally.asked_turns, tally.judged, None)
          for book, tally in by_book.items()),
    ]  # fmt: skip


def page(rows: list[Row], failures: dict[str, list[str]], command: str) -> str:
    """Return the whole text of EVENINGS.md."""
    lines = [
        "# Figures of evenings with pictures",
        "",
        "Written by `make soak`; not edited by hand. Rates are given with their 95 % Wilson interval.",
        "Virtual people play by every rule book below a rendered camera; about a quarter of their turns are",
        "illegal. Event loop, journal and vision are the real ones. Room and camera are drawn at random for every",
        "match: table top, kind of tiles, light, reflected lamps, place of the camera, exposure (x 0.75 to 1.2),",
        "white balance, focus, noise and JPEG quality. A turn counts as asked about if anything was asked before",
        "its verdict. If players lay more of a tile than the box holds, on purpose, the referee must ask; such",
        "turns are counted separately. Enrolled: the tiles of the box were laid out for enrolment once, in the same",
        "room.",
        f"Command: `{command}`.",
        f"Machine: {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores.",
        "",
        *table_of(rows),
        "",
        *failures_of(failures),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
