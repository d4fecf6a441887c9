"""What the page takes and answers when a backup is restored, with its description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from referee.journal.codec import PLAIN, codec_of
from referee.page.command import text
from referee.page.openapi import Described

RESTORE = "/api/backup/restore"
FILE, KEPT = f"{RESTORE}/file", f"{RESTORE}/kept"
PROGRESS, NO = f"{RESTORE}/progress", f"{RESTORE}/no"
LONGEST_NAME, LONGEST_ID = 100, 64


@dataclass(frozen=True, slots=True)
class KeptFields:
    """The name of a backup on this machine."""

    name: Annotated[str, text(1, LONGEST_NAME)]


@dataclass(frozen=True, slots=True)
class RestoreFields:
    """The id of a backup that was checked."""

    id: Annotated[str, text(1, LONGEST_ID)]


_TEXT = {"type": "string", "minLength": 1}
_CHECKED = {"type": "object", "required": ["id", "told"], "properties": {"id": _TEXT, "told": _TEXT}}
_TOLD = {"type": "object", "required": ["told"], "properties": {"told": _TEXT}}
DESCRIBED: Mapping[str, Described] = {
    FILE: Described(
        "Send a backup and check it; the answer says what is in it, and has an id with which it is restored.",
        {"type": "string", "format": "binary"},
        _CHECKED,
        "application/octet-stream",
    ),
    PROGRESS: Described(
        "Say how far the check of a backup is, in percent; null if none is being checked. `start` differs at each "
        "start of the program, so that a browser recognises the one after the restore.",
        {},
        {
            "type": "object",
            "required": ["percent", "start"],
            "properties": {"percent": {"type": ["integer", "null"], "minimum": 0, "maximum": 99}, "start": _TEXT},
        },
    ),
    NO: Described(
        "Do not restore the backup that was checked, and remove it if it was sent or copied from a stick.",
        codec_of(RestoreFields, PLAIN).schema,
        _TOLD,
    ),
    KEPT: Described("Check a backup on this machine or a USB stick.", codec_of(KeptFields, PLAIN).schema, _CHECKED),
    RESTORE: Described(
        "Replace everything by the backup that was checked, and start again.",
        codec_of(RestoreFields, PLAIN).schema,
        _TOLD,
    ),
}
"""What the OpenAPI document says of it."""
