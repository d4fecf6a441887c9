"""Keeps the table's call for the director in a file beside the journal, so that it survives a power cut."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from referee.devices.whole_file import read_whole, sync_folder, write_whole
from referee.errors import BadInput
from referee.journal.codec import PLAIN, codec_of
from referee.table.desk_values import OwnCall

CALL_FILE, MOST_BYTES = "director-call.json", 4096
PRIVATE = 0o600
"""Only the owner may read the file, because players may have written names into their call."""
_CODEC = codec_of(OwnCall, PLAIN)


class CallFile:
    """The file with the call of a table; without a call there is no file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CALL_FILE

    def load(self) -> OwnCall | None:
        """Return the stored call; None if there is none, or the file cannot be read."""
        if not self._path.exists():
            return None
        with suppress(BadInput, ValueError):
            call: OwnCall = _CODEC.read(json.loads(read_whole(self._path, MOST_BYTES, "a call")))
            return call
        return None

    def keep(self, call: OwnCall | None) -> None:
        """Store a call, or with None that there is none; raises BadInput if that fails."""
        if call is not None:
            write_whole(self._path, json.dumps(_CODEC.write(call)).encode(), "a file", PRIVATE)
        else:
            try:
                self._path.unlink(missing_ok=True)
            except OSError as error:
                raise BadInput(f"{self._path}: expected a file, found: {error.strerror}") from error
        sync_folder(self._path.parent)
