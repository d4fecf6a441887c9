"""What can be laid, for people: a question about a table and a hand, and its answer step by step.

The best turn comes from `game/judge/best_turn.py`. Here it gets its sentences, and for each step what a picture or a
drawn table shows: which tiles move, which stay, and how all tiles lie afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.game.judge.best_turn import BestTurn, best_turn
from referee.game.judge.faults import not_sets, too_many_of
from referee.game.moves import Member, Step, members_moved, members_staying
from referee.game.notice import Notice
from referee.game.rulebooks import Ruleset
from referee.game.sets import split_long
from referee.game.table import Change, Set, Table, tiles_on
from referee.game.tiles import Tile

NOT_BY_TURNS = Notice("coach.not_by_turns")
"""Why nothing can be told by rules such as those of Gin."""
NO_HAND = Notice("coach.no_hand")


@dataclass(frozen=True, slots=True)
class Question:
    """What can be laid from this hand on this table? `opened`: whether the first meld was laid in an earlier turn."""

    table: Table
    hand: Set
    rules: Ruleset
    opened: bool = True
    points: bool = False
    """Whether most points are wanted, not most tiles."""


@dataclass(frozen=True, slots=True)
class Lain:
    """Tiles that lie together after a step.

    `touched`: this step has changed the set. Then `new` has the indices of the tiles that were put there.
    """

    tiles: Set
    touched: bool = False
    new: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldStep:
    """One step: its sentence, where its tiles come from, and what is shown.

    `comes` are the tiles of the table before the turn that move in this step, and `stays` those that they are put to.
    `gone` are the tiles of that table that have moved in earlier steps. `after` is the table after this step.
    """

    told: Notice
    sources: tuple[Notice, ...]
    hand: Set
    comes: tuple[Member, ...]
    stays: tuple[Member, ...]
    gone: tuple[Member, ...]
    after: tuple[Lain, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer: the tiles to lay, in one sentence, and how to do that; no steps if nothing can be laid."""

    laid: Set
    told: tuple[Notice, ...]
    steps: tuple[ToldStep, ...]


def objection(question: Question) -> Notice | None:
    """Return why a question cannot be answered; None if it can."""
    rules = question.rules
    if rules.melds is None:
        return NOT_BY_TURNS
    if not question.hand:
        return NO_HAND
    everything = tiles_on((*question.table, question.hand))
    for tile, number in everything.items():
        most = rules.box.jokers if tile.is_joker else rules.box.copies
        if number > most:
            return too_many_of(tile, number, most, ()).notice
    reasons = tuple(fault.notice for fault in not_sets(Change.between((), whole_sets(question)), rules))
    return Notice("coach.table_not_legal", reasons=reasons) if reasons else None


def whole_sets(question: Question) -> Table:
    """Return the table's sets as they are judged: a run that goes round and is too long is two runs."""
    return split_long(question.table, question.rules.wraps)


def advise(question: Question) -> Advice:
    """Return what can be laid; raises BadInput for a question to which there is an objection."""
    turn = best_turn(question.table, question.hand, question.rules, opened=question.opened, points=question.points)
    return Advice(turn.laid, tuple(_sentences(turn, question)), told_steps(question.table, turn.steps))


def _sentences(turn: BestTurn, question: Question) -> Iterator[Notice]:
    laid, held = len(turn.laid), len(question.hand)
    if not laid and not question.opened:
        yield Notice("coach.no_first_meld", minimum=question.rules.opening.minimum)
    elif not laid:
        yield Notice("coach.nothing")
    elif laid == held and not question.rules.finish.last_tile:
        yield Notice("coach.lay_all", laid=laid, points=turn.points)
    else:
        yield Notice("coach.lay", laid=laid, held=held, points=turn.points)
    if laid == held and question.rules.finish.last_tile:  # it is not known here which tile that is
        yield Notice("coach.last_tile")
    if not turn.proven:
        yield Notice("coach.perhaps_points" if question.points else "coach.perhaps_tiles", most=turn.most)


def told_steps(before: Table, steps: Sequence[Step]) -> tuple[ToldStep, ...]:
    """Return the steps from a table with their sentences, and with what lies where after each."""
    moved = members_moved(before, steps)
    found, gone = list[ToldStep](), list[Member]()
    for number, step in enumerate(steps):
        comes = tuple(member for member in moved[number] if member is not None)
        stays = () if step.place is None else members_staying(before, moved, step.place)
        hand = tuple(move.tile for move in step.moves if move.source is None)
        later = [member for members in moved[number + 1 :] for member in members if member is not None]
        after = _after(before, steps[: number + 1], {*gone, *comes}, later)
        found.append(
            ToldStep(_told(step, before), tuple(_sources(step, before)), hand, comes, stays, tuple(gone), after)
        )
        gone += comes
    return tuple(found)


def _told(step: Step, before: Table) -> Notice:
    if step.place is None:
        return Notice("coach.step_new", result=step.result)
    old = before[step.place]
    if not step.moves:
        return Notice("coach.step_lies", old=old, result=step.result)
    if Counter(old) <= Counter(step.result):
        return Notice("coach.step_add", old=old, result=step.result)
    return Notice("coach.step_change", old=old, result=step.result)


def _sources(step: Step, before: Table) -> Iterator[Notice]:
    """Yield where the tiles of a step come from: the hand first, then each set of the table."""
    taken: dict[int | None, list[Tile]] = {}
    for move in step.moves:
        taken.setdefault(move.source, []).append(move.tile)
    for source, tiles in sorted(taken.items(), key=lambda part: part[0] is not None):
        if source is None:
            yield Notice("coach.from_hand", tiles=tuple(tiles))
        else:
            yield Notice("coach.from_set", tiles=tuple(tiles), old=before[source])


def _after(before: Table, done: Sequence[Step], gone: set[Member], later: Sequence[Member]) -> tuple[Lain, ...]:
    """Return the table after these steps: sets that are finished, what is left of the others, and new sets.

    `gone` are the tiles of the table before that have moved by then, and `later` those that move in a later step:
    where their set is finished, they lie beside it until then.
    """
    made = {step.place: step for step in done if step.place is not None}
    lain = []
    for place, tiles in enumerate(before):
        step = made.get(place)
        there = [index for index in range(len(tiles)) if (place, index) not in gone]
        if step is not None:
            lain.append(_lain(step, done))
            there = [index for index in there if (place, index) in later]
        if there:
            lain.append(Lain(tuple(tiles[index] for index in there)))
    return (*lain, *(_lain(step, done) for step in done if step.place is None))


def _lain(step: Step, done: Sequence[Step]) -> Lain:
    """Return the set that a step has made; only that of the last one is touched."""
    if step is not done[-1]:
        return Lain(step.result)
    waiting, new = Counter(move.tile for move in step.moves), []
    for index in reversed(range(len(step.result))):  # of equal tiles, one at the end counts as new
        if waiting[step.result[index]]:
            waiting[step.result[index]] -= 1
            new.append(index)
    return Lain(step.result, touched=True, new=tuple(sorted(new)))
