"""The doubles of the pins, held against the real gpiozero and lgpio."""

import pytest
from pins.pins_process import printed_by


@pytest.fixture(scope="module")
def held(board):  # noqa: ARG001 - the process that is started finds this board's pins
    return printed_by("contract.py")


def test_names_signatures_and_values_are_those_of_the_real_ones(held):
    assert held["problems"] == []


def test_the_double_has_all_that_gpiozero_calls_of_lgpio(held):
    assert {"callback", "gpio_claim_alert", "tx_pwm", "BOTH_EDGES", "error"} <= set(held["called"])


def test_the_same_story_runs_alike_on_lgpio_and_on_the_double(held):
    assert held["double"] == held["lgpio"]
