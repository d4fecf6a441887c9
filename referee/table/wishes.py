"""What somebody at a screen wants, handed to whoever can do it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from referee.game.match.events import Effect
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.corrections import correct_other, correct_round
from referee.table.input.requests import (
    Announce,
    BeginDrawn,
    CalibrateLens,
    ClubTrouble,
    Configure,
    CountAsItLies,
    EnrolBox,
    GoOn,
    KeepFailure,
    LookAgain,
    NextMatch,
    Pause,
    ReadAgain,
    RoundTold,
    RowsMade,
    TileHere,
    TileTold,
    TryAgain,
    TryPanel,
    Wish,
)

if TYPE_CHECKING:
    from referee.table.controller import Controller

TRIES = TryPanel | EnrolBox | CalibrateLens
"""What takes panel or camera, and so puts a match away that is over."""


def grant_wish(
    match: Controller, wish: Wish, t: float, carry_out: Callable[[Iterable[Effect]], None]
) -> Notice | None:
    """Do what is wanted at the match time `t`; gives why that cannot be, None where it was done."""
    told: Notice | None
    match wish:
        case RoundTold():
            told = correct_round(wish, match.session, t, carry_out)
        case RowsMade():
            told = correct_other(wish, match.session)
        case TileTold() | TileHere():
            told = match.tiles_told.wished(wish)
        case ReadAgain():
            told = match.reviewing.read_again(wish)
        case CountAsItLies():
            told = match.reviewing.agree(wish)
        case KeepFailure():
            told = match.reviewing.keep_failure(wish)
        case Pause() | GoOn() | LookAgain() | Announce() | BeginDrawn() | ClubTrouble():
            told = match.from_afar.wished(wish, t)
        case NextMatch():
            told = match.starting.next_match()
        case _:
            told = _before_a_match(match, wish)
    return told


def _before_a_match(match: Controller, wish: Wish) -> Notice | None:
    """What is done before a match; whoever tries something after one that is over has seen how it ended."""
    over = match.session.state.phase is Phase.OVER
    if over and isinstance(wish, TRIES) and wish != TryPanel(None):
        match.starting.next_match()
    anew = over and isinstance(wish, Configure | TryAgain)  # the table is built for the next match anyway
    return match.at_a_screen.wished(wish, lobby=anew or match.session.state.phase is Phase.LOBBY)
