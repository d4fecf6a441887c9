"""What a rule book can say, as data: a ruleset is a frozen value that the judge, the match and the scores read."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import Any

from referee.errors import BadInput
from referee.game.tiles import TileSet, tile_set


class JokerFreedom(enum.StrEnum):
    """What frees a joker that lies on the table, so that it may be used elsewhere."""

    REPLACED = "replaced"
    """A fitting tile took its place, from the hand or from the table."""
    EXCHANGED = "exchanged"
    """A fitting tile from the hand took its place."""
    ALWAYS = "always"
    """Nothing is needed."""


class TimeUp(enum.StrEnum):
    """What happens to the tiles when a player's time is up."""

    ROLL_BACK = "roll-back"
    """The table is put back as it was before the turn."""
    TAKE = "take"
    """The player takes every tile that is in no valid set."""


class StockEnd(enum.StrEnum):
    """When the stock ends a round that nobody has won."""

    DRAW_FAILS = "draw-fails"
    """Somebody has to draw and cannot."""
    LAST_DRAWN = "last-drawn"
    """The last tile is drawn."""
    NOBODY_LAYS = "nobody-lays"
    """The stock is empty, and all players in a row have laid nothing."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A player's first meld."""

    minimum: int
    joker: int | None = None
    """What a joker counts in it; None: the number it stands for."""
    same_turn: bool = False
    """Whether the player may go on to the table's sets in the same turn."""


@dataclass(frozen=True, slots=True)
class JokerRule:
    """How a joker on the table may move."""

    freedom: JokerFreedom
    travels: bool = False
    """Whether it may move, without being freed, as the tile it stands for."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a round and a match count."""

    joker: int
    """A joker left in the hand."""
    winner_gets_sum: bool = True
    """Whether the winner gets what all others lose, or nothing."""
    highest_wins: bool = True
    counted_difference: bool = False
    """Whether the lowest hand, where nobody went out, gets the differences to all others."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The turn clock and what follows when it runs out."""

    seconds: int
    consequence: TimeUp
    draws: int = 0
    """Tiles drawn as a penalty."""
    unopened_draws: int = 1
    """Tiles drawn by a player whose first meld did not come about in time."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the players make before a match; `choices` maps each to the fields it changes."""

    name: str
    text: str
    default: str
    choices: tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]

    def changes(self, choice: str) -> dict[str, Any]:
        """The fields that `choice` changes; raises BadInput that lists the known choices."""
        for known, fields in self.choices:
            if known == choice:
                return dict(fields)
        known_ones = ", ".join(known for known, _ in self.choices)
        raise BadInput(f"expected {self.name} out of {known_ones}, got {choice!r}")


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule book with its options chosen."""

    name: str
    title: str
    tileset: str
    opening: Opening
    joker_rule: JokerRule
    scoring: Scoring
    timing: Timing
    stock_end: StockEnd
    stock_counts: bool = False
    """Whether the hands are counted when the stock ends the round, or nobody scores."""
    players: tuple[int, int] = (2, 4)
    deal: int = 14
    deals: tuple[tuple[int, int], ...] = ()
    """Where the deal depends on the players: pairs of players and tiles."""
    jokers: int | None = None
    """How many jokers play along; None: all in the box."""
    cap: int | None = None
    """Most tiles a player may lay in one turn."""
    wraps: bool = False
    """Whether a run may go on from 13 to 1."""
    strict_rebuild: bool = False
    """Whether three tiles of a set must stay together when others are taken from it."""
    summary: tuple[str, ...] = ()
    options: tuple[Option, ...] = field(default=(), repr=False)

    @property
    def box(self) -> TileSet:
        """The tiles that play along."""
        box = tile_set(self.tileset)
        return box if self.jokers is None else replace(box, jokers=self.jokers)

    @property
    def turn_seconds(self) -> int:
        """Seconds for one turn."""
        return self.timing.seconds

    def hand_size(self, players: int) -> int:
        """Tiles dealt to each of `players`; raises BadInput where the book does not allow so many or so few."""
        fewest, most = self.players
        if not fewest <= players <= most:
            raise BadInput(f"expected {fewest}-{most} players for {self.name}, got {players}")
        return dict(self.deals).get(players, self.deal)

    def choose(self, **choices: str) -> Ruleset:
        """The ruleset with options chosen: ``choose(jokers="2")``; raises BadInput for unknown ones."""
        changes: dict[str, Any] = {}
        for name, choice in choices.items():
            option = next((o for o in self.options if o.name == name.replace("_", "-")), None)
            if option is None:
                known = ", ".join(o.name for o in self.options) or "none"
                raise BadInput(f"expected an option of {self.name} out of {known}, got {name!r}")
            changes |= option.changes(choice)
        return replace(self, **changes)
