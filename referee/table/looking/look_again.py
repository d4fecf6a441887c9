"""When a table that the referee asks about is looked at again without a press: pure, on moments that are passed in.

Once something has moved and lies still; who straightens a tile need not press. A table that could not be judged at
all, for something moved or the picture was none, may lie right by now though nothing has moved since: that is looked
at again by itself, but not all the time.
"""

from __future__ import annotations

import math

from referee.game.notice import Notice
from referee.table.looking.look import Look

AGAIN_S = 2.0


class Again:
    """What was asked last, and since when."""

    def __init__(self) -> None:
        self._changes: int | None = None
        self._due = -math.inf
        self._trouble: Notice | None = None

    def is_wanted(self, changes: int, now: float) -> bool:
        """Whether to look again at a table that lies still, on which something has moved so often by now."""
        if changes == self._changes or now < self._due:
            return False
        self._changes = changes
        return True

    def is_new(self, look: Look, now: float) -> bool:
        """Players are asked about this look; whether that is anything new."""
        known, self._trouble = self._trouble, look.trouble
        self._changes, self._due = look.changes, -math.inf
        if look.trouble is not None:
            self._changes, self._due = None, now + AGAIN_S
        return look.trouble is None or look.trouble != known
