"""A tournament as it stands: who plays, what was drawn, what came in, what was changed afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.club.tournament.events import Draw
from referee.club.tournament.rules import Rules


@dataclass(frozen=True, slots=True)
class Player:
    """A player on the list; `here` says whether the next draw seats them."""

    number: int
    name: str
    here: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round: the players in the order of their seats, of whom the first one starts, and their totals.

    The totals, `points`, are None until the table has a result.
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
        """The seats, as they are after any swap."""
        return Draw(tuple(table.players for table in self.tables), self.byes)

    @property
    def missing_tables(self) -> tuple[int, ...]:
        """The tables without a result."""
        return tuple(number for number, table in enumerate(self.tables, 1) if table.points is None)

    @property
    def players(self) -> frozenset[int]:
        """Everybody with a seat or a bye."""
        return frozenset(self.byes).union(*(table.players for table in self.tables))

    def table_of(self, player: int) -> int | None:
        """The table at which a player sits; None for nowhere."""
        return next((number for number, table in enumerate(self.tables, 1) if player in table.players), None)

    def with_table(self, number: int, table: Table) -> Round:
        """The round with another table in the place of one."""
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
    """Two players who changed places."""

    round: int
    one: int
    other: int
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A draw that did not come to be played."""

    round: int
    draw: Draw
    t: float
    who: str = ""
    why: str = ""


Trace = Correction | Swap | Withdrawal


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that follows from the events so far."""

    name: str
    rules: Rules
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    plan: tuple[Draw, ...] = ()
    """The seats of rounds to come, as long as they hold."""
    traces: tuple[Trace, ...] = ()
    ended: bool = False

    @property
    def here(self) -> tuple[int, ...]:
        """Whom the next draw seats."""
        return tuple(player.number for player in self.players if player.here)

    @property
    def rounds_left(self) -> int:
        """The rounds that are still to be drawn."""
        return self.rules.rounds - len(self.rounds)

    @property
    def under_way(self) -> bool:
        """Whether the last round that was drawn lacks a result."""
        return bool(self.rounds and self.rounds[-1].missing_tables)

    def with_round(self, number: int, round_: Round) -> Tournament:
        """The tournament with another round in the place of one."""
        return replace(self, rounds=(*self.rounds[: number - 1], round_, *self.rounds[number:]))

    def with_player(self, player: Player) -> Tournament:
        """The tournament with another entry for a player."""
        at = player.number
        return replace(self, players=(*self.players[: at - 1], player, *self.players[at:]))
