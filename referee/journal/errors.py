"""What can go wrong with the journal, each with a text that says what to do."""

from __future__ import annotations

from referee.errors import BadInput, RefereeError

_MEANWHILE = "until then the game is kept in memory only"


class JournalError(RefereeError, OSError):
    """The journal cannot be written just now; whoever holds the game in memory may go on and try again."""


class DiskFull(JournalError):
    """No room is left on the disk."""

    @classmethod
    def at(cls, where: object) -> DiskFull:
        """With the words for the players."""
        return cls(f"the disk is full ({where}): make room; {_MEANWHILE}")


class ReadOnlyDisk(JournalError):
    """The disk takes no writes."""

    @classmethod
    def at(cls, where: object) -> ReadOnlyDisk:
        """With the words for the players."""
        return cls(f"the disk takes no writes ({where}): check the card; {_MEANWHILE}")


class JournalDamaged(JournalError):
    """What is on the disk is no journal any more."""


class JournalClosedToUs(RefereeError, OSError):
    """The folder or a file in it may not be used by this user; waiting does not help."""


class JournalInUse(RefereeError):
    """Another referee writes this journal."""


class NewerJournal(BadInput):
    """A newer referee has written something that this one does not know."""


class Unknown(NewerJournal):
    """A kind of event, a field or a value that this version does not know."""


class ForeignFile(BadInput):
    """A database of another program lies where the journal should be."""


def without_a_game(error: JournalError) -> JournalError:
    """The same where no game is played, of which anything could be kept in memory."""
    return type(error)(str(error).replace(_MEANWHILE, "nothing was changed"))
