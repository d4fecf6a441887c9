"""The training of all networks, stage by stage, and its continuation after an interruption."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from referee.train.pictures.typefaces import Faces

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from torch import nn  # noqa: E402

from referee.train import data, mine, networks  # noqa: E402
from referee.train.data import Samples, make_chunk  # noqa: E402
from referee.train.nets import AlignerNet, FinderNet, LookAlikeNet, ReaderNet  # noqa: E402
from referee.train.networks import NetworkTraining, TrainingPlan, training_folder  # noqa: E402

PLAN = TrainingPlan(pictures=2, mild=2, jokers=2, mined=2, look_alike_pictures=2)


class Stages:
    """Stands in for what takes minutes; `done` has the names of what ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, faces: Faces) -> None:
        self.done: list[str] = []
        self.interrupt_at = ""
        for name, net in (("finder", FinderNet), ("aligner", AlignerNet), ("reader", ReaderNet)):
            monkeypatch.setattr(networks, f"fit_{name}", self.fits(name, net))
        monkeypatch.setattr(networks, "train_look_alikes", self.fits("look_alikes", LookAlikeNet))
        few = make_chunk(range(1), faces, validation=False, copies=1)
        monkeypatch.setattr(data, "make_samples", lambda *_, **__: None)
        monkeypatch.setattr(data, "load_samples", lambda *_, **__: few)
        monkeypatch.setattr(mine, "mine", self.mines(few))

    def mines(self, few: Samples):
        def mined(*_: object) -> Samples:
            self.done.append("mining")
            return few.crops_only(slice(None))

        return mined

    def fits(self, name: str, net: type[nn.Module]):
        def fit(*_: object, **__: object) -> nn.Module:
            if self.interrupt_at == name:
                raise KeyboardInterrupt
            self.done.append(name)
            torch.manual_seed(len(self.done))
            return net()

        return fit


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch, faces: Faces) -> Stages:
    return Stages(monkeypatch, faces)


def training(faces: Faces, work: Path) -> NetworkTraining:
    return NetworkTraining(faces, work, PLAN, 1, lambda *_: None)


def weights(net: nn.Module) -> list[torch.Tensor]:
    return list(net.state_dict().values())


def test_a_training_that_was_interrupted_continues_after_the_last_network(
    faces: Faces, stages: Stages, tmp_path: Path
) -> None:
    stages.interrupt_at = "reader"
    with pytest.raises(KeyboardInterrupt):
        training(faces, tmp_path).train_all()
    assert stages.done == ["finder", "mining", "aligner"]
    stages.interrupt_at = ""
    trained = training(faces, tmp_path).train_all()
    reader = ["reader"] * 3  # it learns in three parts
    assert stages.done[3:] == ["mining", *reader, "look_alikes"]
    again = training(faces, tmp_path).train_all()
    assert len(stages.done) == 8
    for before, after in ((trained.finder, again.finder), (trained.reader, again.reader)):
        assert not after.training
        assert all(torch.equal(a, b) for a, b in zip(weights(before), weights(after), strict=True))


@pytest.mark.parametrize("part", [2, 3])
def test_a_reader_that_was_interrupted_in_a_later_part_continues_with_it(
    faces: Faces, stages: Stages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    usual, begun = networks.fit_reader, []

    def fit_reader(*args: object, start: nn.Module | None = None, **others: object) -> nn.Module:
        begun.append(start)
        if len(begun) == part:
            raise KeyboardInterrupt
        return usual(*args, **others)

    monkeypatch.setattr(networks, "fit_reader", fit_reader)
    with pytest.raises(KeyboardInterrupt):
        training(faces, tmp_path).train_all()
    training(faces, tmp_path).train_all()
    before, after = ["reader"] * (part - 1), ["reader"] * (4 - part)
    assert stages.done == ["finder", "mining", "aligner", *before, "mining", *after, "look_alikes"]
    assert len(begun) == 4
    assert begun[0] is None
    interrupted, continued = begun[part - 1 : part + 1]
    assert all(torch.equal(a, b) for a, b in zip(weights(interrupted), weights(continued), strict=True))


@pytest.mark.parametrize("changed", ["seed", "plan", "type faces"])
def test_a_training_that_was_begun_in_another_way_is_not_continued(
    faces: Faces, stages: Stages, tmp_path: Path, changed: str
) -> None:
    training(faces, tmp_path).train_all()
    plan = replace(PLAN, tuning_epochs=1) if changed == "plan" else PLAN
    fewer = replace(faces, training=faces.training[1:]) if changed == "type faces" else faces
    NetworkTraining(fewer, tmp_path, plan, 2 if changed == "seed" else 1, lambda *_: None).train_all()
    assert stages.done.count("finder") == 2


@pytest.mark.parametrize("changed", ["train/networks.py", "train/pictures/scenes.py", "vision/reading/crops.py",
                                     "game/tiles.py"])  # fmt: skip
def test_changed_code_begins_a_training_anew(
    faces: Faces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    package = tmp_path / "referee"
    for folder in ("train", "vision", "game"):
        shutil.copytree(networks.PACKAGE / folder, package / folder, ignore=shutil.ignore_patterns("__pycache__"))
    before = training_folder(tmp_path, faces, PLAN, 1)
    monkeypatch.setattr(networks, "PACKAGE", package)
    assert training_folder(tmp_path, faces, PLAN, 1) == before
    with (package / changed).open("a") as file:
        file.write("# other code\n")
    assert training_folder(tmp_path, faces, PLAN, 1) != before


def test_other_libraries_begin_a_training_anew(faces: Faces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = training_folder(tmp_path, faces, PLAN, 1)
    monkeypatch.setattr(torch, "__version__", "0.0")
    assert training_folder(tmp_path, faces, PLAN, 1) != before


def test_the_progress_of_the_pictures_includes_those_that_were_kept(
    faces: Faces, stages: Stages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "make_samples", lambda _, count, *__, report, **___: [report(1), report(count)])
    shown: list[tuple[str, int, int]] = []
    NetworkTraining(
        faces, tmp_path, PLAN, 1, lambda what, step, steps, _: shown.append((what, step, steps))
    ).train_all()
    assert shown == [("pictures", step, 6) for step in (1, 2, 3, 4, 5, 6)]
    assert "look_alikes" in stages.done
