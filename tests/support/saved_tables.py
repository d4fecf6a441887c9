"""Tables to be saved and restored: their folders with everything that gathers there, and what is in a folder."""

import datetime as dt
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from played import SETUPS, short, write

from referee.backup.contents import Places
from referee.backup.manifest import OWN_NAMES
from referee.backup.writing import save_stream, stream_backup
from referee.club.hall.store import HallStore
from referee.journal.opening import FILE, open_journal
from referee.journal.pictures import Pictures
from referee.journal.schema import ROWS

NOW = dt.datetime(2026, 11, 26, 21, 30, tzinfo=dt.UTC)
PLENTY = 10**9


def under_way(folder: Path, events: int = 6) -> None:
    """A match that is over, and one in the middle of which the journal was closed."""
    journal = open_journal(folder).journal
    write(journal, SETUPS[0], short(SETUPS[0]))
    write(journal, SETUPS[1], short(SETUPS[1], rounds=2)[:events])
    journal.close()


def furnish(folder: Path, mark: str, *, hall: bool = True) -> None:
    """Everything else that is beside a journal; `mark` tells two tables from each other."""
    (folder / "boxes").mkdir()
    (folder / "boxes" / f"{mark}.json").write_text(json.dumps({"box": mark}), "utf-8")
    (folder / "lens.toml").write_text(f'lens = "{mark}"\n', "utf-8")
    (folder / "page.toml").write_text(f'[game]\nseason = "{mark}"\n', "utf-8")
    (folder / "page.json").write_text(json.dumps({"pin": "123456", "key": "0" * 64}), "utf-8")
    (folder / "page.json").chmod(0o600)
    pictures = Pictures(folder / "pictures", PLENTY)
    for number in (3, 5):
        pictures.keep(1, number, f"picture {mark} {number}".encode() * 50)
    if hall:
        (folder / "hall").mkdir()
        store = HallStore(folder / "hall" / "hall.sqlite")
        store.close()
        with closing(sqlite3.connect(folder / "hall" / "hall.sqlite")) as connection, connection:
            connection.execute("INSERT INTO notes (kind, wall, body) VALUES ('tournament', '', ?)", (mark,))
        connection.close()


def table(folder: Path, mark: str, events: int = 6) -> Places:
    """A table with a match under way and settings, below `folder`."""
    state = folder / "state"
    under_way(state, events)
    furnish(state, mark)
    settings = folder / "referee.toml"
    settings.write_text(f'[game]\nseason = "{mark}"\n', "utf-8")
    return Places(state, settings)


def saved(path: Path, places: Places, **how: Any) -> Path:
    """A backup of a table."""
    save_stream(path, stream_backup(places, NOW, **how), lambda _: None, lambda: True)
    return path


def content(places: Places) -> dict[str, Any]:
    """What a table has: the rows of its databases, the bytes of its other files, and its settings."""
    found: dict[str, Any] = {}
    for path in sorted(places.state.rglob("*")):
        name = path.relative_to(places.state).as_posix()
        hidden = name.startswith(".") or name.split("/")[0] in OWN_NAMES
        if path.is_file() and not hidden and not name.endswith(("-wal", "-shm")):
            found[name] = rows(path) if path.suffix in (".db", ".sqlite") else path.read_bytes()
    if places.settings is not None and places.settings.exists():
        found["settings"] = places.settings.read_bytes()
    return found


def rows(path: Path) -> list[Any]:
    """The rows of a journal or of a hall's notes."""
    connection = sqlite3.connect(path)
    try:
        query = f"{ROWS} ORDER BY match, number" if path.name == FILE else "SELECT kind, body FROM notes"
        return connection.execute(query).fetchall()
    finally:
        connection.close()
