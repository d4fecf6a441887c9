"""What the form that opens a tournament tells as an example is true for the number that it names."""

import re

import pytest
from hosting import Hosting

from referee.club.tournament.drawing import plan
from referee.club.tournament.events import Planned, ResultTold
from referee.club.tournament.repeats import count_repeats
from referee.club.tournament.rules import Counting, Drawing
from referee.i18n import LANGUAGES, Wording

PLAYERS, ROUNDS, WINNERS = 16, 5, 4


def play_round(hosting):
    hosting.draw()
    hosting.begin()
    for table, one in enumerate(hosting.drawn.tables, 1):
        hosting.do(ResultTold(table, tuple(range(len(one.players), 0, -1)), 4.0))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_names_the_number_that_it_holds_for(language):
    assert re.findall(r"\d+", Wording(language).entry("tournament_page.how_example")) == [
        str(PLAYERS), str(ROUNDS), "1", "2",
    ]  # fmt: skip


def test_planned_ahead_nobody_meets_twice():
    hosting = Hosting(PLAYERS, rounds=ROUNDS)
    hosting.do(Planned(plan(hosting.now.tournament), 1.5))
    for _ in range(ROUNDS):
        play_round(hosting)
    assert count_repeats(hosting.now.tournament) == 0


@pytest.mark.parametrize("seed", range(5))
def test_by_the_standings_the_winners_of_round_1_sit_together_in_round_2(seed):
    hosting = Hosting(PLAYERS, rounds=ROUNDS, seed=seed, drawing=Drawing.SWISS, counting=Counting.STRENGTH)
    play_round(hosting)
    winners = {table.players[0] for table in hosting.drawn.tables}
    assert len(winners) == WINNERS
    hosting.draw()
    assert winners in [set(table.players) for table in hosting.drawn.tables]
