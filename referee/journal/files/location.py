"""What keeps the journal from lying where it should."""

from __future__ import annotations

import os
from pathlib import Path

from referee.game.notice import Notice


def in_the_way(folder: Path) -> Notice | None:
    """What lies where the folder, or one above it, should be; None where nothing does."""
    for one in (folder, *folder.absolute().parents):
        if os.path.lexists(one):
            kind = "journal.a_file" if one.exists() else "journal.dead_link"
            return None if one.is_dir() else Notice(kind, path=str(one))
    return None
