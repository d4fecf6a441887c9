"""What is true of each phase of a match."""

import pytest

from referee.game.match.phases import Phase


@pytest.mark.parametrize("phase", Phase)
def test_a_turn_is_part_of_a_round_and_a_round_of_a_match(phase: Phase) -> None:
    assert phase.in_round or not (phase.looks or phase.ends_turn or phase.has_clock)
    assert phase.in_match or not phase.in_round
    assert not (phase.deals and phase.in_round)


def test_the_camera_is_waited_for_in_four_phases_and_a_table_in_five() -> None:
    looks = {Phase.LOOKING, Phase.TIME_UP, Phase.CHECKING, Phase.COUNTING}
    assert {phase for phase in Phase if phase.looks} == looks
    assert {phase for phase in Phase if phase.awaits_table} == looks | {Phase.ASKING}


def test_rounds_begin_before_the_first_and_between_two() -> None:
    assert {phase for phase in Phase if phase.deals} == {Phase.LOBBY, Phase.BETWEEN}
    assert {phase for phase in Phase if phase.is_scored} == {Phase.BETWEEN, Phase.OVER}
