"""The rules in brief: the few numbers of a rule book that players ask for before a match."""

from __future__ import annotations

from collections.abc import Iterator

from referee.game.notice import Notice
from referee.game.rulebooks.model import Knocking, Ruleset, TimeUpRule

MOST = 5
"""Lines that are read at a glance; later ones are left out."""


def brief(rules: Ruleset, players: int) -> list[Notice]:
    """Return at most five short lines, the most important first; `players` have joined so far."""
    fewest, most = rules.players
    hand = rules.hand_size(players) if fewest <= players <= most else rules.deal
    lines = [Notice("page.brief_deal", tiles=hand)]
    if rules.knocking is not None:
        lines += _gin_lines(rules.knocking)
    else:
        lines += _meld_lines(rules)
    return lines[:MOST]


def _gin_lines(knocking: Knocking) -> Iterator[Notice]:
    yield Notice("page.brief_knock", points=knocking.below)
    yield Notice("page.brief_gin", points=knocking.gin_bonus)
    yield Notice("page.brief_target", points=knocking.target)


def _meld_lines(rules: Ruleset) -> Iterator[Notice]:
    if rules.opening.minimum > 1:
        yield Notice("page.brief_first_meld", points=rules.opening.minimum)
    yield from _clock_lines(rules)
    if not rules.scoring.highest_wins:
        yield Notice("page.brief_fewest")
    if rules.scoring.joker:
        yield Notice("page.brief_joker", points=rules.scoring.joker)


def _clock_lines(rules: Ruleset) -> Iterator[Notice]:
    timing = rules.timing
    if timing.bank is not None:
        yield Notice("page.brief_chess_clock", minutes=timing.bank // 60, delay=timing.delay)
        return
    if timing.seconds is None:
        yield Notice("page.clock_none")
        return
    if timing.seconds % 60:
        yield Notice("page.brief_seconds", seconds=timing.seconds)
    else:
        yield Notice("page.brief_minutes", minutes=timing.seconds // 60)
    if timing.consequence is TimeUpRule.ROLL_BACK and timing.draws and not timing.rebuilding:
        yield Notice("page.brief_late", tiles=timing.draws)
