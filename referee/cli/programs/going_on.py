"""The match under way at the end of the journal: at the next start it goes on by its own rules, or is ended first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from referee.cli.terminal.common import ask_line, at_a_terminal
from referee.cli.terminal.output import tell
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.i18n import Wording
from referee.journal.opening import Opened
from referee.journal.replay import Kept
from referee.journal.rows import Setup
from referee.table.input.requests import Unfinished
from referee.table.lobby import Plan

Tell = Callable[[Notice], None]


def under_way(opened: Opened) -> Kept | None:
    """Return the match that is still under way; None if there is none."""
    return None if opened.kept is None or opened.kept.is_over else opened.kept


def begin_anew(opened: Opened, folder: Path, words: Wording, *, sure: bool = False) -> Opened | None:
    """End the match under way, so that a new one begins; ask first unless `sure`. Return None if the answer is no.

    The end is reported on the console. Raises BadInput if nobody can be asked.
    """
    kept = under_way(opened)
    if kept is None:
        return opened
    names = tuple(seat.name for seat in kept.state.seats)
    if not sure and not at_a_terminal():
        raise BadInput(
            f"--new: expected a terminal to ask on, since match {kept.match} is under way, found none: "
            f"add --yes, or end it with `{how_to_end(kept, folder)}`"
        )
    question = Notice("console.end_it", match=kept.match, rules=kept.setup.rules, players=names)
    if not sure and ask_line(f"{words(question)} ").lower() not in (
        words(Notice("console.yes_short")),
        words(Notice("console.yes")),
    ):
        return None
    opened.journal.give_up()
    rounds = len(kept.state.sheet.rounds)
    tell(words(Notice("console.ended_it", match=kept.match, rules=kept.setup.rules, players=names, rounds=rounds)))
    return replace(opened, kept=None)


class MatchUnderWay(BadInput):
    """Virtual people find a match under way, and nobody has decided yet what to do with it."""

    def __init__(self, kept: Kept, folder: Path) -> None:
        super().__init__(
            "camera.kind: expected a journal without a match under way for virtual people, found match "
            f"{kept.match}: end it with `{how_to_end(kept, folder)}`, begin with --new, "
            "or name another folder with --set storage.state=FOLDER"
        )
        self.told = Notice("page.match_waits", players=tuple(seat.name for seat in kept.state.seats))
        """What the page shows to somebody who may let the match continue or discard it."""


def for_virtual_people(opened: Opened, folder: Path, chosen: Unfinished | None) -> Opened:
    """Return the journal with the match for virtual people; raises MatchUnderWay if one is undecided."""
    kept = under_way(opened)
    if kept is None or chosen is Unfinished.GO_ON:
        return opened
    if chosen is None:
        raise MatchUnderWay(kept, folder)
    opened.journal.give_up()
    return replace(opened, kept=None)


def how_to_end(kept: Kept, folder: Path) -> str:
    """Return the command that ends a match."""
    return f"referee scores --state {folder} --end {kept.match}"


def tell_differences(opened: Opened, plan: Plan, tell: Tell, *, named: bool) -> None:
    """Report how the settings differ from the match under way, which continues as it began.

    `named`: whether the settings name the players; generated names do not say who sits there.
    """
    kept = under_way(opened)
    otherwise = [] if kept is None else differences(kept, plan, named=named)
    if kept is not None and otherwise:
        tell(Notice("console.goes_on_otherwise", match=kept.match, otherwise=tuple(otherwise)))


def differences(kept: Kept, plan: Plan, *, named: bool) -> list[Notice]:
    """Return the differences, each with the value of the match and that of the settings."""
    seats, rules = kept.state.seats, kept.state.rules
    if kept.setup.draw is not None:  # the hall decided what is played, and by whom, not the settings
        return [] if rules.edition == plan.setup.edition else [Notice("console.rulings_of_then")]
    names = [seat.name for seat in seats]
    handicaps = dict(zip(plan.names, plan.handicaps, strict=True)) if plan.handicaps else {}
    found = []
    if rules != replace(plan.setup, edition=kept.setup.edition).ruleset():
        found.append(Notice("console.rules_not", now=_rules(kept.setup), wanted=_rules(plan.setup)))
    elif rules.edition != plan.setup.edition:
        found.append(Notice("console.rulings_of_then"))
    if named and set(names) != set(plan.names):
        found.append(Notice("console.players_not", now=tuple(names), wanted=plan.names))
    if rules.knocking is None and plan.rules.knocking is None and kept.state.rounds != plan.rounds:
        found.append(Notice("console.rounds_not", now=kept.state.rounds, wanted=plan.rounds))
    if any(seat.handicap != handicaps.get(seat.name, 0) for seat in seats if seat.name in plan.names):
        found.append(Notice("console.handicaps_of_then"))
    if kept.state.coach != plan.coach:
        found.append(Notice("console.coach_of_then"))
    if kept.setup.season != plan.setup.season:
        found.append(Notice("console.season_not", now=_season(kept.setup), wanted=_season(plan.setup)))
    return found


def _rules(setup: Setup) -> str:
    return " ".join([setup.rules, *(f"{name}={choice}" for name, choice in sorted(setup.options.items()))])


def _season(setup: Setup) -> Notice:
    return Notice("console.season", season=setup.season) if setup.season else Notice("console.no_season")
