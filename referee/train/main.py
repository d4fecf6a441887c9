"""`referee train`: data, networks, inks of boxes, export, quantisation, calibration and description; seeded.

The export ends with a check that ONNX Runtime and the network agree.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from referee.cli.parts.readers import load_nets
from referee.devices.onnx import DESCRIPTION, NETWORKS, load_description
from referee.errors import BadInput
from referee.train import calibrate, look_alikes, quantise
from referee.train.calibrate import COMPONENTS, SAMPLES, MadeTable, make_tables, priors
from referee.train.networks import (
    MILD,
    MILD_FROM,
    STAGES,
    NetworkTraining,
    Trained,
    TrainingPlan,
    first_seed,
    train_look_alikes,
)
from referee.train.pictures.surfaces import Floats
from referee.train.pictures.typefaces import HELD_OUT, Faces, find_faces
from referee.train.progress import show_progress
from referee.vision.finding import finder as find
from referee.vision.reading import crops
from referee.vision.reading.answers import EMBEDDING
from referee.vision.reading.glyphs import GLYPHS, SUITS
from referee.vision.reading.inks import InkPrior
from referee.vision.reading.joint import Known

LOOK_ALIKES = "look_alikes"
AGREEMENT = 2e-3  # largest difference of any logit between the net and its ONNX file


def export(net: nn.Module, example: np.ndarray, axes: Mapping[int, str], path: Path) -> float:
    """Write `net` to `path` and return the largest difference from ONNX Runtime on `example`.

    Raises RuntimeError if they differ by more than AGREEMENT; then no file is left.
    """
    part = path.with_suffix(".part")
    net = net.eval().to(memory_format=torch.contiguous_format)
    outputs = {0: "n"} | ({2: "h4", 3: "w4"} if 2 in axes else {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns that it is deprecated
        torch.onnx.export(net, torch.from_numpy(example), str(part), dynamo=False, opset_version=17,
                          input_names=["input"], output_names=["output"],
                          dynamic_axes={"input": dict(axes), "output": outputs})  # fmt: skip
    session = onnxruntime.InferenceSession(str(part), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        expected = net(torch.from_numpy(example)).numpy()
    worst = float(np.abs(expected - session.run(None, {"input": example})[0]).max())
    if worst > AGREEMENT:
        part.unlink()
        raise RuntimeError(
            f"expected the net and its ONNX file to agree within {AGREEMENT}, found {worst:.2g} ({path})"
        )
    part.rename(path)
    return worst


def save_priors(inks: Sequence[InkPrior], path: Path) -> None:
    """Write the priors of inks in the form that `referee.vision.reading.inks.priors_from` reads."""
    with path.open("wb") as file:
        weights, shares, means, covariances = (
            np.stack([getattr(prior, part) for prior in inks]).astype(np.float32)
            for part in ("weights", "shares", "means", "covariances")
        )
        colours = np.asarray([[c.value for c in prior.colours] for prior in inks])
        np.savez_compressed(
            file, colours=colours, weights=weights, shares=shares, means=means, covariances=covariances
        )


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def to_toml(tables: Mapping[str, Mapping[str, object]]) -> str:
    """Return tables of plain values as TOML."""
    lines = ["# Written by `make model`; do not edit by hand: the checksums are verified at load."]
    for name, table in tables.items():
        lines += ["", f"[{name}]"] + [f"{key} = {_value(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


FIND_FROM = 0.19
"""The finder's least score for a candidate. With 0.25, 22 of 12,070 tiles in pictures with ten kinds of disturbance
were lost, most of them wooden tiles on beech, which the finder gave 0.20 to 0.24; with 0.19, 14 are, and three more
places without a tile are asked about."""
KEEP_FROM = 2.8
"""In units of tile evidence: from here on, a place has a tile. One bare place of 137 photos has 2.45 to 2.67,
depending on how the networks are quantised. Of 3,757 wooden tiles on drawn tables (`benchmarks.wood`, seeds 31 and
41), none is lost with 2.8 that is found with 2.6."""
ASK_FROM = 0.0
"""In units of tile evidence: a place that may be bare is asked about from here on, and ignored below. Of 1,890 wooden
tiles on drawn tables (`benchmarks.wood`, seed 31) none has less, and six of 42 tables have a place without a tile that
seems to have a print and more."""
_LIMITS = {"threshold": FIND_FROM, "keep_from": KEEP_FROM, "ask_from": ASK_FROM}


def train(out: Path, seed: int = 1, work: Path = Path("data"), plan: TrainingPlan | None = None) -> None:
    """Make data in `work`, train, and write the networks, the inks and `tiles.toml` to `out`.

    The files are written to a temporary folder first and then moved, each one complete and tiles.toml last. Each
    network is kept in `work` as soon as it is trained, with the pictures: a training that was interrupted continues
    after the last of them. Raises BadInput if the machine has too few type faces.
    """
    plan = plan or TrainingPlan()
    faces = find_training_faces()
    with show_progress(STAGES) as report:
        training = NetworkTraining(faces, work, plan, seed, report)
        trained = training.train_all()
    first = first_seed(seed)
    tables = list(make_tables(range(first, first + plan.tables), faces))
    examples = draw_examples(faces, seed)
    publish(trained, priors(seed), tables, examples, training.networks, out, seed, plan, faces)


def find_training_faces() -> Faces:
    """Return the type faces of this machine; raises BadInput if there are too few."""
    try:
        return find_faces()
    except FileNotFoundError as error:
        raise BadInput(f"{error}; `sudo make fonts` installs those of Debian") from error


def draw_examples(faces: Faces, seed: int) -> quantise.Examples:
    """Return generated inputs of all networks for the quantisation, harsh and mild ones."""
    first = first_seed(seed)
    made = quantise.make_examples(faces, {first: 1.0, first + MILD_FROM: MILD})
    return made | {LOOK_ALIKES: look_alikes.make_examples(faces)}


def publish(
    trained: Trained, inks: Sequence[InkPrior], tables: Sequence[MadeTable], examples: quantise.Examples, floats: Path,
    out: Path, seed: int, plan: TrainingPlan, faces: Faces,
) -> calibrate.Measured:  # fmt: skip
    """Export and quantise the networks, calibrate with ONNX Runtime, and describe everything in tiles.toml.

    All files are first written to `out`/.new and then renamed, tiles.toml last.

    `trained`: the networks.
    `inks`: the priors of inks, by kind of box.
    `tables`: generated tables for the calibration; no network may have been trained on them.
    `examples`: inputs of each network, for the quantisation.
    `floats`: the folder for the networks before quantisation.
    `out`: the folder of the model; existing files are replaced.
    `seed`: the seed of the training, for the description.
    `plan`: how much was trained, for the description.
    `faces`: the type faces that were used; their number goes into the description.
    """
    floats.mkdir(parents=True, exist_ok=True)
    gaps = _export_networks(trained, tables, floats)
    side = _empty_folder(out)
    alike = _export_look_alikes(trained.look_alikes, side, examples[LOOK_ALIKES], plan)
    errors = quantise.quantise_networks(floats, side, examples)
    save_priors(inks, side / "inks.npz")
    nets = load_nets({part: side / f"{part}.onnx" for part in NETWORKS})
    measured = calibrate.calibrate(nets, Known(tuple(inks)), tables)
    _describe(side, gaps, errors, alike, measured, seed, plan, faces)
    _move_files(side, out, (*(f"{part}.onnx" for part in NETWORKS), "inks.npz", DESCRIPTION))
    return measured


def _empty_folder(out: Path) -> Path:
    """Return an empty folder inside `out` for new files; what an interruption left there is deleted."""
    side = out / ".new"
    shutil.rmtree(side, ignore_errors=True)
    side.mkdir(parents=True)
    return side


def _move_files(side: Path, out: Path, names: Sequence[str]) -> None:
    """Move all files of a folder to another one, in this order, and remove the folder."""
    for name in names:
        (side / name).rename(out / name)
    side.rmdir()


def quantise_again(floats: Path, out: Path, seed: int = 1) -> None:
    """Replace the networks of the model in `out` by those in the folder `floats`, quantised.

    `floats` must be from the same training. The limits for candidates are those of this module; the rest of the model
    stays as it is, with its calibration. Raises BadInput if a network is missing, and BadModel if `out` has no model.
    """
    if missing := [part for part in quantise.NETWORKS if not (floats / f"{part}.onnx").is_file()]:
        raise BadInput(f"expected {', '.join(f'{part}.onnx' for part in missing)} in {floats}, found none")
    tables = {name: dict(table) for name, table in load_description(out).tables.items()}
    side = _empty_folder(out)
    for part, error in quantise.quantise_networks(floats, side, draw_examples(find_training_faces(), seed)).items():
        tables[part] |= {"file": f"{part}.onnx", "sha256": checksum(side / f"{part}.onnx"), **_quantisation(error)}
    tables["finder"] |= _LIMITS
    (side / DESCRIPTION).write_text(to_toml(tables), encoding="utf-8")
    _move_files(side, out, ("finder.onnx", "aligner.onnx", "reader.onnx", DESCRIPTION))


def train_look_alikes_again(out: Path, seed: int = 1, plan: TrainingPlan | None = None) -> None:
    """Train only the network that tells look-alikes apart, as a whole training would, for the model in `out`.

    Raises BadInput if the machine has too few type faces, and BadModel if `out` has no model.
    """
    plan, faces = plan or TrainingPlan(), find_training_faces()
    tables = {name: dict(table) for name, table in load_description(out).tables.items()}
    with show_progress(STAGES[-1:]) as report:
        net = train_look_alikes(faces, plan, seed, report)
    side = _empty_folder(out)
    tables[LOOK_ALIKES] = _export_look_alikes(net, side, look_alikes.make_examples(faces), plan)
    (side / DESCRIPTION).write_text(to_toml(tables), encoding="utf-8")
    _move_files(side, out, (f"{LOOK_ALIKES}.onnx", DESCRIPTION))


def _export_look_alikes(
    net: nn.Module, side: Path, examples: Sequence[Floats], plan: TrainingPlan
) -> dict[str, object]:  # fmt: skip
    """Write the network, with its weights in bytes, and return its description."""
    path = side / f"{LOOK_ALIKES}.onnx"
    gap = export(net, examples[0], {0: "n"}, path)
    error = quantise.store_weights_in_bytes(path, examples)
    return {"file": path.name, "sha256": checksum(path), "largest_difference_to_net": float(f"{gap:.2g}"),
            "bits_of_weights": 8, "quantisation_error": float(f"{error:.2g}"), "pictures": plan.look_alike_pictures,
            "epochs": plan.look_alike_epochs}  # fmt: skip


def _quantisation(error: float) -> dict[str, object]:
    return {"bits": 8, "quantisation_error": float(f"{error:.2g}")}


def _export_networks(trained: Trained, tables: Sequence[MadeTable], side: Path) -> dict[str, float]:
    """Write the three networks; return the largest difference of each from its file."""
    example = np.random.default_rng(0).uniform(-1, 1, (1, 3, 96, 128)).astype(np.float32)
    ink = crops.relative_ink(crops.cut(tables[0].picture, tables[0].corners[:8]))
    return {
        "finder": export(trained.finder, example, {2: "height", 3: "width"}, side / "finder.onnx"),
        "aligner": export(trained.aligner, ink, {0: "n"}, side / "aligner.onnx"),
        "reader": export(trained.reader, ink, {0: "n"}, side / "reader.onnx"),
    }


def _describe(
    side: Path, gaps: Mapping[str, float], errors: Mapping[str, float], alike: Mapping[str, object],
    measured: calibrate.Measured, seed: int, plan: TrainingPlan, faces: Faces,
) -> None:  # fmt: skip
    """Write tiles.toml in the folder of the files that it describes."""
    made = f"generated pictures only: {plan.pictures} harsh, {plan.mild} mild, "
    made += f"{plan.jokers} with many kinds of jokers, {plan.mined} mined with the finder, "
    made += f"seed {seed}, {len(faces.training)} type faces"
    chosen = measured.calibration

    def file(part: str, suffix: str = "onnx") -> dict[str, object]:
        name = f"{part}.{suffix}"
        entry: dict[str, object] = {"file": name, "sha256": checksum(side / name)}
        if part not in gaps:
            return entry
        return entry | {"largest_difference_to_net": float(f"{gaps[part]:.2g}")} | _quantisation(errors[part])

    described: dict[str, dict[str, object]] = {
        "finder": file("finder") | {
            "short_px": find.SHORT_PX, "stride": find.STRIDE, **_LIMITS, "epochs": plan.finder_epochs,
        },
        "aligner": file("aligner") | {"epochs": plan.aligner_epochs},
        "reader": file("reader") | {
            "input": [3, crops.HEIGHT, crops.WIDTH], "glyphs": list(GLYPHS), "suits": list(SUITS),
            "embedding": EMBEDDING, "kind_temperature": chosen.kind_temperature,
            "suit_temperature": chosen.suit_temperature, "ink_scale": chosen.ink_scale,
            "evidence_weight": chosen.evidence_weight, "sure_from": chosen.sure_from, "epochs": plan.reader_epochs,
            "tuning_epochs": plan.tuning_epochs,
        },
        LOOK_ALIKES: dict(alike),
        "inks": file("inks", "npz") | {"samples": SAMPLES, "components": COMPONENTS},
        "made": {
            "from": made, "type_faces_never_trained_on": list(HELD_OUT), "torch": torch.__version__,
            "python": platform.python_version(),
            "calibrated_on": f"{measured.tiles} tiles of {measured.tables} generated tables of other type faces",
            "calibration_right": measured.right, "calibration_silent_wrong": measured.silent_wrong,
            "calibration_doubtful": measured.doubtful,
        },
    }  # fmt: skip
    (side / DESCRIPTION).write_text(to_toml(described), encoding="utf-8")
