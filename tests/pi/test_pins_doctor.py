"""`referee doctor --panel` on the real lgpio, with somebody there: the panel is opened twice, and works both times."""

import pytest
from pins.pins_process import printed_by

from referee.devices.panel.self_test import self_test_steps
from referee.devices.wiring.pins import PinMap

pytestmark = pytest.mark.usefixtures("board")


def test_the_doctor_finds_every_lamp_the_buzzer_and_every_button_to_work():
    findings = printed_by("doctor_at_panel.py")
    told = {one["check"]: one for one in findings["findings"]}
    assert told["panel"]["found"] == "All 19 pins of the panel are free, and no button is stuck."
    steps = [f"panel {step.name}" for step in self_test_steps(PinMap())]
    assert [name for name in told if name.startswith("panel ")] == steps
    assert {name: told[name]["found"] for name in steps} == dict.fromkeys(steps, "It works.")
    assert "Traceback" not in findings["stderr"]
