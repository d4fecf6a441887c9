"""Counts the multiplications of a network from the graph that ONNX Runtime runs, operator by operator.

When ONNX Runtime profiles a run, it reports the shapes of all inputs and outputs. So no other package is needed to
read the file, and sizes that depend on the input are the actual ones.
"""

from __future__ import annotations

import json
import math
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

_PRODUCTS = frozenset({"Gemm", "MatMul", "FusedGemm", "FusedMatMul"})
_CONVOLUTIONS = frozenset({"Conv", "FusedConv"})
_TRANSPOSED = frozenset({"ConvTranspose"})


@cache
def of(path: Path, shape: tuple[int, ...]) -> int:
    """Return the multiply-add operations of one run of the network in a file, for an input of this shape."""
    with tempfile.TemporaryDirectory() as folder:
        options = onnxruntime.SessionOptions()
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(folder) / "run")
        # Fused operators would hide the shapes between them.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        session.run(None, {session.get_inputs()[0].name: np.zeros(shape, np.float32)})
        profile = json.loads(Path(session.end_profiling()).read_text(encoding="utf-8"))
    return sum(of_operator(event["args"]) for event in profile if "output_type_shape" in event.get("args", {}))


def of_operator(told: dict[str, Any]) -> int:
    """Return the multiplications of one operator from its entry in the profile; 0 if it does not multiply weights."""
    name, inputs, outputs = told["op_name"], _shapes(told["input_type_shape"]), _shapes(told["output_type_shape"])
    if name in _CONVOLUTIONS:  # every output value is a sum over the weights of its channel: (out, in / groups, h, w)
        return math.prod(outputs[0]) * math.prod(inputs[1][1:])
    if name in _TRANSPOSED:  # every input value goes into as many sums: (in, out / groups, h, w)
        return math.prod(inputs[0]) * math.prod(inputs[1][1:])
    if name in _PRODUCTS:
        longest = max(math.prod(inputs[0]), 1)
        return math.prod(outputs[0]) * _inner(inputs[0], outputs[0], longest)
    return 0


def _inner(first: list[int], result: list[int], values: int) -> int:
    """Return the number of products that are summed for each value of a matrix product; `first` may be transposed."""
    rows = math.prod(result[:-1])
    return values // rows if rows and values % rows == 0 else first[-1]


def _shapes(told: list[dict[str, list[int]]]) -> list[list[int]]:
    """Return only the shapes from the profile's list of {type: shape}."""
    return [shape for entry in told for shape in entry.values()]
