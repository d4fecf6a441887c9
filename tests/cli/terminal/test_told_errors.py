"""What a command says of an error, be it made with a text or with a notice for players."""

import pytest

from referee.cli.terminal.common import complain
from referee.doctor.finding import sentence
from referee.errors import BadInput, CannotJudge, RefereeError
from referee.game.notice import Notice

NO_MARKERS = CannotJudge(Notice("reading.no_markers"))
TOO_FEW = CannotJudge(Notice("reading.too_few_markers", needed=3, found=1, markers="2"))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (BadInput("--box: expected\na name"), "referee: --box: expected a name\n"),
        (NO_MARKERS, "referee: I cannot see any of the markers at the corners of the table.\n"),
    ],
)
def test_one_line_says_what_is_wrong(error: RefereeError, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    complain(error)
    assert capsys.readouterr().err == told


def test_the_doctor_makes_a_sentence_of_it() -> None:
    assert sentence(NO_MARKERS) == "I cannot see any of the markers at the corners of the table."
    assert sentence(TOO_FEW) == "Expected at least 3 of the markers 0-3 in the picture, found 1 (2)."
    assert sentence("expected a disk") == "Expected a disk."


def test_signs_that_steer_a_terminal_are_left_out(capsys):
    assert complain("a/\x1b[2Jholiday\N{RIGHT-TO-LEFT OVERRIDE}.zip:\n none\0") == "a/[2Jholiday.zip: none"
    assert capsys.readouterr().err == "referee: a/[2Jholiday.zip: none\n"
