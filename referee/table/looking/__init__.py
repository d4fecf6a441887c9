"""Looks at the table: watching it while nobody presses, reading it in a worker, and finding doubts before judging.

`table_watcher` is where to begin.
"""

from referee.table.looking.look import Glance, Look

__all__ = ["Glance", "Look"]
