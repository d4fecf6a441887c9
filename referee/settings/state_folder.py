"""Where a machine keeps what the referee stores: journal, pictures, what was chosen on the page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from referee.errors import BadInput

VARIABLE = "REFEREE_STATE"
SYSTEMD = "STATE_DIRECTORY"


def state_folder(chosen: str | Path | None, environ: Mapping[str, str], home: Path | None) -> Path:
    """The folder of the journal: the one chosen, else `REFEREE_STATE`, else systemd's, else one in the user's home.

    `~` at the beginning is the home, `~name` somebody else's. Raises BadInput where it is needed and there is none.
    """
    # systemd may name several, separated by colons; the first is the referee's own.
    named = chosen or environ.get(VARIABLE) or environ.get(SYSTEMD, "").split(":")[0]
    folder = Path(named) if named else Path("~", ".local", "state", "referee")
    if folder.parts[:1] == ("~",):
        found = None if home is None else home.joinpath(*folder.parts[1:])
    else:
        found = _expand(folder)
    if found is None:
        raise BadInput(
            f"expected a folder for the journal, found no home that it could lie in ({folder}): "
            f"name one with {VARIABLE}=FOLDER"
        )
    return found


def _expand(folder: Path) -> Path | None:
    try:
        return folder.expanduser()
    except RuntimeError:  # nobody has that name
        return None
