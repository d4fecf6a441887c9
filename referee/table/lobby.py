"""The plan of a match, and the players who sit down to it."""

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
"""Returns the name of the player at a seat, counted from 1, if no name was given."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a match: rules, the names at the buttons in order, number of rounds, and handicaps in seconds."""

    setup: Setup
    names: tuple[str, ...]
    rounds: int = 3
    handicaps: tuple[int, ...] = ()
    box: TileSet | None = None
    """The box at the table, if the settings name one; otherwise the rule book's own box is meant."""
    coach: bool = False
    """Whether anybody may ask during the match what can be laid, because all players have agreed to that."""

    @property
    def rules(self) -> Ruleset:
        """The rule book with its options, as a ruleset."""
        return self.setup.ruleset()


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who has pressed before the match: the buttons in play, and the one whose long press asked for the first turn."""

    joined: frozenset[int] = field(default_factory=frozenset)
    first: int | None = None

    @classmethod
    def for_plan(cls, plan: Plan) -> Lobby:
        """Return an empty lobby; for a match of a draw, all its players have joined and the first one begins."""
        return cls() if plan.setup.draw is None else cls(frozenset(range(len(plan.names))), 0)

    def press(self, button: int, long: bool) -> Lobby:
        """Return the lobby after a press, which joins or leaves; a long press joins and asks for the first turn."""
        if long:
            return Lobby(self.joined | {button}, button)
        joined = self.joined ^ {button}
        return Lobby(joined, self.first if self.first in joined else None)

    def buttons(self, plan: Plan) -> tuple[int, ...]:
        """Return the buttons of those who play: those who have pressed, or all if nobody has."""
        return tuple(sorted(self.joined)) or tuple(range(len(plan.names)))

    def start_event(self, plan: Plan, t: float, aside: Tile | None = None, chosen: int | None = None) -> Started:
        """Return the event that begins the match; raises BadInput if the rules need another number of players.

        `chosen` is the seat that has the first turn if nobody has asked for it.
        """
        buttons = self.buttons(plan)
        fewest, most = plan.rules.players
        if not fewest <= len(buttons) <= most:
            if not self.joined:  # too many names: nobody is left out without being asked
                raise BadInput(Notice("play.more_names_than_players", most=most))
            if fewest == most:
                raise BadInput(Notice("play.players_wanted_exactly", wanted=most, found=len(buttons)))
            raise BadInput(Notice("play.players_wanted", fewest=fewest, most=most, found=len(buttons)))
        handicaps = tuple(float(plan.handicaps[button]) for button in buttons) if plan.handicaps else ()
        first = chosen or 0 if self.first is None else buttons.index(self.first)
        names = tuple(plan.names[b] for b in buttons)
        return Started(names, t, plan.rounds, first, aside, handicaps, plan.coach)


def make_plan(setup: Setup, names: tuple[str, ...], buttons: int, rounds: int, handicaps: tuple[int, ...]) -> Plan:
    """Return a plan for a panel with this many end-turn buttons; 1 means one button for everybody.

    Raises BadInput if names or handicaps do not fit.
    """
    rules = setup.ruleset()
    names = names_for(rules, names, buttons)
    check_handicaps(rules, names, handicaps)
    return Plan(setup, names, rounds, handicaps)


def names_for(
    rules: Ruleset, names: tuple[str, ...], buttons: int, called: Called = "Player {}".format
) -> tuple[str, ...]:
    """Return the names at this many buttons; raises BadInput if no match could begin with them.

    If `names` is empty, players are named by `called`, which gets the numbers of the seats from 1.
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
    # If everybody has a button, those who play sit down; a shared button does not show who presses it.
    if buttons == 1 and len(names) > most:
        raise BadInput(
            f"expected at most {most} names to play {rules.name} with one button for all, found {len(names)}"
        )
    return names


def check_handicaps(rules: Ruleset, names: tuple[str, ...], handicaps: tuple[int, ...]) -> None:
    """Raise BadInput for handicaps that do not fit the number of names, or leave a turn no time."""
    if handicaps and len(handicaps) != len(names):
        raise BadInput(f"expected a handicap for each of {len(names)} players, found {len(handicaps)}")
    if rules.turn_seconds is not None and any(rules.turn_seconds + seconds <= 0 for seconds in handicaps):
        found = ", ".join(map(str, handicaps))
        raise BadInput(f"expected handicaps that leave everybody some of {rules.turn_seconds} seconds, found {found}")


def will_do(box: TileSet, rules: Ruleset) -> bool:
    """Return whether a box holds as many copies and jokers as the rules need; its colours do not matter."""
    return box.copies >= rules.box.copies and box.jokers >= rules.box.jokers


def check_box(box: TileSet, rules: Ruleset) -> None:
    """Raise BadInput with a notice for a box that does not hold what the rules need."""
    if not will_do(box, rules):
        needed, holds = _contents_notice(rules.box), _contents_notice(box)
        raise BadInput(Notice("rules.box_too_small", needed=needed, rules=rules.name, box=box.name, holds=holds))


def _contents_notice(box: TileSet) -> Notice:
    return Notice("rules.holds", copies=box.copies, jokers=box.jokers)


def tile_set_aside_on(table: tuple[tuple[Tile, ...], ...]) -> Tile:
    """Return the one tile that lies open before the deal; raises BadInput with a notice for the players otherwise."""
    tiles = [tile for tiles in table for tile in tiles]
    if len(tiles) != 1:
        raise BadInput(Notice("play.one_tile_aside"))
    if tiles[0].is_joker:
        raise BadInput(Notice("play.no_joker_aside"))
    return tiles[0]
