"""All networks of the model, trained one after the other from generated pictures; each is kept when it is trained."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from referee.train import data, look_alikes, mine
from referee.train.data import READER_PARTS, Samples
from referee.train.fit import Report, fit_aligner, fit_finder, fit_reader
from referee.train.nets import AlignerNet, FinderNet, LookAlikeNet, ReaderNet
from referee.train.pictures.printing import MANY_JOKERS
from referee.train.pictures.typefaces import Faces
from referee.vision.reading.glyphs import NONE_KIND

PACKAGE, SOURCES = Path(__file__).parents[1], ("train/**/*.py", "vision/**/*.py", "game/tiles.py")
"""The code on which a training depends."""
STAGES = ("pictures", "finder", "mining", "aligner", "reader", "look-alikes")
MILD, MILD_FROM, JOKERS_FROM = 0.45, 500_000, 700_000
"""The severity of the mild pictures, the first of their seeds, and the first of those with many kinds of jokers."""
HARSH_STEP = 5
"""One in this many of the harsh crops is used together with the mild ones."""
INEXACT_STEP = 6
"""One in this many crops for the reader is as the finder places it."""
LAST_MILD_STEP, LAST_HARSH_STEP = 2, 12
"""One in this many of the mild and of the harsh crops is used in the reader's last part."""


@dataclass(frozen=True)
class TrainingPlan:
    """How much to train. With the defaults, all stages take about two hours on two cores with bfloat16."""

    pictures: int = 5000
    mild: int = 4000
    """Pictures in the light of a real table, from which the finder learns as well, and the reader after the others."""
    jokers: int = 1000
    """Pictures in such a light, most of whose jokers are faces none of which is like another; only the reader learns
    from them. Without them, a reader was in doubt about 6 of 48 jokers in photos, faces in a ring that are plain to
    see."""
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
    others = ("mild", "jokers", "mined", "tables", "look_alike_pictures")
    most = {name: min(getattr(usual, name), pictures) for name in others}
    return replace(usual, pictures=pictures, **most)


def first_seed(seed: int) -> int:
    """Return the seed of the first picture, so that no two trainings have a picture in common."""
    return (seed - 1) * 1_000_000


def training_folder(work: Path, faces: Faces, plan: TrainingPlan, seed: int) -> Path:
    """Return the folder below `work` for the pictures and networks of one training.

    Its name depends on the plan, on the type faces of this machine, on the versions of the libraries, and on the code
    in SOURCES. If any of these changes, the training begins anew in another folder.
    """
    files = [*faces.training, *faces.validation, *faces.suits, faces.symbols]
    versions = (torch.__version__, np.__version__, cv2.__version__)
    digest = hashlib.sha256(repr((plan, versions, [(file.name, file.stat().st_size) for file in files])).encode())
    for pattern in SOURCES:
        for source in sorted(PACKAGE.glob(pattern)):
            digest.update(source.read_bytes())
    return work / f"training-{seed}-{digest.hexdigest()[:8]}"


def train_look_alikes(faces: Faces, plan: TrainingPlan, seed: int, report: Report) -> nn.Module:
    """Make the pictures for the network that tells look-alikes apart, and train it; no other network is needed."""
    prints = look_alikes.make_prints(first_seed(seed), plan.look_alike_pictures, faces, report)
    return look_alikes.fit_look_alikes(prints, seed=seed, epochs=plan.look_alike_epochs, report=report)


class NetworkTraining:
    """Trains all networks with one seed.

    A training that was interrupted continues after the last network that was complete. The reader is trained in three
    parts, each of which is kept.
    """

    def __init__(self, faces: Faces, work: Path, plan: TrainingPlan, seed: int, report: Report) -> None:
        """Pictures and networks are kept in `training_folder(work, ...)`."""
        self._faces, self._plan, self._seed, self._report = faces, plan, seed, report
        folder = training_folder(work, faces, plan, seed)
        self._harsh, self._mild, self._jokers = folder / "harsh", folder / "mild", folder / "jokers"
        self.networks = folder / "networks"

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
        mild = self._train_or_load("reader_mild", ReaderNet(), lambda: self._continue_reader(harsh, mine_crops()))
        reader = self._train_or_load("reader", ReaderNet(), lambda: self._finish_reader(mild, mine_crops()))
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
        """Make the training pictures: harsh ones, mild ones, and mild ones with many kinds of jokers."""
        plan, done = self._plan, 0
        count = plan.pictures + plan.mild + plan.jokers
        many_jokers = replace(self._faces, jokers=MANY_JOKERS)
        first = first_seed(self._seed)
        for folder, start, pictures, faces, severity in (
            (self._harsh, first, plan.pictures, self._faces, 1.0),
            (self._mild, first + MILD_FROM, plan.mild, self._faces, MILD),
            (self._jokers, first + JOKERS_FROM, plan.jokers, many_jokers, MILD),
        ):

            def report(made: int, before: int = done) -> None:
                self._report("pictures", before + made, count, "")

            data.make_samples(start, pictures, faces, folder, validation=False, severity=severity, report=report)
            done += pictures

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
        crops = _gather_crops(mined, (self._harsh, 1))
        return fit_reader(crops, seed=self._seed, epochs=self._plan.reader_epochs, report=self._report_part(1))

    def _continue_reader(self, reader: nn.Module, mined: Samples) -> nn.Module:
        """Train the reader further, mostly on the mild pictures."""
        crops = _gather_crops(mined, (self._mild, 1), (self._harsh, HARSH_STEP))
        epochs, report = self._plan.tuning_epochs, self._report_part(2)
        return fit_reader(crops, seed=self._seed + 1, epochs=epochs, report=report, start=reader, rate=1.2e-3)

    def _finish_reader(self, reader: nn.Module, mined: Samples) -> nn.Module:
        """Train the reader a last time: on the pictures with many kinds of jokers, and on some of the others."""
        crops = _gather_crops(mined, (self._jokers, 1), (self._mild, LAST_MILD_STEP), (self._harsh, LAST_HARSH_STEP))
        report = self._report_part(3)
        return fit_reader(crops, seed=self._seed + 2, epochs=1, report=report, start=reader, rate=5e-4)

    def _report_part(self, part: int) -> Report:
        """Return what reports the progress of one of the reader's three parts."""
        return lambda what, step, steps, figures: self._report(what, step, steps, f"part {part} of 3 {figures}")

    def _train_look_alikes(self) -> nn.Module:
        return train_look_alikes(self._faces, self._plan, self._seed, self._report)


def _gather_crops(mined: Samples, *folders: tuple[Path, int]) -> Samples:
    """Return mined crops and, of each folder, one in so many of the crops for the reader."""
    parts = [mined]
    for folder, step in folders:
        samples = data.load_samples(folder, parts=READER_PARTS)
        parts.append(samples.crops_only(_for_reader(samples)[::step]))
        del samples  # gigabytes
    return data.join_samples(parts)


def _for_reader(samples: Samples) -> np.ndarray:
    """Return the rows that the reader learns from: aligned crops, places without a tile, and a few inexact crops."""
    few = np.arange(len(samples.kinds)) % INEXACT_STEP == 0
    return np.flatnonzero((samples.loose == 0) | (samples.kinds == NONE_KIND) | few)
