"""An evening of a club at which broker, hall and tables are killed at random moments.

What is done follows from the seed: who plays, which tables are corrected, which journals are put back, who is renamed,
and after how many moves what is killed. At which moment of its work a process is hit is left to chance.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import killed_truth
from benchmarks.hall import wait_for
from benchmarks.killed_hall import Director, InVain, Part, broker_of, hall_of, until
from benchmarks.killed_table import Table
from benchmarks.killed_truth import Found, place_of

MOVES = 14
"""About how many events a match has that is played here."""
DOWN = 30
"""The most moves for which something that was killed stays down."""
QUIET_S = 25.0
"""After how long the director asks tables again that have not begun; the hall calls them late after 20 seconds."""
NEWS_S = 0.2


@dataclass(frozen=True)
class Plan:
    """How large the evening is, and what is done to it."""

    seed: int = 1
    tables: int = 40
    rounds: int = 3
    match_rounds: int = 2
    broker: int = 10
    hall: int = 14
    table: int = 26
    """How often broker, hall and tables are killed; two kills of a table go with each journal that is put back."""
    corrections: int = 24
    renames: int = 8
    put_back: int = 6
    """How many journals are put back to an older state; every second one is rebuilt, with a new epoch."""


@dataclass
class PutBack:
    """What is to become of a journal: when it is copied, and when the copy is put back."""

    copied: int
    """After how many moves of the match."""
    put_back: int | None
    """After how many moves more; None: once the match is over."""
    rebuilt: bool
    moves: int = 0


class Evening:
    """Plays one; `done` counts what was done."""

    def __init__(self, plan: Plan, mosquitto: str, folder: Path) -> None:
        self.plan, self.done = plan, Counter[str]()
        self._rng = random.Random(plan.seed)  # noqa: S311 - chance for a measurement
        self._news = threading.Event()
        self._broker = broker_of(mosquitto, folder)
        wait_for(self._broker.port)
        self._hall = hall_of(folder, self._broker.port)
        self.director = Director(self._hall, folder)
        self.names = [f"Player {number}" for number in range(1, 4 * plan.tables + 1)]
        self.numbers = {name: number for number, name in enumerate(self.names, 1)}
        """The numbers of the players by all names they ever had."""
        self.tables = [
            Table(folder / name, self._broker.port, name, plan.seed, self._news.set)
            for name in (f"table-{number}" for number in range(1, plan.tables + 1))
        ]
        self._moves = 0
        self._later: list[tuple[int, Callable[[], None]]] = []
        """What is to be started again, and after which move."""
        self._puts: dict[str, PutBack] = {}
        self._plan_kills()

    def _plan_kills(self) -> None:
        """Distribute all kills, corrections and new names over the evening."""
        plan, rng = self.plan, self._rng
        commands = 3 + 2 * plan.rounds + plan.renames
        hit = ["hall"] * (plan.hall // 3) + ["broker"] * (plan.broker // 4)
        self._hits = dict(zip(rng.sample(range(commands), min(commands, len(hit))), hit, strict=False))
        """What is killed between a command of the director and its answer, by the number of the command."""
        self._commands = 0
        left = {"broker": plan.broker, "hall": plan.hall, "table": plan.table - 2 * plan.put_back}
        for one in self._hits.values():
            left[one] -= 1
        acts = [name for name, count in left.items() for _ in range(count)]
        acts += ["correct"] * (plan.corrections // 2) + ["rename"] * plan.renames
        most = plan.tables * plan.rounds * MOVES
        self._acts = sorted((rng.randrange(most // 50, most), act) for act in acts)

    # From the first command to the last result

    def play(self) -> Found:
        """Play the tournament, let everything come to rest, and compare."""
        plan = self.plan
        try:
            self._command("open", lambda now: now is not None, name="Storm cup", rounds=plan.rounds, drawing="swiss",
                          counting="points", match_rounds=plan.match_rounds)  # fmt: skip
            self._command("enter", lambda now: _has(now, "players", len(self.names)), names="\n".join(self.names))
            self._command("check-in", lambda now: now is not None and all(one["here"] for one in now["players"]))
            for number in range(1, plan.rounds + 1):
                self._round(number)
                self._restart_all()
                until(lambda: self._stage() == "between", "all results of the round")
                for _ in range(plan.corrections // 2 // plan.rounds):
                    self._act("correct")
            while self._acts:
                self._act(self._acts.pop(0)[1])
            self._restart_all()
            return self._compare()
        finally:
            for table in self.tables:
                table.close()
            self._hall.close()
            self._broker.close()

    def _round(self, number: int) -> None:
        places = self.plan.put_back * (number - 1) // self.plan.rounds, self.plan.put_back * number // self.plan.rounds
        for which, table in zip(range(*places), self._rng.sample(self.tables, places[1] - places[0]), strict=True):
            after = None if which % 4 < 2 else self._rng.randint(1, 3)
            self._puts[table.name] = PutBack(self._rng.randint(2, 8), after, rebuilt=which % 2 == 1)
        self._command("draw", lambda now: now is not None and now["round"] == number)
        self._command("begin", lambda now: now is not None and now["round"] == number and now["begun"])
        quiet = time.monotonic()
        while not self._is_over(number):
            self._news.clear()
            begun = sum(table.take_orders() for table in self.tables)
            ready = [table for table in self.tables if table.up and table.plays]
            if ready:
                self._move(self._rng.choice(ready))
            elif self._later:
                self._restart_all()
            elif not begun:
                self._news.wait(NEWS_S)
            if ready or begun:
                quiet = time.monotonic()
            if time.monotonic() - quiet > QUIET_S:
                self._ask_again()
                quiet = time.monotonic()

    def _stage(self) -> str | None:
        now = self.director.part()
        return None if now is None else str(now["stage"])

    def _is_over(self, number: int) -> bool:
        results = sum(place_of(draw)[0] == number for table in self.tables for draw in table.results)
        return results == self.plan.tables and not self._puts

    def _ask_again(self) -> None:
        """As a director would: tell tables to begin that have not."""
        found = self.director.stream()
        if found is not None:
            begun = {place_of(draw) for table in self.tables for draw in table.begun}
            now = found["parts"]["tournament"]
            for table in now["missing"]:
                if (now["round"], table) not in begun:
                    self.done["asked again by the director"] += 1
                    self.director.post("tournament-begin", found["n"], table=table)

    def _move(self, table: Table) -> None:
        table.play()
        self._moves += 1
        self._put_journals_back(table)
        for due in [one for one in self._later if one[0] <= self._moves]:
            self._later.remove(due)
            due[1]()
        while self._acts and self._acts[0][0] <= self._moves:
            self._act(self._acts.pop(0)[1])

    def _put_journals_back(self, table: Table) -> None:
        """Copy the journal of this table, or put the copy back, if it is time for that."""
        put = self._puts.get(table.name)
        if put is None:
            return
        put.moves += 1
        if table.backup is None and put.moves >= put.copied and table.plays:
            self._pull(table)
            table.back_up()
            table.start()
            put.moves = 0
        elif table.backup is not None and (not table.plays if put.put_back is None else put.moves >= put.put_back):
            if not table.plays:
                self._restart_all()
                draw = table.setup.draw or ""
                until(lambda: self._has_result(place_of(draw)[1]), f"the result of {draw}")
                if self._rng.random() < 0.5:
                    self.done["result corrected"] += table.correct() is not None
            self._pull(table)
            table.put_back(rebuilt=put.rebuilt)
            pulled = int(time.time())
            until(lambda: int(time.time()) > pulled, "the next second: nobody changes a card more quickly")
            table.start()
            self.done["journal rebuilt" if put.rebuilt else "journal put back"] += 1
            del self._puts[table.name]

    def _has_result(self, table: int) -> bool:
        now = self.director.part()
        return now is not None and now["tables"][table - 1]["points"] is not None

    # What is done to it

    def _act(self, what: str) -> None:
        match what:
            case "table":
                self._kill_table()
            case "correct":
                chosen = self._rng.sample(self.tables, len(self.tables))
                free = (table for table in chosen if table.name not in self._puts)
                self.done["result corrected"] += any(table.correct() is not None for table in free)
            case "rename":
                self._rename()
            case _:
                self._kill(what)

    def _kill_table(self) -> None:
        up = [table for table in self.tables if table.up and table.name not in self._puts]
        table = self._rng.choice(up)
        self._pull(table)
        self._later.append((self._moves + self._rng.randint(0, DOWN), table.start))

    def _pull(self, table: Table) -> None:
        table.pull()
        self.done["table killed"] += 1

    def _kill(self, what: str, *, at_once: bool = False) -> None:
        """Kill broker or hall, and have it started again later, or `at_once`."""
        process = self._broker if what == "broker" else self._hall
        if not at_once:
            self._restart(process.start)
            if self._rng.random() < 0.7:  # otherwise it may be hit while it starts
                self._restart(self._hall.start)
                until(lambda: self.director.stream() is not None, "the hall's page")
        process.kill()
        self.done[f"{what} killed"] += 1
        if at_once:
            process.start()
        else:
            self._later.append((self._moves + self._rng.randint(0, DOWN), process.start))

    def _restart(self, start: Callable[[], None]) -> None:
        """Start something now that was to be started later; what runs is left alone."""
        for due in [one for one in self._later if one[1] == start]:
            self._later.remove(due)
            due[1]()

    def _restart_all(self) -> None:
        while self._later:
            self._later.pop(0)[1]()

    def _rename(self) -> None:
        number = self._rng.randint(1, len(self.names))
        name = f"{self.names[number - 1]} b"
        self.names[number - 1] = name
        self.numbers[name] = number
        self._command("rename", lambda now: now is not None and now["players"][number - 1]["name"] == name,
                      player=number, name=name)  # fmt: skip
        self.done["player renamed"] += 1

    def _command(self, which: str, done: Callable[[Part | None], bool], **fields: object) -> None:
        self._restart(self._hall.start)
        self._restart(self._broker.start)
        hit = self._hits.pop(self._commands, None)
        self._commands += 1
        kill = None if hit is None else lambda: self._kill(hit, at_once=True)
        self.director.do(f"tournament-{which}", done, kill, **fields)

    # At the end

    def _compare(self) -> Found:
        found, truth = Found(), killed_truth.truth_of(self.tables, self.numbers)
        export: dict[str, Any] = {}

        def is_told() -> bool:
            try:
                export.update(self.director.export())
            except (OSError, ValueError):
                return False
            return dict(killed_truth.told_in(export)) == truth

        def all_told() -> bool:
            return all(killed_truth.has_all_events(table, self.director.file) for table in self.tables)

        for true, what in ((is_told, "all results"), (all_told, "all events")):
            try:
                until(true, what)
            except InVain as error:
                found.notes.append(str(error))
        self._hall.kill()
        killed_truth.compare_results(truth, killed_truth.told_in(export), found)
        killed_truth.compare_standings(truth, export, found)
        killed_truth.compare_history(self.tables, self.numbers, self.director.file, found)
        killed_truth.compare_events(self.tables, self.director.file, found)
        return found


def _has(now: Part | None, what: str, count: int) -> bool:
    return now is not None and len(now[what]) == count
