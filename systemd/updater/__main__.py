"""The verbs that the installer and the services use; people use `referee update`.

- `request SLOT`: use a slot as soon as no match is under way
- `take SLOT`: use a slot at once, on a machine that has used none
- `install FILE`: install a bundle beside the version in use, and ask for it
- `install-waiting`: the same with the bundle that lies in the folder of the journal
- `boot`: before the services start, end what a power cut interrupted
- `watch`: until nothing is left to do, switch between matches, watch the trial, go back if it fails
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from updater.installing import install_bundle, install_waiting
from updater.journal import state_folder
from updater.services import Services
from updater.slots import Slots
from updater.switching import Change

WAIT_S, TRIAL_S = 15.0, 2.0
"""Seconds between two looks at the journal, and between two at a version on trial."""


def watch(change: Change) -> None:
    """Do what is left to do, until nothing is."""
    change.recover(start=True)
    change.tidy()
    while True:
        if change.trial() is not None:
            change.step()
            time.sleep(TRIAL_S)
        elif change.requested() is None:
            return
        elif not change.switch():
            time.sleep(WAIT_S)


def main(words: list[str]) -> int:
    """Run one verb; 2 for anything that is none."""
    root = Path("/")
    if words[:1] == ["--root"]:
        root, words = Path(words[1]), words[2:]
    slots = Slots(root)
    change = Change(slots, Services(), state_folder(root))
    try:
        match words:
            case ["request", slot]:
                change.request(slot)
            case ["take", slot]:
                change.take(slot)
            case ["install", file]:
                return 1 if install_bundle(root, slots, change, Path(file)) else 0
            case ["install-waiting"]:
                return 1 if install_waiting(root, slots, change, state_folder(root)) else 0
            case ["boot"]:
                change.boot()
            case ["watch"]:
                watch(change)
            case _:
                sys.stderr.write(__doc__ or "")
                return 2
    except ValueError as error:
        sys.stderr.write(f"updater: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
