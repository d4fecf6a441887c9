"""`make bench`: measure, print a table, and write models/METRICS.md.

With the names of parts only those are measured, and their rows take the place of those that stand there.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import gin, hands, journal, press, report, rules, sight, solver, table
from benchmarks.report import Row
from referee.app import build_reader

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
METRICS = ROOT / "models" / "METRICS.md"
PARTS: dict[str, Callable[[], list[Row]]] = {
    "hands": hands.measure,
    "rules": rules.measure,
    "solver": lambda: solver.measure(SHARED),
    "gin": lambda: gin.measure(SHARED),
    "journal": journal.measure,
    "table": table.measure,
}


def _read() -> list[Row]:
    """How long one reading takes; pictures are measured besides."""
    return [sight.speed(build_reader(ROOT / "models"))]


def _pressed() -> list[Row]:
    """The press alone; `table` measures it, too."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".table-", ignore_cleanup_errors=True) as place:
        return [press.measure(Path(place) / str(ahead), ahead=ahead) for ahead in (True, False)]


def main(names: Sequence[str]) -> int:
    """Run the measurements; what ../shared lacks is skipped, and the table says so."""
    if names:
        return _some(names)
    rows, failures = sight.measure(SHARED, ROOT / "models")
    for measure in PARTS.values():
        rows += measure()
    METRICS.write_text(report.page(rows, failures, ROOT / "models"), encoding="utf-8")
    report.show(rows)
    for line in failures:
        print(line)
    return 0 if all(row.reached is not False for row in rows) else 1


def _some(names: Sequence[str]) -> int:
    parts = {**PARTS, "press": _pressed, "reading": _read}
    if unknown := [name for name in names if name not in parts]:
        print(f"expected parts of {', '.join(parts)}, found {', '.join(unknown)}", file=sys.stderr)
        return 2
    rows = [row for name in names for row in parts[name]()]
    METRICS.write_text(report.with_rows(METRICS.read_text(encoding="utf-8"), rows), encoding="utf-8")
    report.show(rows)
    return 0 if all(row.reached is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
