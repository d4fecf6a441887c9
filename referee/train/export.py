"""From nets to files: ONNX export, a check that ONNX Runtime and the net agree, the description."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn

from referee.vision.reading.inks import InkPrior

AGREEMENT = 2e-3  # largest difference of any logit between the net and its ONNX file


def export(net: nn.Module, example: np.ndarray, axes: Mapping[int, str], path: Path) -> float:
    """Write `net` to `path` and return the largest difference to ONNX Runtime on `example`.

    Raises RuntimeError if they differ by more than AGREEMENT; then nothing is left at `path`.
    """
    part = path.with_suffix(".part")
    net = net.eval().to(memory_format=torch.contiguous_format)
    outputs = {0: "n"} | ({2: "h4", 3: "w4"} if 2 in axes else {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter warns of its own future
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
    """Write what the inks of boxes look like, as `referee.vision.reading.inks.priors_from` reads it."""
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
    """The sha256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def to_toml(tables: Mapping[str, Mapping[str, object]]) -> str:
    """Tables of plain values as TOML."""
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
