"""`make soak`, second part: the real `referee play` with injected faults; writes models/FIRE.md.

Virtual players put rendered pictures into a folder that serves as the camera, and press buttons through standard
input. Meanwhile the process is killed, its camera removed, its disk filled, and its contacts chatter. Everything that
it says is compared with what actually lies on the table.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.fire_table import BEAT_S, FAULTS, LAG_S, TURN_S, Faults, Fire
from benchmarks.fire_truth import Tally
from benchmarks.report import Row, rate_row, show, table_of
from referee.game.rulebooks import ruleset
from referee.sim.match import FLAWLESS, NAMES, Habits, VirtualMatch

ROOT = Path(__file__).resolve().parent.parent
TURNS = 500
MOST_ASKED = 0.08
"""The largest share of looks about which something may be asked, however often the process is killed."""
BOOKS = ("rummikub", "ravensburger", "brettspielnetz", "piatnik", "rummikub", "gin")
HABITS = Habits(slips=0.2, slips_again=0.3, time_outs=0.03)
READY_S = 3.0
SHOWN = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print the figures, and write the page; return 1 if something went wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fire", description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS, help="turns refereed, at least")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other matches and other faults")
    parser.add_argument("--out", default=str(ROOT / "models" / "FIRE.md"), help="where the figures go")
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="fire-", ignore_cleanup_errors=True) as folder:
        tally = fire(given.turns, given.seed, Path(folder))
    rows = rows_of(tally)
    show(rows)
    for line in tally.failures[:SHOWN]:
        print(line)
    minutes = (time.perf_counter() - started) / 60
    command = f"python -m benchmarks.fire --turns {given.turns} --seed {given.seed} ({minutes:.0f} minutes)"
    Path(given.out).write_text(page(rows, tally.failures, command), encoding="utf-8")
    return 1 if tally.failures or any(row.reached is False for row in rows) else 0


def fire(turns: int, seed: int, folder: Path, faults: Faults = FAULTS) -> Tally:
    """Play matches with injected faults until at least `turns` turns have been refereed."""
    tally = Tally()
    while tally.turns < turns and len(tally.failures) < SHOWN:
        number = tally.matches
        before = len(tally.failures)
        _match(1000 * seed + number, BOOKS[number % len(BOOKS)], folder / f"match-{number}", faults, tally, turns)
        tally.matches = number + 1
        print(f"{tally.matches} matches, {tally.turns} turns, {len(tally.failures)} failures", flush=True)
        for line in tally.failures[before:]:
            print(f"  {line}", flush=True)
    return tally


def _match(seed: int, name: str, folder: Path, faults: Faults, tally: Tally, turns: int) -> None:
    book, rng = ruleset(name), np.random.default_rng(seed)
    number = int(rng.integers(book.players[0], book.players[1] + 1))
    # Nobody can say what a tile of another box is, so the referee would ask about such slips in Gin for ever.
    habits = HABITS if book.knocking is None else FLAWLESS
    match = VirtualMatch(book, rng, players=NAMES[:number], habits=habits)
    handicap = 0 if book.turn_seconds is None else TURN_S - book.turn_seconds
    names = ",".join(f'"{player}"' for player in match.players)
    settings = {
        "game.rules": name, "game.rounds": "1", "game.players": f"[{names}]",
        "game.handicaps": f"[{','.join([str(handicap)] * number)}]",
        "camera.kind": "folder", "camera.source": str(folder / "pictures"), "camera.restarts": "100",
        "storage.state": str(folder / "state"), "storage.pictures_mb": "20",
    }  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "referee.toml").write_text('[panel]\nkind = "console"\n', encoding="utf-8")
    options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    Fire(match, options, folder, seed, tally, faults).play(lambda: tally.turns >= turns)


def rows_of(tally: Tally) -> list[Row]:
    """Return the figures."""
    on = "`play` with faults injected"
    faults = ", ".join(f"{name} {number}" for name, number in tally.faults.most_common()) or "none"
    asked = ", ".join(f"{name} {number}" for name, number in tally.asked.most_common()) or "none"
    given = f"{min(tally.clocks, default=0.0):+.2f} to {max(tally.clocks, default=0.0):+.2f} s for the player"
    within = sum(-LAG_S <= gift <= BEAT_S + LAG_S for gift in tally.clocks)
    ready = tally.ready or [0.0]
    figure = f"{statistics.median(ready):.2f} s median, {max(ready):.2f} s worst"
    return [
        Row("turns refereed in a row", on, f"{tally.matches} matches", f"{tally.turns} turns",
            f"≥ {TURNS}", tally.turns >= TURNS),
        Row("faults injected", on, faults, f"{tally.faults.total()} faults", "", None),
        rate_row("confirmed and lost, or told and not kept", on, tally.lost, tally.events, 0.0, at_most=True),
        rate_row("legal turns and hands accepted", on, tally.legal - tally.legal_refused, tally.legal, 1.0),
        rate_row("illegal turns and hands refused", on, tally.slips - tally.slips_accepted, tally.slips, 1.0),
        rate_row("looks read as what lies there", on, tally.looks - tally.doubts - tally.misread,
                 tally.looks - tally.doubts, 1.0),
        rate_row("looks asked about", on, tally.doubts, tally.looks, MOST_ASKED, at_most=True),
        Row("what was asked", on, asked, f"{tally.doubts} looks", "", None),
        Row("tiles told by players, asked about in vain", on, f"{tally.told}", f"{tally.looks} looks", "", None),
        Row("looks with a doubt that changed nothing", on, f"{tally.spared}", f"{tally.looks} looks", "", None),
        Row("turns whose time ran out", on, f"{tally.time_outs}", f"{tally.turns} turns", "", None),
        Row("turn clock after a kill, beside one outside", on, given, f"{len(tally.clocks)} kills of a running clock",
            f"0 to a heartbeat of {BEAT_S:g} s, measured to {LAG_S:g} s", within == len(tally.clocks)),
        Row("process start to ready", "after a stop or a kill, between faults", figure, f"{len(ready)} starts",
            f"≤ {READY_S:g} s", max(ready) <= READY_S),
    ]  # fmt: skip


def page(rows: list[Row], failures: list[str], command: str) -> str:
    """Return the whole text of FIRE.md."""
    lines = [
        "# Figures with faults injected",
        "",
        "Written by `make soak`; not edited by hand. Rates are given with their 95 % Wilson interval.",
        "Virtual people play with the real process `referee play`: what a camera would see is rendered into a",
        "folder, and buttons are pressed through standard input. At random moments of a turn, the process is killed",
        "(SIGKILL), the camera is lost and comes back, no file can grow for a while, the contact of a loose wire",
        "bounces, somebody pauses, plays wrongly or runs out of time. After every step the benchmark reads the",
        "journal, replays it, and compares it with the tiles on the table, the tiles in everybody's hands, and what",
        "the process has said.",
        f"Command: `{command}`.",
        f"Machine: {platform.machine()}, Python {platform.python_version()}, {os.cpu_count()} cores.",
        "",
        *table_of(rows),
        "",
        "## Every failure",
        "",
        *([f"- {line}" for line in failures[:SHOWN]] or ["None."]),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
