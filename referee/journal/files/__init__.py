"""The files of the journal: where they lie, whose they are, who may write, and the pictures beside them.

Nothing here knows what an event is.
"""

from referee.journal.files.lock import WriterLock
from referee.journal.files.pictures import Pictures

__all__ = ["Pictures", "WriterLock"]
