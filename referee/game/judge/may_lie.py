"""Whether a table may lie there after a turn: the judge's answer without reasons, and therefore much faster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.game.judge import faults
from referee.game.judge.first_meld import first_meld
from referee.game.judge.jokers.moved import moved_by_right
from referee.game.judge.jokers.values import change_by
from referee.game.judge.judge import Turn, in_all_colours
from referee.game.judge.last_turn import finish_faults
from referee.game.judge.strict_rebuild import kept_together
from referee.game.judge.tile_aside import Apart, set_apart
from referee.game.rulebooks.model import Ruleset
from referee.game.sets import split_long
from referee.game.table import Change, Table


@dataclass(frozen=True, slots=True)
class Trial:
    """One table that could be left when time is up; tiles of the table that the player takes may be missing."""

    change: Change
    apart: Apart
    turn: Turn
    rules: Ruleset

    @classmethod
    def for_target(cls, before: Table, target: Table, turn: Turn, rules: Ruleset) -> Trial:
        """The trial of the table `target`."""
        if turn.aside is not None:
            before, target = (*before, (turn.aside,)), (*target, (turn.aside,))
        before, target = split_long(before, rules.wraps), split_long(target, rules.wraps)
        apart = set_apart(before, target, turn.aside if rules.finish.last_tile else None, turn.hand, rules.box.copies)
        change = change_by(rules, apart.before, apart.after)
        return cls(change, apart, turn, in_all_colours(rules, change, turn.aside))

    @property
    def nothing(self) -> bool:
        """Whether it lies as before."""
        return self.change.nothing and not self.apart.gone

    def opens(self) -> bool:
        """Return whether no first meld is required, or there is one."""
        if self.turn.opened or self.nothing:
            return True
        meld = first_meld(self.change, self.rules, told=False)
        return not _any(faults.opening_faults(self.change, meld, self.rules))

    def right(self, taken: int) -> bool:
        """Whether nothing else is wrong, when this many tiles are taken."""
        change, apart, rules, turn = self.change, self.apart, self.rules, self.turn
        if self.nothing:
            return True
        from_hand = change.laid.total() - apart.used
        jokers = rules.jokers_each if turn.jokers is None else turn.jokers
        return not (
            _any(faults.too_many(change, from_hand, rules))
            or _any(faults.more_than_hand(change, from_hand, turn.hand, jokers))
            or (not taken and _any(faults.nothing_laid(change, rules)))
            or _any(faults.not_sets(change, rules))
            or _any(faults.impossible(change, None if apart.used or apart.gone else turn.aside, rules))
            or _any(finish_faults(change, apart, turn.aside, turn.hand, rules))
            or not self.jokers_right()
            or not self.rebuilt_right()
        )

    def jokers_right(self) -> bool:
        """Whether no joker was moved without being freed."""
        return moved_by_right(self.change, self.rules)

    def rebuilt_right(self) -> bool:
        """Return whether enough of every set stayed together, if the rules ask for that."""
        return not self.rules.laying.strict_rebuild or kept_together(self.change, self.rules)


def _any(found: Iterable[Any]) -> bool:
    return next(iter(found), None) is not None
