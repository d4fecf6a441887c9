"""The journal: everything that happens at the table is on disk before anybody sees its effect.

The event loop uses `journal`; `scores` makes score sheets from it. Damaged journals are repaired in `recovery`.
"""

from referee.journal.journal import Journal
from referee.journal.opening import Opened, open_journal
from referee.journal.rows import Setup

__all__ = ["Journal", "Opened", "Setup", "open_journal"]
