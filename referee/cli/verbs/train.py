"""`referee train`: data, training, export of the model; needs the extra `train`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.parts.readers import models_dir
from referee.cli.terminal import common
from referee.cli.terminal.common import Code
from referee.errors import BadInput


def train(
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", parser=common.some_path, help="Folder for the model; default: that of the model in use."
        ),
    ] = None,
    work: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", parser=common.some_path, help="Folder for the pictures and networks of the training."
        ),
    ] = Path("data"),
    seed: Annotated[
        int, typer.Option(min=1, metavar="N", help="Seed of the training; another one gives another model.")
    ] = 1,
    pictures: Annotated[
        int | None,
        typer.Option(
            min=100, metavar="N", help="Training pictures to make, at least 100; default: as for the shipped model."
        ),
    ] = None,
    quantise: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            parser=common.some_path,
            help="Train nothing; quantise the networks of an earlier training in this folder for the model in --out.",
        ),
    ] = None,
    look_alikes: Annotated[
        bool,
        typer.Option(
            "--look-alikes",
            help="Train only the network that tells numbers apart that look alike, for the model in --out.",
        ),
    ] = False,
) -> int:
    """Train the model again, from generated pictures to checked ONNX files."""
    if quantise is not None and look_alikes:
        raise BadInput("train: expected --quantise or --look-alikes, found both")
    try:
        from referee.train.main import quantise_again, train_look_alikes_again
        from referee.train.main import train as make
        from referee.train.networks import TrainingPlan, scale_plan
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("referee"):
            raise
        extra = "expected the extra `train` to be installed (`make model` does it)"
        raise BadInput(f"train: {extra}, found no module {error.name}") from error
    target = common.folder("--out", out or models_dir(os.environ))
    plan = TrainingPlan() if pictures is None else scale_plan(pictures)
    if quantise is not None:
        quantise_again(quantise, target, seed)
    elif look_alikes:
        train_look_alikes_again(target, seed, plan)
    else:
        make(target, seed, common.folder("--work", work), plan)
    common.stdout().print(f"The model: {target}")
    return Code.DONE
