"""The judge and the naive referee, who tries every order of actions, say the same about turns made by chance."""

from dataclasses import replace

import naive_turns as naive
import pytest
from cases import case, tally
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.game.rulebooks import RULESETS
from referee.game.table import in_order
from referee.game.tiles import JOKER, Colour, Tile

BOOKS = [name for name in RULESETS if name != "gin"]


@pytest.mark.parametrize("name", BOOKS)
def test_the_judge_agrees_with_the_naive_referee(name):
    counts, apart = tally(range(500), name)
    assert apart == []
    assert min(counts[name, opened, legal] for opened in (True, False) for legal in (True, False)) > 30


def removed(after, draw):
    index = draw(st.integers(0, len(after) - 1))
    place = draw(st.integers(0, len(after[index]) - 1))
    return with_set(after, index, (*after[index][:place], *after[index][place + 1 :]))


def swapped(after, draw):
    index = draw(st.integers(0, len(after) - 1))
    place = draw(st.integers(0, len(after[index]) - 1))
    other = draw(st.builds(Tile, st.integers(1, 13), st.sampled_from(Colour)))
    return with_set(after, index, (*after[index][:place], other, *after[index][place + 1 :]))


def added(after, draw):
    index = draw(st.integers(0, len(after) - 1))
    near = draw(st.sampled_from(after[index]))
    number = min(13, max(1, near.number + draw(st.integers(-2, 2))))
    return with_set(after, index, (*after[index], Tile(number, near.colour or Colour.RED)))


def broken(after, draw):
    index = draw(st.integers(0, len(after) - 1))
    assume(len(after[index]) > 1)
    place = draw(st.integers(1, len(after[index]) - 1))
    return (*with_set(after, index, after[index][:place]), after[index][place:])


def joker_stolen(after, draw):
    """A joker taken out of a set of the table, and laid with two new tiles instead."""
    homes = [i for i, tiles in enumerate(after) if JOKER in tiles]
    assume(homes)
    index = draw(st.sampled_from(homes))
    left = list(after[index])
    left.remove(JOKER)
    number, colour = draw(st.integers(1, 11)), draw(st.sampled_from(Colour))
    return (*with_set(after, index, tuple(left)), (Tile(number, colour), JOKER, Tile(number + 2, colour)))


def with_set(table, index, tiles):
    return tuple(filter(None, (*table[:index], tiles, *table[index + 1 :])))


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([removed, swapped, added, broken, joker_stolen]), st.data())
def test_no_spoilt_turn_is_accepted_unless_it_can_be_explained(seed, spoil, data):
    turn = case(seed)
    assume(turn.after and turn.judged.accepted)
    spoilt = replace(turn, after=spoil(turn.after, data.draw))
    assume(naive.count(spoilt.after)[JOKER] <= 4)
    assert spoilt.judged.accepted == spoilt.legal


def test_a_first_meld_one_point_short_is_refused_unless_it_can_be_explained():
    opened = 0
    for seed in range(800):
        turn = case(seed)
        turn = replace(turn, turn=replace(turn.turn, opened=False))
        verdict = turn.judged
        if verdict.opens and naive.count(turn.after)[JOKER] <= 3:
            minimum = verdict.points + 1
            rules = turn.rules.with_value("opening.minimum", minimum)
            short = replace(turn, rules=rules, book=replace(turn.book, minimum=minimum))
            assert short.judged.accepted == short.legal
            opened += 1
    assert opened > 80


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_where_sets_lie_does_not_matter_nor_from_which_side_they_are_seen(seed, rng):
    turn = case(seed)
    mixed = [rng.choice([tiles, tiles[::-1]]) for tiles in turn.after]
    rng.shuffle(mixed)
    assert replace(turn, after=tuple(mixed)).judged.accepted == turn.judged.accepted


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**9), st.randoms(use_true_random=False))
def test_only_where_a_jokers_place_counts_rows_have_an_order(seed, rng):
    turn = case(seed)
    rules = turn.rules.with_value("joker_rule.declared", False).with_value("joker_rule.as_laid", False)
    mixed = list(map(in_order, turn.after))
    rng.shuffle(mixed)
    one, other = replace(turn, rules=rules), replace(turn, rules=rules, after=tuple(mixed))
    assert one.judged.accepted == other.judged.accepted
