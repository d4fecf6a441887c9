"""What the page of the machine is given: checks of the doctor that disturb no match, and the machine's power."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from referee import __version__
from referee.cli.terminal.chosen_settings import journal_folder
from referee.devices.system.clock import SystemClock
from referee.devices.system.network import Network
from referee.devices.system.power import Power
from referee.devices.system.safe_mode import SafeMode
from referee.devices.thread import OneThread
from referee.doctor import machine as machines
from referee.doctor import storage
from referee.doctor.finding import Finding, check_name, run_check
from referee.game.notice import Notice
from referee.journal.journal import utc_now
from referee.journal.score_formats import local_time
from referee.pages.table.machine.care import Care, Checked, Rebuild
from referee.settings.settings import Settings

REPORT = Notice("doctor.tell_the_makers")
CHECKS = ("machine", "heat", "power", "memory")
"""The checks of the doctor that a family can do something about, in this order."""


def care_of(
    settings: Callable[[], Settings],
    address: Callable[[], str],
    safe: SafeMode | None = None,
    rebuild: Rebuild | None = None,
    box: machines.Machine | None = None,
) -> Care:
    """Return what the page of the machine shows and can do; `settings` returns those in use.

    `safe` and `rebuild`: see Care.

    Only a Raspberry Pi is switched off from the page: another machine may be somebody's own computer.
    """
    box = machines.Machine() if box is None else box

    clock = SystemClock(journal_folder(settings()), box.root) if box.model else None
    if clock is not None and clock.is_network_time_off:
        thread = OneThread("clock")
        thread.submit(clock.switch_on_again)
        thread.shutdown(wait=False)

    def check() -> Sequence[Checked]:
        found = [_checked(finding) for finding in _findings(settings(), box)]
        return found if clock is None else [_check_clock(clock), *found]

    if clock is None:
        return Care(__version__, address, check, safe=safe, rebuild=rebuild)
    return Care(__version__, address, check, clock, Network(), Power(), safe, rebuild)


def _check_clock(clock: SystemClock) -> Checked:
    """Return what is said of the clock. The doctor also says that a Pi without a battery loses the time."""
    name, when = check_name("clock"), local_time(utc_now())
    if clock.is_known:
        return Checked(name, "ok", Notice("system.now", when=when))
    return Checked(name, "attention", Notice("system.clock_guessed", when=when), Notice("system.set_clock_here"))


def _findings(settings: Settings, box: machines.Machine) -> Iterator[Finding]:
    for name in CHECKS:
        yield from run_check(name, REPORT, lambda name=name: [machines.CHECKS[name](box)])  # type: ignore[misc]
    folder = journal_folder(settings)
    yield from storage.lasting(folder, box.root)
    written = run_check("journal folder", REPORT, lambda: [storage.writable(folder)])
    # A card that is full is told once.
    if not any(one.found.key == storage.NO_ROOM for one in written):
        yield from run_check("disk", REPORT, lambda: [storage.room(folder, settings.storage.pictures_mb)])
    yield from written


def _checked(finding: Finding) -> Checked:
    return Checked(check_name(finding.check), finding.result.value, finding.found, finding.do)
