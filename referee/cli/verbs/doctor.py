"""`referee doctor`: checks whether everything works, and says what to do about each problem."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from referee.cli.programs import help_bundle
from referee.cli.programs.checkup import Checks
from referee.cli.terminal import common
from referee.cli.terminal.chosen_settings import CONFIG, LANGUAGE, SETTING, flags_of, folder_of, wording
from referee.cli.terminal.common import Code
from referee.cli.terminal.output import wrap_text
from referee.devices.camera.stills import load_picture
from referee.doctor import setup
from referee.doctor.finding import RESULTS, Finding, Result, check_name, worst
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import ENGLISH, Wording
from referee.settings.file import is_there, settings_file, text_of

NARROW = 60
COUNTED = {
    Result.WRONG: "doctor.counted_wrong",
    Result.ATTENTION: "doctor.counted_attention",
    Result.SKIPPED: "doctor.counted_skipped",
}
"""The results that the last line counts, in this order."""
STYLES = {Result.OK: "green", Result.SKIPPED: "dim", Result.ATTENTION: "yellow", Result.WRONG: "bold red"}


def doctor(
    context: typer.Context,
    *,
    panel: Annotated[
        bool, typer.Option("--panel", help="Also test every lamp, every button and the buzzer, with your help.")
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE", parser=common.some_path, help="Check a picture instead of the camera."
        ),
    ] = None,
    evening: Annotated[
        bool, typer.Option("--first-evening", help="Make nine checks that need a Pi; continues where it stopped.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", parser=common.some_path, help="File for the results of the first evening."
        ),
    ] = None,
    step: Annotated[
        list[str] | None,
        typer.Option("--step", metavar="STEP", help="Repeat only this step of the first evening; may be repeated."),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option("--skip", metavar="STEP=WHY", help="Skip a step of the first evening; may be repeated."),
    ] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(
            "--bundle",
            metavar="FILE.zip",
            parser=common.some_path,
            help="Save what a helper needs to see, without anything private; it is shown first.",
        ),
    ] = None,
    pictures: Annotated[bool, typer.Option("--pictures", help="Add the last refused pictures to the bundle.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Show what the bundle would have, and save nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Check camera, light, markers, model, pins, disk, clock and power, and say what to do."""
    path = settings_file(config, os.environ)
    if config is not None and not is_there(config):
        _check_config(config)
    chosen = setup.load_chosen(path, os.environ, flags_of(setting or []), folder_of)
    words = wording(language, chosen.settings.game.language)
    tell = common.stderr().print if as_json else _say
    if evening or out is not None or step or skip:
        if not evening or panel or picture is not None or bundle is not None:
            raise BadInput("doctor: expected --out, --step, --skip with --first-evening, and no other check beside it")
        return _first_evening(chosen, out, (step or [], skip or []), tell, as_json=as_json)
    if bundle is None and (pictures or show):
        raise BadInput("doctor: expected --pictures and --show only with --bundle FILE")
    if bundle is not None:
        if panel or picture is not None:
            raise BadInput("doctor: expected --bundle alone, found --panel or --picture beside it")
        help_bundle.check_target(bundle, show=show)
    still = None if picture is None else load_picture(picture)

    def tell_notices(*notices: Notice) -> None:
        tell("  ".join(map(words, notices)))

    checks = Checks(common.parts_of(context), chosen, interview=panel, tell=tell_notices)
    findings = []
    for finding in checks.of_picture(still) if still is not None else checks.run_all():
        findings.append(finding)
        if not as_json and bundle is None:
            _print(finding, words)
    if bundle is not None:
        made = help_bundle.bundle_of(chosen.settings, findings)
        return help_bundle.save_bundle(made, bundle, words, pictures=pictures, show=show, as_json=as_json)
    if as_json:
        common.print_json({"result": worst(findings).value, "findings": [one.to_json() for one in findings]})
    else:
        _sum_up(findings, words)
    return Code.REFUSED if worst(findings) is Result.WRONG else Code.DONE


def _check_config(config: Path) -> None:
    """Raise BadInput if there is no settings file, but nothing, a folder or a device. /dev/null means no settings."""
    if not os.path.lexists(config):
        raise BadInput(f"--config: expected a settings file, found none ({config})")
    try:
        text_of(config)
    except BadInput as error:
        raise BadInput(f"--config: {error}") from None


def _first_evening(
    chosen: setup.Chosen, out: Path | None, steps: tuple[list[str], list[str]], tell: Callable[[str], None], *,
    as_json: bool,
) -> Code:  # fmt: skip
    from referee.cli.programs.first_evening import first_evening

    show = (lambda _: None) if as_json else partial(_print, words=ENGLISH)
    code, record = first_evening(chosen, out, *steps, tell=tell, show=show)
    if as_json:
        common.print_json(record.to_json())
    return code


def _say(text: str) -> None:
    common.stdout().print(text)


def _print(finding: Finding, words: Wording) -> None:
    """Print one finding, wrapped for the terminal: result, name of the check, what was found, and what to do."""
    head = f"{words(RESULTS[finding.result]):<10} {words(check_name(finding.check)):<{width_of_names(words)}} "
    columns = max(20, min(120, shutil.get_terminal_size((110, 24)).columns))
    # On a narrow terminal, the text is below its head.
    beside = columns >= NARROW
    indent = len(head) if beside else 2
    width = columns - indent
    lines = wrap_text(words(finding.found), width)
    if finding.do is not None:
        lines += wrap_text(words(finding.do), width, "-> ", "   ")
    text = Text()
    for number, line in enumerate(lines):
        first = number == 0
        text.append(head if first else " " * indent, STYLES[finding.result] if first else "")
        if first and not beside:
            text.append("\n" + " " * indent)
        text.append(line + ("\n" if number + 1 < len(lines) else ""))
    common.stdout().print(text)


def width_of_names(words: Wording) -> int:
    """Return the columns for the names of checks; languages other than English need more."""
    return 14 if words.language == "en" else 22


def _sum_up(findings: list[Finding], words: Wording) -> None:
    """Print the last line: how many checks found something wrong."""
    numbers = {key: sum(one.result is kind for one in findings) for kind, key in COUNTED.items()}
    counts = tuple(Notice(key, number=number) for key, number in numbers.items() if number)
    if worst(findings) is not Result.OK:
        end = Notice("doctor.checks_counted", checks=len(findings), counts=counts)
    else:
        end = Notice("doctor.all_in_order_but", counts=counts) if counts else Notice("doctor.all_in_order")
    common.stdout().print(f"\n{words(end)}")
