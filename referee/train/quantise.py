"""Quantisation: the convolutions of the networks with 8-bit integers instead of floats, after the training.

Processors with dot products of bytes (a Raspberry Pi 5, most PCs since 2020) do four such multiplications in the time
of one with floats. Weights are quantised for each output channel, and the values between two convolutions for each
network layer, in a range that is measured on generated pictures.

What needs few multiplications or much precision stays as it is: the first convolution, which sees the picture itself,
the output of the finder, the mean colour of the ink, and everything that follows the reader's and the aligner's last
convolution.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from referee.train import data
from referee.train.pictures.surfaces import Floats
from referee.train.pictures.typefaces import Faces
from referee.vision.finding import finder as find
from referee.vision.reading import crops

NETWORKS = ("finder", "aligner", "reader")
PICTURES = 24
"""The number of pictures of each severity. Twice as many give the same errors."""
CROPS, BATCH = 384, 16
"""The number of crops from these pictures, and how many the networks see at once."""
RANGE = 99.999
"""The percentile of a layer's values up to which they are represented; larger ones are clipped. With 100 the errors
are a tenth larger, and with 99.99 one clear tile of 1,944 in photos is not found."""
MOST_ERROR = 0.1
"""The largest error of a quantised network, as a share of the standard deviation of its answers."""
QUANTISED = {"Conv", "Relu", "Resize", "Add"}
FOLLOWING = {"Relu": "Conv", "Add": "Resize"}
"""Operators that are quantised only if they follow a certain other one."""
INNER = ("Relu", "Resize")
"""Operators that follow a convolution inside a network; the results of other convolutions are needed exactly."""

Examples = Mapping[str, Sequence[Floats]]
"""Inputs for each network, as they are in use."""


def make_examples(faces: Faces, severities: Mapping[int, float]) -> dict[str, list[Floats]]:
    """Return inputs for all networks; `severities` has the seed of the first picture of each severity."""
    pictures: list[Floats] = []
    ink: list[Floats] = []
    for first, severity in severities.items():
        made = data.make_chunk(range(first, first + PICTURES), faces, validation=False, copies=2, severity=severity)
        pictures += [find.to_input(picture) for picture in made.pictures]
        drawn = np.random.default_rng(first).permutation(len(made.crops))[:CROPS]
        ink += [crops.relative_ink(made.crops[drawn[i : i + BATCH]]) for i in range(0, len(drawn), BATCH)]
    return {"finder": pictures, "aligner": ink, "reader": ink}


def quantise(source: Path, target: Path, examples: Sequence[Floats]) -> float:
    """Write the network in the file `source` with integers to `target`; return the error of its answers.

    The error is measured on `examples`, from whose values the ranges follow, as a share of the standard deviation of
    the answers. Raises RuntimeError if it is more than MOST_ERROR; then no file is left.
    """
    with tempfile.TemporaryDirectory() as folder:
        plain, part = Path(folder) / "plain.onnx", Path(folder) / "quantised.onnx"
        quant_pre_process(str(source), str(plain), skip_symbolic_shape=True)
        model = onnx.load(plain)
        even_out_channels(model, examples)
        onnx.save(model, plain)
        kept = kept_in_floats(model.graph)
        kinds = sorted({node.op_type for node in model.graph.node if node.name not in kept} & QUANTISED)
        with contextlib.redirect_stdout(io.StringIO()):  # it reports its progress
            quantize_static(
                plain, part, _Feed(examples), quant_format=QuantFormat.QDQ, per_channel=True,
                op_types_to_quantize=kinds, nodes_to_exclude=kept,
                activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                calibrate_method=CalibrationMethod.Percentile, extra_options={"CalibPercentile": RANGE},
            )  # fmt: skip
        error = _error(_run(source.read_bytes(), examples), _run(part.read_bytes(), examples))
        if error > MOST_ERROR:
            raise RuntimeError(f"expected an error of at most {MOST_ERROR:g}, found {error:.2g} ({target})")
        target.write_bytes(part.read_bytes())
    return error


def quantise_networks(source: Path, target: Path, examples: Examples) -> dict[str, float]:
    """Quantise the three networks in the folder `source` into the folder `target`; return the error of each."""
    files = {part: f"{part}.onnx" for part in NETWORKS}
    return {part: quantise(source / name, target / name, examples[part]) for part, name in files.items()}


def store_weights_in_bytes(path: Path, examples: Sequence[Floats]) -> float:
    """Store the weights of a network in 8 bits, with one scale for each output channel; it still computes in floats.

    The file becomes a quarter as large, because every bundle of an update has the models. Returns the error of the
    answers to `examples`, as a share of their standard deviation; raises RuntimeError if it is more than MOST_ERROR.
    """
    plain = path.read_bytes()
    model = onnx.load_from_string(plain)
    names = {node.input[1] for node in model.graph.node if node.op_type in ("Conv", "Gemm")}
    for array in [array for array in model.graph.initializer if array.name in names]:
        _store_in_bytes(model.graph, array)
    small = model.SerializeToString()
    error = _error(_run(plain, examples), _run(small, examples))
    if error > MOST_ERROR:
        raise RuntimeError(f"expected an error of at most {MOST_ERROR:g}, found {error:.2g} ({path})")
    path.write_bytes(small)
    return error


def _store_in_bytes(graph: Any, array: Any) -> None:
    """Replace an array of weights by bytes and scales, and by operators that are computed once, when it is loaded.

    DequantizeLinear would be computed for every picture, and keep ONNX Runtime from arranging the weights.
    """
    weights = np.asarray(numpy_helper.to_array(array))
    axes = tuple(range(1, weights.ndim))
    scales = np.maximum(np.abs(weights).max(axis=axes, keepdims=True), 1e-12).astype(np.float32) / np.float32(127)
    stored, whole, scale = (f"{array.name}/{part}" for part in ("stored", "whole", "scales"))
    graph.initializer.remove(array)
    graph.initializer.append(numpy_helper.from_array(np.round(weights / scales).astype(np.int8), stored))
    graph.initializer.append(numpy_helper.from_array(scales, scale))
    graph.node.insert(0, onnx.helper.make_node("Mul", [whole, scale], [array.name]))
    graph.node.insert(0, onnx.helper.make_node("Cast", [stored], [whole], to=onnx.TensorProto.FLOAT))


class _Feed(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, examples: Sequence[Floats]) -> None:
        self._left = iter(examples)

    def get_next(self) -> dict[str, Floats] | None:
        example = next(self._left, None)
        return None if example is None else {"input": example}


def _run(model: bytes, examples: Sequence[Floats]) -> list[Floats]:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return [session.run(None, {"input": example})[0] for example in examples]


def _error(expected: Sequence[Floats], found: Sequence[Floats]) -> float:
    true, quantised = (np.concatenate([np.ravel(one) for one in answers]) for answers in (expected, found))
    return float(np.sqrt(np.square(quantised - true).mean()) / true.std())


def kept_in_floats(graph: Any) -> list[str]:
    """Return the names of the operators that are not quantised, of those that could be."""
    makers = {name: node.op_type for node in graph.node for name in node.output}
    users = _users(graph)
    kept: list[str] = []
    for node in graph.node:
        followers = users.get(node.output[0], [])
        if node.op_type in FOLLOWING and FOLLOWING[node.op_type] not in [makers.get(name) for name in node.input]:
            kept.append(node.name)
        if node.op_type == "Conv" and node.input[0] == graph.input[0].name:
            kept += [node.name, *(user.name for user in followers)]
        elif node.op_type == "Conv" and (not followers or any(user.op_type not in INNER for user in followers)):
            kept.append(node.name)
    return kept


def _users(graph: Any) -> dict[str, list[Any]]:
    """Return the operators that use each value."""
    users: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    return users


def even_out_channels(model: Any, examples: Sequence[Floats]) -> None:
    """Scale the channels between two convolutions so that their ranges are more alike; the answers stay the same.

    All channels of a layer share one range of 256 values, so one channel with large values leaves few to the others.
    If a channel is divided by a factor, by which the next convolution multiplies it, only weights change. The factor
    is a compromise between even channels and even weights (Xiao et al., SmoothQuant, 2023); it halves the reader's
    error.
    """
    pairs = list(convolution_pairs(model.graph))
    peaks = channel_peaks(model, [between for _, between, _ in pairs], examples)
    for before, between, after in pairs:
        kernel, bias, following = (_weights(model.graph, name) for name in (*before.input[1:3], after.input[1]))
        strength = np.maximum(np.abs(following).max(axis=(0, 2, 3)), 1e-6)
        factors = np.sqrt(np.maximum(peaks[between], 1e-6) / strength)
        factors /= np.exp(np.log(factors).mean())
        _set_weights(model.graph, before, 1, kernel / factors[:, None, None, None])
        _set_weights(model.graph, before, 2, bias / factors)
        _set_weights(model.graph, after, 1, following * factors[:, None, None])
    used = {name for node in model.graph.node for name in node.input}
    for array in [array for array in model.graph.initializer if array.name not in used]:
        model.graph.initializer.remove(array)


def _weights(graph: Any, name: str) -> Floats:
    return np.asarray(numpy_helper.to_array(next(array for array in graph.initializer if array.name == name)))


def _set_weights(graph: Any, node: Any, place: int, array: Floats) -> None:
    """Let `array` be the input of an operator at a place; another operator that had the same input keeps it."""
    name = f"{node.name}/{place}"
    for old in [one for one in graph.initializer if one.name == name]:
        graph.initializer.remove(old)
    graph.initializer.append(numpy_helper.from_array(array.astype(np.float32), name))
    node.input[place] = name


def convolution_pairs(graph: Any) -> Iterator[tuple[Any, str, Any]]:
    """Yield two convolutions and the value between them, where only a ReLU lies between them."""
    users = _users(graph)
    for before in graph.node:
        followers = users.get(before.output[0], [])
        if before.op_type == "Conv" and [user.op_type for user in followers] == ["Relu"]:
            between = followers[0].output[0]
            if [user.op_type for user in users.get(between, [])] == ["Conv"]:
                yield before, between, users[between][0]


def channel_peaks(model: Any, names: Sequence[str], examples: Sequence[Floats]) -> dict[str, Floats]:
    """Return the largest value of each channel (c,) of some values in the network."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    shown.graph.output.extend(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in names)
    session = onnxruntime.InferenceSession(shown.SerializeToString(), providers=["CPUExecutionProvider"])
    peaks: dict[str, Floats] = {}
    for example in examples:
        for name, values in zip(names, session.run(list(names), {"input": example}), strict=True):
            highest = values.max(axis=(0, 2, 3))
            peaks[name] = np.maximum(peaks.get(name, highest), highest)
    return peaks
