"""The bound of a first meld is never too low, and the search finds the most that any choice of pieces counts."""

from collections import Counter
from dataclasses import replace

import naive_turns as naive
import pytest

from benchmarks.hard_turns import hard_meld
from referee.game.judge import first_meld as opening
from referee.game.judge.first_meld import first_meld
from referee.game.judge.jokers.values import change_by
from referee.game.judge.judge import Turn, judge
from referee.game.judge.melds.hand import UNIT, Homes, Packed, freed_at_once
from referee.game.judge.melds.plans import longer_plans, most_gained, most_together, own_plans
from referee.game.judge.melds.prices import ROUNDING, Prices
from referee.game.judge.melds.search import MeldSearch
from referee.game.judge.melds.ways import MeldWays
from referee.game.notation import format_set, parse_set, parse_table
from referee.game.rulebooks import ruleset
from referee.game.rulebooks.model import Extended, JokerFreedom
from referee.game.table import tiles_on
from referee.game.tiles import JOKER

CLASSIC = ruleset("classic").with_value("opening.exchange_counts", True)
ADDED = CLASSIC.with_value("opening.extended", Extended.ADDED)
FIXED = ADDED.with_value("opening.joker", 25)
BOOKS = {
    "all tiles count": CLASSIC,
    "tiles added count": ADDED,
    "jokers count 25": FIXED,
    "jokers lie anyhow": ADDED.with_value("joker_rule.as_laid", False),
    "any tile frees a joker": ADDED.with_value("joker_rule.freedom", JokerFreedom.REPLACED),
    "any tile frees a joker, which stays in a run": (
        FIXED.with_value("joker_rule.freedom", JokerFreedom.REPLACED).with_value("joker_rule.travels", False)
    ),
    "jokers are free": ADDED.with_value("joker_rule.freedom", JokerFreedom.ALWAYS),
    "own sets only": ADDED.with_value("opening.extended", Extended.NOTHING),
}
TURNS = (
    ("R5 R6 ** | K9 Y9 B9", "R5 R6 R7 | K9 Y9 B9 R9 | ** Y2 Y3 | B1 K1"),
    ("R5 R6 ** | B8 K8 **", "R5 R6 R7 | B8 K8 Y8 | ** R4 ** | Y9"),
    ("R1 R2 ** | R1 R2 **", "R1 R2 R3 | R1 R2 R3 | ** Y12 Y13 | B1 **"),
    ("** ** Y4 | K2 K3 K4", "Y4 B4 K4 | ** K2 K3 K4 **"),
    ("K2 K3 K4", "** K5 K6 | K2 K3 K4 | B6 B5"),
    ("Y1 ** Y3 | K7 K8 K9", "Y1 ** Y3 | K7 K8 K9 | K2 B2 R2 Y2"),
    ("R4 R5 R6", "R4 R5 R6 R7 | ** ** **"),
    ("R4 R5 R6 R7", "R4 R5 | R6 R7 ** | B7 K7"),
)


def hunt(before, after, rules, *, lawful=False):
    """The ways of a turn, and the plans for its first meld; if `lawful`, those whose jokers can go on by right."""
    change = change_by(rules, parse_table(before), parse_table(after))
    exchanged = most_together(change.before, most_gained(change.before, change.laid, rules), change.laid, rules)
    laid = change.laid + Counter({JOKER: exchanged})
    ways = MeldWays.for_change(change, rules)
    homes = ways.homes if lawful else Homes()
    extended = rules.opening.extended is not Extended.NOTHING
    longer = longer_plans(change.before, laid, rules, homes=homes) if extended else []
    return ways, [*own_plans(laid, rules, homes), *longer]


def melds(ways, plans, chosen=()):
    """Every legal choice of plans, tried one by one."""
    laid, lying = ways.change.laid, tiles_on(ways.change.before)[JOKER]
    if laid[JOKER] >= sum(plan.jokers - plan.gains for plan in chosen):
        yield chosen
    for index, plan in enumerate(plans):
        then = (*chosen, plan)
        fresh = plan.old < 0 or all(plan.old != other.old for other in chosen)
        taken = Counter(tile for plan in then for tile in plan.piece.uses)
        if fresh and not taken - laid - Counter({JOKER: lying}) and ways.legal(then):
            yield from melds(ways, plans[index:], then)


def points(meld):
    return sum(plan.points for plan in meld)


@pytest.mark.parametrize("rules", BOOKS.values(), ids=BOOKS)
@pytest.mark.parametrize(("before", "after"), TURNS)
def test_the_most_is_found_and_the_bound_is_never_below_it(before, after, rules):
    ways, plans = hunt(before, after, rules)
    best = max(melds(ways, plans), key=points)
    hand = Packed.from_hand(ways.change.laid)
    prices = Prices.for_plans(ways, plans, 1)
    for steps in (1, 3, 16, 40, 60):
        prices.lower(0, steps)
        assert prices.bound >= points(best) - ROUNDING
        if best:
            assert points(MeldSearch.from_prices(prices, points(best)).find(hand)) == points(best)
        assert MeldSearch.from_prices(prices, points(best) + 1).find(hand) is None


@pytest.mark.parametrize("rules", BOOKS.values(), ids=BOOKS)
@pytest.mark.parametrize(("before", "after"), TURNS)
def test_no_first_meld_that_counts_most_needs_a_plan_that_is_not_made(before, after, rules):
    ways, every = hunt(before, after, rules)
    _, some = hunt(before, after, rules, lawful=True)
    kept = {plan.piece[:-1] for plan in some}
    assert kept <= {plan.piece[:-1] for plan in every}
    for plan in every:
        fresh = plan.old < 0 or JOKER not in ways.change.before[plan.old]
        # A tile that frees a joker of a fresh set could have been laid in its place.
        assert plan.piece[:-1] in kept or fresh or not ways.legal((plan,))
    assert max(map(points, melds(ways, some))) == max(map(points, melds(ways, every)))


def test_jokers_that_nothing_frees_and_that_lie_nowhere_are_in_no_plan():
    turn = "B5 B6 ** | R1 R2 R3", "B5 B6 ** | R1 R2 R3 R4 | Y5 Y6 **"
    every, made = (
        {format_set(plan.piece.tiles) for plan in hunt(*turn, CLASSIC, lawful=lawful)[1]} for lawful in (False, True)
    )
    assert made == {"R1 R2 R3 R4", "** Y5 Y6"}
    assert made < every


@pytest.mark.parametrize("rules", BOOKS.values(), ids=BOOKS)
@pytest.mark.parametrize(("before", "after"), TURNS)
def test_points_told_of_a_first_meld_that_is_too_low_are_the_most_it_could_count(before, after, rules):
    most = max(map(points, melds(*hunt(before, after, rules))))
    rules = rules.with_value("opening.minimum", most + 1)
    change = change_by(rules, parse_table(before), parse_table(after))
    told = first_meld(change, rules)
    assert not told.enough
    own_only = rules.opening.extended is Extended.NOTHING
    if sum(tile.number for tile in change.laid.elements()) > most and not own_only:
        assert told.points == most
    assert told.points <= most
    assert not first_meld(change, rules, told=False).enough
    rules = rules.with_value("opening.minimum", max(1, most))
    assert first_meld(change, rules).enough == first_meld(change, rules, told=False).enough == (most > 0)


@pytest.mark.parametrize("seed", [1, 13, 14, 22])
def test_a_search_that_gives_up_at_once_asks_for_a_lower_bound_and_finds_the_same(seed, monkeypatch):
    hard, made, found = hard_meld(seed), [], []
    rules = hard.rules.with_value("opening.minimum", 150)
    priced = Prices.for_plans
    monkeypatch.setattr(Prices, "for_plans", lambda *what: made.append(priced(*what)) or made[-1])
    monkeypatch.setattr(opening, "TRIES", ((1, -1),))
    for few in (10**6, -1):
        monkeypatch.setattr(opening, "FEW", few)
        told = first_meld(change_by(rules, hard.before, hard.after), rules)
        found.append((told.points, made.pop().steps))
    (points_found, few_steps), (points_again, all_steps) = found
    assert points_found == points_again > 0
    assert few_steps < all_steps


@pytest.mark.parametrize("seed", [27, 163])
def test_where_an_order_of_plans_is_given_up_a_first_meld_is_found_all_the_same(seed):
    hard = hard_meld(seed)
    change = change_by(hard.rules, hard.before, hard.after)

    def is_enough(minimum, told):
        return first_meld(change, hard.rules.with_value("opening.minimum", minimum), told=told).enough

    assert first_meld(change, hard.rules).enough
    minima = range(41, 172, 10)
    enough = [is_enough(minimum, told=True) for minimum in minima]
    assert enough == sorted(enough, reverse=True)
    assert enough == [is_enough(minimum, told=False) for minimum in minima]


def test_a_bound_below_what_is_wanted_needs_few_steps():
    ways, plans = hunt(*TURNS[0], ADDED)
    prices = Prices.for_plans(ways, plans, 51)
    prices.lower(51, 100)
    assert prices.steps < 5
    assert prices.bound < 51


def test_a_search_gives_up_after_so_many_tries():
    ways, plans = hunt(*TURNS[1], ADDED)
    prices = Prices.for_plans(ways, plans, 1)
    prices.lower(0, 1)
    assert MeldSearch.from_prices(prices, 10).find(Packed.from_hand(ways.change.laid)) is not None
    assert MeldSearch.from_prices(prices, 10, tries=0).find(Packed.from_hand(ways.change.laid)) is None


def test_both_jokers_of_twins_are_exchanged_and_lie_again_as_what_they_stood_for():
    before = "Y1 ** Y3 | Y1 ** Y3 | R5 K5 ** | Y13 B13 K13"
    after = f"{before} | K1 B1 R1 | K1 B1 R1 | K2 B2 R2 Y2 | K2 B2 R2 Y2 | K3 B3 R3 | K3 B3 R3"
    verdict = judge(parse_table(before), parse_table(after), Turn(opened=False), CLASSIC)
    assert (verdict.accepted, verdict.points) == (True, 52)


@pytest.mark.parametrize(("minimum", "accepted"), [(28, True), (29, False)])
def test_the_naive_referee_finds_the_same_for_twins(minimum, accepted):
    before = parse_table("Y1 ** Y3 | Y1 ** Y3")
    after = (*before, *parse_table("K2 B2 R2 Y2 | K2 B2 R2 Y2"))
    book = replace(naive.BOOKS["classic"], minimum=minimum, exchange_counts=True)
    rules = CLASSIC.with_value("opening.minimum", minimum)
    assert judge(before, after, Turn(opened=False), rules).accepted == accepted
    assert naive.legal(before, after, naive.Player(opened=False), book) == accepted


def steps_on(ways, plans, chosen, frees, code):
    """Every plan that the hand has still tiles for, and what `freed_with` finds out about it."""
    for plan in plans:
        left = Packed.without(code, plan)
        if left and (plan.old < 0 or all(plan.old != other.old for other in chosen)):
            yield (*chosen, plan), ways.freed_with(chosen, frees, plan, left), left


@pytest.mark.parametrize(("before", "after"), TURNS)
@pytest.mark.parametrize("name", BOOKS)
def test_what_is_found_without_asking_is_what_asking_finds(name, before, after):
    """And what is legal is so without any of its pieces, which is why one that is not is never tried again."""
    ways, plans = hunt(before, after, BOOKS[name])
    plans = plans[:: max(1, len(plans) // 12)]
    code = Packed.from_hand(ways.change.laid).code
    for first, frees, left in steps_on(ways, plans, (), ways.freed_from(()), code):
        assert (frees is None) == (ways.way(first) is None)
        for both, freed, _ in steps_on(ways, plans, first, frees, left) if frees is not None else ():
            assert (freed is None) == (ways.way(both) is None)
            assert freed is None or ways.way(both[1:]) is not None


def test_no_tile_frees_two_jokers():
    laid = Counter(parse_set("** ** R8 R9 R9 R10 R10"))
    low = next(
        plan for plan in own_plans(laid, CLASSIC) if plan.piece.tiles == parse_set("** R9 R10") and plan.points == 27
    )
    once = Packed.without(Packed.from_hand(laid).code, low)
    freed = freed_at_once(once, 0, low)
    assert freed == UNIT[parse_set("R8")[0]]
    assert freed_at_once(Packed.without(once, low), freed, low) is None
    assert freed_at_once(Packed.from_hand(laid - Counter(parse_set("R8"))).code, freed, low) is None
