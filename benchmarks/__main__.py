"""`make bench`: measure, print a table, and write models/METRICS.md."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks import gin, hands, journal, report, rules, sight, solver, table

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


def main() -> int:
    """Run every measurement; what ../shared lacks is skipped, and the table says so."""
    rows, failures = sight.measure(SHARED, ROOT / "models")
    rows += hands.measure()
    rows += rules.measure()
    rows += solver.measure(SHARED)
    rows += gin.measure(SHARED)
    rows += journal.measure()
    rows += table.measure()
    text = report.page(rows, failures, ROOT / "models")
    (ROOT / "models" / "METRICS.md").write_text(text, encoding="utf-8")
    report.show(rows)
    for line in failures:
        print(line)
    return 0 if all(row.reached is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
