"""No turn lays more than the best turn, where a small table with jokers allows to try every way."""

import random
from collections import Counter
from dataclasses import replace

import naive_best
import naive_turns as naive
import pytest

from referee.game.judge.best_turn import best_turn
from referee.game.judge.judge import Turn, judge
from referee.game.rulebooks import RULESETS
from referee.game.tiles import JOKER, Tile

BOOKS = [name for name in RULESETS if name != "gin"]
LOW_MINIMUM = 20
"""So that a first meld is often possible with few tiles."""


def small_table(seed, name, size):
    """Two sets with up to two jokers each, and a hand, all of few numbers and colours, so that much can be rebuilt."""
    book, chance = naive.BOOKS[name], random.Random(f"{name} {seed}")  # noqa: S311 - not for cryptography
    lowest = chance.choice([1, 9, 11, chance.randint(1, 10)])
    numbers = [(lowest + step - 1) % 13 + 1 for step in range(5) if book.cyclic or lowest + step <= 13]
    colours = chance.sample(sorted(book.colours), 3)
    pool = Counter({Tile(number, colour): 2 for number in numbers for colour in colours})
    pool[JOKER] = min(3, book.box_jokers)
    table = []
    while len(table) < 2:
        tiles = random_set(chance, pool, book)
        if not Counter(tiles) - pool:
            table.append(tiles)
            pool -= Counter(tiles)
    stock = [tile for tile in naive.sort(pool.elements()) if tile != JOKER or chance.random() < 0.3]
    return tuple(table), tuple(chance.sample(stock, min(size, len(stock))))


def random_set(chance, pool, book):
    """A set, mostly as a row, in which jokers take the places of up to two tiles."""
    every = [pattern for size in (3, 4) for pattern, _ in naive.patterns(size, book.play) if pattern <= set(pool)]
    tiles = sorted(chance.choice(every), key=lambda tile: (tile.number, tile.colour))
    for place in chance.sample(range(len(tiles)), chance.choice([0, 1, 1, 2])):
        tiles[place] = JOKER
    if chance.random() < 0.15:
        chance.shuffle(tiles)
    return tuple(tiles)


def compare(name, seeds, size, *, opened, points=False, options=(), **said):
    """Return how many tiles are laid from hands of this size, and how many turns are proven and how many surpassed."""
    rules = RULESETS[name].choose(**dict(options)).with_value("opening.minimum", LOW_MINIMUM)
    book = replace(naive.BOOKS[name], minimum=LOW_MINIMUM, **said)
    counts = Counter()
    for seed in seeds:
        table, hand = small_table(seed, name, size)
        best = best_turn(table, hand, rules, opened=opened, points=points)
        player = naive.Player(opened, len(hand), hand.count(JOKER))
        assert judge(table, best.table, Turn(opened, len(hand), hand.count(JOKER)), rules).accepted
        worth = naive_best.points if points else len
        surpassed = naive_best.lays_more(table, hand, best.laid, player, book, worth) is not None
        assert not (best.proven and surpassed)
        counts.update(laid=len(best.laid), proven=best.proven, surpassed=surpassed)
    return counts["laid"], counts["proven"], counts["surpassed"]


@pytest.mark.parametrize("points", [False, True], ids=["tiles", "points"])
@pytest.mark.parametrize("name", BOOKS)
def test_no_later_turn_lays_more_than_the_best(name, points):
    laid, proven, surpassed = compare(name, range(150), 4, opened=True, points=points)
    assert (proven, surpassed) == (150, 0)
    assert laid > 225


@pytest.mark.parametrize("name", BOOKS)
def test_no_turn_with_a_first_meld_lays_more_than_the_best(name):
    laid, proven, surpassed = compare(name, range(40), 5, opened=False)
    assert surpassed == 0
    assert proven == 40 or (name == "classic" and proven > 30)
    assert laid > 10


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ravensburger", {"joker_place": "best", "joker_sets": "refused"},
         {"place_counts": False, "jokers_alone": "never"}),
        ("rummikub", {"joker_place": "best"}, {"place_counts": False}),
        ("classic", {"joker_sets": "refused", "declare": "spoken"}, {"jokers_alone": "never", "row_tells": False}),
    ],
    ids=str,
)  # fmt: skip
def test_options_for_jokers_are_respected(name, options, said):
    laid, proven, surpassed = compare(name, range(60), 4, opened=True, options=options.items(), **said)
    assert (proven, surpassed) == (60, 0)
    assert laid > 60


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ravensburger", {"rebuild": "strict"}, {"three_stay": True}),
        ("piatnik", {"rebuild": "strict"}, {"three_stay": True}),
        ("piatnik", {"winning_set": "12"}, {"last_value": 12}),
    ],
    ids=str,
)
def test_only_a_turn_that_is_not_proven_may_be_surpassed_where_arrangements_count(name, options, said):
    _, proven, surpassed = compare(name, range(60), 4, opened=True, options=options.items(), **said)
    assert surpassed <= 2
    assert proven >= 50
