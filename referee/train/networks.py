"""All networks of the model, trained one after the other from generated pictures; each is kept when it is trained."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import nn

from referee.train import data, look_alikes, mine
from referee.train.data import READER_PARTS, Samples
from referee.train.fit import Report, fit_aligner, fit_finder, fit_reader
from referee.train.nets import AlignerNet, FinderNet, LookAlikeNet, ReaderNet
from referee.train.pictures.typefaces import Faces
from referee.vision.reading.glyphs import NONE_KIND

STAGES = ("pictures", "finder", "mining", "aligner", "reader", "look-alikes")
MILD, MILD_FROM = 0.45, 500_000
"""The severity of the mild pictures, and the first of their seeds."""
SHARE = 5
"""One in this many of the harsh crops is used together with the mild ones."""
FEW = 6
"""One in this many crops for the reader is as the finder places it."""


@dataclass(frozen=True)
class TrainingPlan:
    """How much to train. With the defaults, all stages together take nearly two hours on two cores with bfloat16."""

    pictures: int = 5000
    mild: int = 4000
    """Pictures in the light of a real table, from which the finder learns as well, and the reader last."""
    tables: int = 240
    """Generated tables with type faces that were never trained on, for choosing the threshold of doubt."""
    finder_epochs: int = 8
    aligner_epochs: int = 2
    reader_epochs: int = 3
    tuning_epochs: int = 6
    mined: int = 1600
    look_alike_pictures: int = 1500
    """Half of them show letters, half a 6 and a 9; twice as many would take twelve minutes more."""
    look_alike_epochs: int = 10


@dataclass(frozen=True)
class Trained:
    """All networks."""

    finder: nn.Module
    aligner: nn.Module
    reader: nn.Module
    look_alikes: nn.Module


def scale_plan(pictures: int) -> TrainingPlan:
    """Return a plan with this many training pictures, for a trial; mining and tables are reduced accordingly."""
    usual = TrainingPlan()
    most = {name: min(getattr(usual, name), pictures) for name in ("mild", "mined", "tables", "look_alike_pictures")}
    return replace(usual, pictures=pictures, **most)


def first_seed(seed: int) -> int:
    """Return the seed of the first picture, so that no two trainings have a picture in common."""
    return (seed - 1) * 1_000_000


def training_folder(work: Path, faces: Faces, plan: TrainingPlan, seed: int) -> Path:
    """Return the folder below `work` for the pictures and networks of one training.

    Its name depends on the plan, on the type faces of this machine, and on the code of the training, so that nothing
    is continued that was begun in another way.
    """
    files = [*faces.training, *faces.validation, *faces.suits, faces.symbols]
    begun = hashlib.sha256(repr((plan, [(file.name, file.stat().st_size) for file in files])).encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        begun.update(source.read_bytes())
    return work / f"training-{seed}-{begun.hexdigest()[:8]}"


def train_look_alikes(faces: Faces, plan: TrainingPlan, seed: int, report: Report) -> nn.Module:
    """Make the pictures for the network that tells look-alikes apart, and train it; no other network is needed."""
    prints = look_alikes.make_prints(first_seed(seed), plan.look_alike_pictures, faces, report)
    return look_alikes.fit_look_alikes(prints, seed=seed, epochs=plan.look_alike_epochs, report=report)


class NetworkTraining:
    """Trains all networks with one seed.

    A training that was interrupted continues after the last network that was complete. The reader is trained in two
    parts, and the first of them is kept as well.
    """

    def __init__(self, faces: Faces, work: Path, plan: TrainingPlan, seed: int, report: Report) -> None:
        """Pictures and networks are kept in `training_folder(work, ...)`."""
        self._faces, self._plan, self._seed, self._report = faces, plan, seed, report
        folder = training_folder(work, faces, plan, seed)
        self._harsh, self._mild, self.networks = folder / "harsh", folder / "mild", folder / "networks"

    def train_all(self) -> Trained:
        """Make the training data and train all networks."""
        self._make_data()
        finder = self._train_or_load("finder", FinderNet(), self._train_finder)

        @cache
        def mine_crops() -> Samples:
            first = first_seed(self._seed)
            return mine.mine(finder, self._faces, range(first, first + self._plan.mined), self._report)

        aligner = self._train_or_load("aligner", AlignerNet(), lambda: self._train_aligner(mine_crops()))
        harsh = self._train_or_load("reader_harsh", ReaderNet(), lambda: self._begin_reader(mine_crops()))
        reader = self._train_or_load("reader", ReaderNet(), lambda: self._finish_reader(harsh, mine_crops()))
        alike = self._train_or_load("look_alikes", LookAlikeNet(), self._train_look_alikes)
        return Trained(finder, aligner, reader, alike)

    def _train_or_load(self, name: str, net: nn.Module, fit: Callable[[], nn.Module]) -> nn.Module:
        """Return `net` with the weights that were kept; if there are none, return what `fit` trains, and keep it."""
        path = self.networks / f"{name}.pt"
        if path.is_file():
            net.load_state_dict(torch.load(path, weights_only=True))
            return net.eval()
        trained = fit()
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        torch.save(trained.state_dict(), part)
        part.rename(path)
        return trained

    def _make_data(self) -> None:
        """Make the training data, harsh and mild."""
        plan, done = self._plan, 0

        def count_up(_: str) -> None:
            nonlocal done
            done = min(done + 200, plan.pictures + plan.mild)
            self._report("pictures", done, plan.pictures + plan.mild, "")

        first = first_seed(self._seed)
        data.make_samples(first, plan.pictures, self._faces, self._harsh, validation=False, report=count_up)
        data.make_samples(first + MILD_FROM, plan.mild, self._faces, self._mild, validation=False, severity=MILD,
                          report=count_up)  # fmt: skip

    def _train_finder(self) -> nn.Module:
        samples = data.load_samples(self._harsh, self._mild, parts=data.FINDER_PARTS)
        return fit_finder(samples, seed=self._seed, epochs=self._plan.finder_epochs, report=self._report)

    def _train_aligner(self, mined: Samples) -> nn.Module:
        """Train the aligner on inexact crops of the harsh pictures and on mined ones."""
        samples = data.load_samples(self._harsh, parts=READER_PARTS)
        loose = data.join_samples([samples.crops_only(np.flatnonzero(samples.loose)), mined])
        del samples  # gigabytes
        return fit_aligner(loose, seed=self._seed, epochs=self._plan.aligner_epochs, report=self._report)

    def _begin_reader(self, mined: Samples) -> nn.Module:
        """Train the reader on the harsh pictures."""
        samples = data.load_samples(self._harsh, parts=READER_PARTS)
        usual = samples.crops_only(_for_reader(samples))
        del samples  # gigabytes
        harsh = data.join_samples([usual, mined])
        del usual
        return fit_reader(harsh, seed=self._seed, epochs=self._plan.reader_epochs, report=self._report)

    def _finish_reader(self, reader: nn.Module, mined: Samples) -> nn.Module:
        """Train the reader further, mostly on the mild pictures."""
        samples = data.load_samples(self._harsh, parts=READER_PARTS)
        some = samples.crops_only(_for_reader(samples)[::SHARE])
        samples = data.load_samples(self._mild, parts=READER_PARTS)
        last = data.join_samples([samples.crops_only(_for_reader(samples)), some, mined])
        del samples, some  # gigabytes
        return fit_reader(
            last, seed=self._seed + 1, epochs=self._plan.tuning_epochs, report=self._report, start=reader, rate=1.2e-3
        )

    def _train_look_alikes(self) -> nn.Module:
        return train_look_alikes(self._faces, self._plan, self._seed, self._report)


def _for_reader(samples: Samples) -> np.ndarray:
    """Return the rows that the reader learns from: aligned crops, places without a tile, and a few inexact crops."""
    few = np.arange(len(samples.kinds)) % FEW == 0
    return np.flatnonzero((samples.loose == 0) | (samples.kinds == NONE_KIND) | few)
