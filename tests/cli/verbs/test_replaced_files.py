"""A command that writes a file replaces an earlier one of the same kind, and never any other."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import run
from kept_matches import journal_with
from played import short
from saved_tables import table

from referee.journal.rows import Setup

Captured = pytest.CaptureFixture[str]
PICTURE = cv2.imencode(".png", np.zeros((90, 160, 3), np.uint8))[1].tobytes()
OTHERS = {
    ".png": PICTURE, ".pdf": b"%PDF-1.4\nsomebody's letter\n%%EOF\n", ".csv": b"name,club\nZoe,Bern\n",
    ".json": b'{"id": "spring", "photos": []}\n', ".zip": b"PK\x05\x06" + bytes(18),
}  # fmt: skip


def words_of(command: str, tmp_path: Path) -> tuple[list[str], Path]:
    """The words of a command, and the file that it writes."""
    target = tmp_path / {"markers": "a.pdf", "sheet": "a.png", "card": "a.png", "backup": "a.zip"}[command]
    match command:
        case "markers":
            return ["print", "--out", str(target)], target
        case "sheet":
            return ["print", "markers", "--out", str(target)], target
        case "backup":
            state = table(tmp_path, "one").state
            return ["backup", str(target), "--set", f"storage.state={state}"], target
    setup = Setup.now("rummikub", {})
    state = journal_with(tmp_path, short(setup), setup)
    return ["scores", "--card", str(target), "--state", str(state)], target


@pytest.mark.parametrize("command", ["markers", "sheet", "card", "backup"])
def test_only_an_earlier_one_is_replaced(tmp_path: Path, capsys: Captured, command: str) -> None:
    words, target = words_of(command, tmp_path)
    for other in {OTHERS[target.suffix], b"\xff\xd8 something else"}:
        target.write_bytes(other)
        assert run(words)[0] == 2
        text = " ".join(capsys.readouterr().err.split())
        assert f"{target.name}: expected no file there, or" in text
        assert "to be replaced, found another file" in text
        assert target.read_bytes() == other
    target.write_bytes(b"")
    assert run(words)[0] == 0
    first = target.read_bytes()
    assert first
    assert run(words)[0] == 0
    target.unlink()
    target.symlink_to(tmp_path / "nowhere")
    assert run(words)[0] == 0
    capsys.readouterr()
