"""The match that the journal ended with, at the next start: it goes on by its own rules, or is ended first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from referee.errors import BadInput
from referee.game.wording import count, joined
from referee.journal.opening import Opened
from referee.journal.replay import Kept
from referee.journal.rows import Setup
from referee.runtime.lobby import Plan
from referee.terminal.common import answered, at_a_terminal

Tell = Callable[[str], None]
_YES = frozenset({"y", "yes"})


def under_way(opened: Opened) -> Kept | None:
    """The match that goes on; None where the next one begins."""
    return None if opened.kept is None or opened.kept.over else opened.kept


def begin_anew(opened: Opened, folder: Path) -> Opened | None:
    """End the match under way, after asking, so that a new one begins; None where the answer is no.

    Raises BadInput where nobody can be asked: a match is never ended by a command that stands in some script.
    """
    kept = under_way(opened)
    if kept is None:
        return opened
    if not at_a_terminal():
        raise BadInput(
            f"--new: expected a terminal to ask on, since match {kept.match} is under way, found none: "
            f"end it with `{how_to_end(kept, folder)}`"
        )
    names = joined([seat.name for seat in kept.state.seats])
    question = f"Match {kept.match} ({kept.setup.rules}, {names}) is under way. End it for good? [y/N] "
    if answered(question).lower() not in _YES:
        return None
    opened.journal.give_up()
    return replace(opened, kept=None)


def alone(opened: Opened, folder: Path) -> None:
    """Virtual people play a match of their own: raises BadInput where another one is under way."""
    kept = under_way(opened)
    if kept is not None:
        raise BadInput(
            "camera.kind: expected a journal without a match under way for virtual people, found match "
            f"{kept.match}: end it with `{how_to_end(kept, folder)}`, begin with --new, "
            "or name another folder with --set storage.state=FOLDER"
        )


def how_to_end(kept: Kept, folder: Path) -> str:
    """The command that ends a match."""
    return f"referee scores --state {folder} --end {kept.match}"


def tell_differences(opened: Opened, plan: Plan, tell: Tell, *, named: bool) -> None:
    """Say what the settings have otherwise than the match that goes on: it goes on as it was begun.

    `named`: the settings name the players; names that were made up tell nothing of who sits there.
    """
    kept = under_way(opened)
    otherwise = [] if kept is None else differences(kept, plan, named=named)
    if kept is not None and otherwise:
        tell(
            f"Match {kept.match} goes on as it was begun, with {joined(otherwise)}: "
            "what the settings say now holds from the next match on."
        )


def differences(kept: Kept, plan: Plan, *, named: bool) -> list[str]:
    """What is otherwise, each as it was begun and as the settings have it."""
    seats, rules = kept.state.seats, kept.state.rules
    names = [seat.name for seat in seats]
    handicaps = dict(zip(plan.names, plan.handicaps, strict=True)) if plan.handicaps else {}
    found = []
    if rules != replace(plan.setup, edition=kept.setup.edition).ruleset():
        found.append(f"{_rules(kept.setup)} (not {_rules(plan.setup)})")
    if named and set(names) != set(plan.names):
        found.append(f"{joined(names)} (not {joined(plan.names)})")
    if rules.knocking is None and plan.rules.knocking is None and kept.state.rounds != plan.rounds:
        found.append(f"{count(kept.state.rounds, 'round')} (not {plan.rounds})")
    if any(seat.handicap != handicaps.get(seat.name, 0) for seat in seats if seat.name in plan.names):
        found.append("the handicaps of then")
    if kept.setup.season != plan.setup.season:
        found.append(f"{_season(kept.setup)} (not {_season(plan.setup)})")
    return found


def _rules(setup: Setup) -> str:
    return " ".join([setup.rules, *(f"{name}={choice}" for name, choice in sorted(setup.options.items()))])


def _season(setup: Setup) -> str:
    return f"the season {setup.season}" if setup.season else "no season"
