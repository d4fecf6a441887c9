"""Where the journal lies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

VARIABLE = "REFEREE_STATE"
SYSTEMD = "STATE_DIRECTORY"


def state_folder(chosen: str | Path | None, environ: Mapping[str, str], home: Path) -> Path:
    """The folder of the journal: the one chosen, else `REFEREE_STATE`, else systemd's, else one in the user's home."""
    if chosen:
        return Path(chosen)
    # systemd may name several, separated by colons; the first is the referee's own.
    named = environ.get(VARIABLE) or environ.get(SYSTEMD, "").split(":")[0]
    return Path(named) if named else home / ".local" / "state" / "referee"
