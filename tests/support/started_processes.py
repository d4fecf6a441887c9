"""Records the processes that are started for backups."""

import signal
import subprocess
from typing import Any

import pytest

from referee.backup import worker


class Started(list[subprocess.Popen[bytes]]):
    """The processes that were started."""

    stops_next = 0
    """So many of the next ones are stopped at once, before they are given any work."""


def record_processes(monkeypatch: pytest.MonkeyPatch) -> Started:
    """Return a list to which every process is appended that is started from now on."""
    found = Started()

    class Kept(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: Any, **how: Any) -> None:
            super().__init__(*arguments, **how)
            found.append(self)
            if found.stops_next:
                found.stops_next -= 1
                self.send_signal(signal.SIGSTOP)

    monkeypatch.setattr(worker.subprocess, "Popen", Kept)
    return found
