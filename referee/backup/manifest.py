"""The manifest of a backup: what is in it, from which program and table, and when it was made. Pure values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from referee.errors import BadInput
from referee.settings.file import EXCHANGED, RESTORE

NAME = "manifest.json"
KIND = "referee-backup"
FORMAT = 1
"""The version of the file's form. A change that an older referee would misread needs the next number."""
STATE, SETTINGS = "state", "settings"
"""The folders in the file: what was beside the journal, and the settings file."""
SETTINGS_NAME = f"{SETTINGS}/referee.toml"

MOST_MEMBERS = 500_000
"""Far more than the pictures that the largest permitted budget can hold on a memory card."""
MOST_PARTS, LONGEST_PART = 8, 255
"""The most folders in a path, and bytes in a name, of which Linux has no more."""
HARMLESS = "\u00a0\u2007\u202f\u200c\u200d" + "".join(map(chr, range(0xE0020, 0xE0080)))
"""What does not count as printable, but occurs in names that people give: spaces that do not break, joiners, and the
invisible letters of flags such as Scotland's."""
BACKUPS, DRAFT, READY, DONE = "backups", "restore-draft", RESTORE, "restore-done"
"""Names in the state folder that belong to the backups themselves, and are never part of one."""
CHOSEN = "restore-chosen.zip"
"""Such a name, too: the backup that somebody has chosen on the page, to be restored."""
BACKUP_LOCK = "backup.lock"
OWN_NAMES = frozenset({BACKUPS, DRAFT, READY, DONE, CHOSEN, EXCHANGED, BACKUP_LOCK, "journal.lock", "page.lock"})
BEFORE_UPDATE = frozenset({"journal-before-update.db", "hall-before-update.sqlite"})
"""The journal and the file of a hall to go back to if an update fails."""
OF_THIS_MACHINE = BEFORE_UPDATE | frozenset(
    {
        "buttons.json",
        "clock.json",
        "director-call.json",
        "lost+found",
        "safe-mode.json",
        "update.json",
        "update-told.json",
    }
)
"""What is true of this machine only: that it has buttons, that somebody has set its clock, that it calls the director
of its hall, which starts failed, what became of its last update, and what to go back to if that fails; and the folder
that belongs to the file system of a partition of its own, which only root can read. No backup has them, and a restore
leaves them alone."""


class BadBackup(BadInput):
    """A file that is no backup, or one that is damaged or was made by a newer referee."""


class NewerBackup(BadBackup):
    """A backup that was made by a newer referee."""


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a backup."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself."""

    made: str
    """When it was made: UTC, as ISO 8601."""
    program: str
    """The version of the referee that made it."""
    table: str
    """The name of the machine."""
    journal: int | None
    """The version of the journal's tables; None without a journal."""
    matches: int
    pictures: bool
    members: tuple[Member, ...]
    named: Mapping[str, str] = field(default_factory=dict)
    """By key, settings that name a file or folder which is in the backup: its path below `state`."""

    @property
    def size(self) -> int:
        """The bytes of all members, unpacked."""
        return sum(member.size for member in self.members)


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as JSON; `manifest_from` reads it back."""
    return json.dumps({"kind": KIND, "format": FORMAT, **asdict(manifest)}, ensure_ascii=True, indent=0)


def manifest_from(text: str | bytes, where: str) -> Manifest:
    """Return the manifest in a JSON text; raises BadBackup, whose message begins with `where`."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadBackup(f"{where}: expected the manifest of a backup, found no JSON") from None
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise BadBackup(f"{where}: expected a backup of the referee, found something else")
    if not _is_number(found.get("format")) or found["format"] > FORMAT:
        raise NewerBackup(
            f"{where}: expected a backup of format {FORMAT} or older, found {found.get('format')!r:.20}: "
            "a newer referee made it, and can restore it"
        )
    try:
        made = _manifest(found)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise BadBackup(f"{where}: expected the manifest of a backup, found values that no manifest has") from None
    check_names((member.name for member in made.members), where)
    return made


def _manifest(found: Mapping[str, Any]) -> Manifest:
    members = tuple(_member(one) for one in found["members"])
    named = {_text(key): _text(path) for key, path in found["named"].items()}
    if not {path.partition("/")[0] for path in named.values()} <= {_top(member) for member in members}:
        raise ValueError
    journal = found["journal"]
    if not (journal is None or _is_number(journal)) or not _is_number(found["matches"]):
        raise ValueError
    made, program, table = (_text(found[name]) for name in ("made", "program", "table"))
    return Manifest(made, program, table, journal, found["matches"], bool(found["pictures"]), members, named)


def _member(found: Mapping[str, Any]) -> Member:
    if not _is_number(found["size"]) or not re.fullmatch(r"[0-9a-f]{64}", found["sha256"]):
        raise ValueError
    return Member(_text(found["name"]), found["size"], found["sha256"])


def _text(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError
    if not _without_harmless(found).isprintable():  # it is shown in a terminal
        raise ValueError
    return found


def _is_number(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found >= 0


def _top(member: Member) -> str:
    """Return the first name of a member below its folder."""
    return member.name.split("/")[1] if "/" in member.name else ""


def is_safe_name(name: str) -> bool:
    """Return whether a member has a name of ours, which cannot lead out of the folder that it is unpacked to."""
    parts = name.split("/")
    if name == SETTINGS_NAME:
        return True
    if parts[0] != STATE or not 2 <= len(parts) <= MOST_PARTS or parts[1] in OWN_NAMES:
        return False
    return all(_is_plain(part) for part in parts)


def _is_plain(part: str) -> bool:
    # A name that begins with a dot is one of the two names of folders, or a hidden file, of which we have none. One
    # that is not UTF-8, as on old sticks, has letters that can be neither printed nor encoded.
    shown = _without_harmless(part)
    is_printable = bool(shown) and part[0] != "." and "\\" not in part and shown.isprintable()
    return is_printable and len(part.encode()) <= LONGEST_PART


def _without_harmless(text: str) -> str:
    return "".join(letter for letter in text if letter not in HARMLESS)


def check_names(names: Iterable[str], where: str) -> None:
    """Raise BadBackup unless all names are ours, each is there once, and none is at once a file and a folder."""
    seen: set[str] = set()
    folders: set[str] = set()
    for name in names:
        if len(seen) >= MOST_MEMBERS:
            raise BadBackup(f"{where}: expected at most {MOST_MEMBERS:,} files in a backup, found more")
        if not is_safe_name(name):
            raise BadBackup(f"{where}: expected files of a referee only, found {name!r:.100}")
        if name in seen:
            raise BadBackup(f"{where}: expected every file once, found {name!r:.100} twice")
        seen.add(name)
        parts = name.split("/")
        folders.update("/".join(parts[:end]) for end in range(1, len(parts)))
    if both := seen & folders:
        raise BadBackup(f"{where}: expected a file or a folder, found both under the name {min(both)!r:.100}")
