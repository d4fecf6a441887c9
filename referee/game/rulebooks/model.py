"""What a rule book can say, as data: a ruleset is a frozen value that the judge, the match and the scores read."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

from referee.errors import BadInput
from referee.game.notice import Notice
from referee.game.rulebooks.choices import Contradiction, Option
from referee.game.tiles import Colour, TileSet, tile_set

_Rules = TypeVar("_Rules", "Ruleset", "MeldRules")

EDITION = 2
"""Of these rulings. A match goes on, and is told again, by those that it was begun with."""


class Starts(enum.StrEnum):
    """Who begins a round."""

    LOT = "lot"
    """Whoever the lot falls on; the referee draws it."""
    AGREED = "agreed"
    """Whoever the players agree on."""
    DRAWN = "drawn"
    """Whoever draws the highest number; the players see to it, and jokers do not count."""
    NEXT = "next"
    """The next player clockwise; in the first round the players tell who."""
    WINNER = "winner"
    """The winner of the last round, and after a drawn one whoever began it; in the first round the lot decides."""


class JokerFreedom(enum.StrEnum):
    """What frees a joker that lies on the table, so that it may be used elsewhere."""

    REPLACED = "replaced"
    """A fitting tile took its place, from the hand or from the table."""
    EXCHANGED = "exchanged"
    """A fitting tile from the hand took its place."""
    ALWAYS = "always"
    """Nothing is needed."""


class JokerSets(enum.StrEnum):
    """Whether jokers alone are a set."""

    ALLOWED = "allowed"
    DECLARED = "declared"
    """If the player says what they stand for."""
    REFUSED = "refused"


class Extended(enum.StrEnum):
    """What a set of the table that gets longer counts in a first meld."""

    NOTHING = "nothing"
    """Nothing: only the player's own sets count, and they must come first."""
    ADDED = "added"
    """The tiles added."""
    WHOLE = "whole"
    """All its tiles, those that lay there before included."""


class Fresh(enum.StrEnum):
    """What a tile that was just drawn may do in the same turn."""

    WAITS = "wait"
    OPENS = "opening"
    """It may serve for the first meld."""
    PLAYS = "always"


class TimeUpRule(enum.StrEnum):
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


class WinnerGets(enum.StrEnum):
    """What the winner of a round writes down."""

    SUM = "sum"
    """What all others lose."""
    NOTHING = "nothing"
    ONE = "one"
    """One point for the round won; what is left in a hand only decides who won."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A player's first meld."""

    minimum: int
    joker: int | None = None
    """What a joker counts in it; None: the number it stands for."""
    same_turn: bool = False
    """Whether the player may go on to the table's sets in the same turn."""
    extended: Extended = Extended.NOTHING
    exchange_counts: bool = False
    """Whether a set whose joker was exchanged for a tile of the hand counts like one that got longer."""


@dataclass(frozen=True, slots=True)
class JokerRule:
    """How a joker on the table may move, and what must be known about it."""

    freedom: JokerFreedom
    travels: bool = False
    """Whether it may move, without being freed, as the tile it stands for."""
    declared: bool = False
    """Whether its place in the row must tell what it stands for, where that is not clear by itself."""
    as_laid: bool = False
    """Whether it stands for the number of its place in a row, where the row's order tells; or for what serves best."""
    alone: JokerSets = JokerSets.ALLOWED
    printed: bool = True
    """Whether the book says all this, or has lost the page and what is usual holds."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a round and a match count."""

    joker: int = 0
    """A joker left in the hand."""
    winner_gets: WinnerGets = WinnerGets.SUM
    highest_wins: bool = True
    """False: points left in the hand are written down as they are, and the lowest total wins."""
    counted_difference: bool = False
    """Whether the lowest hand, where nobody went out, gets the differences to all others."""
    hand_rummy: int = 1
    """What the losers' points are multiplied by when the winner laid the whole hand in one single turn."""
    most_per_tile: int | None = None
    """Faces above it count only so much."""
    tie_break: bool = False
    """Whether a tie for the match is played out in one more round, or shared."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The turn clock and what follows when it runs out."""

    seconds: int | None
    """None: there is no clock."""
    consequence: TimeUpRule
    draws: int = 0
    """Tiles drawn as a penalty."""
    unopened_draws: int = 1
    """Tiles drawn by a player whose first meld did not come about in time."""
    before_opening: bool = True
    """Whether the clock runs for a player without a first meld."""
    rebuilding: bool = False
    """Whether the time is for a rebuilding only: the clock starts when the first tile of a lying set is moved."""


@dataclass(frozen=True, slots=True)
class Finish:
    """What the turn that ends a round must do besides."""

    last_tile: bool = False
    """Whether one tile lies open aside from the start, and whoever goes out must use it in the last turn."""
    set_value: int | None = None
    """The value that a set of the last turn, laid from the hand, must have."""
    at_least: bool = False
    """Whether more than that value will do as well."""


@dataclass(frozen=True, slots=True)
class Knocking:
    """A game in which nothing is laid out before somebody knocks (Gin)."""

    below: int
    """A knocker's rest must count less than this."""
    gin_bonus: int
    undercut_bonus: int
    """For the opponent whose rest is not higher than the knocker's."""
    target: int
    """The match is over when somebody has this many points."""
    never_drawn: int = 0
    """Tiles of the stock that stay there: the round is drawn when only they are left."""


@dataclass(frozen=True, slots=True)
class MeldRules:
    """What only a game has in which sets are laid turn by turn, so not Gin."""

    opening: Opening
    joker_rule: JokerRule
    timing: Timing
    stock_end: StockEnd
    stock_counts: bool = False
    """Whether the hands are counted when the stock ends the round, or nobody scores."""
    strict_rebuild: bool = False
    """Whether three tiles of a set must stay together when others are taken from it."""
    put_back: bool = False
    """Whether a table that was rebuilt without a tile from the hand is refused, or accepted and a tile drawn."""
    fresh: Fresh = Fresh.WAITS


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule book with its options chosen."""

    name: str
    title: str
    tileset: str
    scoring: Scoring
    melds: MeldRules | None = None
    """None where nothing is laid before the end of a round (Gin)."""
    players: tuple[int, int] = (2, 4)
    deal: int = 14
    deals: tuple[tuple[int, int], ...] = ()
    """Where the deal depends on the players: pairs of players and tiles."""
    starts: Starts = Starts.LOT
    clockwise: bool = False
    """Whether the book says that turns go round clockwise; silent books leave it to the players."""
    jokers: int | None = None
    """How many jokers play along; None: all in the box."""
    more_colours: tuple[Colour, ...] = ()
    """Colours that are played besides those of the box, for the rules can be played with any box."""
    exact_box: bool = False
    """Whether it is known that just this box is played, so that a tile of another colour cannot be."""
    jokers_each: int | None = None
    """How many jokers every player is dealt, exactly; None: chance."""
    cap: int | None = None
    """Most tiles a player may lay in one turn."""
    wraps: bool = False
    """Whether a run may go on from 13 to 1."""
    finish: Finish = Finish()
    knocking: Knocking | None = None
    """Set for Gin."""
    edition: int = EDITION
    """Which rulings hold: 1 for a match that was begun before there were editions."""
    options: tuple[Option, ...] = field(default=(), repr=False)
    contradictions: tuple[Contradiction, ...] = field(default=(), repr=False)

    @property
    def box(self) -> TileSet:
        """The tiles that play along."""
        box = tile_set(self.tileset)
        return box if self.jokers is None else replace(box, jokers=self.jokers)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that a joker may stand for."""
        return _colours(self.tileset, self.more_colours)

    @property
    def turn_seconds(self) -> int | None:
        """Seconds for one turn; None: no clock."""
        return None if self.melds is None else self.melds.timing.seconds

    @property
    def meld_rules(self) -> MeldRules:
        """The rules for laying in turns; raises BadInput where nothing is laid in turns."""
        if self.melds is None:
            raise BadInput(f"expected rules by which sets are laid turn by turn, got {self.name}")
        return self.melds

    @property
    def opening(self) -> Opening:
        """The rules for the first meld, part of `meld_rules`; raises BadInput where no sets are laid in turns."""
        return self.meld_rules.opening

    @property
    def joker_rule(self) -> JokerRule:
        """What jokers of the table may do."""
        return self.meld_rules.joker_rule

    @property
    def timing(self) -> Timing:
        """The turn clock."""
        return self.meld_rules.timing

    @property
    def stock_end(self) -> StockEnd:
        """When the stock ends a round."""
        return self.meld_rules.stock_end

    def hand_size(self, players: int) -> int:
        """Tiles dealt to each of `players`; raises BadInput where the book does not allow so many or so few."""
        fewest, most = self.players
        if not fewest <= players <= most:
            allowed = str(most) if fewest == most else f"{fewest}-{most}"
            raise BadInput(f"expected {allowed} players for {self.name}, got {players}")
        return dict(self.deals).get(players, self.deal)

    def choose(self, **choices: str) -> Ruleset:
        """The ruleset with options chosen: ``choose(jokers="2")``.

        Raises BadInput for an unknown option or choice, and for choices that contradict each other.
        """
        named = {name.replace("_", "-"): choice for name, choice in choices.items()}
        known = {option.name: option for option in self.options}
        for name in named:
            if name not in known:
                raise BadInput(f"expected an option of {self.name} out of {', '.join(known) or 'none'}, got {name!r}")
        self._refuse_contradictions({name: option.default for name, option in known.items()} | named)
        rules = self
        for name, choice in named.items():
            for path, value in known[name].changes(choice).items():
                rules = rules.with_value(path, value)
        return rules

    def with_value(self, path: str, value: Any) -> Ruleset:
        """The ruleset with one field changed; a dot leads into a part: ``with_value("opening.minimum", 30)``."""
        if path.partition(".")[0] in _OF_MELDS:
            return replace(self, melds=_replace_field(self.meld_rules, path, value))
        return _replace_field(self, path, value)

    def value(self, path: str) -> Any:
        """The value of the field that `with_value` would change."""
        return attrgetter(path)(self.meld_rules if path.partition(".")[0] in _OF_MELDS else self)

    def choice_of(self, option: Option) -> str:
        """The choice of an option that holds."""
        return option.choice_by(self.value)

    def of_edition(self, edition: int) -> Ruleset:
        """The ruleset as it was in an older edition, before any option is chosen; raises BadInput for a newer one."""
        if edition > self.edition:
            raise BadInput(f"expected rulings of edition {self.edition} or older, got edition {edition}")
        if edition == self.edition:
            return self
        rules = replace(self, edition=edition)
        for option in self.options:
            for path, value in option.changes(option.formerly).items() if option.formerly is not None else ():
                rules = rules.with_value(path, value)
        options = tuple(replace(option, default=option.formerly or option.default) for option in self.options)
        return replace(rules, options=options)

    def _refuse_contradictions(self, chosen: Mapping[str, str]) -> None:
        for rule in self.contradictions:
            if all(chosen[name] == choice for name, choice in (rule.one, rule.other)):
                one, other = ("=".join(pair) for pair in (rule.one, rule.other))
                raise BadInput(Notice("rules.contradiction", book=self.name, one=one, other=other, why=rule.why))


@lru_cache
def _colours(box: str, more: tuple[Colour, ...]) -> tuple[Colour, ...]:
    return (*tile_set(box).colours, *more)


_OF_MELDS = {one.name for one in fields(MeldRules)}


def _replace_field(rules: _Rules, path: str, value: Any) -> _Rules:
    part, _, name = path.partition(".")
    changed = replace(getattr(rules, part), **{name: value}) if name else value
    return replace(rules, **{part: changed})
