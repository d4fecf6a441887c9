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
        Path, typer.Option(metavar="FOLDER", parser=common.some_path, help="Folder for the training pictures.")
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
) -> int:
    """Train the model again, from generated pictures to checked ONNX files."""
    try:
        from referee.train.main import TrainingPlan, quantise_again, scale_plan
        from referee.train.main import train as make
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("referee"):
            raise
        extra = "expected the extra `train` to be installed (`make model` does it)"
        raise BadInput(f"train: {extra}, found no module {error.name}") from error
    target = common.folder("--out", out or models_dir(os.environ))
    if quantise is not None:
        quantise_again(quantise, target, seed)
    else:
        plan = TrainingPlan() if pictures is None else scale_plan(pictures)
        make(target, seed, common.folder("--work", work), plan)
    common.stdout().print(f"The model: {target}")
    return Code.DONE
