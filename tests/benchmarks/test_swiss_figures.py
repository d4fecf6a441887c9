import pytest

from benchmarks import swiss


@pytest.fixture(autouse=True)
def _only_a_few(monkeypatch):
    monkeypatch.setattr(swiss, "PLAYERS", 16)
    monkeypatch.setattr(swiss, "ROUNDS", 4)
    monkeypatch.setattr(swiss, "EVENTS", 12)


def test_a_row_for_each_way_and_its_standings_and_one_for_each_margin():
    rows = swiss.measure()
    assert [row.what for row in rows] == [
        "Swiss draw, standings by points",
        "Swiss draw, standings by points and strength",
        "seats by lot, standings by points",
        "seats by lot, standings by points and strength",
        "Swiss draw against seats by lot: both by points",
        "Swiss draw against seats by lot: by strength, and by lot by points",
        "Swiss draw against seats by lot: both by strength",
    ]  # fmt: skip
    assert {(row.on, row.count) for row in rows} == {("16 players, 4 rounds, tables of 4", "12 events")}
    assert [row.reached is None for row in rows] == [True] * 5 + [False, True]


def test_without_luck_the_strongest_wins_and_the_standings_are_near_the_strengths(monkeypatch):
    monkeypatch.setattr(swiss, "LUCK", 0.0)
    found = swiss.play_event(3, swiss.draw_by_standings)
    for order in (found.by_points, found.by_strength):
        assert order.winner_rank == 1
        assert order.spearman > 0.8


def test_the_same_seed_gives_the_same_event():
    assert swiss.play_event(5, swiss.draw_by_lot) == swiss.play_event(5, swiss.draw_by_lot)
    assert swiss.play_event(5, swiss.draw_by_lot) != swiss.play_event(6, swiss.draw_by_lot)


def test_the_interval_of_a_mean():
    mean, about = swiss.interval([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert about == pytest.approx(1.96 * 1.2910 / 2, abs=1e-3)
