"""Switch the panel's lamps, buzzer and display off, after a referee that could not do so itself.

    python -m referee.app.dark_panel

systemd runs this whenever the service has ended (`ExecStopPost=`). Linux leaves the pins of a process that was killed
as they were: the lamps would go on telling whose turn it is, and a tone that was cut off in the upper half of its wave
would keep sending current through the buzzer's coil.
"""

from __future__ import annotations

import os
import sys
import time

from referee.devices.panel.gpio import open_panel
from referee.devices.wiring.pins import PinMap
from referee.errors import RefereeError
from referee.factories.from_settings import pins_of
from referee.game.notice import Notice
from referee.messages import ENGLISH
from referee.settings.file import settings_file
from referee.settings.settings import load
from referee.terminal.chosen_settings import settings_of
from referee.terminal.common import Code


def main() -> int:
    """Do it for the pins that the settings name; returns 0, or 2 where the settings or the pins do not allow it."""
    try:
        darken(_pins())
    except RefereeError as error:
        print(f"referee: {error}", file=sys.stderr)
        return Code.BAD_INPUT.value
    return 0


def darken(pins: PinMap) -> None:
    """Switch off whatever is wired to these pins; raises BadInput where one of them is not free."""
    if pins.kind == "gpio":
        # Opening claims every output as low; closing clears the display, too.
        open_panel(pins, time.monotonic, lambda *_edge: None, _tell).close()


def _pins() -> PinMap:
    """The pin map in use; what was chosen on the page may be at fault, and then the file alone tells it."""
    try:
        return pins_of(settings_of(None, ()))
    except RefereeError:
        return pins_of(load(settings_file(None, os.environ), os.environ))


def _tell(notice: Notice) -> None:
    print(f"referee: {ENGLISH(notice)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
