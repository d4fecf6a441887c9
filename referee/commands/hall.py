"""`referee hall`: many tables over an MQTT broker on one page."""

from __future__ import annotations

import signal
import threading
from contextlib import closing
from pathlib import Path
from typing import Annotated

from referee.terminal.chosen_settings import CONFIG, SETTING, settings_of
from referee.terminal.common import Code
from referee.terminal.language import LANGUAGE, wording

EVERY_S = 0.5


def hall(
    config: Annotated[Path | None, CONFIG] = None,
    setting: Annotated[list[str] | None, SETTING] = None,
    language: Annotated[str | None, LANGUAGE] = None,
) -> int:
    """Many tables over an MQTT broker: all of them on one page, and their results."""
    from referee.app.club.hall import HallProgram

    settings = settings_of(config, setting or [])
    over = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: over.set())
    try:
        with closing(HallProgram(settings, wording(language, settings.game.language))):
            while not over.wait(EVERY_S):  # so that Ctrl-C is heard at once everywhere
                pass
    finally:
        signal.signal(signal.SIGTERM, before)
    return Code.DONE
