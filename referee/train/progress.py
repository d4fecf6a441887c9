"""How far a training is: bars on a terminal, and a line now and then in a log."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from referee.train.fit import Report

LINE_EVERY_S = 60.0
"""Seconds between two lines in a log."""


@contextlib.contextmanager
def show_progress(stages: Sequence[str], console: Console | None = None) -> Iterator[Report]:
    """Show a bar for each stage, or write a line a minute into a log; yield what the stages report to."""
    console = console or Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TimeRemainingColumn(), TextColumn("{task.fields[figures]}"))  # fmt: skip
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        tasks = {name: progress.add_task(name, total=None, figures="") for name in stages}
        next_line = 0.0

        def report(what: str, step: int, steps: int, figures: str) -> None:
            nonlocal next_line
            progress.update(tasks[what], completed=step, total=steps, figures=figures)
            if not console.is_terminal and time.monotonic() >= next_line:  # bars would fill a log
                next_line = time.monotonic() + LINE_EVERY_S
                console.print(f"{what} {step}/{steps} {figures}")

        yield report
