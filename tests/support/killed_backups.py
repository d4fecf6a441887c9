"""Kills a backup or a restore before every operation on files, one after the other, and reports what was left.

Run as a program, in a process of its own with one thread: for each step it forks a child that ends itself there, as a
power cut would. Prints one JSON object a line.
"""

import json
import os
import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from saved_tables import NOW, content, saved, table

from referee.backup.automatic import make_backup
from referee.backup.checking import check_backup
from referee.backup.contents import Places
from referee.backup.manifest import BACKUPS
from referee.backup.resetting import reset
from referee.backup.restoring import finish_restore, restore
from referee.backup.room import tidy

KILLED = 9
STEPS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "sqlite3.connect", "os.scandir")


def until(step: int, folder: Path, work: Callable[[], object]) -> bool:
    """Do some work in a child that ends before operation number `step` on files in the folder; whether it was done."""
    child = os.fork()
    if child == 0:
        left = step

        def count(told: object) -> None:
            nonlocal left
            if str(folder) in str(told) or isinstance(told, int):
                left -= 1
                if left < 0:
                    os._exit(KILLED)

        def audit(name: str, arguments: tuple[object, ...]) -> None:
            if name in STEPS:
                count([os.fsdecode(one) if isinstance(one, bytes) else one for one in arguments])

        fsync = os.fsync
        os.fsync = lambda handle: (count(0), fsync(handle))[1]  # no audit event tells of it
        sys.addaudithook(audit)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - the child must end here
            print(json.dumps({"error": repr(error)}), flush=True)
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED), code
    return code == 0


def accept(_: str) -> None:
    """Any settings will do."""


def killed_restores(folder: Path, seed: int) -> None:
    """Restore one table over another, killed at every step; the first repairs are killed as well, at random."""
    rng = random.Random(seed)  # noqa: S311
    old, new = table(folder / "old", "old", events=4), table(folder / "new", "new", events=7)
    backup = saved(folder / "backup.zip", new)
    before, after = content(old), content(new)
    step, done = 0, False
    while not done:
        place = folder / f"box-{step}"
        shutil.copytree(folder / "old", place)
        box = Places(place / "state", place / "referee.toml")
        done = until(step, place, partial(restore, backup, box, NOW, accept))
        kills = 1 - done
        for _ in range(2):
            kills += not until(rng.randrange(30), place, partial(finish_restore, box.state))
        finish_restore(box.state)
        found = content(box)
        state = "old" if found == before else "new" if found == after else "neither"
        again = replace(box, settings=place / "referee.toml")
        restore(backup, again, NOW, accept)
        undo = [check_backup(one).matches for one in (box.state / BACKUPS).iterdir()]
        left = sorted(one.name for one in box.state.iterdir() if one.name.startswith("restore-"))
        line = {"step": step, "state": state, "kills": kills, "done": done, "undo": undo, "left": left}
        print(json.dumps({**line, "repeated": content(box) == after}), flush=True)
        shutil.rmtree(place)
        step += 1


def killed_resets(folder: Path, seed: int, *, forget: bool) -> None:
    """Reset a table, killed at every step; the first repairs are killed as well, at random."""
    rng = random.Random(seed)  # noqa: S311
    old = table(folder / "old", "old", events=4)
    make_backup(old, NOW.replace(day=20), pictures=False)
    before = content(old)
    step, done = 0, False
    while not done:
        place = folder / f"box-{step}"
        shutil.copytree(folder / "old", place)
        box = Places(place / "state", place / "referee.toml")
        work = partial(reset, box, NOW, forget=forget, even_a_match=True)
        done = until(step, place, work)
        kills = 1 - done
        for _ in range(2):
            kills += not until(rng.randrange(30), place, partial(finish_restore, box.state))
        finish_restore(box.state)
        found = content(box)
        state = "old" if found == before else "new" if set(found) == {"settings"} else f"neither: {sorted(found)}"
        backups = box.state / BACKUPS
        kept = sorted(check_backup(one).matches for one in backups.glob("*.zip")) if backups.is_dir() else []
        reset(box, NOW, forget=forget, even_a_match=True)  # nothing of the first attempt is in its way, or stays
        left = sorted(one.name for one in box.state.iterdir() if one.name.startswith("restore-"))
        line = {"step": step, "state": state, "kills": kills, "done": done, "kept": kept, "left": left}
        print(json.dumps(line), flush=True)
        shutil.rmtree(place)
        step += 1


def killed_backups(folder: Path) -> None:
    """Make an automatic backup beside older ones, killed at every step."""
    old = table(folder / "old", "old", events=4)
    make_backup(old, NOW.replace(day=20), pictures=True)
    before = content(old)
    step, done = 0, False
    while not done:
        place = folder / f"box-{step}"
        shutil.copytree(folder / "old", place)
        box = Places(place / "state", place / "referee.toml")

        def work(box: Places = box) -> None:
            make_backup(box, NOW, pictures=True)
            tidy(box.backups, NOW.replace(tzinfo=None))

        done = until(step, place, work)
        intact = [check_backup(one).matches for one in sorted(box.backups.glob("*.zip"))]
        same = content(box) == before
        make_backup(box, NOW, pictures=True)
        print(json.dumps({"step": step, "done": done, "intact": intact, "same": same}), flush=True)
        shutil.rmtree(place)
        step += 1


if __name__ == "__main__":
    if sys.argv[1] == "restore":
        killed_restores(Path(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1].startswith("reset"):
        killed_resets(Path(sys.argv[2]), int(sys.argv[3]), forget=sys.argv[1] == "reset-all")
    else:
        killed_backups(Path(sys.argv[2]))
