"""How the doctor's checks and results are called: in English as programs have them."""

import pytest

from referee.doctor.finding import RESULTS, Finding, Result, check_name, together
from referee.game.notice import Notice, as_notice
from referee.i18n import ENGLISH

CHECKS = [
    "settings", "pins", "game", "camera", "lens", "markers", "light", "focus", "colour", "glare", "tiles",
    "flicker", "model", "reading", "box", "journal", "disk", "running", "machine", "clock", "heat", "power",
    "memory", "service", "panel", "display", "resolution",
]  # fmt: skip


@pytest.mark.parametrize(
    "check",
    [
        *CHECKS,
        *("camera lock", "camera place", "camera settings", "camera size", "journal folder", "journal place"),
        *("network camera", "play area", "table size", "panel button-1", "panel red"),
    ],
)
def test_a_check_has_a_name_in_the_catalogue(check: str) -> None:
    assert check_name(check) != as_notice(check)
    assert ENGLISH(check_name(check)) == check


def test_a_check_of_the_first_evening_is_called_as_in_its_record() -> None:
    assert ENGLISH(check_name("power-on")) == "power-on"


def test_every_result_has_a_word() -> None:
    assert {result: ENGLISH(word) for result, word in RESULTS.items()} == {one: one.value for one in Result}


def test_programs_get_english_sentences_and_nothing_where_nothing_is_to_be_done() -> None:
    told = together(Notice("doctor.correct_box"), as_notice("Then go on."))
    assert Finding("box", Result.SKIPPED, Notice("doctor.no_box", tileset="gin"), told).to_json() == {
        "check": "box",
        "result": "skipped",
        "found": "No box of gin is enrolled, so tiles are read without knowing their print.",
        "do": "Correct [table] box or tileset. Then go on.",
        "figures": {},
    }
    assert Finding("tiles", Result.OK, Notice("doctor.no_tile_found")).to_json()["do"] == ""
