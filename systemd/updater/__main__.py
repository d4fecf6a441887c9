"""The verbs that the installer and the services use; people use `referee update`.

- `request SLOT`: use a slot as soon as no match is under way
- `take SLOT`: use a slot at once, on a machine that has used none
- `install FILE`: install a bundle beside the version in use, and ask for it
- `install-waiting`: the same with the bundle that lies in the folder of the service
- `boot`: before the services start, end what a power cut interrupted
- `watch`: until nothing is left to do, do what the page asks for, switch between matches, watch the trial, go back if
  it fails
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from updater.asking import carry_out
from updater.installing import install_bundle, install_waiting
from updater.journal import HALL_SETTINGS, USUAL, state_folder
from updater.services import Services
from updater.slots import Slots
from updater.switching import Change

STEP_S = 2.0
"""Seconds between two looks at a version on trial, and at what the page asks for."""
STEPS_PER_LOOK = 8
"""Looks at the page's file for one at the journal, which starts a process."""


def watch(change: Change, folder: Path, sleep: Callable[[float], None] = time.sleep) -> None:
    """Do what is left to do, until nothing is; `folder` is where the page asks for something."""
    change.recover(start=True)
    change.tidy()
    step = 0
    while True:
        carry_out(folder, change)
        if change.trial() is not None:
            change.step()
        elif change.requested() is None:
            return
        elif step % STEPS_PER_LOOK == 0:
            change.switch()
        step += 1
        sleep(STEP_S)


def main(words: list[str]) -> int:
    """Run one verb; 2 for anything that is none."""
    root = Path("/")
    if words[:1] == ["--root"]:
        root, words = Path(words[1]), words[2:]
    slots = Slots(root)
    change = Change(slots, Services(root), state_folder(root), of_hall=state_folder(root, HALL_SETTINGS))
    try:
        match words:
            case ["request", slot]:
                change.request(slot)
            case ["take", slot]:
                change.take(slot)
            case ["install", file]:
                return 1 if install_bundle(root, slots, change, Path(file)) else 0
            case ["install-waiting"]:
                return 1 if install_waiting(root, slots, change) else 0
            case ["boot"]:
                change.boot()
            case ["watch"]:
                watch(change, root / USUAL)
            case _:
                sys.stderr.write(__doc__ or "")
                return 2
    except ValueError as error:
        sys.stderr.write(f"updater: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
