"""`make bench`: measure, print a table, and write models/METRICS.md.

If parts are named, only those are measured, and their rows replace the old ones in the file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from benchmarks import (
    backup,
    boxes,
    closeups,
    club,
    cost,
    crowd,
    disturbed,
    enrolled,
    gin,
    hall,
    hands,
    journal,
    killed,
    kinds,
    page,
    press,
    progress,
    report,
    rules,
    seating,
    sight,
    sizes,
    solve,
    solver,
    swiss,
    table,
    wood,
    worst,
)
from benchmarks.report import Figures, Row
from referee.cli.parts.readers import build_reader
from referee.vision.pipeline import TableReader

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
MODELS = ROOT / "models"
METRICS = MODELS / "METRICS.md"


@cache
def _reader() -> TableReader:
    return build_reader(MODELS)


def _rows(measure: Callable[[], list[Row]]) -> Callable[[], Figures]:
    """Return a part for a function that returns only rows."""
    return lambda: Figures(measure())


PARTS: dict[str, Callable[[], Figures]] = {
    "photos": lambda: sight.on_photos(_reader(), SHARED / "photos"),
    "scenes": lambda: sight.on_scenes(_reader(), SHARED / "scenes"),
    "boxes": lambda: boxes.on_boxes(_reader(), SHARED / "boxes"),
    "enrolled": lambda: enrolled.measure(MODELS),
    "virtual": lambda: sight.on_virtual(_reader()),
    "wood": lambda: wood.measure_all(_reader()),
    "closeups": lambda: closeups.measure(_reader()),
    "sizes": lambda: sizes.measure(_reader(), SHARED),
    "disturbed": lambda: disturbed.measure(_reader(), SHARED),
    "kinds": lambda: kinds.measure(_reader(), SHARED),
    "cost": lambda: cost.measure(MODELS),
    "hands": _rows(hands.measure),
    "rules": _rows(rules.measure),
    "worst": worst.measure,
    "solver": _rows(lambda: solver.measure(SHARED)),
    "solve": lambda: solve.measure(_reader(), SHARED),
    "gin": _rows(lambda: gin.measure(SHARED)),
    "journal": _rows(journal.measure),
    "backup": _rows(backup.measure),
    "seating": _rows(seating.measure),
    "swiss": _rows(swiss.measure),
    "table": _rows(table.measure),
    "hall": _rows(hall.measure),
    "crowd": _rows(crowd.measure),
    "killed": killed.measure,
    "page": _rows(page.measure),
    "club": _rows(club.measure),
}


def _pressed() -> list[Row]:
    """Measure only the press; the part `table` measures it, too."""
    with progress.folder_on_disk("press-") as place:
        return [press.measure(place / str(ahead), ahead=ahead) for ahead in (True, False)]


def _measured(name: str, measure: Callable[[], Figures]) -> Figures:
    with progress.signs_of_life(name):
        return measure()


def main(names: Sequence[str]) -> int:
    """Run the measurements. Those whose data is missing in ../shared are skipped, and the table says so."""
    parts: dict[str, Callable[[], Figures]] = {
        **PARTS,
        "press": _rows(_pressed),
        "reading": _rows(lambda: [cost.speed(_reader())]),
    }
    if unknown := [name for name in names if name not in parts]:
        print(f"expected parts of {', '.join(parts)}, found {', '.join(unknown)}", file=sys.stderr)
        return 2
    progress.end_on_signals()
    try:
        figures = Figures.of(_measured(name, parts[name]) for name in names or PARTS)
    except KeyboardInterrupt:
        print("interrupted: nothing was written", file=sys.stderr)
        return 130
    if names:
        before = METRICS.read_text(encoding="utf-8")
        text = report.with_parts(report.with_figures(before, figures), names, report.reader_of(MODELS))
    else:
        text = report.page(figures, MODELS)
    METRICS.write_text(text, encoding="utf-8")
    report.show(figures.rows)
    for name, lines in figures.failures.items():
        for line in lines:
            print(f"{name}: {line}")
    return 0 if all(row.reached is not False for row in figures.rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
