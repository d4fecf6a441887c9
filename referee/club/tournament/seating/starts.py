"""Who starts at which table, evened out exactly over all rounds."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

Table = tuple[int, ...]


def starters(tables: Sequence[Table], before: Mapping[int, int]) -> list[int]:
    """One of the players of every table, so that all have started as equally often as can be.

    `before`: how often each has started until now. No choice has a smaller sum of squares, nor of any other convex
    cost: as long as there is one, somebody who starts can hand a start over, from table to table, to somebody who
    started two times less, and that is what is looked for (an optimal semi-matching).
    """
    starts = {player: before.get(player, 0) for table in tables for player in table}
    chosen: list[int] = []
    for table in tables:
        chosen.append(min(table, key=starts.__getitem__))
        starts[chosen[-1]] += 1
    while any(_hand_over(player, tables, chosen, starts) for player in sorted(starts, key=lambda one: -starts[one])):
        pass
    return chosen


def _hand_over(player: int, tables: Sequence[Table], chosen: list[int], starts: dict[int, int]) -> bool:
    """Move a start of `player` along tables to somebody who has two less; False where there is nobody."""
    came: dict[int, int] = {}
    reached = {player}
    queue = deque([player])
    started: dict[int, list[int]] = {}
    for number, one in enumerate(chosen):
        started.setdefault(one, []).append(number)
    while queue:
        here = queue.popleft()
        if starts[here] <= starts[player] - 2:
            _shift(here, player, came, chosen)
            starts[here] += 1
            starts[player] -= 1
            return True
        for number in started.get(here, ()):
            for other in tables[number]:
                if other not in reached:
                    reached.add(other)
                    came[other] = number
                    queue.append(other)
    return False


def _shift(last: int, player: int, came: Mapping[int, int], chosen: list[int]) -> None:
    here = last
    while here != player:
        number = came[here]
        here, chosen[number] = chosen[number], here
