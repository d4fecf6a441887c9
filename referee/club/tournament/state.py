"""The state of a tournament: its players, rounds with draws and results, and traces of changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.club.tournament.events import Draw
from referee.club.tournament.rules import Rules


@dataclass(frozen=True, slots=True)
class Player:
    """A player who was entered; `here` is whether the player is present, so that the next draw seats them."""

    number: int
    name: str
    here: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round: its players in the order of their seats, and the totals of its match.

    The first player starts. `points`, the totals, is None until the table has a result.
    """

    players: tuple[int, ...]
    points: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was drawn."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    begun: bool = False

    @property
    def draw(self) -> Draw:
        """The seats, after all swaps."""
        return Draw(tuple(table.players for table in self.tables), self.byes)

    @property
    def missing_tables(self) -> tuple[int, ...]:
        """The numbers of the tables without a result."""
        return tuple(number for number, table in enumerate(self.tables, 1) if table.points is None)

    @property
    def players(self) -> frozenset[int]:
        """All players with a seat or a bye."""
        return frozenset(self.byes).union(*(table.players for table in self.tables))

    def table_of(self, player: int) -> int | None:
        """Return the number of the table at which a player sits; None if at none."""
        return next((number for number, table in enumerate(self.tables, 1) if player in table.players), None)

    def with_table(self, number: int, table: Table) -> Round:
        """Return the round with one table replaced."""
        return replace(self, tables=(*self.tables[: number - 1], table, *self.tables[number:]))


@dataclass(frozen=True, slots=True)
class Correction:
    """A result that was replaced."""

    round: int
    table: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players who exchanged places."""

    round: int
    one: int
    other: int
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A draw that was withdrawn."""

    round: int
    draw: Draw
    t: float
    who: str = ""
    why: str = ""


Trace = Correction | Swap | Withdrawal


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after the events so far."""

    name: str
    rules: Rules
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    plan: tuple[Draw, ...] = ()
    """The planned seats of the remaining rounds; empty if there is no valid plan."""
    traces: tuple[Trace, ...] = ()
    ended: bool = False

    @property
    def here(self) -> tuple[int, ...]:
        """The numbers of the present players, whom the next draw seats."""
        return tuple(player.number for player in self.players if player.here)

    @property
    def rounds_left(self) -> int:
        """The number of rounds that are still to be drawn."""
        return self.rules.rounds - len(self.rounds)

    @property
    def under_way(self) -> bool:
        """Whether the last round that was drawn lacks a result."""
        return bool(self.rounds and self.rounds[-1].missing_tables)

    def with_round(self, number: int, round_: Round) -> Tournament:
        """Return the tournament with one round replaced."""
        return replace(self, rounds=(*self.rounds[: number - 1], round_, *self.rounds[number:]))

    def with_player(self, player: Player) -> Tournament:
        """Return the tournament with the entry of one player replaced."""
        at = player.number
        return replace(self, players=(*self.players[: at - 1], player, *self.players[at:]))
