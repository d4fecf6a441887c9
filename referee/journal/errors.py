"""Errors of the journal, each with a notice or a text that says what to do."""

from __future__ import annotations

from collections.abc import Mapping

from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice, notice_of


class JournalError(RefereeError, OSError):
    """The journal cannot be written now. A game that is held in memory may go on, and writing may be tried again."""


class DiskFull(JournalError):
    """No room is left on the disk."""

    @classmethod
    def at(cls, where: object) -> DiskFull:
        """Return the error with the notice for players."""
        return cls(Notice("journal.disk_full", where=str(where)))


class ReadOnlyDisk(JournalError):
    """The disk does not accept writes."""

    @classmethod
    def at(cls, where: object) -> ReadOnlyDisk:
        """Return the error with the notice for players."""
        return cls(Notice("journal.read_only", where=str(where)))


class JournalDamaged(JournalError):
    """The data on disk is not an intact journal."""


class JournalClosedToUs(RefereeError, OSError):
    """The folder, or a file in it, may not be used by this user. Waiting does not help."""


class JournalInUse(RefereeError):
    """Another referee is writing this journal."""


class NewerJournal(BadInput):
    """A newer referee has written something that this version does not know."""


class Unknown(NewerJournal):
    """A kind of event, a field or a value that this version does not know."""


class ForeignFile(BadInput):
    """A database of another program is in the place of the journal."""


NOT_WRITTEN = frozenset({"journal.disk_full", "journal.read_only", "journal.disk_fails", "journal.disk_fails_twice"})
"""The notices of a disk that takes nothing, so that the game is held in memory only."""
_WITHOUT_A_GAME: Mapping[str, str] = {
    "journal.disk_full": "journal.disk_full_unplayed",
    "journal.read_only": "journal.read_only_unplayed",
}


def without_a_game(error: JournalError) -> JournalError:
    """Return the error for a situation without a game, in which nothing can be kept in memory."""
    told = notice_of(error)
    if told is None or told.key not in _WITHOUT_A_GAME:
        return type(error)(*error.args)
    return type(error)(Notice(_WITHOUT_A_GAME[told.key], **dict(told.fields)))
