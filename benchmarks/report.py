"""The table of figures, each with its count, its interval and its target."""

from __future__ import annotations

import math
import platform
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

SINCE = "Measured since with reader "
FAILURES = "## Every failure"
SHOWN = 60
"""The most failures that are listed under one heading; the number of the others is added."""


@dataclass(frozen=True)
class Row:
    """One figure; `reached` is None if it was skipped or has no target."""

    what: str
    on: str
    figure: str
    count: str
    target: str
    reached: bool | None


@dataclass
class Figures:
    """The results of a part of the measurements: its rows, and the failures by heading."""

    rows: list[Row] = field(default_factory=list)
    failures: dict[str, list[str]] = field(default_factory=dict)

    def add(self, other: Figures) -> None:
        """Add the results of another part; its headings replace those of the same name."""
        self.rows += other.rows
        self.failures |= other.failures

    @classmethod
    def of(cls, parts: Iterable[Figures]) -> Figures:
        """Return the results of several parts together."""
        total = cls()
        for part in parts:
            total.add(part)
        return total


def wilson(hits: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % interval of a rate (Wilson 1927)."""
    if not total:
        return 0.0, 1.0
    rate = hits / total
    centre = rate + z * z / (2 * total)
    half = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def rate_row(what: str, on: str, hits: int, total: int, target: float | None, *, at_most: bool = False) -> Row:
    """Return a row for a rate with its interval; `target` is a share from 0 to 1, or None."""
    low, high = wilson(hits, total)
    rate = hits / total if total else float("nan")
    if target is None:
        wanted, reached = "", None
    else:
        wanted = f"{'≤' if at_most else '≥'} {100 * target:g} %"
        reached = (rate <= target if at_most else rate >= target) if total else None
    return Row(what, on, f"{100 * rate:.2f} % ({100 * low:.2f}-{100 * high:.2f})", f"{hits} of {total}",
               wanted, reached)  # fmt: skip


def skipped(what: str, on: str, why: str) -> Row:
    """Return a row for a figure that could not be measured here."""
    return Row(what, on, f"skipped: {why}", "", "", None)


def _mark(row: Row) -> str:
    return {True: "yes", False: "NO", None: "-"}[row.reached]


def table_of(rows: list[Row]) -> list[str]:
    """Return the figures as lines of Markdown."""
    head = ["| what | on | figure | count | must reach | reached |", "|---|---|---|---|---|---|"]
    return head + [f"| {r.what} | {r.on} | {r.figure} | {r.count} | {r.target} | {_mark(r)} |" for r in rows]


def with_figures(text: str, figures: Figures) -> str:
    """Return a page in which these figures replace those of the same name and data; new rows come last."""
    head, _, tail = text.partition(f"{FAILURES}\n")
    told = {name: lines for name, lines in _lines_by_heading(tail).items() if name not in figures.failures}
    return _with_rows(head, figures.rows) + "\n".join(failures_of(told | figures.failures)) + "\n"


def with_parts(text: str, names: Sequence[str], reader: str) -> str:
    """Return the page with lines before its table that say which parts were measured later, and with which reader."""
    head, table, tail = text.partition("\n| what |")
    lines, by_reader = [], {reader: list(names)}
    for line in head.rstrip("\n").splitlines():
        if not line.startswith(SINCE):
            lines.append(line)
            continue
        of, _, parts = line.removeprefix(SINCE).rstrip(".").partition(": ")
        left = [part for part in parts.split(", ") if part not in names]
        by_reader[of] = sorted({*by_reader.get(of, []), *left})
    since = [f"{SINCE}{of}: {', '.join(parts)}." for of, parts in by_reader.items() if parts]
    return "\n".join([*lines, *since, ""]) + table + tail


def reader_of(models: Path) -> str:
    """Return the short checksum that identifies a reader."""
    description = tomllib.loads((models / "tiles.toml").read_text(encoding="utf-8"))
    return str(description["reader"]["sha256"][:12])


def _lines_by_heading(tail: str) -> dict[str, list[str]]:
    """Return the failures of a page by heading."""
    told: dict[str, list[str]] = {}
    for line in tail.splitlines():
        if line.startswith("### "):
            told[line.removeprefix("### ")] = []
        elif line.startswith("- ") and told:
            told[next(reversed(told))].append(line.removeprefix("- "))
    return told


def failures_of(failures: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the failures by heading, at most SHOWN of each, as lines of Markdown."""
    lines = [FAILURES, ""]
    for name, told in failures.items():
        if not told:
            continue
        lines += [f"### {name}", "", *(f"- {line}" for line in _capped(told)), ""]
    return lines[:-1] if len(lines) > 2 else [*lines, "None."]


def _capped(told: Sequence[str]) -> list[str]:
    """Return at most a fixed number of lines, with a count of the rest; applying it twice changes nothing."""
    left_out = len(told) - SHOWN
    return list(told) if left_out <= 1 else [*told[:SHOWN], f"and {left_out} more"]


def _with_rows(text: str, rows: list[Row]) -> str:
    lines = text.splitlines()
    for row in table_of(rows)[2:]:
        name = row.split(" | ")[:2]
        at = next((i for i, line in enumerate(lines) if line.split(" | ")[:2] == name), None)
        if at is None:
            at = max(i for i, line in enumerate(lines) if line.startswith("|")) + 1
            lines.insert(at, "")
        lines[at] = row
    return "\n".join(lines) + "\n"


def page(figures: Figures, models: Path) -> str:
    """Return the whole text of METRICS.md."""
    description = tomllib.loads((models / "tiles.toml").read_text(encoding="utf-8"))
    made = description.get("made", {})
    lines = [
        "# Measured figures",
        "",
        "Written by `make bench`; not edited by hand. Rates are given with their 95 % Wilson interval.",
        f"Model: {made.get('from', 'unknown')}.",
        f"Reader sha256 {description['reader']['sha256'][:12]}…, finder {description['finder']['sha256'][:12]}….",
        f"Machine: {platform.machine()}, Python {platform.python_version()}, two cores.",
        "",
        *table_of(figures.rows),
        "",
        *failures_of(figures.failures),
    ]
    return "\n".join(lines) + "\n"


def show(rows: list[Row]) -> None:
    """Print the table."""
    table = Table("what", "on", "figure", "count", "must reach", "reached")
    for row in rows:
        table.add_row(row.what, row.on, row.figure, row.count, row.target, _mark(row))
    Console().print(table)
