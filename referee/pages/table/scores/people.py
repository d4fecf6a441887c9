"""The statistics of a player as the page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.game.notice import Notice
from referee.journal.statistics import Badge, PlayerStatistics, badges_of
from referee.pages.table.scores.sheets import title_of


@dataclass(frozen=True, slots=True)
class Person:
    """A player with figures and badges; `others` are name, matches ended ahead, and matches together."""

    name: str
    rating: int
    figures: tuple[Notice, ...]
    badges: tuple[Notice, ...]
    others: tuple[tuple[str, int, int], ...]


def person(player: PlayerStatistics, everybody: Sequence[PlayerStatistics], language: str = "en") -> Person:
    """Return what the page shows of one of these players, with decimals as the language writes them."""
    others = tuple(
        (name, player.ahead[name], met) for name, met in sorted(player.met.items(), key=lambda one: -one[1])
    )
    return Person(
        player.player,
        player.rating.shown,
        tuple(_figures(player, language)),
        tuple(_badges(player, everybody)),
        others,
    )


def _figures(player: PlayerStatistics, language: str) -> list[Notice]:
    found = [
        Notice("statistics.matches_won", won=player.matches_won, matches=player.matches),
        Notice("statistics.rounds_won", won=player.rounds_won, rounds=player.rounds),
    ]
    for rules, points in player.points.items():
        shown = f"{points:+d}" if points else "0"
        found.append(Notice("statistics.points", points=shown, rules=title_of(rules)))
    if player.first_meld is not None:
        turn = f"{player.first_meld:.1f}"
        found.append(Notice("statistics.first_meld", turn=turn if language == "en" else turn.replace(".", ",")))
    if player.seconds_a_turn is not None:
        found.append(Notice("statistics.time", seconds=round(player.seconds_a_turn)))
    if player.turns.longest:
        found.append(Notice("statistics.longest", tiles=player.turns.longest))
    return found


def _badges(player: PlayerStatistics, everybody: Sequence[PlayerStatistics]) -> list[Notice]:
    found = {
        Badge.STREAK: Notice("statistics.badge_streak", wins=player.longest_streak),
        Badge.LONG_SET: Notice("statistics.badge_long_set", tiles=player.turns.longest),
        Badge.IN_ONE_TURN: Notice("statistics.badge_in_one_turn"),
        Badge.QUICK: Notice("statistics.badge_quick"),
    }
    return [found[badge] for badge in badges_of(player, everybody)]
