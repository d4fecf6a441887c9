"""The state of a tournament: its players, rounds with draws and results, and traces of changes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.club.tournament.events import Draw
from referee.club.tournament.rules import Drawing, Rules


@dataclass(frozen=True, slots=True)
class Player:
    """A player who was entered; `here` is whether the player is present, so that the next draw seats them."""

    number: int
    name: str
    here: bool = False
    club: str = ""
    rating: int | None = None
    """The rating in the list from which the player was imported; only the division into groups depends on it."""
    team: str = ""
    """The name of the player's team, spelled alike for all its members; empty if there is none."""
    left: bool = False
    """Whether the player has left after the draw of a round with them."""
    cut: bool = False
    """Whether the player left because of a cut."""


@dataclass(frozen=True, slots=True)
class Report:
    """A result that a player entered, which counts only once it is confirmed."""

    player: int
    """Who entered it."""
    points: tuple[int, ...]
    """The totals in the order of the seats."""
    t: float
    disputed_by: int | None = None
    """The player who says that it is wrong; None if nobody does."""
    otherwise: tuple[int, ...] | None = None
    """The totals that this player entered instead."""
    confirmed_by: int | None = None
    """The player who confirmed it; None if nobody has, or the director did."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round: its players in the order of their seats, and the totals of its match.

    The first player starts. `points`, the totals, is None until the table has a result.
    """

    players: tuple[int, ...]
    points: tuple[int, ...] | None = None
    report: Report | None = None
    """The result that a player has entered; it is kept once it is confirmed."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was drawn."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    begun: bool = False
    traces_before: int = field(default=0, compare=False)
    """How many traces there were when it was drawn."""

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


@dataclass(frozen=True, slots=True)
class FinalWithdrawal:
    """The beginning of the final was undone."""

    round: int
    """The number of rounds that had been played in groups."""
    players: tuple[int, ...]
    """Who would have played it, the best first."""
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A reported result about which somebody decided: the director discarded it, or the table got another result.

    Or the result stayed, and what does not count is the version of whoever disputed it.
    """

    round: int
    table: int
    player: int
    """Who had entered it."""
    points: tuple[int, ...]
    after: tuple[int, ...] | None
    """The result that the table got instead; None if the report was discarded."""
    t: float
    who: str = ""
    why: str = ""
    players: tuple[int, ...] = ()
    """Who sat at the table, in the order of their seats; others may have been drawn there since."""
    disputed_by: int | None = None
    """Who had entered another version; None if nobody had."""
    otherwise: tuple[int, ...] | None = None
    """That other version."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A warning, or points that the director gave or took; it stays on the list after it was withdrawn."""

    number: int
    round: int
    """The round that had been drawn last; 0 before the first."""
    player: int
    points: int
    """The points added in the standings; 0 for a warning."""
    t: float
    who: str = ""
    why: str = ""
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class RulingWithdrawal:
    """A ruling that was withdrawn."""

    ruling: Ruling
    t: float
    who: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reopening:
    """The end of the tournament was undone after this round."""

    round: int
    t: float
    who: str = ""
    why: str = ""


Trace = Correction | Swap | Withdrawal | FinalWithdrawal | Rejection | Ruling | RulingWithdrawal | Reopening


@dataclass(frozen=True, slots=True)
class Final:
    """The final that follows the groups."""

    players: tuple[int, ...]
    """Who reached it, the best first."""
    after: int
    """The number of rounds that were played in groups."""
    rulings: int
    """The number of rulings that had been made until then."""
    others: tuple[int, ...] = ()
    """Who was present and did not reach it."""
    rounds: int = 0
    """The number of rounds that had been agreed on until then."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament after the events so far."""

    name: str
    rules: Rules
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    plan: tuple[Draw, ...] = ()
    """The planned seats of the remaining rounds; empty if there is no valid plan."""
    former: tuple[Draw, ...] = ()
    """The plan that was valid before somebody came or left since the last draw; a new plan begins with it."""
    traces: tuple[Trace, ...] = ()
    ended: bool = False
    rulings: tuple[Ruling, ...] = ()
    """All warnings and adjustments of points, in the order of their numbers."""
    groups: tuple[tuple[int, ...], ...] = ()
    """The players of each group, with those who have left; empty if no groups were formed."""
    final: Final | None = None
    """The final after the groups; None until it begins."""
    left_why: tuple[tuple[int, str], ...] = ()
    """By player who has left, the reason if the director gave one. Only directors see it, so it is in no file."""

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

    @property
    def in_groups(self) -> bool:
        """Whether the next round is one in groups."""
        return self.drawing_of(len(self.rounds) + 1) is Drawing.GROUPS

    def drawing_of(self, number: int) -> Drawing:
        """Return how the round `number` is drawn, or was."""
        if self.rules.groups is None or self.final is None or number <= self.final.after:
            return self.rules.drawing
        return self.rules.groups.final

    @property
    def counted_from(self) -> int:
        """How many of the first rounds do not count, because the final began from zero."""
        carried = self.final is None or self.rules.groups is None or self.rules.groups.carried
        return 0 if carried or self.final is None else self.final.after

    @property
    def finalists(self) -> frozenset[int]:
        """Everybody in the final: who reached it, and who came later and was seated."""
        if self.final is None:
            return frozenset()
        return frozenset(self.final.players).union(*(one.players for one in self.rounds[self.final.after :]))

    def group_of(self, player: int) -> int | None:
        """Return the index of a player's group; None if there is none."""
        return next((at for at, group in enumerate(self.groups) if player in group), None)

    def before_round(self, number: int) -> Tournament:
        """Return the tournament as it was before a round was drawn, with the corrections of results made since.

        Points that the director gave or took after the draw have not decided who sits where. Before the final, that
        has not begun.
        """
        begun = self.final is not None and number > self.final.after
        was_drawn = number <= len(self.rounds)
        traces = self.traces[: self.rounds[number - 1].traces_before] if was_drawn else self.traces
        known = {one.number for one in traces if isinstance(one, Ruling)}
        rulings = tuple(ruling for ruling in self.rulings if ruling.number in known)
        rounds, final = self.rounds[: number - 1], self.final if begun else None
        return replace(self, rounds=rounds, rulings=rulings, final=final, traces=traces)

    def traces_since(self, number: int) -> tuple[Trace, ...]:
        """Return what was changed since a round was drawn."""
        return self.traces[self.rounds[number - 1].traces_before :]

    def with_reason_for_leaving(self, number: int, why: str) -> Tournament:
        """Return the tournament with the reason why a player has left; without one if it is empty."""
        others = tuple(one for one in self.left_why if one[0] != number)
        return replace(self, left_why=(*others, (number, why)) if why else others)

    def without_plan(self) -> Tournament:
        """Return the tournament without its plan, which is kept as the former one."""
        return replace(self, plan=(), former=self.plan or self.former)

    def with_round(self, number: int, round_: Round) -> Tournament:
        """Return the tournament with one round replaced."""
        return replace(self, rounds=(*self.rounds[: number - 1], round_, *self.rounds[number:]))

    def with_player(self, player: Player) -> Tournament:
        """Return the tournament with the entry of one player replaced."""
        at = player.number
        return replace(self, players=(*self.players[: at - 1], player, *self.players[at:]))
