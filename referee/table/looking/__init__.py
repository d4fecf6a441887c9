"""Looks at the table: watched while nobody presses, read in a worker, weighed before anything is judged or asked.

`table_watcher` is where to begin.
"""

from referee.table.looking.look import Glance, Look

__all__ = ["Glance", "Look"]
