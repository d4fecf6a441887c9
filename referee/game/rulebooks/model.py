"""What a rule book can decide, as data: a ruleset is a frozen value that judge, match and scoring use."""

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
"""The edition of these rulings. A match is continued and replayed with the edition that it was begun with."""


class Starts(enum.StrEnum):
    """Who begins a round."""

    LOT = "lot"
    """The player on whom the lot falls, which the referee draws."""
    AGREED = "agreed"
    """The player on whom the players agree."""
    DRAWN = "drawn"
    """The player who draws the highest number. The players do that themselves, and jokers do not count."""
    NEXT = "next"
    """The next player clockwise; in the first round the players say who."""
    WINNER = "winner"
    """The winner of the last round, or if it was drawn, the one who began it; in the first round the lot decides."""


class JokerFreedom(enum.StrEnum):
    """What frees a joker on the table, so that it may be used elsewhere."""

    REPLACED = "replaced"
    """A fitting tile took its place, from the hand or from the table."""
    EXCHANGED = "exchanged"
    """A fitting tile from the hand took its place."""
    ALWAYS = "always"
    """Nothing: jokers are always free."""


class JokerSets(enum.StrEnum):
    """Whether jokers alone are a set."""

    ALLOWED = "allowed"
    DECLARED = "declared"
    """If the player says what they stand for."""
    REFUSED = "refused"


class Extended(enum.StrEnum):
    """What a set of the table counts in a first meld if tiles were added to it."""

    NOTHING = "nothing"
    """Nothing: only the player's own sets count, and they must come first."""
    ADDED = "added"
    """Only the tiles that were added."""
    WHOLE = "whole"
    """All its tiles, including those that were there before."""


class Fresh(enum.StrEnum):
    """What may be done in the same turn with a tile that was just drawn."""

    WAITS = "wait"
    OPENS = "opening"
    """It may be laid in a first meld."""
    PLAYS = "always"


class TimeUpRule(enum.StrEnum):
    """What happens to the tiles when a player's time is up."""

    ROLL_BACK = "roll-back"
    """The table is restored as it was before the turn."""
    TAKE = "take"
    """The player takes every tile that is in no valid set."""


class StockEnd(enum.StrEnum):
    """When an empty stock ends a round that nobody has won."""

    DRAW_FAILS = "draw-fails"
    """Somebody has to draw and cannot."""
    LAST_DRAWN = "last-drawn"
    """The last tile is drawn."""
    NOBODY_LAYS = "nobody-lays"
    """The stock is empty, and all players in a row have laid nothing."""


class WinnerGets(enum.StrEnum):
    """What the winner of a round scores."""

    SUM = "sum"
    """What all others lose."""
    NOTHING = "nothing"
    ONE = "one"
    """One point for the round; points left in the hands only decide who has won."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The rules for a player's first meld."""

    minimum: int
    joker: int | None = None
    """What a joker counts in it; None: the number that it stands for."""
    same_turn: bool = False
    """Whether, after the first meld, the player may use sets on the table in the same turn."""
    extended: Extended = Extended.NOTHING
    exchange_counts: bool = False
    """Whether exchanging the joker of a set for a tile of the hand counts like adding tiles to that set."""


@dataclass(frozen=True, slots=True)
class JokerRule:
    """How a joker on the table may move, and what must be known about it."""

    freedom: JokerFreedom
    travels: bool = False
    """Whether it may move without being freed, as the tile that it stands for."""
    declared: bool = False
    """Whether its place in the row must show what it stands for, if that is not clear otherwise."""
    as_laid: bool = False
    """Whether it stands for the number of its place in an ordered row, or for whatever is best for the player."""
    alone: JokerSets = JokerSets.ALLOWED
    printed: bool = True
    """Whether the book says all this; False if its page is lost and the usual rules apply."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What counts in a round and in a match."""

    joker: int = 0
    """The points of a joker left in the hand."""
    winner_gets: WinnerGets = WinnerGets.SUM
    highest_wins: bool = True
    """Whether the highest total wins; if not, points left in the hand are written down and the lowest total wins."""
    counted_difference: bool = False
    """Whether the lowest hand gets its differences to all others if nobody went out."""
    hand_rummy: int = 1
    """The factor for the losers' points if the winner laid the whole hand in one single turn."""
    most_per_tile: int | None = None
    """The most points that a tile counts; None: as many as its number."""
    tie_break: bool = False
    """Whether a tie at the end of the match is decided by another round, or else shared."""
    unopened: int | None = None
    """What a hand counts, whatever is in it, if its player has not made a first meld; None: the tiles count."""
    withheld: int | None = None
    """What it counts instead if a first meld was in it."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The turn clock, and what follows when the time is up."""

    seconds: int | None
    """The time of a turn; None: there is no clock."""
    consequence: TimeUpRule
    draws: int = 0
    """The number of tiles drawn as a penalty."""
    unopened_draws: int = 1
    """The number of tiles drawn by a player who has not made a first meld in time."""
    before_opening: bool = True
    """Whether the clock also runs for a player without a first meld."""
    rebuilding: bool = False
    """Whether only rebuilding is timed: the clock starts when the first tile of a set on the table is moved."""
    bank: int | None = None
    """The seconds that each player has for all turns of a round, besides `delay` in each; None: turns are timed."""
    delay: int = 0
    """With a bank: the seconds at the beginning of each turn that are not taken from it."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Additional demands on the turn that ends a round."""

    last_tile: bool = False
    """Whether a tile lies open aside from the start, which the player who goes out must use in the last turn."""
    set_value: int | None = None
    """The value that one set of the last turn, laid from the hand, must have; None: there is no such demand."""
    at_least: bool = False
    """Whether that set may also have a higher value."""


@dataclass(frozen=True, slots=True)
class Knocking:
    """The rules of a game in which nothing is laid before somebody knocks (Gin)."""

    below: int
    """A knocker's deadwood must count less than this."""
    gin_bonus: int
    undercut_bonus: int
    """The bonus of an opponent whose deadwood is not higher than the knocker's."""
    target: int
    """The match is over when somebody has this many points."""
    never_drawn: int = 0
    """The number of tiles that stay in the stock: if only these are left, the round is drawn."""


@dataclass(frozen=True, slots=True)
class MeldRules:
    """The rules of games in which sets are laid turn by turn (all but Gin)."""

    opening: Opening
    joker_rule: JokerRule
    timing: Timing
    stock_end: StockEnd
    stock_counts: bool = False
    """Whether the hands are counted when the stock ends the round; otherwise nobody scores."""
    strict_rebuild: bool = False
    """Whether three tiles of a set must stay together if others are taken from it."""
    put_back: bool = False
    """Whether a table rebuilt without a tile from the hand is refused; if not, it is accepted and a tile is drawn."""
    fresh: Fresh = Fresh.WAITS


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule book with its options chosen."""

    name: str
    title: str
    tileset: str
    scoring: Scoring
    melds: MeldRules | None = None
    """None if nothing is laid before the end of a round (Gin)."""
    players: tuple[int, int] = (2, 4)
    deal: int = 14
    deals: tuple[tuple[int, int], ...] = ()
    """If the deal depends on the number of players: pairs of the number of players and of tiles."""
    starts: Starts = Starts.LOT
    clockwise: bool = False
    """Whether the book says that turns go clockwise; otherwise that is left to the players."""
    jokers: int | None = None
    """The number of jokers in play; None: all in the box."""
    more_colours: tuple[Colour, ...] = ()
    """Colours in play besides those of the rule book's box, since the rules can be played with any box."""
    exact_box: bool = False
    """Whether exactly this box is known to be in play, so that tiles of other colours are impossible."""
    jokers_each: int | None = None
    """The exact number of jokers dealt to each player, if there are enough of them; None: it depends on chance."""
    new_hands: bool = False
    """Whether a player with three pairs of equal tiles may ask for new hands. No rack is seen: players do it."""
    cap: int | None = None
    """The most tiles that a player may lay in one turn; None: any number."""
    wraps: bool = False
    """Whether a run may continue from 13 to 1."""
    match_minutes: int | None = None
    """How long rounds of a match may begin; None: until the agreed number is played."""
    finish: Finish = Finish()
    knocking: Knocking | None = None
    """The rules for knocking; only for Gin."""
    edition: int = EDITION
    """The edition of the rulings; 1 for a match that was begun before there were editions."""
    options: tuple[Option, ...] = field(default=(), repr=False)
    contradictions: tuple[Contradiction, ...] = field(default=(), repr=False)

    @property
    def box(self) -> TileSet:
        """The tiles in play."""
        box = tile_set(self.tileset)
        return box if self.jokers is None else replace(box, jokers=self.jokers)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours that a joker may stand for."""
        return _colours(self.tileset, self.more_colours)

    @property
    def turn_seconds(self) -> int | None:
        """The seconds that every turn has, with a bank only those besides it; None: there is no clock."""
        if self.melds is None:
            return None
        timing = self.melds.timing
        return timing.seconds if timing.bank is None else timing.delay

    @property
    def meld_rules(self) -> MeldRules:
        """The rules for laying sets turn by turn; raises BadInput for books without them."""
        if self.melds is None:
            raise BadInput(f"expected rules by which sets are laid turn by turn, got {self.name}")
        return self.melds

    @property
    def opening(self) -> Opening:
        """The rules for the first meld; raises BadInput for books in which no sets are laid turn by turn."""
        return self.meld_rules.opening

    @property
    def joker_rule(self) -> JokerRule:
        """The rules for jokers on the table."""
        return self.meld_rules.joker_rule

    @property
    def timing(self) -> Timing:
        """The turn clock."""
        return self.meld_rules.timing

    @property
    def stock_end(self) -> StockEnd:
        """When an empty stock ends a round."""
        return self.meld_rules.stock_end

    def hand_size(self, players: int) -> int:
        """Return the tiles dealt to each player; raises BadInput if the book does not allow this many `players`."""
        fewest, most = self.players
        if not fewest <= players <= most:
            allowed = str(most) if fewest == most else f"{fewest}-{most}"
            raise BadInput(f"expected {allowed} players for {self.name}, got {players}")
        return dict(self.deals).get(players, self.deal)

    def jokers_dealt(self, players: int) -> int | None:
        """Return the exact number of jokers dealt to each of so many players; None if that depends on chance."""
        each = self.jokers_each
        return each if each is not None and each * players <= self.box.jokers else None

    def jokers_known(self, players: int | None = None) -> int | None:
        """Return how many jokers each player surely holds, as none is left to be drawn; None if that is not sure.

        Without `players`: if it holds for as many as the book allows.
        """
        players = self.players[1] if players is None else players
        each = self.jokers_dealt(players)
        return each if each is not None and each * players == self.box.jokers else None

    def choose(self, **choices: str) -> Ruleset:
        """Return the ruleset with options chosen: ``choose(jokers="2")``.

        Raises BadInput for an unknown option or choice, and for choices that exclude each other.
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
        """Return the ruleset with one field changed; a dot leads to a part: ``with_value("opening.minimum", 30)``."""
        if path.partition(".")[0] in _OF_MELDS:
            return replace(self, melds=_replace_field(self.meld_rules, path, value))
        return _replace_field(self, path, value)

    def value(self, path: str) -> Any:
        """Return the value of the field that `with_value` would change."""
        return attrgetter(path)(self.meld_rules if path.partition(".")[0] in _OF_MELDS else self)

    def choice_of(self, option: Option) -> str:
        """Return the choice of an option that applies in this ruleset."""
        return option.choice_by(self.value)

    def of_edition(self, edition: int) -> Ruleset:
        """Return the ruleset of an older edition, before any option is chosen; raises BadInput for a newer edition."""
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
