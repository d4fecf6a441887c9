"""Matches replayed for the page, the last few remembered."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.pages.table.scores.matches import NotThere, kept_rows
from referee.pages.table.scores.replay import Replay, replay_turns

REMEMBERED = 3


class Reruns:
    """Replays by match; used by several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[object, Replay]] = OrderedDict()
        self._guard = threading.Lock()

    def replay_of(self, path: Path, match: int) -> Replay:
        """The replay of a match as the journal has it now; raises NotThere, or JournalError."""
        rows = kept_rows(path, match)
        if not rows:
            raise NotThere(Notice("scores.no_such_match"))
        version = len(rows), rows[-1].sum
        with self._guard:
            known = self._known.get(match)
        if known is not None and known[0] == version:
            return known[1]
        try:
            replay = replay_turns(rows)
        except BadInput as error:
            raise NotThere(Notice("scores.unknown_rules")) from error
        if not replay.turns:
            raise NotThere(Notice("scores.unknown_rules"))
        with self._guard:
            self._known[match] = version, replay
            self._known.move_to_end(match)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return replay
