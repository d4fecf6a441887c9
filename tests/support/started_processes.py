"""Records the processes that are started for backups."""

import subprocess
from typing import Any

import pytest

from referee.backup import worker


def record_processes(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Return a list to which every process is appended that is started from now on."""
    found: list[subprocess.Popen[bytes]] = []

    class Kept(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *arguments: Any, **how: Any) -> None:
            super().__init__(*arguments, **how)
            found.append(self)

    monkeypatch.setattr(worker.subprocess, "Popen", Kept)
    return found
