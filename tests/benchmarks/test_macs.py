"""Multiplications counted operator by operator, and of the networks that are shipped."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks import macs

MODELS = Path(__file__).parents[2] / "models"


def told(name: str, *shapes: list[int], out: list[int]) -> dict[str, Any]:
    inputs = [{"float": shape} for shape in shapes]
    return {"op_name": name, "input_type_shape": inputs, "output_type_shape": [{"float": out}]}


@pytest.mark.parametrize(
    ("operator", "count"),
    [
        pytest.param(told("Conv", [1, 3, 8, 8], [16, 3, 3, 3], [16], out=[1, 16, 8, 8]), 16 * 64 * 27, id="plain"),
        pytest.param(told("Conv", [2, 3, 8, 8], [16, 3, 3, 3], out=[2, 16, 4, 4]), 2 * 16 * 16 * 27, id="strided"),
        pytest.param(told("Conv", [1, 16, 8, 8], [16, 1, 3, 3], out=[1, 16, 8, 8]), 16 * 64 * 9, id="depthwise"),
        pytest.param(told("ConvTranspose", [1, 8, 4, 4], [8, 6, 2, 2], out=[1, 6, 8, 8]), 128 * 24, id="upwards"),
        pytest.param(told("Gemm", [5, 7], [7, 3], [3], out=[5, 3]), 5 * 7 * 3, id="product"),
        pytest.param(told("Gemm", [7, 5], [7, 3], out=[5, 3]), 5 * 7 * 3, id="transposed product"),
        pytest.param(told("MatMul", [2, 5, 7], [7, 3], out=[2, 5, 3]), 2 * 5 * 7 * 3, id="batches of products"),
        pytest.param(told("Relu", [1, 16, 8, 8], out=[1, 16, 8, 8]), 0, id="nothing multiplied"),
    ],
)
def test_an_operator_is_counted(operator: dict[str, Any], count: int) -> None:
    assert macs.of_operator(operator) == count


def test_twice_as_many_crops_are_twice_the_work() -> None:
    one, two = (macs.of(MODELS / "reader.onnx", (number, 3, 64, 48)) for number in (1, 2))
    assert two == 2 * one > 1_000_000
