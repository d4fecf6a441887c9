"""Gin in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from referee.game.notice import Notice
from referee.game.rulebooks.model import Knocking, Ruleset, Starts


def gin_sentences(rules: Ruleset, knocking: Knocking, begins: Notice) -> Iterator[Notice]:
    """The sentences of a game that ends with a knock; `begins` says who begins a round."""
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
