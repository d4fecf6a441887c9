"""`referee doctor --bundle`: help that can be sent, shown before it is saved."""

from __future__ import annotations

import errno
import os
import platform
from collections.abc import Iterable
from pathlib import Path

from referee.cli.parts.readers import Parts
from referee.cli.programs.checkup import Checks
from referee.cli.programs.last_failure import last_failure
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import journal_folder
from referee.cli.terminal.common import Code, end_of_path
from referee.cli.terminal.targets import refuse_others
from referee.devices.update_result import result_folder
from referee.devices.whole_file import write_whole
from referee.doctor.finding import Finding, Result, ok
from referee.doctor.machine import run_command
from referee.doctor.setup import Chosen
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.report.bundle import Bundle, kind_of_other_file, make_bundle
from referee.settings.file import PLACES
from referee.settings.settings import Settings

SAFE_MODE = "safe mode"
"""The name of the finding that the referee runs in safe mode."""
A_PLACE, EARLIER = "a place to save the bundle", "an earlier bundle"


def bundle_of(settings: Settings, findings: Iterable[Finding]) -> Bundle:
    """Make a bundle of these findings and of what else is known on this machine.

    The log is always that of the service, but whoever runs the doctor may have a journal of their own.
    """
    told = [finding.to_json() for finding in findings]
    folder = journal_folder(settings)
    failure = last_failure(folder)
    printed = (*failure.printed, *common.PRINTED)
    is_of_service = end_of_path(folder) == end_of_path(result_folder(PLACES[-1]))
    return make_bundle(
        settings, folder, told, run_command, platform.node(), printed,
        is_of_service=is_of_service, former=failure.private,
    )  # fmt: skip


def bundle_beside_match(parts: Parts, settings: Settings, safe: Notice | None = None) -> Bundle:
    """Make a bundle while a table runs: with all findings that need neither camera nor pins, and load no network.

    `safe`: why the referee runs in safe mode, that is, not with these settings; None if it does not.
    """
    in_order = Notice("doctor.settings_in_order", path=settings.source)
    where = Notice("doctor.no_settings_file") if settings.source == Settings().source else in_order
    chosen = Chosen(settings, ok("settings", where))
    findings = [] if safe is None else [Finding(SAFE_MODE, Result.ATTENTION, safe)]
    findings += Checks(parts, chosen, interview=False, tell=lambda *_: None).run_beside_match()
    return bundle_of(settings, findings)


def check_target(target: Path, *, show: bool) -> None:
    """Raise BadInput for a name that is not that of a ZIP file.

    Unless `show`, also for a file that must stay, and for a folder to which this user may not write: the checks that
    come before the bundle take minutes.
    """
    if target.suffix.lower() != ".zip":
        raise BadInput(f"--bundle: expected a name ending in .zip, found {target}")
    if not show:
        refuse_others(target, EARLIER, kind_of_other_file)
        folder = os.path.dirname(os.path.realpath(target))  # noqa: PTH120 - pathlib raises for a folder that is closed
        if not os.path.isdir(folder):  # noqa: PTH112
            raise BadInput(f"{target}: expected {A_PLACE}, found: no such folder")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise BadInput(f"{target}: expected {A_PLACE}, found: {os.strerror(errno.EACCES)}")


def save_bundle(bundle: Bundle, target: Path, words: Wording, *, pictures: bool, show: bool, as_json: bool) -> Code:
    """Show a bundle, then save it, if somebody at the terminal agrees; with `show` nothing is saved.

    Without a terminal nobody can be asked, and the bundle is saved.
    """
    names = [*bundle.texts, *(bundle.pictures if pictures else ())]
    if not as_json:
        _show(bundle, words, pictures=pictures)
    saves = not show and (not common.at_a_terminal() or _agrees(words))
    if saves:
        refuse_others(target, EARLIER, kind_of_other_file)  # the checks, and whoever was asked, may have taken minutes
        write_whole(target, bundle.zipped(pictures=pictures), A_PLACE, 0o600, for_owner=True)
    if as_json:
        common.print_json({"saved": str(target) if saves else None, "names": names, "texts": dict(bundle.texts)})
    else:
        done = Notice("help.saved", path=str(target)) if saves else Notice("help.not_saved")
        common.stdout().print(words(done))
    return Code.DONE


def _show(bundle: Bundle, words: Wording, *, pictures: bool) -> None:
    console = common.stdout()
    for name, text in bundle.texts.items():
        console.print(f"\n{name}", style="bold")
        console.print(text.rstrip())
    if bundle.is_cut:
        console.print(f"\n{words(Notice('help.texts_left_out'))}")
    if pictures:
        number = len(bundle.pictures)
        told = Notice("help.pictures_in", number=number) if number else Notice("help.no_pictures")
        console.print(f"\n{words(told)}")


def _agrees(words: Wording) -> bool:
    answer = common.ask_line("\n" + words(Notice("help.save_it")) + " ").lower()
    return answer in (words(Notice("console.yes")), words(Notice("console.yes_short")))
