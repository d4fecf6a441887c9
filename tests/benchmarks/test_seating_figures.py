import pytest

from benchmarks import seating


@pytest.fixture(autouse=True)
def _only_a_few(monkeypatch):
    monkeypatch.setattr(seating, "PLAYERS", range(16, 18))
    monkeypatch.setattr(seating, "ROUNDS", range(3, 5))
    monkeypatch.setattr(seating, "SECONDS", 1e9)


def test_every_number_of_rounds_has_its_row_and_all_hold():
    rows = seating.measure()
    assert [row.on for row in rows[:3]] == [
        "64 players, 8 rounds, tables of 4",
        "16-17 players, 3 rounds",
        "16-17 players, 4 rounds",
    ]
    assert [row.count for row in rows] == ["1 schedule", *["2 schedules"] * 2, "4 schedules", "8 plans"]
    assert all(row.reached for row in rows)


def test_repeats_above_the_bound_and_slow_schedules_are_told(monkeypatch):
    case = seating.Case(4, seating.seat(4, (4,), 3, seed=1), 1.0)
    worse = seating.Case(4, seating.Seating(case.seating.rounds, case.seating.byes, 20, 18), 1.0)
    row = seating.row_of("some", [case, worse], wanted=True)
    assert row.figure.startswith("1 at the bound, at most 2 above; 38 repeats, bound 36")
    assert row.reached is False
    assert seating.row_of("some", [case], wanted=True).reached
    monkeypatch.setattr(seating, "SECONDS", 1.0)
    assert seating.row_of("some", [case], wanted=True).reached is False
