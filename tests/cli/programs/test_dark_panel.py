"""What switches the panel off after a referee that was killed; on pins themselves in tests/pi/test_pins_panel.py."""

from pathlib import Path

import pytest

from referee.cli.programs import dark_panel
from referee.errors import BadInput
from referee.settings.file import PAGE_FILE


def test_settings_that_cannot_be_read_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "referee.toml").write_text("[panel]\nkind = 7\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert dark_panel.main() == 2
    told = capsys.readouterr().err
    assert told.startswith("referee: referee.toml, line 2, [panel] kind: expected")
    assert told.count("\n") == 1


def test_a_table_without_pins_opens_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_PANEL_KIND", "console")
    monkeypatch.setattr(dark_panel, "darken", lambda *_: pytest.fail("pins were opened"))
    assert dark_panel.main() == 0


@pytest.mark.parametrize(
    ("text", "page"),
    [
        pytest.param("[gmae]\n[panel]\nred_lamp = 7\n", "", id="a fault elsewhere in the file"),
        pytest.param("[game]\nplayers = 7\n[panel]\nred_lamp = 7\n", "", id="a value of the wrong kind"),
        pytest.param("[panel]\nred_lamp = 7\n", "[panel]\nred_lamp = 1000\n", id="a fault in what the page chose"),
        pytest.param("[game]\nplayers = 7\n[panel]\nred_lamp = 7\n", "[", id="a fault in both"),
    ],
)
def test_a_fault_elsewhere_in_the_settings_leaves_no_lamp_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, page: str
) -> None:
    (tmp_path / "referee.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_STATE", str(tmp_path / "state"))
    (tmp_path / "state").mkdir()
    if page:
        (tmp_path / "state" / PAGE_FILE).write_text(page, encoding="utf-8")
    darkened = []
    monkeypatch.setattr(dark_panel, "darken", lambda pins, _tell: darkened.append(pins.red_lamp) or ())
    assert dark_panel.main() == 0
    assert darkened == [7]


def test_every_pin_that_is_not_free_is_a_line_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REFEREE_PANEL_KIND", "gpio")
    monkeypatch.setattr(dark_panel, "darken", lambda *_: (BadInput("red is busy"), BadInput("green is busy")))
    assert dark_panel.main() == 2
    assert capsys.readouterr().err == "referee: red is busy\nreferee: green is busy\n"
