"""A rule book in sentences, as it is played with the options chosen.

Every sentence follows from fields of the ruleset, so a new option needs a sentence here: in `_laying_rules` if it
concerns a turn, `_jokers` jokers, `_clock` the time, `_round` the last turn of a round or an empty stock, `_match` the
whole match. `_STARTS` says who begins, and `_PRINTED` has what no field decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from referee.game.notice import Notice
from referee.game.rulebooks.model import (
    Extended,
    Fresh,
    JokerFreedom,
    JokerSets,
    Knocking,
    Ruleset,
    Starts,
    StockEnd,
    TimeUpRule,
    WinnerGets,
)


def gin_sentences(rules: Ruleset, knocking: Knocking, begins: Notice) -> Iterator[Notice]:
    """Yield the sentences of a game that ends with a knock; `begins` says who begins a round."""
    yield Notice("rules.gin_deal", hand=rules.deal, box=rules.box.total)
    dealer = Notice("rules.gin_dealer")
    yield dealer if rules.starts is Starts.WINNER else Notice("rules.gin_begins", begins=begins)
    yield Notice("rules.gin_offer")
    yield Notice("rules.gin_turn")
    yield Notice("rules.gin_sets", most=rules.scoring.most_per_tile or 0)
    yield Notice("rules.gin_knock", below=knocking.below)
    yield Notice("rules.gin_hands")
    yield Notice("rules.gin_lower", bonus=knocking.gin_bonus)
    yield Notice("rules.gin_not_lower", bonus=knocking.undercut_bonus)
    yield Notice("rules.gin_drawn", left=knocking.never_drawn)
    yield Notice("rules.gin_match", target=knocking.target)


_STARTS: Mapping[Starts, Notice] = {
    Starts.LOT: Notice("rules.starts_lot"),
    Starts.AGREED: Notice("rules.starts_agreed"),
    Starts.DRAWN: Notice("rules.starts_drawn"),
    Starts.NEXT: Notice("rules.starts_next"),
    Starts.WINNER: Notice("rules.starts_winner"),
}
_FRESH: Mapping[Fresh, tuple[Notice, ...]] = {
    Fresh.WAITS: (Notice("rules.drawn_waits"),),
    Fresh.OPENS: (Notice("rules.fresh_opens"),),
    Fresh.PLAYS: (Notice("rules.fresh_plays"),),
}
_PRINTED: Mapping[str, Mapping[str, tuple[Notice, ...]]] = {
    "ravensburger": {"start": (Notice("rules.blank_tiles"),), "turn": _FRESH[Fresh.WAITS]},
    "brettspielnetz": {"laying": (Notice("rules.gap"),)},
    "classic": {"turn": (Notice("rules.no_discard"),)},
    "rummikub": {"clock": (Notice("rules.call_out"),)},
}
"""What a book says that no field decides, by the part after which it is inserted."""
_MATCH_NOT_PRINTED = {"rummikub"}
"""Books with score tables that add up rounds, but which do not say how many rounds make a match and who wins it."""


def summary(rules: Ruleset) -> tuple[Notice, ...]:
    """Return the sentences of a rule book, in the order of the game."""
    if rules.knocking is not None:
        return tuple(gin_sentences(rules, rules.knocking, _STARTS[rules.starts]))
    printed = _PRINTED.get(rules.name, {})
    return tuple(told for name, part in _PARTS.items() for told in (*part(rules), *printed.get(name, ())))


def _start(rules: Ruleset) -> Iterator[Notice]:
    (fewest, most), begins = rules.players, _STARTS[rules.starts]
    if rules.deals:
        # In the only book whose deal depends on the number of players, that concerns two players.
        yield Notice("rules.deal_two_or_more", two=rules.hand_size(2), more=rules.deal, begins=begins)
    elif fewest == most and rules.jokers_each is not None:
        yield Notice("rules.deal_two_with_joker", hand=rules.deal, begins=begins)
    elif rules.jokers is not None:
        jokers = rules.jokers
        yield Notice("rules.deal_jokers", fewest=fewest, most=most, hand=rules.deal, jokers=jokers, begins=begins)
    else:
        yield Notice("rules.deal", fewest=fewest, most=most, hand=rules.deal, begins=begins)
        if rules.jokers_each is not None:
            yield Notice("rules.joker_for_each_of_two", others=rules.deal - rules.jokers_each)
    if rules.new_hands:
        yield Notice("rules.new_hands")


def _turn(rules: Ruleset) -> Iterator[Notice]:
    if rules.cap is not None:
        yield Notice("rules.turn_at_most", most=rules.cap)
    else:
        yield Notice("rules.turn_clockwise" if rules.clockwise else "rules.turn")
    if any(option.name == "fresh-tile" for option in rules.options):
        yield from _FRESH[rules.meld_rules.fresh]


def _sets(rules: Ruleset) -> Iterator[Notice]:
    yield Notice("rules.sets_cyclic" if rules.wraps else "rules.sets")


def _laying_rules(rules: Ruleset) -> Iterator[Notice]:
    """Yield the sentences about the first meld, and about what may be done with sets of the table."""
    opening = rules.opening
    if opening.extended is not Extended.NOTHING:
        whole = opening.extended is Extended.WHOLE
        yield Notice("rules.first_turn_whole" if whole else "rules.first_turn_added", minimum=opening.minimum)
        if opening.exchange_counts:
            yield Notice("rules.first_turn_exchange")
        yield Notice("rules.then_to_lay_more")
    else:
        joker = Notice("rules.first_joker_stands_for")
        if opening.joker is not None:
            joker = Notice("rules.first_joker_counts", points=opening.joker)
        if opening.joker == 0:
            joker = Notice("rules.first_joker_nothing")
        yield Notice("rules.first_meld", minimum=opening.minimum, joker=joker)
        yield Notice("rules.then_rebuild" if opening.same_turn else "rules.rebuild_later")
    if rules.meld_rules.strict_rebuild:
        yield Notice("rules.three_stay")
    if rules.meld_rules.put_back:
        yield Notice("rules.put_back")


def _jokers(rules: Ruleset) -> Iterator[Notice]:
    rule = rules.joker_rule
    match rule.freedom:
        case JokerFreedom.ALWAYS:
            yield Notice("rules.joker_free")
        case JokerFreedom.REPLACED:
            yield Notice("rules.joker_replaced" if rule.printed else "rules.joker_replaced_as_usual")
        case JokerFreedom.EXCHANGED if rule.declared:
            yield Notice("rules.joker_by_place")
            yield Notice("rules.joker_in_group")
        case _:
            spoken = any(option.name == "declare" for option in rules.options)
            yield Notice("rules.joker_spoken" if spoken else "rules.joker_exchanged")
    if rule.freedom is not JokerFreedom.ALWAYS:
        yield Notice("rules.joker_as_laid" if rule.as_laid else "rules.joker_best")
    if rule.alone is JokerSets.REFUSED:
        yield Notice("rules.no_jokers_alone")


def _clock(rules: Ruleset) -> Iterator[Notice]:
    timing = rules.timing
    if timing.bank is not None:
        draws, unopened = timing.draws, timing.unopened_draws
        yield Notice("rules.chess_clock", minutes=timing.bank // 60, delay=timing.delay)
        yield Notice("rules.chess_clock_up", delay=timing.delay, draws=draws, unopened=unopened)
        return
    if timing.seconds is None:
        yield Notice("rules.no_clock")
        return
    minutes, draws, unopened = timing.seconds // 60, timing.draws, timing.unopened_draws
    if timing.rebuilding:
        yield Notice("rules.time_for_rebuilding", minutes=minutes)
    elif timing.consequence is TimeUpRule.TAKE:
        yield Notice("rules.time_up_take", minutes=minutes)
        if any(option.name == "limit" for option in rules.options):
            yield Notice("rules.book_times_rebuilding")
    elif not timing.before_opening:
        yield Notice("rules.time_up_after_entry", minutes=minutes, draws=draws)
    elif draws == unopened:
        yield Notice("rules.time_up_back", minutes=minutes, draws=draws)
    else:
        yield Notice("rules.time_up_back_or", minutes=minutes, draws=draws, unopened=unopened)


def _round(rules: Ruleset) -> Iterator[Notice]:
    scoring, finish = rules.scoring, rules.finish
    match scoring.winner_gets:
        case WinnerGets.SUM:
            yield Notice("rules.winner_gets_all", joker=scoring.joker)
        case WinnerGets.NOTHING:
            yield Notice("rules.others_write_down", joker=scoring.joker)
        case _:
            yield Notice("rules.winner_wins")
    if scoring.unopened is not None and scoring.withheld is not None:
        yield _unopened(scoring.unopened, scoring.withheld)
    if scoring.hand_rummy > 1:
        yield Notice("rules.hand_rummy")
    if finish.last_tile:
        yield Notice("rules.last_tile")
    if finish.set_value is not None:
        yield Notice("rules.last_set_at_least" if finish.at_least else "rules.last_set", value=finish.set_value)
    yield _stock(rules)


def _unopened(points: int, withheld: int) -> Notice:
    if points == withheld:
        return Notice("rules.unopened", points=points)
    return Notice("rules.unopened_withheld", points=points, withheld=withheld)


def _stock(rules: Ruleset) -> Notice:
    """Return the sentence on how a round ends that nobody has won."""
    last_drawn = rules.stock_end is StockEnd.LAST_DRAWN
    if not rules.meld_rules.stock_counts:
        return Notice("rules.stock_drawn_unscored" if last_drawn else "rules.stock_unscored")
    if rules.scoring.winner_gets is WinnerGets.ONE:
        return Notice("rules.stock_drawn_counts", joker=rules.scoring.joker)
    if rules.scoring.counted_difference:
        return Notice("rules.stock_difference")
    return Notice("rules.stock_all_write_down")


def _match(rules: Ruleset) -> Iterator[Notice]:
    tie = Notice("rules.tie_extra_round" if rules.scoring.tie_break else "rules.tie_shared")
    if rules.scoring.winner_gets is WinnerGets.ONE:
        yield Notice("rules.match_rounds", tie=tie)
    elif rules.name in _MATCH_NOT_PRINTED:
        yield Notice("rules.match_highest_as_usual", tie=tie)
    else:
        yield Notice("rules.match_highest" if rules.scoring.highest_wins else "rules.match_lowest", tie=tie)
    if rules.match_minutes is not None:
        yield Notice("rules.match_time", minutes=rules.match_minutes)


_PARTS: Mapping[str, Callable[[Ruleset], Iterator[Notice]]] = {
    "start": _start,
    "turn": _turn,
    "sets": _sets,
    "laying": _laying_rules,
    "jokers": _jokers,
    "clock": _clock,
    "round": _round,
    "match": _match,
}
