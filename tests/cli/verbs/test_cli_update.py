"""`referee update`: hands a bundle over and says what becomes of it."""

import json
from pathlib import Path

import pytest
from command_line import run

from referee.cli.verbs import update as verb

Captured = pytest.CaptureFixture[str]
RESULT = {"version": "2-abc", "before": "1-def", "reason": "", "detail": "", "lost": 0}


def write(folder: Path, **changed: object) -> None:
    (folder / ".new").write_text(json.dumps({**RESULT, **changed}))
    (folder / ".new").replace(folder / "update.json")


@pytest.mark.parametrize(
    ("ends", "code", "told"),
    [
        ({"state": "trying"}, 0, "Version 2-abc has just been started"),
        ({"state": "waits"}, 0, "It will be used when the match has ended."),
        ({"state": "failed", "reason": "signature"}, 1, "it is not signed by anybody"),
        ({"state": "back", "reason": "stopped"}, 1, "Version 1-def is in use again."),
    ],
)
def test_it_is_handed_over_whole_and_followed(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, ends: dict[str, str], code: int, told: str
) -> None:
    state, file = tmp_path / "state", tmp_path / "referee.bundle"
    state.mkdir()
    file.write_bytes(b"a bundle")
    write(state, state="failed", reason="no_room")  # of an update before
    results = iter([{"state": "checking"}, {"state": "installing"}, ends])

    def updater(_: float) -> None:
        assert (state / "updates/bundle").read_bytes() == b"a bundle"
        write(state, **next(results))

    monkeypatch.setattr(verb.time, "sleep", updater)
    assert run(["update", str(file), "--state", str(state), "--language", "en"])[0] == code
    said = capsys.readouterr()
    text = " ".join((said.out + said.err).split())
    assert told in text
    assert "Version 2-abc is being installed." in text
    assert "not enough room" not in text
    assert [path.name for path in (state / "updates").iterdir()] == ["bundle"]


def test_what_cannot_be_handed_over_is_told(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "referee.bundle"
    assert run(["update", str(file)])[0] == 2
    assert "expected the file of an update, found none" in capsys.readouterr().err
    assert run(["update", str(tmp_path)])[0] == 2
    file.write_bytes(b"a bundle")
    assert run(["update", str(file), "--state", str(tmp_path / "none")])[0] == 2
    assert "`sudo make install` makes it" in capsys.readouterr().err
    monkeypatch.setattr(verb, "MOST_BYTES", 3)
    assert run(["update", str(file), "--state", str(tmp_path)])[0] == 2
    assert "expected at most 3 bytes" in capsys.readouterr().err


def test_a_link_that_somebody_planted_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "updates").mkdir()
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "updates/.bundle.part").symlink_to(tmp_path / "precious")
    file = tmp_path / "referee.bundle"
    file.write_bytes(b"a bundle")
    verb.hand_over(file, tmp_path)
    assert (tmp_path / "precious").read_text() == "kept"
    assert (tmp_path / "updates/bundle").read_bytes() == b"a bundle"
