"""Lines that are cut, stall, halve and refuse, a broker and a hall that are killed: the hall has it all."""

import pytest

pytest.importorskip("mosquitto", reason="paho-mqtt is not installed")
from cut_off import BROKER_KILLS, HALL_KILLS, evening
from mosquitto import MISSING, PROGRAM

pytestmark = [pytest.mark.club, pytest.mark.skipif(PROGRAM is None, reason=MISSING)]


def test_tables_cut_off_at_random_lose_nothing_and_double_nothing(tmp_path):
    found = evening(tmp_path, seed=7, tables=4, events=100)
    assert (found.lost, found.doubled, found.other) == (0, 0, [])
    assert "Traceback" not in found.log
    assert (found.done["broker killed"], found.done["hall killed"]) == (BROKER_KILLS, HALL_KILLS)
    assert all(found.done[what] for what in ("cut", "half", "stall", "refused", "rounds"))
    assert found.events >= 400
