"""The journal: everything that happened at the table is on the disk before anybody sees its effect.

`journal` is what the loop uses, `scores` what is read from it; damage and files have rooms of their own.
"""

from referee.journal.journal import Journal
from referee.journal.opening import Opened, open_journal
from referee.journal.rows import Setup

__all__ = ["Journal", "Opened", "Setup", "open_journal"]
