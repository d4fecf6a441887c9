"""A search that follows many ways at once, for boards on which the quick look (see `solve`) does not succeed.

If runs may go on from 13 to 1, some may cross from the last column to the first. Which ones is chosen at the start,
and at the end exactly these must be open. In between, only the open runs matter, not the choice that led to them. So
ways with different choices are followed together: each state has one integer with a bit for every pair of a choice and
a number of jokers used with which the state can be reached; a step that uses jokers shifts this integer.

The search is best-first, like A*: the loss of a way (the worth of the tiles left out so far) plus a lower bound for
the rest (`bounds`) decides. Of states with the same sum those in the furthest column come first, which finds an answer
soon if there is one.
"""

from __future__ import annotations

from referee.game.sets import SMALLEST
from referee.game.solver.board import Board
from referee.game.solver.bounds import NEVER, Bounds, bounds_of
from referee.game.solver.columns import NO_RUNS, as_good
from referee.game.solver.frontier import Front, coding_of
from referee.game.solver.stages import Found, stage_of
from referee.game.tiles import HIGHEST

AT_ONCE = 60
"""How many states of one column are followed before those that they lead to.

Chosen by hand; it changes only the order of the search, never its result.
"""


class _Node:
    """A state in a column with its loss so far, and the steps by which it can be reached."""

    __slots__ = ("before", "bits", "column", "lost", "state", "taken")

    def __init__(self, column: int, state: int, lost: int) -> None:
        self.column, self.state, self.lost = column, state, lost
        self.bits = 0
        self.taken = False
        self.before: list[tuple[int, _Node, int, tuple[int, ...]]] = []
        """For each step: the bits reached by it, the node before, the jokers used, and the choice of ways."""


class _Layer:
    """The waiting nodes of one column: `reached` are new; `order` has nodes with their next step, the best last.

    A next step is given by how many tiles are left out, and the rank of the choices (by jokers used).
    """

    __slots__ = ("order", "reached")

    def __init__(self) -> None:
        self.reached: dict[tuple[int, int], _Node] = {}
        self.order: list[tuple[_Node, int, int]] = []


class BatchSearch:
    """Searches all choices of runs that cross from the last column to the first; without `wraps` none cross."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.coding = coding = coding_of(len(board.faces), board.copies, board.jokers)
        columns = board.columns(coding, open_ended=board.wraps)
        self.stages = [stage_of(coding, tuple(column)) for column in columns]
        best = coding.state([(0, 0, board.copies)] * coding.colours)
        self.bounds: list[Bounds] = []
        """For each column, the bounds for what must be left out from there on."""
        later = None
        for stage, cheapest in zip(reversed(self.stages), reversed(board.cheapest), strict=True):
            later = bounds_of(stage, cheapest, later, best)
            self.bounds.insert(0, later)
        starts = board.crossings() if board.wraps else [((NO_RUNS,) * coding.colours, 0)]
        self.starts = [crossing for crossing, _ in starts]
        self.many = len(starts)
        self.full = (1 << self.many * (board.jokers + 1)) - 1
        self.every = self.full // ((1 << self.many) - 1)
        """The bits of the first choice, with every number of jokers."""
        self.reserve = 0
        """The bits with which enough jokers are left for the last columns."""
        for index, (_, needed) in enumerate(starts):
            for used in range(board.jokers + 1 - needed):
                self.reserve |= 1 << used * self.many + index
        self.fronts = [Front(coding) for _ in self.stages]
        self.followed: list[list[_Node]] = [[] for _ in self.stages]
        self.waiting: dict[int, dict[int, _Layer]] = {}
        self.limits: dict[tuple[int, int], tuple[int, int]] = {}
        self.kept_by: list[dict[int, int]] = [{} for _ in board.faces]
        self.ranks: dict[int, int] = {}

    def run(self) -> tuple[_Node, int] | None:
        """Return the last node of the best way and its bit; None if not all tiles that must be placed can be."""
        for index, crossing in enumerate(self.starts):
            self._at(0, 0, self.coding.state(crossing), 0).bits |= self.every << index
        while self.waiting:
            end = self._follow(min(self.waiting))
            if end is not None:
                return end
        return None

    def _at(self, loss: int, column: int, state: int, lost: int) -> _Node:
        """Return the node of a state among those that wait for the total loss `loss`, creating it if necessary."""
        reached = self._layer(loss, column).reached
        node = reached.get((state, lost))
        if node is None:
            node = reached[state, lost] = _Node(column, state, lost)
        return node

    def _layer(self, loss: int, column: int) -> _Layer:
        """Return the layer of a column among those that wait for the total loss `loss`, creating it if necessary."""
        layers = self.waiting.get(loss)
        if layers is None:
            layers = self.waiting[loss] = {}
        layer = layers.get(column)
        if layer is None:
            layer = layers[column] = _Layer()
        return layer

    def _follow(self, loss: int) -> tuple[_Node, int] | None:
        """Follow all ways with this total loss; return a node at the end and the bit of a way to it, or None."""
        layers = self.waiting[loss]
        while layers:
            column = max(layers)
            layer = layers[column]
            if column == HIGHEST:
                ends = [(bits & -bits, node) for node in layer.reached.values() if (bits := self._close_node(node))]
                if ends:
                    bit, node = min(ends, key=lambda end: end[0])
                    return node, bit
                del layers[column]
                continue
            layer.order += [(node, 0, 0) for node in sorted(layer.reached.values(), key=self._worth, reverse=True)]
            layer.reached = {}
            work = layer.order[: -AT_ONCE - 1 : -1]
            del layer.order[-AT_ONCE:]
            if not layer.order:
                del layers[column]
            for node, leaves, rank in work:
                if node.taken or self._admits(node, loss):
                    self._step(node, leaves, rank, loss)
        del self.waiting[loss]
        return None

    def _worth(self, node: _Node) -> tuple[int, int, int]:
        """Sort key of nodes: those with few jokers first, then those with long runs, which dominate others."""
        rank = self.ranks.get(node.state)
        if rank is None:
            rank = self.ranks[node.state] = sum(one - more for one, _, more in self.coding.runs(node.state))
        return self._fewest(node.bits), rank, node.lost

    def _fewest(self, bits: int) -> int:
        """Return the fewest jokers used in any way that these bits stand for."""
        return ((bits & -bits).bit_length() - 1) // self.many

    def _admits(self, node: _Node, loss: int) -> bool:
        """Keep those bits of a node that can reach the end with this loss and are not dominated; return if any are."""
        column = node.column
        bits = node.bits & self.reserve if column < HIGHEST - SMALLEST else node.bits
        within, next_least = self._limit(column, loss - node.lost)
        later = bits & ~within
        if later and next_least < NEVER:
            waits = self._at(node.lost + next_least, column, node.state, node.lost)
            waits.bits |= later
            waits.before += [(step[0] & later, *step[1:]) for step in node.before if step[0] & later]
        bits &= within
        front, followed = self.fronts[column], self.followed[column]
        rivals = front.rivals(node.state) if bits else 0
        while rivals and bits:
            last = rivals.bit_length() - 1
            rivals ^= 1 << last
            if followed[last].lost <= node.lost:
                bits &= ~followed[last].bits
        node.bits = bits
        if bits:
            node.taken = True
            front.take(node.state)
            followed.append(node)
        return bits != 0

    def _limit(self, column: int, spare: int) -> tuple[int, int]:
        """Return a mask of the bits that can reach the end with `spare` more loss, and the least loss of all others.

        The second number is `NEVER` if there are no others.
        """
        known = self.limits.get((column, spare))
        if known is None:
            used, least, jokers = 0, 0, self.board.jokers
            while used <= jokers and (least := self._least_from(column, jokers - used)) <= spare:
                used += 1
            within = (1 << used * self.many) - 1
            known = self.limits[column, spare] = within, least if used <= jokers else NEVER
        return known

    def _step(self, node: _Node, leaves: int, rank: int, loss: int) -> None:
        """Take the steps from a node that leave out this many tiles; steps with a higher total loss wait."""
        column, stage = node.column, self.stages[node.column]
        choices = stage.choices(node.state)
        left = self.board.jokers - self._fewest(node.bits)
        if not rank and leaves < choices.most:
            self._wait(node, leaves + 1, 0, max(loss, self._least(node, leaves + 1, left)))
        for uses, _ in choices[leaves][rank:]:
            bits = node.bits << uses * self.many & self.full
            if not bits:
                break
            least = self._least(node, leaves, left - uses)
            if least > loss:
                self._wait(node, leaves, rank, least)
                break
            for lost, state, chosen in stage.steps(node.state, leaves, rank):
                reached = node.lost + lost
                after = self._at(max(loss, reached), column + 1, state, reached)
                after.bits |= bits
                after.before.append((bits, node, uses, chosen))
            rank += 1

    def _least(self, node: _Node, leaves: int, left: int) -> int:
        """Return the least total loss if this many tiles are left out here and this many jokers remain."""
        here = leaves * self.board.cheapest[node.column]
        return node.lost + here + self._least_from(node.column + 1, left)

    def _least_from(self, column: int, left: int) -> int:
        """Return a lower bound for the loss from a column on, with this many jokers."""
        return self.bounds[column].least(left) if column < HIGHEST else 0

    def _wait(self, node: _Node, leaves: int, rank: int, loss: int) -> None:
        """Let the steps from a node that leave out this many tiles wait for the total loss `loss`."""
        if loss < NEVER:
            self._layer(loss, node.column).order.insert(0, (node, leaves, rank))

    def _close_node(self, node: _Node) -> int:
        """Return the bits of an end node whose open runs are those that were chosen to cross at the start."""
        bits = node.bits
        for index, (runs, known) in enumerate(zip(self.coding.runs(node.state), self.kept_by, strict=True)):
            code = node.state >> self.coding.shifts[index] & self.coding.mask
            if code not in known:
                kept = [as_good(runs, crossing[index]) for crossing in self.starts]
                known[code] = self.every * sum(1 << place for place, keeps in enumerate(kept) if keeps)
            bits &= known[code]
        return bits

    def path_to(self, node: _Node, bit: int) -> Found:
        """Return the way to a node that one bit stands for."""
        path = []
        while node.before:
            _, node, uses, chosen = next(step for step in node.before if step[0] & bit)
            path.append((node.state, uses, chosen))
            bit >>= uses * self.many
        return Found(self.stages, path[::-1], self.starts[(bit.bit_length() - 1) % self.many])
