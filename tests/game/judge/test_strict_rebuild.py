"""Strict rebuilding, held against every way to tell twins apart, one after the other."""

import random
from collections import Counter
from itertools import combinations, permutations, product

import pytest

from referee.game.judge import strict_rebuild
from referee.game.judge.jokers.values import change_by, readings
from referee.game.judge.strict_rebuild import MOST_STEPS, broken_up, kept_together
from referee.game.notation import parse_table
from referee.game.rulebooks import ruleset
from referee.game.table import Change
from referee.game.tiles import JOKER, Colour, Tile

RAVENSBURGER, PIATNIK = (ruleset(name).choose(rebuild="strict") for name in ("ravensburger", "piatnik"))


@pytest.fixture(params=[MOST_STEPS, 0], ids=["search", "tables"], autouse=True)
def _either_way(request, monkeypatch):
    """What the search finds and what the tables say is the same."""
    monkeypatch.setattr(strict_rebuild, "MOST_STEPS", request.param)


def told(before, after, rules=PIATNIK):
    change = change_by(rules, parse_table(before), parse_table(after))
    assert kept_together(change, rules) == (not broken_up(change, rules))
    return broken_up(change, rules)


def one_by_one(change, rules):
    """The first of the smallest groups of old sets without which all others were kept in some way, and torn ones."""
    same = list((Counter(change.before) - Counter(change.old)).elements())
    sets = [*change.old, *same]
    where = [(number, place) for number, tiles in enumerate(sets) for place in range(len(tiles))]
    ways = []
    for tile in sorted({tile for tiles in sets for tile in tiles}, key=str):
        places = [at for at in where if sets[at[0]][at[1]] is tile]
        homes = [index for index, tiles in enumerate(change.after) for other in tiles if other is tile]
        homes += [None] * (len(places) - len(homes))
        ways.append({tuple(zip(places, some, strict=True)) for some in permutations(homes, len(places))})
    kept = []
    for way in product(*ways):
        lies = dict(pair for part in way for pair in part)
        kept.append({i for i, tiles in enumerate(sets) if is_kept(tiles, i, lies, change.after, rules)})
    torn = [i for i in range(len(change.old)) if not any(i in some for some in kept)]
    others = [i for i in range(len(change.old)) if i not in torn]
    must = set(range(len(change.old), len(sets)))
    lost = next(
        lost
        for size in range(len(others) + 1)
        for lost in combinations(others, size)
        if any(some >= (must | set(others)) - set(lost) for some in kept)
    )
    return tuple(sets[i] for i in (*torn, *lost))


def is_kept(tiles, index, lies, after, rules):
    homes = [lies[index, place] for place in range(len(tiles))]
    if None not in homes and len(set(homes)) == len(homes):
        return True
    stood = [way.tiles for way in readings(tiles, rules)] if JOKER in tiles else []
    for home in set(homes) - {None}:
        gone = max(0, tiles.count(JOKER) - after[home].count(JOKER))
        if homes.count(home) + min(gone, max((len(some & set(after[home])) for some in stood), default=0)) >= 3:
            return True
    return False


def small(seed):
    """Old sets of few faces, so that many are twins, and their tiles in heaps by chance."""
    rng = random.Random(seed)  # noqa: S311 - tables need no cryptographic randomness
    colours, before, left = [Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.BLACK], [], Counter()
    for _ in range(rng.choice((2, 3, 3, 4))):
        length = rng.choice((3, 3, 4, 5))
        start, colour = rng.randint(1, 3), rng.choice(colours[:2])
        tiles = [Tile(start + step, colour) for step in range(length)]
        if rng.random() < 0.3:
            tiles = [Tile(start, colour) for colour in rng.sample(colours, min(length, 4))]
        tiles = [JOKER if rng.random() < 0.12 else tile for tile in tiles]
        if all(n <= (4 if t is JOKER else 2) for t, n in (left + Counter(tiles)).items()) and tiles.count(JOKER) < 3:
            left += Counter(tiles)
            before.append(tuple(tiles))
    kept = [tiles for tiles in before if rng.random() < 0.2]
    loose = [tile for tiles in before if tiles not in kept for tile in tiles]
    loose += [Tile(rng.randint(1, 5), rng.choice(colours[:2])) for _ in range(rng.choice((0, 0, 1, 3)))]
    rng.shuffle(loose)
    if loose and rng.random() < 0.2:
        loose.pop()
    heaps = [[] for _ in range(rng.randint(1, 5))]
    for tile in sorted(loose, key=str) if rng.random() < 0.3 else loose:
        heaps[rng.randrange(len(heaps))].append(tile)
    return tuple(before), tuple(map(tuple, [*(tiles for tiles in before if tiles in kept), *filter(None, heaps)]))


@pytest.mark.parametrize("rules", [RAVENSBURGER, PIATNIK], ids=lambda rules: rules.name)
def test_as_many_sets_are_broken_up_as_in_the_best_of_all_ways(rules):
    sizes = Counter()
    for seed in range(600):
        change = Change.between(*small(seed))
        expected = one_by_one(change, rules)
        assert broken_up(change, rules) == expected, seed
        assert kept_together(change, rules) == (not expected)
        sizes[len(expected)] += 1
    assert all(sizes[number] > 10 for number in range(4))


def test_a_table_that_lies_as_before_has_no_broken_sets():
    assert told("R5 R6 R7", "R5 R6 R7") == ()


def test_of_two_sets_alike_both_must_be_kept():
    before = "R5 R6 R7 | R5 R6 R7"
    assert told(before, "R5 R6 R7 | R4 R5 R6 R7") == ()
    assert told(before, "R5 R6 R7 | R4 R5 R6 | R7 B7 Y7") == parse_table("R5 R6 R7")


def test_eight_runs_may_be_parted_into_groups():
    runs = [" ".join(f"{colour}{number}" for number in range(1, 14)) for colour in "RBYK"] * 2
    groups = [" ".join(f"{colour}{number}" for colour in "RBYK") for number in range(1, 14)] * 2
    assert told(" | ".join(runs), " | ".join(groups)) == ()


def test_tiles_that_stood_in_for_three_jokers_stay_for_them():
    assert told("** ** ** R4", "R1 R2 R3 R5 | Y4 B4 R4 | ** ** ** Y1") == ()
