"""Whoever is nearer in the standings but sits elsewhere is named in the reasons, with what speaks against it."""

import random
from functools import cache
from itertools import product

import pytest
from tournaments import Log

from referee.club.tournament import drawing, reasons
from referee.club.tournament.drawing import ranked_players
from referee.club.tournament.events import DrawWithdrawn, ResultCorrected, RulingMade, Swapped, TeamGiven
from referee.club.tournament.nearer import Obstacle
from referee.club.tournament.reasons import reasons_of
from referee.club.tournament.rules import Drawing, TieBreak
from referee.club.tournament.seating import swiss
from referee.club.tournament.seating.swiss import Costs
from referee.club.tournament.standings import ranking
from referee.i18n import LANGUAGES, Wording

WORDS = Wording("en")
NAMED = ("draw.met", "draw.nearer_mates", "draw.nearer_byes", "draw.nearer_paired", "draw.nearer_needed")


def swiss_log(players, **rules):
    return Log(players=players, drawing=Drawing.SWISS, **{"rounds": 9, **rules})


def random_log(seed, players, largest, rounds, teams=False, leavers=0):
    """A tournament whose last round was drawn after some rounds with random results."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    log = swiss_log(players, largest=largest, seed=seed)
    if teams:
        for number in range(1, players + 1):
            log.do(TeamGiven(number, f"Team {(number + 1) // 2}", 1.0))
    for number in range(rounds):
        log.draw()
        log.tell({player: rng.randint(0, 9) for player in range(1, players + 1)})
        if number < leavers:
            log.leave(rng.choice(log.now.here))
    log.draw()
    return log


def notices(log):
    """By player of the last round with a seat, the notices."""
    round_, told = log.now.rounds[-1], reasons_of(log.now, len(log.now.rounds))
    return {
        player: of_player
        for table, of_table in zip(round_.tables, told.tables, strict=True)
        for player, of_player in zip(table.players, of_table, strict=True)
    }


def named(told, *keys):
    """The names in the notices with these keys."""
    names = [name for one in told if one.key in keys for name in dict(one.fields)["names"]]
    return [dict(name.fields)["text"] for name in names]


def elsewhere(log):
    """By player of the last round, the names of those who are nearer than somebody at the table, and not there."""
    round_, before = log.now.rounds[-1], log.now.before_round(len(log.now.rounds))
    order = ranking(before, sorted(round_.players))
    found = {}
    for table in round_.tables:
        for player in table.players:
            own = order.index(player)
            farthest = max(abs(order.index(other) - own) for other in table.players)
            found[player] = {
                f"Player {one}"
                for at, one in enumerate(order)
                if one not in table.players and abs(at - own) < farthest
            }
    return found


@pytest.fixture
def all_named(monkeypatch):
    monkeypatch.setattr(reasons, "MOST_NAMED", 99)


drawn = cache(random_log)
"""As `random_log`, for tests that only look at it."""
FREE = product((9, 12, 16, 18, 20, 27, 41), (2, 3, 4), (1, 3, 4))
WITH_TEAMS_OR_LEAVERS = product((13, 22), (2, 3, 4), (3,), (False, True), (2,))
FLOATED = (3, 6, 3, 2)
DRAWS = [
    pytest.param(case, id=f"players {case[1]}, largest {case[2]}, rounds {case[3]}, {case[4:]}")
    for case in (*((seed, *one) for seed, one in enumerate((*FREE, *WITH_TEAMS_OR_LEAVERS))), FLOATED)
]


@pytest.mark.usefixtures("all_named")
@pytest.mark.parametrize("case", DRAWS)
def test_everybody_nearer_who_sits_elsewhere_has_a_reason(case):
    log = drawn(*case)
    told = notices(log)
    for player, names in elsewhere(log).items():
        assert sorted(named(told[player], *NAMED)) == sorted(names)
        assert not {"draw.nearer_corrected", "draw.nearer_not_found"} & {one.key for one in told[player]}


@pytest.mark.usefixtures("all_named")
@pytest.mark.parametrize("case", DRAWS)
def test_no_exchange_with_whoever_is_needed_costs_less(case):
    """Counted anew for the whole round, by the rules of the draw."""
    log = drawn(*case)
    round_, before = log.now.rounds[-1], log.now.before_round(len(log.now.rounds))
    order = ranking(before, sorted(round_.players))
    costs = Costs(
        ranked_players(before, order), tuple(sorted((len(one.players) for one in round_.tables), reverse=True))
    )
    byes = tuple(map(order.index, round_.byes))

    def cost(one=0, other=0):
        names = {one: other, other: one}
        tables = tuple(
            tuple(order.index(names.get(player, player)) for player in table.players) for table in round_.tables
        )
        return costs.of_round(tables, byes)

    for player, told in notices(log).items():
        own = order.index(player)
        for name in named(told, "draw.nearer_needed"):
            one = int(name.removeprefix("Player "))
            others = round_.tables[round_.table_of(player) - 1].players
            farther = [other for other in others if abs(order.index(other) - own) > abs(order.index(one) - own)]
            assert farther
            assert all(cost(one, other) >= cost() for other in farther)


def test_every_obstacle_is_told_somewhere_and_has_a_sentence_in_every_language():
    heard = set()
    for case in DRAWS:
        for told in notices(drawn(*case.values[0])).values():
            heard |= {told.key for one in told for told in dict(one.fields).get("obstacles", ())}
            heard |= {one.key for one in told}
            for language in LANGUAGES:
                assert "{" not in Wording(language).all(told)
    assert {f"draw.{one}" for one in Obstacle if one is not Obstacle.NONE} <= heard
    assert {*NAMED} <= heard


def test_the_sentence_says_why_somebody_is_needed_elsewhere():
    log = random_log(40, 20, 4, 4)
    sentences = [WORDS.all(one) for one in told_lists(log, "draw.nearer_needed")]
    assert sentences
    assert all(one.startswith("Nearer and not met before, but needed at other tables: Player ") for one in sentences)
    assert any(
        one.endswith(
            " If one of them changed places with somebody here who is farther away, more players would meet again or "
            "the players at all tables together would be no closer in the standings."
        )
        for one in sentences
    )


def test_of_many_who_are_nearer_the_nearest_are_named_and_the_others_counted(monkeypatch):
    log = random_log(40, 41, 4, 4)
    everybody = {player: set(names) for player, names in elsewhere(log).items()}
    monkeypatch.setattr(reasons, "MOST_NAMED", 2)
    for player, told in notices(log).items():
        names = [name for one in told if one.key in NAMED for name in dict(one.fields)["names"]]
        counts = [dict(one.fields)["count"] for one in names if one.key == "draw.more"]
        assert all(count > 1 for count in counts)
        assert len(names) - len(counts) + sum(counts) == len(everybody[player])
    assert any(" more." in WORDS.all(one) for one in notices(log).values())


def told_lists(log, *keys):
    return [
        [one for one in told if one.key in keys]
        for told in notices(log).values()
        if any(one.key in keys for one in told)
    ]


def test_a_corrected_result_is_told_as_the_reason_for_those_who_are_nearer_only_now():
    log = random_log(3, 20, 4, 2)
    table = log.now.rounds[0].tables[0]
    assert not told_lists(log, "draw.nearer_corrected")
    best = max(table.points)
    for number, one in enumerate(log.now.rounds[0].tables, 1):
        turned = tuple(best - points for points in one.points)
        if turned != one.points:
            log.do(ResultCorrected(1, number, turned, 5.0))
    assert told_lists(log, "draw.nearer_corrected")
    assert not told_lists(log, "draw.nearer_not_found")


def test_seats_that_no_search_would_find_are_not_called_the_best(monkeypatch):
    log = swiss_log(12)
    log.play()
    worst = ((0, 11, 1, 10), (2, 9, 3, 8), (4, 7, 5, 6))
    monkeypatch.setattr(
        drawing, "swiss_round", lambda *_: swiss.SwissRound(worst, (), repeats=0, bound=0, proven=False)
    )
    log.draw()
    assert told_lists(log, "draw.nearer_not_found")


def test_who_was_exchanged_after_the_draw_is_told_at_the_table():
    log = swiss_log(12)
    log.play()
    log.draw()
    before = notices(log)
    one, other = log.now.rounds[1].tables[0].players[0], log.now.rounds[1].tables[1].players[0]
    log.do(Swapped(one, other, 3.0))
    after = notices(log)
    for number, table in enumerate(log.now.rounds[1].tables):
        for player in table.players:
            keys = [told.key for told in after[player]]
            assert ("draw.swapped" in keys) == (player in (one, other))
            assert ("draw.others_swapped" in keys) == (number < 2 and player not in (one, other))
            if number == 2:  # of the other table all is as it was
                assert after[player] == before[player]
    log.do(Swapped(one, other, 4.0))
    assert notices(log) == before


def test_an_exchange_in_a_draw_that_was_withdrawn_is_not_told_of_the_next_one():
    log = swiss_log(12)
    log.play()
    log.draw()
    log.do(Swapped(log.now.rounds[1].tables[0].players[0], log.now.rounds[1].tables[1].players[0], 3.0))
    log.do(DrawWithdrawn(4.0))
    log.draw()
    assert not {"draw.swapped", "draw.others_swapped"} & {one.key for told in notices(log).values() for one in told}


def test_a_warning_after_the_draw_does_not_draw_new_lots_for_those_who_share_a_place():
    log = swiss_log(12, tie_breaks=(TieBreak.WINS,))
    log.play()
    log.draw()
    before = notices(log)
    log.do(RulingMade(1, 0, 5.0))
    assert notices(log) == before
