import pytest
from hypothesis import given
from knocks import knock_discards
from naive_gin import deals, hands, least, least_after_adding, valid

from referee.errors import BadInput
from referee.game.gin.hands import arrange
from referee.game.gin.showdown import best_discard, knocking_of, lay_off, may_knock, settle
from referee.game.notation import parse_set, parse_table
from referee.game.rulebooks import ruleset


@pytest.mark.parametrize(
    ("rest", "knocks"),
    [
        pytest.param("Y9", True, id="nine"),
        pytest.param("Y10", False, id="ten, though other books allow it"),
        pytest.param("Y13", False, id="a king"),
        pytest.param("R4", True, id="none"),
    ],
)
def test_a_rest_below_ten_may_knock(rest, knocks):
    assert may_knock(parse_set("R1 R2 R3 K5 B5 Y5 K8 B8 R8 " + rest)) is knocks


def test_discards_after_which_a_knock_is_legal():
    hand = parse_set("R1 R2 R3 K5 B5 Y5 K8 B8 R8 Y9 Y2")
    assert knock_discards(hand) == parse_set("Y2 Y9")
    assert best_discard(hand) == parse_set("Y9")[0]


def test_of_equal_discards_the_higher_tile_goes():
    assert best_discard(parse_set("R12 R2 R3 R4")) == parse_set("R12")[0]
    assert str(best_discard(parse_set("K5 K6 K7 K8"))) == "K8"


@pytest.mark.parametrize(
    ("hand", "laid", "added", "rest"),
    [
        pytest.param("R4 K13", "R1 R2 R3", "R4", "K13", id="at the upper end"),
        pytest.param("R4 K13", "R5 R6 R7", "R4", "K13", id="at the lower end"),
        pytest.param("R4 R5 R6 B13", "R1 R2 R3", "", "B13", id="an own set needs not be given up"),
        pytest.param("R4 R5 R7", "R1 R2 R3", "R4 R5", "R7", id="step by step, not over a gap"),
        pytest.param("R1 R12 R13", "R9 R10 R11", "R12 R13", "R1", id="no run goes on from the king to the ace"),
        pytest.param("Y7 Y8", "R7 K7 B7", "Y7", "Y8", id="the fourth of a group"),
        pytest.param("R7 Y8", "R7 K7 B7 Y7", "", "R7 Y8", id="nothing after the fourth"),
        pytest.param("R5 R4 K9", "K5 B5 Y5 | R6 R7 R8", "R4 R5", "K9", id="on the run, so that more can follow"),
        pytest.param("R5 R6 R7 K1", "R2 R3 R4 | R8 R9 R10", "", "K1", id="a set of one's own is as good"),
        pytest.param("R5 R6 K1", "R2 R3 R4 | R7 R8 R9", "R5 R6", "K1", id="between two runs"),
        pytest.param("K8 B8 R8 R9 R10", "R5 R6 R7", "", "B8 K8", id="an own run keeps its tiles"),
        pytest.param("K8 B8 R8 R9 B9 K7", "R5 R6 R7 | K4 K5 K6", "K7 K8 R8 R9", "B8 B9", id="a set left out"),
        pytest.param("K8 B8", "K5 B6 R7", "", "K8 B8", id="nothing is added to what is not a set"),
    ],
)
def test_what_the_opponent_adds(hand, laid, added, rest):
    found = lay_off(parse_set(hand), parse_table(laid))
    assert set(found.added) == set(parse_set(added))
    assert set(found.own.rest) == set(parse_set(rest))


def test_after_gin_nothing_is_added():
    assert lay_off(parse_set("R4 K13"), ()).own.points == 14


@given(hands(size=8), hands())
def test_adding_finds_what_the_slow_way_finds(hand, other):
    laid = arrange(other).sets
    hand = tuple(tile for tile in hand if tile not in other)
    found = lay_off(hand, laid)
    assert found.own.points == least_after_adding(hand, laid)


@given(deals())
def test_the_best_discard_leaves_the_least(deal):
    hand = (*deal[0], deal[1][0])
    left = {tile: least([other for other in hand if other != tile]) for tile in hand}
    assert left[best_discard(hand)] == min(left.values())
    assert set(knock_discards(hand)) == {tile for tile, points in left.items() if points < 10}
    assert all(valid(frozenset(some)) for some in lay_off(deal[1], arrange(deal[0]).sets).own.sets)


class TestScore:
    @pytest.mark.parametrize(
        ("knocker", "opponent", "scores"),
        [
            pytest.param(4, 30, (26, 0), id="lower"),
            pytest.param(4, 5, (1, 0), id="lower by one"),
            pytest.param(4, 4, (0, 10), id="equal"),
            pytest.param(9, 2, (0, 17), id="higher"),
            pytest.param(0, 0, (0, 10), id="no rest, but not by gin"),
        ],
    )
    def test_a_knock(self, knocker, opponent, scores):
        score = settle(0, (knocker, opponent), gin=False)
        assert score.scores == scores
        assert score.winner == scores.index(max(scores))
        assert score.hands == (knocker, opponent)
        assert settle(1, (opponent, knocker), gin=False).scores == scores[::-1]

    @pytest.mark.parametrize(("opponent", "points"), [(40, 65), (0, 25)])
    def test_gin(self, opponent, points):
        assert settle(1, (opponent, 0), gin=True).scores == (0, points)


def test_other_books_have_no_knocking():
    with pytest.raises(BadInput, match="expected a rule book with knocking, got piatnik"):
        knocking_of(ruleset("piatnik"))
