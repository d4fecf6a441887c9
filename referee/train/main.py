"""`referee train`: data, the nets, the inks of boxes, calibration, export, description; from nothing, seeded."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch import nn

from referee.errors import BadInput
from referee.train import calibrate, data, export, mine
from referee.train.faces import HELD_OUT, Faces, find_faces
from referee.train.fit import Report, fit_finder, fit_reader
from referee.vision import crops, find
from referee.vision.read import COLOURS

# Of tile evidence. On 160 generated pictures of held-out type faces, half of them bare, it lost 8 of 3141 tiles.
KEEP_FROM = 1.0


@dataclass(frozen=True)
class Plan:
    """How much to train. The defaults make the shipped model in under an hour on two cores."""

    pictures: int = 3600
    tables: int = 240
    """Generated tables of type faces never trained on, by which the threshold of doubt is chosen."""
    finder_epochs: int = 9
    aligner_epochs: int = 2
    reader_epochs: int = 4
    mined: int = 800


def scaled(pictures: int) -> Plan:
    """A plan with that many training pictures, for a trial; mining and the tables shrink along."""
    usual = Plan()
    return replace(usual, pictures=pictures, mined=min(usual.mined, pictures), tables=min(usual.tables, pictures))


def train(out: Path, seed: int = 1, work: Path = Path("data"), plan: Plan | None = None) -> None:
    """Make data in `work`, train, and write `finder.onnx`, `reader.onnx` and `tiles.toml` to `out`.

    The three files are written to a side folder first and moved together, so that `out` is never half new. Raises
    BadInput where the machine has too few type faces.
    """
    plan = plan or Plan()
    try:
        faces = find_faces()
    except FileNotFoundError as error:
        raise BadInput(
            f"{error}; on Debian: apt install fonts-dejavu fonts-liberation fonts-urw-base35 and more"
        ) from error
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TimeRemainingColumn(), TextColumn("{task.fields[figures]}"))  # fmt: skip
    with Progress(*columns, console=console) as progress:
        tasks = {
            name: progress.add_task(name, total=None, figures="")
            for name in ("pictures", "finder", "reader", "mining")
        }

        def report(what: str, step: int, steps: int, figures: str) -> None:
            progress.update(tasks[what], completed=step, total=steps, figures=figures)

        training, validation = _make_data(faces, work, plan, seed, report)
        samples = data.load_samples(training, data.FINDER_PARTS)
        finder = fit_finder(samples, seed=seed, epochs=plan.finder_epochs, report=report)
        samples = data.load_samples(training, data.READER_PARTS)
        reader = fit_reader(samples, seed=seed, epochs=plan.reader_epochs, report=report)
        first = _first_seed(seed)
        mined = mine.mine(finder, faces, range(first, first + plan.mined), report)
        both = mine.joined(mined, samples, share=6, seed=seed)
        reader = fit_reader(both, seed=seed + 1, epochs=plan.tuning_epochs, report=report, start=reader, rate=1e-3)
    publish(finder, reader, data.load_samples(validation, data.READER_PARTS), out, seed, plan, faces)


def _first_seed(seed: int) -> int:
    """The seed of the first picture, so that two trainings share none."""
    return (seed - 1) * 1_000_000


def _make_data(faces: Faces, work: Path, plan: Plan, seed: int, report: Report) -> tuple[Path, Path]:
    """Make both data sets and return their folders, which no other seed or size shares."""
    total, done = plan.pictures + plan.validation, 0

    def count_up(_: str) -> None:
        nonlocal done
        done = min(done + 200, total)
        report("pictures", done, total, "")

    folders = []
    for name, count in (("training", plan.pictures), ("validation", plan.validation)):
        folders.append(work / f"{name}-{seed}-{count}")
        data.make_samples(
            _first_seed(seed), count, faces, folders[-1], validation=name == "validation", report=count_up
        )
    return folders[0], folders[1]


def publish(
    finder: nn.Module, reader: nn.Module, validation: data.Samples, out: Path, seed: int, plan: Plan, faces: Faces
) -> calibrate.Measured:  # fmt: skip
    """Export both nets, calibrate through ONNX Runtime, and describe them in `out`/tiles.toml."""
    side = out / ".new"
    side.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    example = rng.uniform(-1, 1, (1, 3, 96, 128)).astype(np.float32)
    finder_gap = export.export(finder, example, {2: "height", 3: "width"}, side / "finder.onnx")
    ink = crops.relative_ink(validation.crops[:8])
    reader_gap = export.export(reader, ink, {0: "n"}, side / "reader.onnx")
    session = onnxruntime.InferenceSession(str(side / "reader.onnx"), providers=["CPUExecutionProvider"])
    measured = calibrate.calibrate(lambda array: tuple(session.run(None, {"input": array})), validation)
    made = f"generated pictures only: {plan.pictures} and {plan.mined} mined with the finder, seed {seed}"
    made += f", {len(faces.training)} type faces"
    tables: dict[str, dict[str, object]] = {
        "finder": {
            "file": "finder.onnx", "sha256": export.checksum(side / "finder.onnx"), "short_px": find.SHORT_PX,
            "stride": find.STRIDE, "threshold": 0.25, "keep_from": KEEP_FROM, "epochs": plan.finder_epochs,
            "largest_difference_to_net": float(f"{finder_gap:.2g}"),
        },
        "reader": {
            "file": "reader.onnx", "sha256": export.checksum(side / "reader.onnx"),
            "input": [3, crops.HEIGHT, crops.WIDTH], "kinds": _kind_names(), "colours": [c.value for c in COLOURS],
            "kind_temperature": measured.kind_temperature, "colour_temperature": measured.colour_temperature,
            "sure_from": measured.sure_from, "epochs": plan.reader_epochs, "tuning_epochs": plan.tuning_epochs,
            "largest_difference_to_net": float(f"{reader_gap:.2g}"),
        },
        "made": {
            "from": made, "type_faces_never_trained_on": list(HELD_OUT), "torch": torch.__version__,
            "python": platform.python_version(), "calibrated_on": f"{measured.crops} crops of other type faces",
            "calibration_right": measured.right, "calibration_silent_wrong": measured.silent_wrong,
            "calibration_doubtful": measured.doubtful,
        },
    }  # fmt: skip
    (side / "tiles.toml").write_text(export.to_toml(tables), encoding="utf-8")
    for name in ("finder.onnx", "reader.onnx", "tiles.toml"):
        (side / name).rename(out / name)
    side.rmdir()
    return measured


def _kind_names() -> list[str]:
    upright = [f"{n}" for n in range(1, 14)]
    return [*upright, *(f"{n} inverted" for n in upright), "joker", "face-down", "no tile"]
