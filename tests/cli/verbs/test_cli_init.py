"""`referee init`: a settings file that explains itself, never written over one that is there."""

import os
from pathlib import Path

import pytest
from command_line import run

from referee.cli.parts.from_settings import pins_of
from referee.settings.settings import load

Captured = pytest.CaptureFixture[str]


def test_the_file_it_writes_names_everything_and_changes_nothing(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "referee.toml"
    assert run(["init", str(path)])[0] == 0
    assert str(path) in capsys.readouterr().out
    settings = load(path, {})
    assert settings.camera == load(None, {}).camera
    assert pins_of(settings) == pins_of(load(None, {}))
    assert "#turn_buttons" in path.read_text().replace("# turn_buttons", "#turn_buttons")


def test_a_file_that_is_there_stays(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "referee.toml"
    path.write_text("[game]\nrounds = 7\n")
    assert run(["init", str(path)])[0] == 2
    assert "--force writes over it" in capsys.readouterr().err
    assert path.read_text() == "[game]\nrounds = 7\n"
    assert run(["init", str(path), "--force"])[0] == 0
    assert load(path, {}).game.rounds == 3


def test_a_full_disk_spoils_no_file_and_leaves_none(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "referee.toml"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert run(["init", str(path)])[0] == 2
        assert list(tmp_path.iterdir()) == []
        path.write_text("[game]\nrounds = 7\n")
        path.chmod(0o640)
        assert run(["init", str(path), "--force"])[0] == 2
    assert "No space left" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path]
    assert load(path, {}).game.rounds == 7
    assert run(["init", str(path), "--force"])[0] == 0
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_name_that_leads_elsewhere_still_does(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("")
    (tmp_path / "referee.toml").symlink_to(tmp_path / "real.toml")
    assert run(["init", str(tmp_path / "referee.toml"), "--force"])[0] == 0
    assert (tmp_path / "referee.toml").is_symlink()
    assert "[game]" in (tmp_path / "real.toml").read_text()
    assert run(["init", "/dev/null", "--force"])[0] == 0
    assert not Path("/dev/null").is_file()


def test_links_that_lead_in_a_circle_are_told(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.toml").symlink_to(tmp_path / "b.toml")
    (tmp_path / "b.toml").symlink_to(tmp_path / "a.toml")
    assert run(["init", str(tmp_path / "a.toml"), "--force"])[0] == 2
    told = capsys.readouterr().err
    assert "a.toml: expected a place to write settings, found" in told
    assert told.count("\n") == 1
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.toml", "b.toml"]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, capsys: Captured) -> None:
    assert run(["init", str(tmp_path / "none" / "referee.toml")])[0] == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_pipe_without_a_reader_is_refused_and_not_waited_for(tmp_path: Path, capsys: Captured) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert run(["init", str(tmp_path / "pipe"), "--force"])[0] == 2
    assert "expected a place to write settings, found: " in capsys.readouterr().err


def test_a_pipe_with_a_reader_gets_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    assert run(["init", str(path), "--force"])[0] == 0
    assert b"[camera]" in os.read(reader, 1 << 16)
    os.close(reader)


@pytest.mark.parametrize("name", ["-", ""])
def test_what_is_no_name_of_a_file_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", name])[0] == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
