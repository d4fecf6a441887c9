"""What the players have agreed on before a match, and who sits down to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.errors import BadInput
from referee.game.match.events import Started
from referee.game.notice import Notice
from referee.game.rulebooks import Ruleset
from referee.game.tiles import Tile, TileSet
from referee.journal.rows import Setup

Called = Callable[[int], str]
"""How players are called who have told no names."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match to come: rules, the names on the buttons in their order, rounds, seconds added to each one's turn."""

    setup: Setup
    names: tuple[str, ...]
    rounds: int = 3
    handicaps: tuple[int, ...] = ()
    box: TileSet | None = None
    """The box that lies at the table, where the settings name one; else it is the rule book's own."""

    @property
    def rules(self) -> Ruleset:
        """The rule book with its options."""
        return self.setup.ruleset()


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who has pressed before the match: the buttons in play, and whose long press asked to begin."""

    joined: frozenset[int] = field(default_factory=frozenset)
    first: int | None = None

    @classmethod
    def for_plan(cls, plan: Plan) -> Lobby:
        """Nobody yet; but a draw has told already who plays, and that the first one begins."""
        return cls() if plan.setup.draw is None else cls(frozenset(range(len(plan.names))), 0)

    def press(self, button: int, long: bool) -> Lobby:
        """A press joins or leaves; a long one joins and asks to begin."""
        if long:
            return Lobby(self.joined | {button}, button)
        joined = self.joined ^ {button}
        return Lobby(joined, self.first if self.first in joined else None)

    def buttons(self, plan: Plan) -> tuple[int, ...]:
        """The buttons of those who play: who pressed, or else everybody."""
        return tuple(sorted(self.joined)) or tuple(range(len(plan.names)))

    def start_event(self, plan: Plan, t: float, aside: Tile | None = None, chosen: int | None = None) -> Started:
        """The event that begins the match; raises BadInput where the rules want other numbers of players.

        `chosen` is the seat that begins unless somebody has asked to.
        """
        buttons = self.buttons(plan)
        fewest, most = plan.rules.players
        if not fewest <= len(buttons) <= most:
            if not self.joined:  # of more people than the rules let play nobody is left out unasked
                raise BadInput(Notice("play.more_names_than_players", most=most))
            if fewest == most:
                raise BadInput(Notice("play.players_wanted_exactly", wanted=most, found=len(buttons)))
            raise BadInput(Notice("play.players_wanted", fewest=fewest, most=most, found=len(buttons)))
        handicaps = tuple(float(plan.handicaps[button]) for button in buttons) if plan.handicaps else ()
        first = chosen or 0 if self.first is None else buttons.index(self.first)
        return Started(tuple(plan.names[b] for b in buttons), t, plan.rounds, first, aside, handicaps)


def make_plan(setup: Setup, names: tuple[str, ...], buttons: int, rounds: int, handicaps: tuple[int, ...]) -> Plan:
    """A plan for a panel with this many end-turn buttons, where one serves everybody.

    Raises BadInput for what does not fit.
    """
    rules = setup.ruleset()
    names = names_for(rules, names, buttons)
    check_handicaps(rules, names, handicaps)
    return Plan(setup, names, rounds, handicaps)


def names_for(
    rules: Ruleset, names: tuple[str, ...], buttons: int, called: Called = "Player {}".format
) -> tuple[str, ...]:
    """The names on this many buttons; raises BadInput where nobody could begin with them.

    Where there are none players are `called` by the numbers of their seats, from 1.
    """
    fewest, most = rules.players
    if buttons > 1 and len(names) > buttons:
        raise BadInput(f"expected at most {buttons} names, one for each button, found {len(names)}")
    if not names:
        return tuple(called(seat) for seat in range(1, (buttons if buttons > 1 else most) + 1))
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        raise BadInput(f"expected a name of its own for every player, found {', '.join(map(repr, names))}")
    if len(names) < fewest:
        raise BadInput(f"expected at least {fewest} names to play {rules.name}, found {len(names)}")
    # With buttons of their own those who play sit down; one for all does not tell who presses it.
    if buttons == 1 and len(names) > most:
        raise BadInput(
            f"expected at most {most} names to play {rules.name} with one button for all, found {len(names)}"
        )
    return names


def check_handicaps(rules: Ruleset, names: tuple[str, ...], handicaps: tuple[int, ...]) -> None:
    """Raise BadInput for handicaps that do not fit names and clock."""
    if handicaps and len(handicaps) != len(names):
        raise BadInput(f"expected a handicap for each of {len(names)} players, found {len(handicaps)}")
    if rules.turn_seconds is not None and any(rules.turn_seconds + seconds <= 0 for seconds in handicaps):
        found = ", ".join(map(str, handicaps))
        raise BadInput(f"expected handicaps that leave everybody some of {rules.turn_seconds} seconds, found {found}")


def will_do(box: TileSet, rules: Ruleset) -> bool:
    """Whether a box holds as many tiles as the rules need; they can be played with any colours."""
    return box.copies >= rules.box.copies and box.jokers >= rules.box.jokers


def check_box(box: TileSet, rules: Ruleset) -> None:
    """Raise BadInput with a notice for a box that does not hold what the rules need."""
    if not will_do(box, rules):
        needed, holds = _contents_notice(rules.box), _contents_notice(box)
        raise BadInput(Notice("rules.box_too_small", needed=needed, rules=rules.name, box=box.name, holds=holds))


def _contents_notice(box: TileSet) -> Notice:
    return Notice("rules.holds", copies=box.copies, jokers=box.jokers)


def tile_set_aside_on(table: tuple[tuple[Tile, ...], ...]) -> Tile:
    """The one tile that lies open before the deal; raises BadInput with a notice for the players otherwise."""
    tiles = [tile for tiles in table for tile in tiles]
    if len(tiles) != 1:
        raise BadInput(Notice("play.one_tile_aside"))
    if tiles[0].is_joker:
        raise BadInput(Notice("play.no_joker_aside"))
    return tiles[0]
