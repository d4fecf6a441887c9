"""Groups, the final after them, and teams: what their events change. Pure.

1. Groups are formed before the first draw; whoever comes later is added to one before the next draw.
2. The final begins between two rounds. Whoever does not reach it has left, and keeps their points; whoever checks in
   again is seated in the final. Until its first round is drawn it can be undone: then everybody is back in the groups.
3. A team has at most four members. Its name is spelled as by the first of them.
"""

from __future__ import annotations

from dataclasses import replace

from referee.club.tournament.events import FinalBegun, FinalWithdrawn, GroupsFormed, OutOfOrder, TeamGiven
from referee.club.tournament.rules import LARGEST_TEAM
from referee.club.tournament.state import Final, FinalWithdrawal, Tournament
from referee.errors import BadInput
from referee.game.notice import Notice
from referee.letters import can_be_shown, count_letters

LONGEST_TEAM_NAME = 40


def form_groups(tournament: Tournament, event: GroupsFormed) -> Tournament:
    """Divide the players into groups; everybody who is present must be in one, and nobody in two."""
    if not tournament.in_groups:
        raise OutOfOrder(Notice("tournament.no_groups"))
    if tournament.under_way:
        raise OutOfOrder(_results_missing(tournament))
    grouped = [player for group in event.groups for player in group]
    known = range(1, len(tournament.players) + 1)
    if len({*grouped}) < len(grouped) or not {*tournament.here} <= {*grouped} <= {*known}:
        raise BadInput(f"expected each of players {tournament.here} in one group, got {event.groups}")
    if event.rounds < max(1, len(tournament.rounds)):
        raise BadInput(f"expected at least {max(1, len(tournament.rounds))} rounds in groups, got {event.rounds}")
    rules = replace(tournament.rules, rounds=event.rounds)
    return replace(tournament.without_plan(), groups=event.groups, rules=rules)


def begin_final(tournament: Tournament, event: FinalBegun) -> Tournament:
    """Let some players play the final; all others leave."""
    check_final_may_begin(tournament)
    if len({*event.players}) < len(event.players) or not {*event.players} <= {*tournament.here}:
        raise BadInput(f"expected some of players {tournament.here} once each, got {event.players}")
    if event.rounds < 1 or not event.players:
        raise BadInput(f"expected a final of at least 1 round with players, got {event}")
    here = {*event.players}
    played = len(tournament.rounds)
    return replace(
        tournament,
        players=tuple(replace(one, here=one.number in here) for one in tournament.players),
        rules=replace(tournament.rules, rounds=played + event.rounds),
        final=Final(
            event.players,
            played,
            len(tournament.rulings),
            tuple(player for player in tournament.here if player not in here),
            tournament.rules.rounds,
        ),
        plan=(),
        former=(),
    )


def withdraw_final(tournament: Tournament, event: FinalWithdrawn) -> Tournament:
    """Undo the beginning of the final: whoever did not reach it is present again, and the groups go on."""
    final = tournament.final
    if final is None:
        raise OutOfOrder(Notice("final.none"))
    if len(tournament.rounds) > final.after:
        last = tournament.rounds[-1]
        only_drawn = len(tournament.rounds) == final.after + 1 and len(last.missing_tables) == len(last.tables)
        raise OutOfOrder(Notice("final.draw_first" if only_drawn else "final.played", round=final.after + 1))
    others = {*final.others}
    # Whoever came back for the final and left again has really left.
    players = (replace(one, here=one.here or (one.number in others and not one.left)) for one in tournament.players)
    trace = FinalWithdrawal(final.after, final.players, event.t, event.who, event.why)
    return replace(
        tournament,
        players=tuple(players),
        rules=replace(tournament.rules, rounds=final.rounds),
        final=None,
        plan=(),
        former=(),
        traces=(*tournament.traces, trace),
    )


def check_final_may_begin(tournament: Tournament) -> None:
    """Raise OutOfOrder unless a round in groups was played, none is under way, and the final has not begun."""
    if not tournament.in_groups:
        raise OutOfOrder(Notice("tournament.no_groups"))
    if not tournament.rounds:
        raise OutOfOrder(Notice("tournament.groups_not_played"))
    if tournament.under_way:
        raise OutOfOrder(_results_missing(tournament))


def _results_missing(tournament: Tournament) -> Notice:
    missing = tuple(map(str, tournament.rounds[-1].missing_tables))
    return Notice("tournament.results_missing", round=len(tournament.rounds), tables=missing)


def team_key(name: str) -> str:
    """Return the name of a team without differences in case and spaces."""
    return " ".join(name.split()).casefold()


def give_team(tournament: Tournament, event: TeamGiven) -> Tournament:
    """Put a player in a team, or take them out of it; the seats of the rounds to come depend on it."""
    if not 1 <= event.player <= len(tournament.players):
        raise BadInput(Notice("tournament.no_such_player", player=event.player))
    team = " ".join(event.team.split())
    if not can_be_shown(team):
        raise BadInput(Notice("tournament.name_not_shown"))
    if count_letters(team) > LONGEST_TEAM_NAME:
        raise BadInput(Notice("tournament.team_name_too_long", most=LONGEST_TEAM_NAME))
    others = [one for one in tournament.players if one.team and one.number != event.player]
    mates = [one for one in others if team_key(one.team) == team_key(team)]
    if len(mates) >= LARGEST_TEAM:
        raise OutOfOrder(Notice("tournament.team_full", team=mates[0].team, most=LARGEST_TEAM))
    player = replace(tournament.players[event.player - 1], team=mates[0].team if mates else team)
    return tournament.with_player(player).without_plan()
