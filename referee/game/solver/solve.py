"""The solver: whether tiles can all lie in sets, and how many tiles of a hand can be played.

Jokers are free here: they may stand for anything and move anywhere. Whether a joker of the table may move is decided
by the judge. With `wraps`, runs go on from 13 to 1; with `joker_sets` off, jokers alone are not a set. Results are
deterministic.

The search begins with a quick look: ways with less loss (worth of the tiles left out) come first, and among those it
is depth-first, with few jokers first. If everything can be placed, it usually goes straight through the columns. If it
does not end soon, or if runs must cross from the last column to the first, `batch` takes over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from referee.game.solver.assembly import Sets, add_jokers, build
from referee.game.solver.batch import BatchSearch
from referee.game.solver.board import Board, Worth
from referee.game.solver.bounds import NEVER
from referee.game.solver.columns import NO_RUNS
from referee.game.solver.frontier import beaten, coding_of
from referee.game.solver.stages import Found, stage_of
from referee.game.table import Table, in_order
from referee.game.tiles import HIGHEST, JOKER, Tile

LOOK = 250
"""How many states the quick look follows before it gives up. Chosen by hand: only the time depends on it."""
Node = tuple[int, int, int, "Node | None", tuple[int, ...]]
"""A way up to some column: the state there, jokers used, the loss, the way to the column before, the last choice."""
Entry = tuple[int, Node, int, int]
"""A step to follow: its column, the way to it, how many tiles it leaves out, and its rank by jokers used."""


class _QuickLook:
    """A search without runs that cross from the last column to the first; it gives up after `LOOK` states.

    A state is not followed if it is dominated by one that was reached with no more loss.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.coding = coding_of(len(board.faces), board.copies, board.jokers)
        columns = board.columns(self.coding, open_ended=False)
        self.stages = [stage_of(self.coding, tuple(column)) for column in columns]
        self.fronts: list[list[int]] = [[] for _ in columns]
        self.waiting: dict[int, list[Entry]] = {0: [(0, (0, 0, 0, None, ()), 0, 0)]}
        self.left = LOOK

    def run(self, most: int) -> Node | None:
        """Return the best way with a loss of at most `most`; None if there is none or it was not found in time."""
        while self.waiting and self.left and min(self.waiting) <= most:
            end = self.exhaust(min(self.waiting))
            if end is not None:
                return end
        return None

    def exhaust(self, loss: int) -> Node | None:
        """Follow every way with this loss; return the first that reaches the end, or None."""
        waiting, stages, jokers_at_hand = self.waiting, self.stages, self.board.jokers
        fronts, cheapest, coding = self.fronts, self.board.cheapest, self.coding
        bits, open_runs, more, guards = coding.bits, coding.open, coding.more, coding.guards
        stack = waiting[loss]
        while stack:
            column, node, leaves, rank = stack.pop()
            if column == HIGHEST:
                return node
            state, jokers, lost, _, _ = node
            stage = stages[column]
            if not leaves and not rank:
                front, code = fronts[column], state ^ more | jokers << bits
                if front and beaten(code, front, guards):
                    continue
                front.append(code)
                if not self.left:
                    return None
                self.left -= 1
            choices = stage.known.get(state) or stage.choices(state)
            # Other ways through this column wait: those with more jokers on the stack, those with more loss longer.
            if not rank and leaves < choices.most:
                dearer = lost + (leaves + 1) * cheapest[column]
                waiting.setdefault(dearer, []).append((column, node, leaves + 1, 0))
            levels = choices[leaves]
            if rank == len(levels) or levels[rank][0] > jokers_at_hand - jokers:
                continue
            uses, every = levels[rank]
            if rank + 1 < len(levels):
                stack.append((column, node, leaves, rank + 1))
            for added, chosen in every:
                reached = lost + (added >> bits)
                after = added & open_runs, jokers + uses, reached, node, chosen
                if reached == loss:
                    stack.append((column + 1, after, 0, 0))
                else:
                    waiting.setdefault(reached, []).append((column + 1, after, 0, 0))
        del waiting[loss]
        return None

    def path_to(self, end: Node) -> Found:
        """Return the steps of the way to this end."""
        path = []
        _, jokers, _, before, chosen = end
        while before is not None:
            state, fewer, _, earlier, led = before
            path.append((state, jokers - fewer, chosen))
            jokers, before, chosen = fewer, earlier, led
        path.reverse()
        return Found(self.stages, path, [NO_RUNS] * self.coding.colours)


def search(board: Board) -> Found | None:
    """Return the best way to place the tiles; None if not all that must be placed can be."""
    look = _QuickLook(board)
    end = look.run(0 if board.wraps else NEVER)
    if end is None and (board.wraps or look.waiting):
        batch = BatchSearch(board)
        if board.wraps:
            # No choice of crossing runs has less loss than this bound, so a way without crossings that meets it is
            # best.
            end = look.run(batch.bounds[0].least(board.jokers))
        best = batch.run() if end is None else None
        if best is not None:
            end = look.run(best[0].lost) if board.wraps else None
            if end is None:
                return batch.path_to(*best)
    return None if end is None else look.path_to(end)


class Play(NamedTuple):
    """The tiles to play from the hand, and the sets that are then on the table."""

    tiles: tuple[Tile, ...]
    sets: Table


def one_each(_: Tile) -> int:
    """Return the worth of a tile if the number of tiles played counts."""
    return 1


def face_value(tile: Tile) -> int:
    """Return the worth of a tile if points count."""
    return tile.number


def partition(tiles: Iterable[Tile], *, wraps: bool = False, joker_sets: bool = True) -> Table | None:
    """Return valid sets made of exactly these tiles; None if there are none."""
    play = best_play(tiles, (), wraps=wraps, joker_sets=joker_sets)
    return None if play is None else play.sets


def most_points(tiles: Iterable[Tile], *, wraps: bool = False) -> int:
    """Return the most points that sets made of some of these tiles can have; jokers are worth nothing."""
    return sum(tile.number for tile in best_sets(tiles, face_value, wraps=wraps).tiles)


def best_sets(tiles: Iterable[Tile], worth: Worth = one_each, *, wraps: bool = False, joker_sets: bool = True) -> Play:
    """Return the best sets made of some of these tiles, without a table."""
    return best_play((), tiles, worth, wraps=wraps, joker_sets=joker_sets) or Play((), ())


def best_play(
    table_tiles: Iterable[Tile],
    hand: Iterable[Tile],
    worth: Worth = one_each,
    *,
    wraps: bool = False,
    joker_sets: bool = True,
) -> Play | None:
    """Return the most that `hand` can play if every tile of the table stays on it, in any sets.

    `worth` returns what a numbered tile adds, a positive number; jokers are added last, as many as fit. None if the
    tiles of the table cannot all be in sets, even with tiles of the hand.
    """
    table, must_jokers = _without_jokers(table_tiles)
    rack, may_jokers = _without_jokers(hand)
    jokers = must_jokers + may_jokers
    board = Board.from_tiles(table, rack, worth, jokers, wraps)
    found = None if board is None else search(board)
    if board is None or found is None:
        return None
    sets, played = build(board, found)
    left = add_jokers(sets, jokers - found.jokers, wraps=wraps, joker_sets=joker_sets)
    if left > may_jokers:
        # A joker does not fit (see `add_jokers()`) but must be placed: it takes the place of a tile of the hand.
        if not played:
            return None
        _replace(min(played, key=worth), sets, played)
        left -= 1
    played += [JOKER] * (may_jokers - left)
    return Play(in_order(played), tuple(map(tuple, sets)))


def _without_jokers(tiles: Iterable[Tile]) -> tuple[list[Tile], int]:
    every = list(tiles)
    plain = [tile for tile in every if tile is not JOKER]
    return plain, len(every) - len(plain)


def _replace(tile: Tile, sets: Sets, played: list[Tile]) -> None:
    """Put a joker in the place of a tile that was to be played."""
    played.remove(tile)
    tiles = next(tiles for tiles in sets if tile in tiles)
    tiles[tiles.index(tile)] = JOKER
