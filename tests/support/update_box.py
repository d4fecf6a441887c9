"""A machine with two versions of the referee, and the updater on it, which can be cut off at any of its steps.

The services are made up: a version is what its folder says it is, such as one that crashes. Slots, records and the
journal are real files. As a program (`update_box.py ROOT VERB STEP`) it does one verb and ends like a killed process
before the file operation with that number, counted by Python's own audit events.
"""

import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent.parent / "systemd"))

from updater.slots import Slots
from updater.switching import Change
from updater.trial import CONFIRM_S, Health

STEPS = ("open", "os.rename", "os.remove", "os.rmdir", "os.symlink", "os.mkdir", "sqlite3.connect")
LOOK_S = 60.0
HALL, HALL_EVENTS = "hall/hall.sqlite", 20
OLD_SCHEMA, NEW_SCHEMA = 3, 4


class Box:
    """The machine below a folder; what runs on it is kept in a file, so that it outlives the updater."""

    def __init__(self, root: Path) -> None:
        self.root, self.slots, self.folder = root, Slots(root), root / "var/lib/referee"
        self.now = 0.0
        self.change = Change(self.slots, self, self.folder, lambda: self.now)

    @classmethod
    def made(
        cls, root: Path, behaviour: str, schema: int = OLD_SCHEMA, slot_before: str = "a", before: str = "works",
        *, hall: bool = False,
    ) -> "Box":  # fmt: skip
        """A machine that plays with version `a`; version `b` is complete and asked for; with `hall` there is one."""
        box = cls(root)
        for slot, manner, known in ((slot_before, before, OLD_SCHEMA), ("b", behaviour, schema)):
            here = box.slots.path(slot)
            (here / "units").mkdir(parents=True)
            (here / "units/referee.service").write_text(f"# of {slot}\n")
            (here / "made.json").write_text(json.dumps({"manner": manner, "schema": known}))
            (here / "version").write_text(f"version {slot}\n")
            (here / "installed").write_text(slot)
        units = root / "etc/systemd/system"
        units.mkdir(parents=True)
        (units / "referee.service").write_text(f"# of {slot_before}\n")
        box.folder.mkdir(parents=True)
        with closing(sqlite3.connect(box.folder / "journal.db")) as journal, journal:
            journal.execute("PRAGMA journal_mode = WAL")
            journal.execute("CREATE TABLE events (match, number, kind, score)")
            journal.execute(f"PRAGMA user_version = {OLD_SCHEMA}")
            journal.executemany("INSERT INTO events VALUES (1, ?, 'seen', NULL)", [(n,) for n in range(50)])
            journal.execute("""INSERT INTO events VALUES (1, 50, 'seen', '{"sheet": [], "over": true}')""")
        if hall:
            (box.folder / "hall").mkdir()
            with closing(sqlite3.connect(box.folder / HALL)) as file, file:
                file.execute("CREATE TABLE events (tbl, seq)")
                file.execute(f"PRAGMA user_version = {OLD_SCHEMA}")
                file.executemany("INSERT INTO events VALUES ('one', ?)", [(n,) for n in range(HALL_EVENTS)])
        box.slots.make_current(slot_before)
        box.put_running(None)
        box.start(("referee",))
        box.change.request("b")
        return box

    def made_up(self, slot: str) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.slots.path(slot) / "made.json").read_text())
        return found

    # What systemd would do.

    def enabled(self) -> tuple[str, ...]:
        return ("referee", "referee-hall") if (self.folder / "hall").exists() else ("referee",)

    def stop(self, _: tuple[str, ...]) -> None:
        self.put_running(None)

    def start(self, _: tuple[str, ...]) -> None:
        """Start whatever the link leads to; it opens the journal, and brings it to the tables that it knows."""
        slot = self.slots.current()
        assert slot is not None
        assert self.slots.is_complete(slot)
        if self.running() is not None:
            return
        known = int(str(self.made_up(slot)["schema"]))
        for name in ("journal.db", *([HALL] if len(self.enabled()) > 1 else [])):
            with closing(sqlite3.connect(self.folder / name)) as journal, journal:
                if journal.execute("PRAGMA user_version").fetchone()[0] > known:
                    raise AssertionError(f"version {slot} cannot read {name}")
                journal.execute(f"PRAGMA user_version = {known}")
        self.put_running(slot)

    def reload(self) -> None:
        self.put_running(self.running())

    def health(self, _: str) -> Health:
        slot = self.running()
        manner = "stopped" if slot is None else self.made_up(slot)["manner"]
        return {
            "works": Health(ready=True, failed=False, restarts=0),
            "crashes": Health(ready=False, failed=False, restarts=int(self.now // LOOK_S)),
            "crashes once": Health(ready=self.now > LOOK_S, failed=False, restarts=1),
            "hangs": Health(ready=False, failed=False, restarts=0),
            "opens no table": Health(ready=True, failed=False, restarts=0, plays=False),
            "gives up": Health(ready=False, failed=True, restarts=0),
            "stopped": Health(ready=False, failed=False, restarts=0),
        }[str(manner)]

    def running(self) -> str | None:
        found: str | None = json.loads((self.root / "running.json").read_text())
        return found

    def put_running(self, slot: str | None) -> None:
        """Note which version runs, or that none does."""
        unfinished = self.root / "running.new"
        unfinished.write_text(json.dumps(slot))
        unfinished.replace(self.root / "running.json")

    # What happens to the machine.

    def power_cut(self) -> None:
        """Everything stops; the machine starts again, the updater first and then the service."""
        self.put_running(None)
        self.change = Change(self.slots, self, self.folder, lambda: self.now)
        self.change.boot()
        self.start(())

    def watch(self) -> None:
        """What the updater's service does until nothing is left to do."""
        self.change.recover(start=True)
        for _ in range(int(3 * CONFIRM_S / LOOK_S)):
            if self.change.trial() is not None:
                self.change.step()
            elif self.change.requested() is None:
                self.change.tidy()
                return
            else:
                self.change.switch()
            self.now += LOOK_S
        raise AssertionError("it never ends")

    def journal(self, name: str = "journal.db") -> tuple[int, int]:
        """The version of the journal's tables, or of another file's, and how many events it has."""
        with closing(sqlite3.connect(self.folder / name)) as journal:
            assert journal.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            events = journal.execute("SELECT count(*) FROM events").fetchone()[0]
            return journal.execute("PRAGMA user_version").fetchone()[0], events

    def result(self) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.folder / "update.json").read_text())
        return found


def cut_before(step: int) -> None:
    """End this process before the file operation with that number."""
    left = step

    def count(event: str, _: object) -> None:
        nonlocal left
        if event in STEPS:
            left -= 1
            if left == 0:
                os._exit(9)

    sys.addaudithook(count)


def copied(box: Path, to: Path) -> Box:
    """The same machine once more, to be cut off elsewhere."""
    shutil.copytree(box, to, symlinks=True)
    return Box(to)


if __name__ == "__main__":
    there = Box(Path(sys.argv[1]))
    cut_before(int(sys.argv[3]))
    getattr(there, sys.argv[2])()
