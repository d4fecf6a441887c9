"""What is known of players from all evenings of a journal. None of it is stored, so corrections count at once."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.errors import BadInput
from referee.game.match.events import Event, Paused, Pressed, Resumed, Show, Withdrawn
from referee.game.match.machine import apply
from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.rating import Rating, rate_match
from referee.journal.codec import from_text
from referee.journal.reading import rows_of
from referee.journal.replay import intact_events
from referee.journal.rows import Row, Setup
from referee.journal.scores import MatchScore

AT_ONCE = 10
"""How many matches are gone through in one call at most; a match takes a Pi about a second."""
STREAK, LONG_SET, QUICK_TURNS = 3, 8, 20
"""From how many wins in a row, tiles in a set and turns on a player gets the badge for it."""


@dataclass(slots=True)
class TurnTotals:
    """What a player did in the turns of one match or of several."""

    turns: int = 0
    seconds: float = 0.0
    melds: int = 0
    """In how many rounds the player laid a first meld."""
    meld_turns: int = 0
    """The sum of the numbers of those turns, each counted from 1 in its round."""
    longest: int = 0
    """The most tiles of a set that the player laid or added to."""
    tiles: int = 0

    def add(self, other: TurnTotals) -> None:
        """Add the totals of another match."""
        self.turns += other.turns
        self.seconds += other.seconds
        self.melds += other.melds
        self.meld_turns += other.meld_turns
        self.longest = max(self.longest, other.longest)
        self.tiles += other.tiles


@dataclass(slots=True)
class PlayerStatistics:
    """What is known of a player. `met` counts the matches with each other player, `ahead` those that ended ahead."""

    player: str
    rating: Rating = field(default_factory=Rating)
    matches: int = 0
    matches_won: int = 0
    rounds: int = 0
    rounds_won: int = 0
    points: Counter[str] = field(default_factory=Counter)
    """The sum of the points by rule book; those of different books cannot be added up."""
    in_one_turn: int = 0
    streak: int = 0
    longest_streak: int = 0
    ahead: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    turns: TurnTotals = field(default_factory=TurnTotals)

    @property
    def seconds_a_turn(self) -> float | None:
        """The mean time of a turn in seconds; None before the first."""
        return self.turns.seconds / self.turns.turns if self.turns.turns else None

    @property
    def first_meld(self) -> float | None:
        """The mean number of the turn of the first meld; None before the first."""
        return self.turns.meld_turns / self.turns.melds if self.turns.melds else None


def player_statistics(
    scores: Iterable[MatchScore], turns: Iterable[dict[str, TurnTotals]] = ()
) -> list[PlayerStatistics]:
    """Return what is known of every player, the best rating first.

    Only matches that are over count, in the order in which they were played. `turns` are the totals of those matches
    that have been gone through.
    """
    found: dict[str, PlayerStatistics] = {}
    for score in scores:
        if score.over and not score.damaged and len(set(score.sheet.players)) == len(score.sheet.players):
            _add_match([found.setdefault(name, PlayerStatistics(name)) for name in score.sheet.players], score)
    for match in turns:
        for name, totals in match.items():
            if name in found:
                found[name].turns.add(totals)
    return sorted(found.values(), key=lambda one: (-one.rating.shown, one.player))


def _add_match(players: Sequence[PlayerStatistics], score: MatchScore) -> None:
    try:
        better = 1 if score.setup.ruleset().scoring.highest_wins else -1
    except BadInput:  # rules of another version
        better = 1
    points = [better * total for total in score.sheet.totals]
    winners = score.winning_seats
    rated = rate_match([one.rating for one in players], points)
    for seat, one in enumerate(players):
        one.rating = rated[seat]
        one.points[score.setup.rules] += score.sheet.totals[seat]
        one.matches += 1
        one.matches_won += seat in winners
        one.streak = one.streak + 1 if seat in winners else 0
        one.longest_streak = max(one.longest_streak, one.streak)
        one.rounds += len(score.sheet.rounds)
        for line in score.sheet.rounds:
            one.rounds_won += line.winner == seat
            one.in_one_turn += line.winner == seat and line.in_one_turn
        for other, there in enumerate(players):
            if other != seat:
                one.met[there.player] += 1
                one.ahead[there.player] += points[seat] > points[other]


class TurnCounter:
    """Goes through the events of a match, and adds up what each seat did in its turns."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.totals: defaultdict[int, TurnTotals] = defaultdict(TurnTotals)
        self._numbers: Counter[int] = Counter()
        self._since, self._pressed, self._paused = 0.0, 0.0, 0.0
        self._stands: float | None = None
        self._begun = TurnTotals()
        """The totals of the player whose turn it is, as they were when it began."""
        self._last: tuple[int, TurnTotals, float, float] | None = None
        """The last turn that ended: its seat, the totals before it, when it began, and how long it was paused."""

    def take(self, event: Event) -> None:
        """Apply an event; raises BadInput if it cannot be applied."""
        before = self.state
        after, effects = apply(before, event)
        self.state = after
        if isinstance(event, Withdrawn) and after.current != before.current:
            self._take_back(event)
            return
        self._follow_clock(event, before)
        for effect in effects:
            if isinstance(effect, Show) and effect.verdict.accepted and effect.verdict.laid:
                self._lay(before, after, effect)
        if before.phase.in_round and (after.current != before.current or not after.phase.in_round):
            self._end_turn(before, event)
        if after.phase is Phase.TURN and (before.phase is not Phase.TURN or after.current != before.current):
            if len(after.sheet.rounds) != len(before.sheet.rounds) or not before.phase.in_round:
                self._numbers.clear()
            if after.current != before.current or not before.phase.in_round:
                self._since, self._paused = event.t, 0.0
                self._begun = replace(self.totals[after.current])

    def _follow_clock(self, event: Event, before: State) -> None:
        match event:
            case Paused():
                self._stands = event.t
            case Resumed() if self._stands is not None:
                self._paused += event.t - self._stands
                self._stands = None
            case Pressed() if before.phase is Phase.TURN:
                self._pressed = event.t
            case _:
                pass

    def _lay(self, before: State, after: State, effect: Show) -> None:
        totals, laid = self.totals[before.current], effect.verdict.laid
        totals.tiles += len(laid)
        # Every tile exists twice, so only sets that were not there before can be the player's.
        new = Counter(after.table) - Counter(before.table)
        totals.longest = max([totals.longest, *(len(tiles) for tiles in new if set(tiles) & set(laid))])
        seat = before.current
        if not before.seats[seat].opened and seat < len(after.seats) and after.seats[seat].opened:
            totals.melds += 1
            totals.meld_turns += self._numbers[seat] + 1

    def _end_turn(self, before: State, event: Event) -> None:
        if before.phase in (Phase.SHOWING, Phase.COUNTING):
            return
        took = max(0.0, (self._pressed if self._pressed > self._since else event.t) - self._since - self._paused)
        self.totals[before.current].turns += 1
        self.totals[before.current].seconds += took
        self._numbers[before.current] += 1
        self._last = before.current, self._begun, self._since, self._paused

    def _take_back(self, event: Withdrawn) -> None:
        """Forget the last turn, which goes on; the time since the press that ended it is not its player's."""
        if self._last is None:
            return
        seat, totals, since, paused = self._last
        self.totals[seat] = replace(totals)
        self._begun, self._since = totals, since
        self._paused = paused + max(0.0, event.t - self._pressed)
        self._numbers[seat] -= 1
        self._last = None


def turn_totals(rows: Sequence[Row]) -> dict[str, TurnTotals]:
    """Return what each player did in the turns of a match, from its rows as far as they can be read."""
    try:
        counter = TurnCounter(from_text(rows[0].body, Setup).state())
    except BadInput:
        return {}
    try:
        for _, event in intact_events(rows):
            counter.take(event)
    except BadInput:  # of another version: what was read before it counts
        pass
    return {seat.name: counter.totals[number] for number, seat in enumerate(counter.state.seats)}


class Badge(enum.StrEnum):
    """What a player has earned for good, or is until somebody else is; the values are those of the exported files."""

    STREAK = "streak"
    """Several matches won in a row."""
    LONG_SET = "long-set"
    """Laid, or added to, a long set."""
    IN_ONE_TURN = "in-one-turn"
    """Went out in a single turn."""
    QUICK = "quickest"
    """The least mean time of a turn."""


def badges_of(player: PlayerStatistics, everybody: Sequence[PlayerStatistics]) -> tuple[Badge, ...]:
    """Return the badges of one of these players."""
    found = []
    if player.longest_streak >= STREAK:
        found.append(Badge.STREAK)
    if player.turns.longest >= LONG_SET:
        found.append(Badge.LONG_SET)
    if player.in_one_turn:
        found.append(Badge.IN_ONE_TURN)
    times = [
        one.seconds_a_turn for one in everybody if one.turns.turns >= QUICK_TURNS and one.seconds_a_turn is not None
    ]
    if len(times) > 1 and player.turns.turns >= QUICK_TURNS and player.seconds_a_turn == min(times):
        found.append(Badge.QUICK)
    return tuple(found)


class Statistics:
    """The statistics of one journal. Matches are gone through a few at a time, the newest first, and remembered."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[int, dict[str, TurnTotals]] = {}

    def read(self, scores: Sequence[MatchScore]) -> tuple[list[PlayerStatistics], int]:
        """Return what is known of every player, and how many matches have not been gone through yet.

        Raises JournalError if the journal cannot be read.
        """
        over = [score.match for score in scores if score.over and not score.damaged]
        missing = [match for match in reversed(over) if match not in self._known]
        for match in missing[:AT_ONCE]:
            self._known[match] = turn_totals(rows_of(self._path, match)[0])
        turns = [self._known[match] for match in over if match in self._known]
        return player_statistics(scores, turns), max(0, len(missing) - AT_ONCE)
