from collections import Counter

from gin_bots import RandomMatch
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.game.match.events import MatchOver
from referee.game.match.phases import Phase
from referee.game.scoring import Ending


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_random_matches_are_counted_as_the_book_says(seed):
    game = RandomMatch(seed)
    game.play_round()
    while game.state.phase is Phase.BETWEEN:
        assert max(game.points) < 100
        winner, first = game.state.sheet.rounds[-1].winner, game.state.first
        game.next_round()
        assert game.state.first == (first if winner is None else winner)
        assert game.state.current == 1 - game.state.first
        game.play_round()
    assert game.state.phase is Phase.OVER
    assert max(game.points) >= 100
    assert game.got(MatchOver) == [MatchOver((game.points.index(max(game.points)),), tuple(game.points))]


def test_random_matches_see_every_kind_of_ending():
    endings = Counter()
    for seed in range(12):
        game = RandomMatch(seed)
        game.play_round()
        while game.state.phase is Phase.BETWEEN:
            game.next_round().play_round()
        for score in game.state.sheet.rounds:
            gin = score.ending is Ending.GIVEN and score.hands[score.winner] == 0
            lower = score.winner is not None and score.hands[score.winner] < score.hands[1 - score.winner]
            endings["gin" if gin else score.ending, lower] += 1
    assert sum(endings.values()) > 40
    assert {"gin", Ending.GIVEN, Ending.UNSCORED} <= {kind for kind, _ in endings}
