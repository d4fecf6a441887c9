"""A process that is killed at any moment has on disk every event whose append had returned."""

import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from played import SETUPS, match

from referee.journal.opening import open_journal

KILLS = 30
EVENTS = 200
SEED = 11

WRITER = f"""
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from played import SETUPS, match, write
from referee.game.match.machine import apply
from referee.journal.opening import open_journal

opened = open_journal(Path(sys.argv[1]))
done = opened.kept.tip.row.number if opened.kept else 0
for step in match(SETUPS[0], {SEED}, {EVENTS})[done:]:
    write(opened.journal, SETUPS[0], [step])
    print(opened.journal.number, flush=True)
    opened.journal.beat(step.event.t)
"""


@pytest.mark.parametrize("start", range(3))
def test_a_killed_writer_has_lost_nothing_that_was_confirmed(tmp_path: Path, start: int) -> None:
    rng = random.Random(start)  # noqa: S311
    steps = match(SETUPS[0], SEED, EVENTS)
    confirmed = 0
    for _ in range(KILLS // 3):
        confirmed = max(confirmed, killed_writer(tmp_path, rng))
        opened = open_journal(tmp_path)
        opened.journal.close()
        number = opened.kept.tip.row.number if opened.kept else 0
        assert number >= confirmed
        assert opened.notices == ()
        if opened.kept:
            assert opened.kept.state == steps[number - 1].state
        confirmed = number
    assert confirmed > KILLS // 3


def killed_writer(folder: Path, rng: random.Random) -> int:
    """Let a process write some events and kill it in the middle; the last event it called kept."""
    command = [sys.executable, "-c", WRITER, folder, Path(__file__).parents[1] / "support"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(rng.randint(1, 6))]
        # A moment later by chance, so that the kill falls anywhere between two writings.
        select.select([], [], [], rng.uniform(0, 0.004))
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.read().splitlines()
    return max((int(line) for line in lines if line.strip().isdigit()), default=0)
