"""What switches the panel off after a referee that was killed; on pins themselves in tests/pi/test_pins_panel.py."""

from pathlib import Path

import pytest

from referee.app import dark_panel


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
    monkeypatch.setattr(dark_panel, "open_panel", lambda *_: pytest.fail("pins were opened"))
    assert dark_panel.main() == 0
