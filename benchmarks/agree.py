"""Compares the judge with the naive referee on random small turns: ``python -m benchmarks.agree [NUMBER]``.

It prints how many turns of each kind there were, and the number of each turn on which the two disagree; the exit
status is then 1. 25,000 turns take a few minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from cases import tally

from benchmarks.progress import signs_of_life

DEFAULT = 25_000


def main(number: int = DEFAULT) -> int:
    """Compare `number` turns, and print the result."""
    with signs_of_life(f"{number} turns"):
        counts, apart = tally(range(number))
    for (name, opened, legal), times in sorted(counts.items()):
        print(f"{name:15} {'opened' if opened else 'not opened':11} {'legal' if legal else 'illegal':8} {times:6}")
    print(f"{number} turns, {len(apart)} in which the judge and the naive referee do not agree", *apart)
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
