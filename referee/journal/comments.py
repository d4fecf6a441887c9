"""One line for each player about a round that is over. Each is proven by what the journal has; nothing is guessed.

What is said of a hand follows from the exact solver and the judge: a turn that lays these tiles on the last confirmed
table exists, or it is proven that none lays more. Nothing is said of a hand that the camera did not read, that players
had to help with, or that was corrected later.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from referee.errors import BadInput
from referee.game.judge.best_turn import best_turn
from referee.game.judge.faults import not_sets
from referee.game.match.round_end import points_against
from referee.game.notice import Notice
from referee.game.rulebooks.model import Ruleset
from referee.game.scoring import RoundScore
from referee.game.sets import split_long
from referee.game.table import Change, Table
from referee.journal.codec import from_text
from referee.journal.replay import intact_events
from referee.journal.rounds import RoundFollower, RoundPlayed, TurnPlayed
from referee.journal.rows import Row, Setup

QUESTIONS = 300
"""How many questions the solver is asked about one hand at most, which bounds the time. Chosen by measuring: for 152
of 154 hands of virtual players the best turn was proven, and a round took about a second at most (`python -m
benchmarks.comments`)."""
FEW_APART, FEW_TILES = 3, 4
"""From how many sets taken apart, and tiles laid, in one turn on it is worth a line. Chosen by hand."""

Number = Callable[[TurnPlayed], int]


def comments_of(played: RoundPlayed, line: RoundScore, rules: Ruleset) -> tuple[Notice, ...]:
    """Return one notice for each player in the order of the seats; none by rules without sets on the table.

    `line` is the round on the score sheet, with all corrections.
    """
    if rules.melds is None or not played.turns:
        return ()
    return tuple(
        next(_lines_of(seat, played, line, rules), _tiles_laid(seat, played)) for seat in range(len(played.seats))
    )


def _lines_of(seat: int, played: RoundPlayed, line: RoundScore, rules: Ruleset) -> Iterator[Notice]:
    """Yield what can be said of a player, the most remarkable first."""
    name, own = played.seats[seat].name, [turn for turn in played.turns if turn.player == seat]
    if line.winner == seat and line.in_one_turn and own and own[-1].laid:
        yield Notice("comments.in_one_turn", player=name, tiles=own[-1].laid)
    hand = _about_hand(seat, played, line, rules)
    if hand is not None:
        yield hand
    apart = max((turn.taken_apart for turn in own if turn.laid), default=0)
    if apart >= FEW_APART:
        yield Notice("comments.apart", player=name, sets=apart)
    most = _most(played, lambda turn: turn.laid)
    if most is not None and most.player == seat and most.laid >= FEW_TILES:
        yield Notice("comments.most_tiles", player=name, tiles=most.laid)
    if (turn := _first_meld(seat, played, rules)) is not None:
        yield Notice("comments.opened_first", player=name, turn=turn)
    longest = _most(played, lambda turn: round(turn.seconds))
    if longest is not None and longest.player == seat:
        yield Notice("comments.longest_turn", player=name, seconds=round(longest.seconds))


def _about_hand(seat: int, played: RoundPlayed, line: RoundScore, rules: Ruleset) -> Notice | None:
    """Return how many tiles of a hand could have been laid on the last table; None if that is not proven."""
    there, hand = played.seats[seat], played.seats[seat].shown or ()
    if not may_judge_hand(seat, played, line, rules):
        return None
    turn = best_turn(played.table, hand, rules, opened=there.opened, questions=QUESTIONS)
    if len(turn.laid) == len(hand):
        return Notice("comments.hand_all", player=there.name, tiles=len(hand))
    if turn.laid:
        return Notice("comments.hand_some", player=there.name, tiles=len(hand), laid=len(turn.laid))
    return Notice("comments.hand_none", player=there.name, tiles=len(hand)) if turn.proven else None


def may_judge_hand(seat: int, played: RoundPlayed, line: RoundScore, rules: Ruleset) -> bool:
    """Return whether a hand and the table are known for certain: read, not corrected, and legal without agreements."""
    hand = played.seats[seat].shown or ()
    certain = bool(hand) and seat in played.read and points_against(played.seats[seat], rules) == line.hands[seat]
    # In a variant with a tile set aside, going out needs that tile, too.
    return certain and not played.agreed and not rules.finish.last_tile and _is_legal(played.table, rules)


def _is_legal(table: Table, rules: Ruleset) -> bool:
    return not any(not_sets(Change.between((), split_long(table, rules.wraps)), rules))


def _most(played: RoundPlayed, number: Number) -> TurnPlayed | None:
    """Return the turn with the highest number; None if turns of two players share it."""
    best = max(played.turns, key=number)
    players = {turn.player for turn in played.turns if number(turn) == number(best)}
    return best if len(players) == 1 else None


def _first_meld(seat: int, played: RoundPlayed, rules: Ruleset) -> int | None:
    """Return in which turn of its own a player opened, if before all others and the rules ask for a first meld."""
    first = next((place for place, turn in enumerate(played.turns) if turn.opens), None)
    if rules.opening.minimum <= 1 or first is None or played.turns[first].player != seat:
        return None
    return sum(turn.player == seat for turn in played.turns[: first + 1])


def _tiles_laid(seat: int, played: RoundPlayed) -> Notice:
    laid = sum(turn.laid for turn in played.turns if turn.player == seat)
    name = played.seats[seat].name
    return Notice("comments.laid", player=name, tiles=laid) if laid else Notice("comments.laid_nothing", player=name)


def comments_from(rows: Sequence[Row], only: int | None = None) -> dict[int, tuple[Notice, ...]]:
    """Return the comments of a match from its rows, by round, as far as they can be read.

    `only`: the number of the one round that is wanted; None: all rounds.
    """
    try:
        follower = RoundFollower(from_text(rows[0].body, Setup).state())
    except BadInput:  # rules of another version
        return {}
    try:
        for _, event in intact_events(rows):
            follower.take(event)
    except BadInput:  # of another version: what was read before it counts
        pass
    lines, rules = follower.state.sheet.rounds, follower.state.rules
    return {
        played.number: comments_of(played, lines[played.number - 1], rules)
        for played in follower.rounds
        if only in (None, played.number)
    }


REMEMBERED = 5
"""Of how many matches the comments are remembered."""


class Comments:
    """The comments on the matches that were requested last, each computed once. To be used in several threads."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], dict[int, tuple[Notice, ...]]] = OrderedDict()

    def read(self, rows: Sequence[Row], only: int | None = None) -> dict[int, tuple[Notice, ...]]:
        """Return what `comments_from` returns; none for a match without rows."""
        if not rows:
            return {}
        version = rows[0].match, len(rows), rows[-1].sum, only
        found = self._known.get(version)
        if found is None:
            found = self._known[version] = comments_from(rows, only)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return found
