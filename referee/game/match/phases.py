"""The phases of a match, and one table of the properties of each."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass


class Phase(enum.StrEnum):
    """What the referee waits for."""

    LOBBY = "lobby"
    """A match to begin."""
    TURN = "turn"
    """The player's press; the clock runs."""
    PAUSED = "paused"
    """The game to go on."""
    LOOKING = "looking"
    """The look after a press."""
    ASKING = "asking"
    """An answer to a doubt."""
    TIME_UP = "time-up"
    """The look after the time was up."""
    PUTTING_RIGHT = "putting-right"
    """The player to put the table right and press."""
    CHECKING = "checking"
    """The look at the table that was put right."""
    SHOWING = "showing"
    """A loser to lay the hand open and press."""
    COUNTING = "counting"
    """The look at a hand laid open."""
    BETWEEN = "between"
    """The next round to begin."""
    OVER = "over"
    """Nothing: the match is over."""

    @property
    def looks(self) -> bool:
        """Whether a look is awaited."""
        return _TRAITS[self].looks

    @property
    def look(self) -> Phase | None:
        """The phase of the look that follows a press or a review; None if there is no look."""
        return _TRAITS[self].look

    @property
    def awaits_table(self) -> bool:
        """Whether a look may be reported now: one is under way, or a doubt is asked about."""
        return self.looks or self is Phase.ASKING

    @property
    def ends_turn(self) -> bool:
        """Whether a press has ended the turn, and nothing has been decided yet."""
        return _TRAITS[self].ends_turn

    @property
    def has_clock(self) -> bool:
        """Whether a turn is under way, so that its clock counts."""
        return _TRAITS[self].has_clock

    @property
    def in_round(self) -> bool:
        """Whether a round is under way, so that its tiles lie on the table."""
        return _TRAITS[self].in_round

    @property
    def in_match(self) -> bool:
        """Whether a match is under way."""
        return _TRAITS[self].in_match

    @property
    def deals(self) -> bool:
        """Whether tiles are dealt next."""
        return not self.in_round and self is not Phase.OVER

    @property
    def is_scored(self) -> bool:
        """Whether a round has just been written down."""
        return self in (Phase.BETWEEN, Phase.OVER)


@dataclass(frozen=True, slots=True)
class _Traits:
    """The properties of a phase."""

    looks: bool
    ends_turn: bool
    has_clock: bool
    in_round: bool
    in_match: bool
    look: Phase | None = None


_TRAITS: Mapping[Phase, _Traits] = {
    #                            looks  ends_turn  has_clock  in_round  in_match  look
    Phase.LOBBY: _Traits(        False, False,     False,     False,    False),
    Phase.TURN: _Traits(         False, False,     True,      True,     True,     Phase.LOOKING),
    Phase.PAUSED: _Traits(       False, False,     True,      True,     True),
    Phase.LOOKING: _Traits(      True,  True,      True,      True,     True),
    Phase.ASKING: _Traits(       False, True,      True,      True,     True,     Phase.LOOKING),
    Phase.TIME_UP: _Traits(      True,  False,     True,      True,     True),
    Phase.PUTTING_RIGHT: _Traits(False, False,     False,     True,     True,     Phase.CHECKING),
    Phase.CHECKING: _Traits(     True,  False,     False,     True,     True),
    Phase.SHOWING: _Traits(      False, False,     False,     True,     True,     Phase.COUNTING),
    Phase.COUNTING: _Traits(     True,  False,     False,     True,     True),
    Phase.BETWEEN: _Traits(      False, False,     False,     False,    True),
    Phase.OVER: _Traits(         False, False,     False,     False,    False),
}  # fmt: skip
