"""A power cut at any moment of a backup or a restore: there is always one complete state, and no event is lost."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).parents[1] / "support"


def killed(tmp_path: Path, *arguments: str) -> list[dict[str, Any]]:
    command = [sys.executable, SUPPORT / "killed_backups.py", arguments[0], tmp_path, *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_restore_leaves_the_old_or_the_new_state_whenever_it_is_killed(tmp_path: Path, seed: int) -> None:
    lines = killed(tmp_path, "restore", str(seed))
    assert {line["state"] for line in lines} == {"old", "new"}
    assert sum(line["kills"] for line in lines) > 100
    # Once it has been decided, it stays decided; and nothing of the attempt is left, nor in the way of the next one.
    states = [line["state"] for line in lines]
    assert states == sorted(states, reverse=True)
    assert lines[-1]["done"]
    assert lines[-1]["state"] == "new"
    assert [line for line in lines if line["left"] or not line["repeated"]] == []
    # What was there before the second restore can be brought back, and before the first one, if that got so far.
    undos = [line["undo"] for line in lines]
    assert undos == sorted(undos)
    assert (undos[0], undos[-1]) == ([2], [2, 2])
    assert all(undo in ([2], [2, 2]) for undo in undos)


def test_a_killed_backup_leaves_the_older_ones_and_the_table_as_they_were(tmp_path: Path) -> None:
    lines = killed(tmp_path, "backup")
    assert len(lines) > 40
    assert [line for line in lines if not line["same"]] == []
    assert {tuple(line["intact"]) for line in lines} == {(2,), (2, 2)}
    assert lines[-1] == {"step": len(lines) - 1, "done": True, "intact": [2, 2], "same": True}


@pytest.mark.parametrize("how", ["reset", "reset-all"])
def test_a_reset_leaves_the_old_or_an_empty_state_whenever_it_is_killed(tmp_path: Path, how: str) -> None:
    lines = killed(tmp_path, how, "1")
    states = [line["state"] for line in lines]
    assert set(states) == {"old", "new"}
    assert states == sorted(states, reverse=True)  # once it has been decided, it stays decided
    assert lines[-1]["done"]
    assert [line for line in lines if line["left"]] == []
    # The automatic backup and the one with which it is undone stay, or none does.
    ends = [line["kept"] for line in lines if line["state"] == "new"]
    assert ends == [[2, 2] if how == "reset" else []] * len(ends)
    assert all(line["kept"] for line in lines if line["state"] == "old")
