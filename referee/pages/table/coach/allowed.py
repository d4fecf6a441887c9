"""Whether the coach may be asked now, and by which rules: during a match those of the match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.errors import BadInput
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.rulebooks import RULESETS, Ruleset, choices_of
from referee.game.tiles import TILE_SETS, TileSet
from referee.settings.settings import SETTINGS
from referee.table.lobby import will_do
from referee.table.output.follower import Facts

NOT_AGREED, GIN = Notice("coach.not_agreed"), Notice("coach.gin_match")


def match_under_way(facts: Facts) -> State | None:
    """Return the state of the match that is under way; None if there is none."""
    scene = facts.scene
    return scene.state if scene is not None and scene.state.phase.in_match else None


def refusal_of(facts: Facts) -> Notice | None:
    """Return why nothing may be asked now; None if it may."""
    state = match_under_way(facts)
    if state is None:
        return None
    if state.rules.knocking is not None:
        return GIN
    return None if state.coach else NOT_AGREED


def rules_for(facts: Facts, name: str) -> Ruleset:
    """Return the rules to ask by: those of the match, or of the table, or those called `name`, with usual options.

    An empty name stands for the rules that are set at the table.
    """
    state = match_under_way(facts)
    if state is not None:
        return state.rules
    own = rules_at_table(facts)
    return own if name in ("", own.name) else RULESETS[name]


def rules_at_table(facts: Facts) -> Ruleset:
    """Return the rules that are set at the table, with its options; the usual book if nothing valid is set."""
    if facts.scene is not None:
        return facts.scene.state.rules
    values: Mapping[str, Any] = facts.setup.values
    book = RULESETS[values.get("game.rules") or SETTINGS["game.rules"].default]
    try:
        return book.choose(**choices_of(values.get("game.options", ())))
    except BadInput:  # reported where the settings are used
        return book


def box_for(facts: Facts, rules: Ruleset) -> TileSet:
    """Return the tiles in use: those that the settings name if they suffice for these rules, or those of the book."""
    lies = TILE_SETS.get(facts.setup.values.get("table.tileset") or "")
    return rules.box if lies is None or not will_do(lies, rules) else lies
