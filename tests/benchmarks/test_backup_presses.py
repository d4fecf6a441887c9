"""Presses beside a backup: the measurement compares presses without and during a backup, and judges the latter."""

import threading
from pathlib import Path

import numpy as np
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
    ratio = late / 10
    assert row.figure == f"10.0 ms p95 without, {late:.1f} ms with: {ratio:.2f} ({ratio:.2f}-{ratio:.2f}) times"
    assert row.count == f"{PRESSES} and {PRESSES} presses, in turn"
    assert row.reached is reached


def test_the_interval_has_the_ratio_and_is_narrower_with_more_presses() -> None:
    def interval(presses: int) -> tuple[float, float]:
        times = np.random.default_rng(1).gamma(4.0, 5.0, presses)
        return backup.ratio_interval(list(times), list(1.5 * times), np.random.default_rng(0))

    few, many = interval(100), interval(2000)
    assert few[0] < many[0] < 1.5 < many[1] < few[1]
