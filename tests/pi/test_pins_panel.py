"""The panel on the real gpiozero and the real lgpio, on a header in memory."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pins.pins_process import environment_or_skip, printed_by
from pins.with_pins import HERE

from referee.devices.panel.self_test import self_test_steps
from referee.devices.wiring.pins import Duty, PinMap

PINS = PinMap()
CONTACTS = list(PINS.contacts)
INPUT, OUTPUT, RISING, FALLING, PULL_UP = 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 8
UNIT = Path(__file__).parents[2] / "systemd" / "referee.service"
LATE_TRIES = TRIES = 20
"""Processes in which lgpio's thread may begin too late to be stopped, as it does on a busy machine now and then."""
BUTTON = INPUT | RISING | FALLING | PULL_UP

pytestmark = pytest.mark.usefixtures("board")


@pytest.fixture(scope="module")
def fresh(board):  # noqa: ARG001 - the process that is started finds this board's pins
    return printed_by("scenarios.py", "fresh")


def test_the_chip_is_the_one_that_the_board_has(board, fresh):
    assert fresh["chip"] == {"c03115": [0, "pinctrl-bcm2711"], "d04170": [4, "pinctrl-rp1"]}[board]


def test_every_line_is_claimed_for_what_it_is(fresh):
    expected = {line.name: BUTTON if line.duty is Duty.BUTTON else OUTPUT for line in PINS.lines}
    assert fresh["claimed"] == expected
    assert (fresh["at_rest"], fresh["dark"]) == ([], [])


def test_every_button_is_heard_when_it_closes_and_opens_and_seen_while_it_is_held(fresh):
    assert fresh["heard"] == CONTACTS
    assert fresh["held"] == [[name] for name in CONTACTS]


def test_a_closed_panel_holds_no_line_and_leaves_no_file(fresh):
    assert (fresh["left"], fresh["files"]) == ({}, [])


def test_a_bouncing_contact_is_one_press():
    bounced = printed_by("scenarios.py", "bounce")
    assert bounced["edges"] == 40
    assert bounced["told"] == ["Down", "Press"]


def test_noise_is_no_press():
    noise = printed_by("scenarios.py", "noise")
    for ms in ("0.2", "1", "2", "4"):  # on a busy machine fewer of them are as short as they should be
        assert noise[ms], ms
        assert [one for one in noise[ms] if one] == [], ms


def test_noise_on_all_wires_at_once_is_no_press_and_presses_at_once_all_count():
    everywhere = printed_by("scenarios.py", "everywhere")
    told = [told for one in everywhere["noises"] for told in one.values()]
    assert told
    assert [one for one in told if one] == []
    assert everywhere["presses"] == [{name: ["Down", "Press"] for name in CONTACTS}] * 5


def test_a_press_is_heard_while_the_interpreter_stands_still_and_noise_is_not():
    stalled = printed_by("scenarios.py", "stalled")
    assert stalled["presses"] == [["Down", "Press"]] * 15
    assert stalled["noises"]
    assert [one for one in stalled["noises"] if one] == []


def test_a_press_is_heard_at_the_instant_of_a_lamp():
    assert printed_by("scenarios.py", "at_a_lamp")["presses"] == [["Down", "Press"]] * 8


def test_a_worn_contact_that_opens_for_a_moment_is_one_press():
    presses = printed_by("scenarios.py", "parted")["presses"]
    assert presses
    assert [one for one in presses if one != ["Down", "Press"]] == []


def test_edges_are_dated_by_the_kernel():
    for told, took in printed_by("scenarios.py", "dated")["lengths"]:
        assert told == pytest.approx(took, abs=0.002)


def test_the_hum_of_a_loose_wire_is_no_press():
    hum = printed_by("scenarios.py", "hum")
    for hertz in ("50", "100"):
        (told,) = hum[hertz]
        assert "Press" not in told
        assert "Broken" in told


def test_every_button_is_heard_however_often_the_panel_was_closed_and_opened():
    """Also where a contact chatters while the panel is being closed."""
    opened = printed_by("scenarios.py", "reopen")
    assert (opened["unheard"], opened["alive"]) == ([], True), opened["stderr"]
    assert opened["files"][0] == opened["files"][1]


def test_a_tone_ends_at_once_and_with_its_pin_low():
    tones = printed_by("scenarios.py", "tones")
    assert set(tones["swings"]) == {True}
    assert set(tones["moved"]) == {0}
    assert set(tones["levels"]) == {0}


def test_every_step_of_the_self_test_lights_its_own_lamp():
    lamps = printed_by("scenarios.py", "lamps")
    bar = [line.name for line in PINS.lines_for(Duty.BAR)]
    steps = [step.name for step in self_test_steps(PINS) if step.contact is None and not step.tune]
    assert lamps["seen"] == {name: bar[: bar.index(name) + 1] if name in bar else [name] for name in steps}
    assert (lamps["after"], lamps["left_high"]) == ([], [])


def test_buttons_are_heard_although_lgpios_thread_missed_the_signal_that_lines_are_watched(monkeypatch):
    monkeypatch.setenv("PINS_LATE", "1")
    tries = (printed_by("scenarios.py", "late") for _ in range(LATE_TRIES))
    late = next((late for late in tries if late["stopped"]), None)
    assert late is not None, f"lgpio's thread could not be stopped in {LATE_TRIES} processes"
    assert late["deaf"], "lgpio's thread did not miss the signal: this shows nothing"
    assert late["heard"] == [True] * (2 + len(CONTACTS))


def test_a_panel_that_is_closed_leaves_nothing_on():
    """Also not for a moment: a lamp behind a transistor stays as its line was let go."""
    closed = printed_by("scenarios.py", "closed_lit")
    assert closed["before"] == sorted(line.name for line in PINS.lines if line.duty in (Duty.LAMP, Duty.BAR))
    assert (closed["after"], closed["left_high"]) == ([], [])


def test_pins_go_dark_after_a_referee_that_was_killed(tmp_path):
    """By the command of the unit's ExecStopPost=, on pins that keep their levels as those of a Pi do."""
    outputs = [line for line in PINS.lines if line.duty is not Duty.BUTTON]
    kept = tmp_path / "levels"
    inherited = {name: value for name, value in environment_or_skip().items() if not name.startswith("REFEREE_")}
    environment = inherited | {"PINS_KEPT": str(kept), "REFEREE_PANEL_KIND": "gpio", "HOME": str(tmp_path)}

    def run(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(  # noqa: S603
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    for _ in range(TRIES):  # on a busy machine the tone's wave may go down before the signal comes
        killed = run(str(HERE / "scenarios.py"), "killed")
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        if not (low := [line.name for line in outputs if not kept.read_bytes()[line.bcm]]):
            break
    assert low == []
    (command,) = re.findall(
        "^ExecStopPost=-/opt/referee/current/venv/bin/python (.*)$", UNIT.read_text(), re.MULTILINE
    )
    darkened = run(*command.split())
    assert darkened.returncode == 0, darkened.stderr
    assert [line.name for line in outputs if kept.read_bytes()[line.bcm]] == []


def test_a_pin_that_another_owner_has_leaves_no_other_one_on():
    darkened = printed_by("scenarios.py", "darkened")
    for told in darkened["told"][:2]:
        (one,) = told
        assert "a free pin for red, found GPIO23 (pin 16): GPIO busy; another program, or another referee" in one
    assert darkened["told"][2] == []
    assert darkened["lit"] == [["red"], ["red"], []]
    assert darkened["owned"] == []


def test_a_pin_that_another_owner_has_is_named_and_then_the_panel_opens():
    taken = printed_by("scenarios.py", "taken")
    for name, told in zip(("red", "bar-3", "button-2"), taken["told"], strict=True):
        assert f"a free pin for {name}, found GPIO" in told
        assert ": GPIO busy; another program, or another referee, has it" in told
    assert taken["heard"] == CONTACTS
