"""The change from one version to another: only between matches, on trial first, and back if the trial fails.

1. The link always leads to a complete version, and the services on the disk start whatever the link leads to.
2. Before anything that takes several steps, trial.json says what is under way. After a power cut `recover` ends it:
   forwards if the link has been changed, otherwise backwards.
3. No version is taken into use while a match is under way, and none while another one is on trial.
4. The journal is copied while no service runs. It is put back before the link is, so that the version that the link
   leads to can always read it.
5. A version that cannot read the journal's tables is not taken into use. Which tables a version can read is known as
   soon as it has proved itself.
"""

from __future__ import annotations

import enum
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from updater.disk import is_in_memory, write_whole
from updater.journal import HALL, KINDS, JournalFile, NoCopy
from updater.slots import HALL_UNIT, NAMES, WITHOUT_SLOTS, Slots
from updater.trial import BOOTS, Health, Phase, Reason, Trial, Watch

NEXT, TRIAL, SCHEMAS = "next", "trial", "schemas"
RESULT = "update.json"
"""In the folder of the journal: what became of the last update. The page and `referee play` read it."""


class Running(Protocol):
    """The services, as `updater.services` reaches them."""

    def enabled(self) -> tuple[str, ...]: ...  # noqa: D102
    def stop(self, names: tuple[str, ...]) -> None: ...  # noqa: D102
    def start(self, names: tuple[str, ...]) -> None: ...  # noqa: D102
    def reload(self) -> None: ...  # noqa: D102
    def health(self, name: str) -> Health: ...  # noqa: D102


class State(enum.StrEnum):
    """What became of an update, as it is written for people to be told."""

    WAITS = "waits"
    TRYING = "trying"
    STAYS = "stays"
    BACK = "back"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Change:
    """The change of versions on one machine."""

    def __init__(
        self,
        slots: Slots,
        services: Running,
        folder: Path,
        now: Callable[[], float] = time.monotonic,
        of_hall: Path | None = None,
    ) -> None:
        """`folder` holds the journal, `of_hall` the file of a hall; None if it is the same folder."""
        self._slots, self._services, self._folder, self._now = slots, services, folder, now
        self._journal, self._hall = JournalFile(folder), JournalFile(of_hall or folder, HALL)
        self._watch: Watch | None = None

    def take(self, slot: str) -> None:
        """Use a slot at once, on a machine that has used none so far."""
        if self._slots.current() is not None:
            raise ValueError(f"{slot}: expected a machine without a version in use, found {self._slots.current()}")
        self._slots.make_current(slot)

    def request(self, slot: str) -> None:
        """Ask for a slot to be used as soon as no match is under way; for the present one, that it is started anew."""
        if not self._slots.is_complete(slot):
            raise ValueError(f"{self._slots.path(slot)}: expected a complete version, found no file `installed`")
        self._slots.write(NEXT, {"slot": slot})

    def requested(self) -> str | None:
        """Return the slot that was asked for."""
        found = self._slots.read(NEXT)
        slot = None if found is None else found.get("slot")
        return slot if isinstance(slot, str) and self._slots.is_complete(slot) else None

    def cancel(self) -> None:
        """Forget the version that waits for the end of a match; it stays where it is, and can be asked for again."""
        slot, current = self.requested(), self._slots.current()
        if slot is None or current is None or slot == current or self.trial() is not None:
            return
        self._slots.remove(NEXT)
        self._report(State.CANCELLED, slot, current)

    def go_back(self) -> None:
        """Ask for the version in the other slot, as if it had been installed: it is used between matches, on trial."""
        other, current = self.other(), self._slots.current()
        if other is None or current is None:
            self.report_failure("", "no_other", "expected a complete version in the other slot, found none")
            return
        if is_in_memory(self._slots.root):
            reason = "expected a system that keeps which version is used, found overlayroot"
            self._report(State.FAILED, other, current, "in_memory", reason)
            return
        try:
            hall_schema = self._hall.schema() if HALL_UNIT in self._services.enabled() else 0
            self._check_tables(other, self._journal.schema(), hall_schema)
        except NoCopy as error:
            self._report(State.FAILED, other, current, "tables", str(error))
            return
        self.request(other)

    def other(self) -> str | None:
        """Return the slot with a complete version that is not in use; None if there is none."""
        current = self._slots.current()
        there = [slot for slot in (*NAMES, WITHOUT_SLOTS) if slot != current and self._slots.is_complete(slot)]
        return None if current is None or not there else there[0]

    def trial(self) -> Trial | None:
        """Return the trial under way."""
        found = self._slots.read(TRIAL)
        return None if found is None else Trial.from_record(found)

    def switch(self) -> bool:
        """Use the slot that was asked for, unless a match is under way; return whether nothing is left to do."""
        slot, current = self.requested(), self._slots.current()
        if slot is None or current is None:
            self._slots.remove(NEXT)
            return True
        if self.trial() is not None:
            return False
        if self._journal.match_under_way():
            if slot != current:  # otherwise it is only started anew, of which nothing is told later either
                self._report(State.WAITS, slot, current)
            return False
        units = self._services.enabled()
        reason = "no_copy"
        # From here until it is started again, only trial.json knows that the service must run.
        found = [] if slot == current else [self._services.health(name) for name in units]
        played = all(health.plays and not health.failed for health in found)
        trial = Trial(slot, current, units, Phase.SWITCHING, played=played)
        self._slots.write(TRIAL, trial.record())
        self._services.stop(units)
        try:
            if self._journal.match_under_way():  # it began a moment ago
                self._cancel(trial)
                return False
            if slot != current:
                copy, schema = self._journal.copy()
                hall_copy, hall_schema = self._hall.copy() if HALL_UNIT in units else ("", 0)
                trial = replace(trial, copy=copy, schema=schema, hall_copy=hall_copy, hall_schema=hall_schema)
            reason = "tables"
            self._check_tables(slot, trial.schema, trial.hall_schema)
        except NoCopy as error:
            self._slots.remove(NEXT)
            self._report(State.FAILED, slot, current, reason, str(error))
            self._cancel(trial)
            return True
        self._slots.write(TRIAL, trial.record())
        self._slots.make_current(slot)
        self._go_on(trial, start=True)
        return True

    def recover(self, *, start: bool) -> None:
        """End what was interrupted; `start`: whether the services must be started, which systemd does after a boot."""
        trial = self.trial()
        if trial is None:
            self._slots.remove(TRIAL)  # whatever it is, it is no trial
            return
        if trial.phase is Phase.BACK:
            self._go_back(trial, start=start)
        elif trial.phase is Phase.SWITCHING and self._slots.current() != trial.slot:
            self._cancel(trial, start=start)
        elif trial.phase is Phase.SWITCHING:
            self._go_on(trial, start=start)

    def boot(self) -> None:
        """Count a start of the machine during a trial, before its services start; and end what was interrupted."""
        trial = self.trial()
        if trial is not None and trial.phase is Phase.TRYING:
            trial = replace(trial, boots=trial.boots + 1, stops=trial.stops + trial.seen, seen=0)
            self._slots.write(TRIAL, trial.record())
            if trial.boots > BOOTS:
                self._go_back(replace(trial, reason=Reason.BOOTS), start=False)
        self.recover(start=False)

    def step(self) -> bool:
        """Look at the version on trial, and decide; return whether its trial has ended."""
        trial = self.trial()
        if trial is None:
            return True
        if self._watch is None:
            self._watch = Watch(self._now())
        health = {name: self._services.health(name) for name in trial.units}
        if not trial.played:  # what is missing may lie in the settings, or be what the update is to mend
            health = {name: replace(one, plays=True) for name, one in health.items()}
        found = self._watch.judge(self._now(), health, trial.stops)
        if isinstance(found, Reason):
            self._go_back(replace(trial, reason=found), start=True)
        elif found:
            self._stay(trial)
        elif self._watch.seen > trial.seen:
            self._slots.write(TRIAL, replace(trial, seen=self._watch.seen).record())
        return found is not None

    def report_progress(self, state: str, version: str) -> None:
        """Write for people how far an installation has come."""
        self._write_result(state, version, self._version_in_use(), "", "", 0)

    def report_unchanged(self, version: str) -> None:
        """Write for people that the version in use stays, if what was installed is that version."""
        asked = self.requested()  # first: it is removed only once the trial has begun
        if self.trial() is None and asked in (None, self._slots.current()):
            self._write_result(State.STAYS, version, self._version_in_use(), "", "", 0)

    def report_failure(self, version: str, reason: str, detail: str) -> None:
        """Write for people why a version was not installed."""
        self._write_result(State.FAILED, version, self._version_in_use(), reason, detail, 0)

    def _version_in_use(self) -> str:
        current = self._slots.current()
        return "" if current is None else self._slots.version(current)

    def _cancel(self, trial: Trial, *, start: bool = True) -> None:
        """Leave everything as it was before the switch."""
        if start:
            self._services.start(trial.units)
        self._slots.remove(TRIAL)

    def _go_on(self, trial: Trial, *, start: bool) -> None:
        """After the link has been changed: the new version's services, and its trial."""
        if self._slots.put_units(trial.slot) or not start:
            self._services.reload()
        self._slots.remove(NEXT)
        if trial.slot == trial.back:
            self._cancel(trial, start=start)
            return
        self._report(State.TRYING, trial.slot, trial.back)
        if start:  # before it is written that this was done: otherwise nobody would do it after a cut in between
            self._services.start(trial.units)
        self._slots.write(TRIAL, replace(trial, phase=Phase.TRYING).record())
        self._watch = None

    def _go_back(self, trial: Trial, *, start: bool) -> None:
        """Use the version before again."""
        self._slots.write(TRIAL, replace(trial, phase=Phase.BACK).record())
        if start:  # before the services start, this would cancel their start
            self._services.stop(trial.units)
        lost, detail = 0, ""
        try:
            if of_hall := self._hall.put_back(trial.hall_copy, trial.hall_schema):
                detail = f"{of_hall} rows of the hall from after the update are in {KINDS[HALL].after} alone"
        except NoCopy as error:
            detail = str(error)
        try:
            lost = self._journal.put_back(trial.copy, trial.schema)
        except NoCopy as error:
            detail = str(error)
        self._slots.make_current(trial.back)
        if self._slots.put_units(trial.back) or not start:
            self._services.reload()
        self._report(State.BACK, trial.slot, trial.back, trial.reason or Reason.STOPPED, detail, lost)
        if start:
            self._services.start(trial.units)
        self._slots.remove(TRIAL)
        self._watch = None

    def _stay(self, trial: Trial) -> None:
        """Keep the new version; from now on it is the one to go back to."""
        self._note_tables(trial)
        self._report(State.STAYS, trial.slot, trial.back)
        self._slots.remove(TRIAL)
        self._watch = None
        self.tidy()

    def _note_tables(self, trial: Trial) -> None:
        """Note which tables of the journal both versions can read: those before the trial, and those now."""
        try:
            now, now_hall = self._journal.schema(), self._hall.schema() if HALL_UNIT in trial.units else 0
        except NoCopy:
            return  # then the trial decides, as if nothing were known
        back, slot = self._slots.version(trial.back), self._slots.version(trial.slot)
        known = {back: trial.schema, slot: now, _of_hall(back): trial.hall_schema, _of_hall(slot): now_hall}
        self._slots.write(SCHEMAS, {name: schema for name, schema in known.items() if schema})

    def _check_tables(self, slot: str, schema: int, hall_schema: int) -> None:
        """Raise NoCopy if the version in a slot is known not to read these versions of the tables."""
        version, read = self._slots.version(slot), self._slots.read(SCHEMAS) or {}
        for name, found in ((version, schema), (_of_hall(version), hall_schema)):
            known = read.get(name)
            if isinstance(known, int) and known < found:
                raise NoCopy(f"expected tables of version {known} at most for {name}, found version {found}")

    def tidy(self) -> None:
        """Remove an installation from before there were slots once another one is used and has proved itself."""
        if self._slots.current() not in (None, WITHOUT_SLOTS) and self.trial() is None:
            self._slots.remove_without_slots()

    def _report(self, state: State, slot: str, before: str, reason: str = "", detail: str = "", lost: int = 0) -> None:
        self._write_result(state, self._slots.version(slot), self._slots.version(before), reason, detail, lost)

    def _write_result(self, state: str, version: str, before: str, reason: str, detail: str, lost: int) -> None:
        """Write for people what became of the update. If that cannot be written, the update goes on."""
        said = {"state": state, "version": version, "before": before, "reason": reason, "detail": detail[:400]}
        text = json.dumps({**said, "lost": lost}) + "\n"
        path = self._folder / RESULT
        try:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                write_whole(path, text)
        except (OSError, ValueError):
            return


def _of_hall(version: str) -> str:
    """Return the name by which it is noted which tables of a hall a version can read."""
    return f"{version}: hall"
