"""What the pages say of groups and of the final after them. Pure.

The title of a round, whether the final comes next, who would be in it, and what a player reads about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.club.tournament import Tournament
from referee.club.tournament.groups import Contender, contenders, count_finalists, group_name
from referee.club.tournament.rules import Drawing
from referee.club.tournament.standings import group_standings
from referee.club.tournament.state import Player
from referee.club.tournament.teams import team_standings
from referee.game.notice import Notice
from referee.i18n import Wording


def round_title(tournament: Tournament) -> Notice | None:
    """Return the title of the round drawn last, or of the final that has just begun; None before the first round."""
    number, rounds = len(tournament.rounds), tournament.rules.rounds
    if not number:
        return None
    if tournament.final is not None:
        if not is_final_drawn(tournament):
            return Notice("final.title")
        return Notice("final.round", round=number, rounds=rounds)
    if tournament.rules.drawing is Drawing.GROUPS:
        return Notice("final.groups_round", round=number, rounds=rounds)
    return Notice("tournament_page.round_of", round=str(number), rounds=str(rounds))


def is_final_drawn(tournament: Tournament) -> bool:
    """Return whether a round of the final has been drawn."""
    return tournament.final is not None and len(tournament.rounds) > tournament.final.after


def may_be_undone(tournament: Tournament) -> bool:
    """Return whether the beginning of the final can be undone at once."""
    return tournament.final is not None and not tournament.ended and not is_final_drawn(tournament)


def has_newcomers(tournament: Tournament) -> bool:
    """Return whether a present player has no group yet, for whom rounds are added."""
    return tournament.in_groups and any(tournament.group_of(player) is None for player in tournament.here)


def is_final_next(tournament: Tournament) -> bool:
    """Return whether all rounds in groups have been played, so that what comes next is the final."""
    played = bool(tournament.rounds) and not tournament.under_way and not tournament.rounds_left
    return tournament.in_groups and not tournament.ended and played and not has_newcomers(tournament)


def stage_notice(tournament: Tournament) -> Notice | None:
    """Return what is said between two rounds about the final that comes next or has just begun; None if neither."""
    number = len(tournament.rounds)
    if is_final_next(tournament):
        return Notice("final.is_next", round=number, rounds=tournament.rules.rounds)
    if may_be_undone(tournament):
        return Notice("final.is_begun", players=len(tournament.here), round=number + 1)
    return None


def final_offer(tournament: Tournament, words: Wording) -> dict[str, Any] | None:
    """Return who would be in the final if it began now; None if it cannot.

    `order` has everybody who may reach it, those who do first: `number`, and `told` with the group and the place.
    `counts` has, for 1, 2 and so on of each group, how many of them do: without and with filled tables.
    """
    if not tournament.in_groups or tournament.ended or not tournament.rounds or tournament.under_way:
        return None
    order, rules = contenders(tournament), tournament.rules
    most = 1 + max((one.rank for one in order), default=0)
    return {
        "order": [{"number": one.player, "told": words(_contender(tournament, one))} for one in order],
        "counts": [
            [count_finalists(rules, order, first, fill=fill) for fill in (False, True)] for first in range(1, most + 1)
        ],
    }


def group_of_table(tournament: Tournament, number: int, players: Sequence[int]) -> str:
    """Return the name of the group that plays at a table of a round; empty if it is no round in groups.

    After a swap across groups there may be no such group, either.
    """
    found = {tournament.group_of(player) for player in players}
    at = found.pop() if len(found) == 1 and tournament.drawing_of(number) is Drawing.GROUPS else None
    return "" if at is None else group_name(at)


def _contender(tournament: Tournament, one: Contender) -> Notice:
    player, group = tournament.players[one.player - 1].name, group_name(one.group)
    if one.place is None:
        return Notice("final.reached_unplayed", player=player, group=group)
    return Notice("final.reached", player=player, group=group, place=one.place)


def _place_in_group(tournament: Tournament, number: int) -> tuple[str, int | None, int] | None:
    """Return the group of a player, their place in it (None without a result) and its size; None without a group."""
    at = tournament.group_of(number)
    if at is None:
        return None
    lines = group_standings(tournament)[at]
    counted = any(table.points is not None for round_ in tournament.rounds for table in round_.tables)
    place = next((line.shown_place for line in lines if line.player == number), None)
    return group_name(at), place if counted else None, len(lines)


def my_group(tournament: Tournament, number: int) -> Notice | None:
    """Return in which group a player is and in which place, until the final begins; None without groups."""
    found = None if tournament.final is not None else _place_in_group(tournament, number)
    if found is None:
        return None
    group, place, players = found
    if place is None:
        return Notice("final.my_group", group=group)
    return Notice("final.my_group_place", group=group, place=place, players=players)


def my_team(tournament: Tournament, number: int) -> Notice | None:
    """Return in which team a player is, and in which place the team; None for whoever plays in none."""
    team = tournament.players[number - 1].team
    if not team:
        return None
    lines = team_standings(tournament)
    line = next(one for one in lines if one.team == team)
    if line.shown_place is None:
        return Notice("final.my_team", team=team)
    return Notice("final.my_team_place", team=team, place=line.shown_place, teams=len(lines))


def _is_out_of_final(tournament: Tournament, player: Player) -> bool:
    """Return whether a player was there when the final began, and did not reach it; whoever has left is not meant."""
    final = tournament.final
    return final is not None and player.number in final.others and not player.here and not player.left


def why_away(tournament: Tournament, number: int) -> Notice | None:
    """Return why a player is not seated any more, as standings say it behind the name; None for whoever is."""
    player = tournament.players[number - 1]
    if player.here:
        return None
    if _is_out_of_final(tournament, player):
        return Notice("final.not_in")
    return Notice("tournament_page.eliminated" if player.cut else "tournament_page.away")


def told_out_of_final(tournament: Tournament, player: Player) -> Notice | None:
    """Return what somebody reads who was there and did not reach the final; None if that is not so."""
    if not _is_out_of_final(tournament, player):
        return None
    group, place, _ = _place_in_group(tournament, player.number) or ("", None, 0)
    if place is None:
        return Notice("final.my_out_unplayed")
    return Notice("final.my_out", group=group, place=place)
