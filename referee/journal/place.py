"""Where the journal lies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from referee.errors import BadInput

VARIABLE = "REFEREE_STATE"
SYSTEMD = "STATE_DIRECTORY"


def state_folder(chosen: str | Path | None, environ: Mapping[str, str], home: Path | None) -> Path:
    """The folder of the journal: the one chosen, else `REFEREE_STATE`, else systemd's, else one in the user's home.

    `~` at the beginning is the home. Raises BadInput where the home is needed and there is none.
    """
    # systemd may name several, separated by colons; the first is the referee's own.
    named = chosen or environ.get(VARIABLE) or environ.get(SYSTEMD, "").split(":")[0]
    folder = Path(named) if named else Path("~", ".local", "state", "referee")
    if folder.parts[:1] != ("~",):
        return folder
    if home is None:
        raise BadInput(
            "expected a folder for the journal, found no home that it could lie in: "
            f"name one with --set storage.state=FOLDER or {VARIABLE}"
        )
    return home.joinpath(*folder.parts[1:])
