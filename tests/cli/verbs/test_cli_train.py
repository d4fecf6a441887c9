"""`referee train`: a thin call of the training, which needs an extra that players do not have."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import run

PLANS = SimpleNamespace(TrainingPlan=dict, scale_plan=lambda count: {"pictures": count})
Captured = pytest.CaptureFixture[str]


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.delitem(sys.modules, "referee.train.main", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run(["train"])[0] == 2
    err = capsys.readouterr().err
    assert "extra `train`" in err
    assert err.count("\n") == 1


def test_the_options_reach_the_training(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setitem(sys.modules, "referee.train.networks", PLANS)
    fake = SimpleNamespace(
        train=lambda *arguments: calls.append(arguments),
        quantise_again=lambda *arguments: calls.append(("quantise", *arguments)),
        train_look_alikes_again=lambda *arguments: calls.append(("look-alikes", *arguments)),
    )
    monkeypatch.setitem(sys.modules, "referee.train.main", fake)
    out, work = tmp_path / "models", tmp_path / "data"
    assert run(["train", "--out", out, "--work", work, "--seed", "3", "--pictures", "120"])[0] == 0
    assert run(["train", "--out", out, "--work", work])[0] == 0
    assert run(["train", "--out", out, "--quantise", work])[0] == 0
    assert run(["train", "--out", out, "--look-alikes", "--seed", "3"])[0] == 0
    assert calls == [
        (out, 3, work, {"pictures": 120}), (out, 1, work, {}), ("quantise", work, out, 1), ("look-alikes", out, 3, {}),
    ]  # fmt: skip
    assert out.is_dir()


def test_a_folder_that_cannot_be_is_told_before_any_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "referee.train.networks", PLANS)
    fake = SimpleNamespace(train=None, quantise_again=None, train_look_alikes_again=None)
    monkeypatch.setitem(sys.modules, "referee.train.main", fake)
    taken = tmp_path / "file"
    taken.touch()
    assert run(["train", "--out", taken / "models"])[0] == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_two_parts_of_the_training_are_not_asked_for_at_once(tmp_path: Path, capsys: Captured) -> None:
    assert run(["train", "--out", tmp_path, "--quantise", tmp_path, "--look-alikes"])[0] == 2
    assert "expected --quantise or --look-alikes, found both" in capsys.readouterr().err
