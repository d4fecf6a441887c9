"""A tournament of 40 tables while broker, hall and tables are killed: what is lost, doubled and wrong."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.killed_evening import Evening, Plan
from benchmarks.killed_truth import Found
from benchmarks.report import Figures, Row, skipped

WHAT = "killed"
PLAN = Plan()


def measure() -> Figures:
    """Measure all of this on this machine."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if program is None:
        return Figures([skipped(WHAT, "a simulated tournament", "there is no mosquitto")])
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="killed-", ignore_cleanup_errors=True) as place:
        evening = Evening(PLAN, program, Path(place))
        found = evening.play()
    return Figures(list(rows_of(PLAN, found, evening.done, time.monotonic() - begun)), {WHAT: found.notes})


def rows_of(plan: Plan, found: Found, done: Counter[str], seconds: float) -> Iterator[Row]:
    """Yield the rows of one evening."""
    players = 4 * plan.tables
    on = f"a tournament of {players} players at {plan.tables} tables, {plan.rounds} rounds, real hall and Mosquitto"
    kills = {what: done[f"{what} killed"] for what in ("broker", "hall", "table")}
    wanted = plan.broker + plan.hall + plan.table
    yield Row(f"{WHAT}: what was killed (SIGKILL, or a table's plug pulled)", on,
              ", ".join(f"{what} {count}" for what, count in kills.items()),
              f"{sum(kills.values())} kills in {seconds:.0f} s", f"{wanted}",
              sum(kills.values()) == wanted)  # fmt: skip
    others = ", ".join(f"{what}: {count}" for what, count in sorted(done.items()) if not what.endswith(" killed"))
    yield Row(f"{WHAT}: results in the tournament", on,
              f"{found.lost} lost, {found.doubled} doubled, {found.wrong} wrong",
              f"{found.results} results, {found.corrections} corrections taken over; {others}", "0, 0, 0",
              found.results == plan.tables * plan.rounds and not found.lost + found.doubled + found.wrong)  # fmt: skip
    yield Row(f"{WHAT}: events of the tables' journals in the hall", on,
              f"{found.events_lost} lost, {found.events_doubled} doubled; "
              f"{found.events_former} still as before a journal was put back", f"{found.events} events", "0, 0",
              bool(found.events) and not found.events_lost + found.events_doubled)  # fmt: skip
    yield Row(f"{WHAT}: standings beside a recount from what the tables know", on,
              "equal" if not found.lines_wrong else f"{found.lines_wrong} lines differ", f"{found.lines} lines",
              "equal", found.lines == players and not found.lines_wrong)  # fmt: skip
