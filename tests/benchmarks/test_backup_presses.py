"""Presses beside a backup: the measurement compares presses without and during a backup, and judges the latter."""

import threading
from pathlib import Path

import pytest

from benchmarks import backup, press
from benchmarks.press import FEWEST, PRESSES
from referee.backup.contents import Places


@pytest.mark.parametrize(("late", "reached"), [(49.0, True), (51.0, False)])
def test_presses_are_measured_alone_and_while_backups_are_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, late: float, reached: bool
) -> None:
    async def played(_: Path, __: int, watch: press.Stopwatch, *___: object, **____: object) -> None:
        saving = any(thread.name == "backup" for thread in threading.enumerate())
        watch.answered += [(late if saving else 10.0, FEWEST, True)] * PRESSES

    monkeypatch.setattr(press, "build_reader", lambda: None)
    state = tmp_path / "table"
    state.mkdir()
    row = backup.measure_presses(Places(state), tmp_path / "beside.zip", tmp_path / "presses", played)
    assert row.figure == f"10.0 ms p95 without, {late:.1f} ms with: {late / 10:.2f} times"
    assert row.count == f"{PRESSES} and {PRESSES} presses, in turn"
    assert row.reached is reached
