#!/usr/bin/python3
"""Asks for one update after the other, as the page does, and prints what became of each; in the machine of the test.

Whatever it knows is on the disk, because the power may fail at any moment. It prints a line that begins with `result`
for each update, and `events` with all that are in the journal or in one that was kept beside it. Then it switches off.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

PLAN = Path("/boot/firmware/plan.json")
BUNDLES = Path("/boot/firmware/bundles")
STATE = Path("/var/lib/driver.json")
FOLDER = Path("/var/lib/referee")
BUNDLE, RESULT = FOLDER / "updates/bundle", FOLDER / "update.json"
HOME = Path("/opt/referee")
ENDED = ("stays", "back", "failed", "cancelled")
LOOK_S = 2.0


def write(path: Path, text: str) -> None:
    """Write a file, complete or not at all, and at once."""
    unfinished = path.with_suffix(".new")
    with unfinished.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    os.sync()


def result() -> str:
    """What became of the last update; empty if there was none."""
    try:
        return RESULT.read_text()
    except OSError:
        return ""


def is_under_way() -> bool:
    """Whether anything is left to do for the updater."""
    there = (BUNDLE, HOME / "next.json", HOME / "trial.json", HOME / "incoming")
    return any(path.exists() for path in there)


def ask_for(name: str) -> None:
    """Put a bundle where the page does."""
    arriving = BUNDLE.with_name("arriving.part")
    shutil.copy(BUNDLES / name, arriving)
    shutil.chown(arriving, "referee", "referee")
    with arriving.open("rb") as file:
        os.fsync(file.fileno())
    arriving.replace(BUNDLE)


def keep_events(state: dict) -> None:
    """Remember the events of journals that were set aside: the next one of that name replaces them."""
    kept = set(state["kept"])
    for path in FOLDER.glob("journal-after-update.db"):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as journal:
            kept.update(name for (name,) in journal.execute("SELECT kind FROM events"))
    state["kept"] = sorted(kept)


def main() -> None:
    """Go on with the plan."""
    plan = json.loads(PLAN.read_text())
    state = json.loads(STATE.read_text()) if STATE.exists() else {"next": 0, "asked": False, "before": "", "kept": []}
    while state["next"] < len(plan):
        if not state["asked"]:
            # Every result differs from the one before: nobody could tell otherwise that there is a new one.
            write(RESULT, json.dumps({"state": "cancelled", "version": f"before {state['next']}"}))
            shutil.chown(RESULT, "referee", "referee")
            state |= {"asked": True, "before": result()}
            write(STATE, json.dumps(state))
            ask_for(plan[state["next"]])
        time.sleep(LOOK_S)
        if is_under_way():
            continue
        found = result()
        if found == state["before"] or json.loads(found)["state"] not in ENDED:
            if found == state["before"]:  # the power failed before the bundle was there
                ask_for(plan[state["next"]])
            continue
        print(f"result {state['next']} {found}", flush=True)
        keep_events(state)
        state |= {"next": state["next"] + 1, "asked": False, "told": [*state.get("told", []), found]}
        write(STATE, json.dumps(state))
    subprocess.run(["systemctl", "stop", "referee.service"], check=True)  # noqa: S607
    with closing(sqlite3.connect(FOLDER / "journal.db")) as journal:
        whole = journal.execute("PRAGMA integrity_check").fetchone()[0]
        names = [name for (name,) in journal.execute("SELECT kind FROM events")]
    write(Path("/var/lib/found.json"), json.dumps({"whole": whole, "events": names, **state}))
    os.sync()
    subprocess.run(["systemctl", "poweroff"], check=True)  # noqa: S607


if __name__ == "__main__":
    main()
