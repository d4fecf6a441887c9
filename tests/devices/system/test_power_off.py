"""Shutting the machine down and restarting it: what systemd-logind is asked, and what is told if it refuses."""

from pathlib import Path

import pytest
from system_bus import LOGIN, system_bus

from referee.devices.system.bus import NO_ANSWER, NOT_ALLOWED, VARIABLE, Bus
from referee.devices.system.power import Going, Power

RULES = Path(__file__).parents[3] / "systemd" / "referee.rules"


@pytest.mark.parametrize(("how", "method"), [(Going.OFF, "PowerOff"), (Going.RESTART, "Reboot")])
def test_logind_is_asked_without_a_question_to_anybody(tmp_path, how, method):
    with system_bus(tmp_path, "logind") as machine:
        power = Power(machine.bus)
        assert power.end_soon(how).result(timeout=60) is None
        assert machine.calls("logind") == [(method, [False])]
        assert power.going is how


def test_a_refusal_is_told_and_the_machine_stays(tmp_path):
    with system_bus(tmp_path, "logind") as machine:
        denied = "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"
        machine.refuse("logind", f"{LOGIN}.Manager", "PowerOff", "b", denied, "no")
        power = Power(machine.bus)
        assert power.end(Going.OFF) == NOT_ALLOWED
        assert power.going is None


def test_without_a_system_bus_that_is_told(tmp_path):
    power = Power(lambda: Bus({VARIABLE: f"unix:path={tmp_path / 'none'}"}))
    assert power.end(Going.OFF) == NO_ANSWER
    assert power.going is None


def test_the_rules_allow_what_is_asked_for_and_only_to_the_referee():
    text = RULES.read_text(encoding="utf-8")
    assert 'subject.user == "referee"' in text
    for action in ("power-off", "power-off-multiple-sessions", "reboot", "reboot-multiple-sessions"):
        assert f'"org.freedesktop.login1.{action}"' in text
    assert "ignore-inhibit" not in text
