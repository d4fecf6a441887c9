"""The training of all networks, stage by stage, and its continuation after an interruption."""

from pathlib import Path

import pytest

from referee.train.pictures.typefaces import Faces

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")

from torch import nn  # noqa: E402

from referee.train import networks  # noqa: E402
from referee.train.nets import AlignerNet, FinderNet, LookAlikeNet, ReaderNet  # noqa: E402
from referee.train.networks import NetworkTraining, TrainingPlan, folder_of_networks  # noqa: E402

PLAN = TrainingPlan(pictures=2, mild=2, mined=2, look_alike_pictures=2)


class Stages:
    """Stands in for the training of each network, which takes minutes; `done` has the names of those that ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: list[str] = []
        self.interrupt_at = ""
        for name, net in (("finder", FinderNet), ("aligner", AlignerNet), ("reader", ReaderNet)):
            monkeypatch.setattr(networks, f"fit_{name}", self.fits(name, net))
        monkeypatch.setattr(networks, "train_look_alikes", self.fits("look_alikes", LookAlikeNet))

    def fits(self, name: str, net: type[nn.Module]):
        def fit(*_: object, **__: object) -> nn.Module:
            if self.interrupt_at == name:
                raise KeyboardInterrupt
            self.done.append(name)
            torch.manual_seed(len(self.done))
            return net()

        return fit


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> Stages:
    return Stages(monkeypatch)


def training(faces: Faces, work: Path, seed: int = 1) -> NetworkTraining:
    return NetworkTraining(faces, work, PLAN, seed, lambda *_: None)


def weights(net: nn.Module) -> list[torch.Tensor]:
    return list(net.state_dict().values())


def test_a_training_that_was_interrupted_continues_after_the_last_network(
    faces: Faces, stages: Stages, tmp_path: Path
) -> None:
    stages.interrupt_at = "reader"
    with pytest.raises(KeyboardInterrupt):
        training(faces, tmp_path).train_all()
    assert stages.done == ["finder", "aligner"]
    stages.interrupt_at = ""
    trained = training(faces, tmp_path).train_all()
    assert stages.done == ["finder", "aligner", "reader", "reader", "look_alikes"]
    again = training(faces, tmp_path).train_all()
    assert len(stages.done) == 5
    for before, after in ((trained.finder, again.finder), (trained.reader, again.reader)):
        assert not after.training
        assert all(torch.equal(a, b) for a, b in zip(weights(before), weights(after), strict=True))


def test_another_seed_does_not_continue_it(faces: Faces, stages: Stages, tmp_path: Path) -> None:
    training(faces, tmp_path).train_all()
    training(faces, tmp_path, seed=2).train_all()
    assert stages.done.count("finder") == 2
    assert folder_of_networks(tmp_path, PLAN, 1) != folder_of_networks(tmp_path, PLAN, 2)
