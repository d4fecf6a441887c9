"""Switch off the panel's lamps, buzzer and display, for a referee that could not do so itself.

    python -m referee.cli.programs.dark_panel

systemd runs this whenever the service has ended (`ExecStopPost=`). Linux leaves the pins of a killed process as they
were: the lamps would go on showing whose turn it is, and a tone that was cut off in the upper half of its wave would
keep sending current through the buzzer's coil.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from referee.cli.parts.from_settings import pins_of
from referee.cli.terminal.chosen_settings import settings_of
from referee.cli.terminal.common import Code
from referee.devices.panel.gpio import darken
from referee.devices.wiring.pins import PinMap
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.i18n import ENGLISH, error_text
from referee.settings.file import settings_file, text_of
from referee.settings.settings import PANEL, load


def main() -> int:
    """Switch off the pins of the settings; return 0, or 2 if the settings or some pins do not allow it."""
    left: Sequence[RefereeError]
    try:
        pins = _pins()
        left = darken(pins, _tell) if pins.kind == "gpio" else ()
    except RefereeError as error:
        left = (error,)
    for one in left:
        print(f"referee: {error_text(one)}", file=sys.stderr)
    return Code.BAD_INPUT.value if left else 0


def _pins() -> PinMap:
    """Return the pin map in use; raises BadInput if the settings have no valid one.

    If the settings are wrong, the file without the page's changes is tried, then only its table `[panel]`. A referee
    with wrong settings does not start again, so its lamps must go out all the more.
    """
    try:
        return pins_of(settings_of(None, ()))
    except RefereeError:
        for less in (_file_alone, _panel_alone):
            with suppress(RefereeError, ValueError):  # the first error explains best what is wrong
                return less(settings_file(None, os.environ))
        raise


def _file_alone(file: Path | None) -> PinMap:
    return pins_of(load(file, os.environ))


def _panel_alone(file: Path | None) -> PinMap:
    """Return the pin map of `[panel]` in the file; raises BadInput or ValueError if it is invalid."""
    table = {} if file is None else tomllib.loads(text_of(file)).get(PANEL, {})
    if not isinstance(table, dict):
        raise BadInput(f"{file}: expected a table [{PANEL}]")
    return PinMap.from_table(table)


def _tell(notice: Notice) -> None:
    print(f"referee: {ENGLISH(notice)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
