"""Networks with 8-bit integers: they answer almost as before, and what must be exact stays in floats."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from referee.devices.onnx import OnnxModel
from referee.train.pictures.typefaces import Faces
from referee.vision.finding import finder as find
from referee.vision.reading import crops
from referee.vision.reading.look_alikes import with_print

torch = pytest.importorskip("torch", reason="training needs the extra `train`: pip install -e '.[train]'")
onnx = pytest.importorskip("onnx", reason="exporting needs the extra `train`: pip install -e '.[train]'")

from referee.train import main, quantise  # noqa: E402
from referee.train.nets import AlignerNet, FinderNet, LookAlikeNet, ReaderNet  # noqa: E402

MODELS = Path(__file__).parents[2] / "models"
NETS = {"finder": FinderNet, "aligner": AlignerNet, "reader": ReaderNet}
AXES = {"finder": {2: "height", 3: "width"}, "aligner": {0: "n"}, "reader": {0: "n"}}
FIRST = {"finder": "/to4/to4.0/to4.0.0/Conv", "aligner": "/features/features.0/features.0.0/Conv",
         "reader": "/to2/to2.0/to2.0.0/Conv"}  # fmt: skip
Floats = np.ndarray


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def examples(part: str, count: int = 3) -> list[Floats]:
    rng = np.random.default_rng(5)
    shape = (1, 3, 64, 96) if part == "finder" else (4, 3, crops.HEIGHT, crops.WIDTH)
    return [rng.uniform(-1, 0.5, shape).astype(np.float32) for _ in range(count)]


@pytest.fixture(scope="module", params=NETS)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name and the file of a network that has learnt nothing, with weights of all sizes."""
    torch.manual_seed(3)
    net = NETS[request.param]()
    for layer in net.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(layer.weight, 0.5, 1.5)
            torch.nn.init.uniform_(layer.bias, -0.5, 0.5)
    path = tmp_path_factory.mktemp("floats") / f"{request.param}.onnx"
    main.export(net, examples(request.param)[0], AXES[request.param], path)
    return request.param, path


def answers(path: Path, shown: Sequence[Floats]) -> Floats:
    model = OnnxModel(path, threads=1)
    return np.concatenate([model(one)[0].ravel() for one in shown])


def bytes_of(path: Path) -> dict[str, int]:
    """The number of weights of each type in a network."""
    found: dict[str, int] = {}
    for array in onnx.load(path).graph.initializer:
        values = onnx.numpy_helper.to_array(array)
        found[values.dtype.name] = found.get(values.dtype.name, 0) + values.size
    return found


def test_a_quantised_network_answers_almost_as_before(exported: tuple[str, Path], tmp_path: Path) -> None:
    part, path = exported
    shown = examples(part)
    error = quantise.quantise(path, tmp_path / "small.onnx", shown)
    before, after = answers(path, shown), answers(tmp_path / "small.onnx", shown)
    assert 0 < error < 0.05
    assert error == pytest.approx(float(np.sqrt(np.square(after - before).mean()) / before.std()), rel=0.01)
    assert bytes_of(tmp_path / "small.onnx")["int8"] > 20_000
    assert (tmp_path / "small.onnx").stat().st_size < path.stat().st_size


def test_it_takes_inputs_of_other_sizes(exported: tuple[str, Path], tmp_path: Path) -> None:
    part, path = exported
    quantise.quantise(path, tmp_path / "small.onnx", examples(part))
    other = np.zeros((1, 3, 32, 160) if part == "finder" else (7, 3, crops.HEIGHT, crops.WIDTH), np.float32)
    shape = OnnxModel(tmp_path / "small.onnx", threads=1)(other)[0].shape
    assert shape == OnnxModel(path, threads=1)(other)[0].shape


def test_quantising_twice_gives_the_same_file(exported: tuple[str, Path], tmp_path: Path) -> None:
    part, path = exported
    for name in ("one.onnx", "other.onnx"):
        quantise.quantise(path, tmp_path / name, examples(part))
    assert (tmp_path / "one.onnx").read_bytes() == (tmp_path / "other.onnx").read_bytes()


def test_a_network_that_answers_otherwise_is_refused_and_nothing_is_left(
    exported: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, path = exported
    monkeypatch.setattr(quantise, "MOST_ERROR", 1e-6)
    with pytest.raises(RuntimeError, match="expected an error of at most 1e-06, found"):
        quantise.quantise(path, tmp_path / "small.onnx", examples(part))
    assert list(tmp_path.iterdir()) == []


def test_the_picture_itself_and_exact_answers_stay_in_floats(exported: tuple[str, Path]) -> None:
    part, path = exported
    kept = quantise.kept_in_floats(onnx.load(path).graph)
    assert FIRST[part] in kept
    assert ("/out/Conv" in kept) == (part == "finder")
    assert ("/where/Conv" in kept) == (part == "reader")
    assert {name for name in kept if name.endswith("/Conv")} <= {FIRST[part], "/out/Conv", "/where/Conv"}


def uneven(model: Any, names: Sequence[str], shown: Sequence[Floats]) -> float:
    """How many times as large the largest value of the strongest channel is as that of the median channel."""
    peaks = quantise.channel_peaks(model, names, shown)
    return max(float(peak.max() / np.median(peak)) for peak in peaks.values())


def test_channels_are_made_more_even_and_the_answers_stay(exported: tuple[str, Path], tmp_path: Path) -> None:
    part, path = exported
    model = onnx.load(path)
    before, between, _ = next(quantise.convolution_pairs(model.graph))
    for array in model.graph.initializer:  # one channel is far stronger than the others
        if array.name in before.input[1:3]:
            values = onnx.numpy_helper.to_array(array).copy()
            values[0] *= 50
            array.CopyFrom(onnx.numpy_helper.from_array(values, array.name))
    onnx.save(model, tmp_path / "uneven.onnx")
    shown = examples(part)
    expected = answers(tmp_path / "uneven.onnx", shown)
    was = uneven(model, [between], shown)
    quantise.even_out_channels(model, shown)
    onnx.save(model, tmp_path / "even.onnx")
    assert uneven(model, [between], shown) < was / 3
    assert answers(tmp_path / "even.onnx", shown) == pytest.approx(expected, abs=1e-3 * float(np.abs(expected).max()))


def test_weights_in_bytes_take_a_quarter_of_the_room_and_answer_almost_as_before(tmp_path: Path) -> None:
    torch.manual_seed(5)
    path, net = tmp_path / "alike.onnx", LookAlikeNet()
    ink = np.random.default_rng(5).uniform(-1, 0, (16, 3, crops.HEIGHT, crops.WIDTH)).astype(np.float32)
    examples = [with_print(ink[:8]), with_print(ink[8:])]
    main.export(net, examples[0], {0: "n"}, path)
    before, size = OnnxModel(path, 1)(examples[1])[0], path.stat().st_size
    error = quantise.store_weights_in_bytes(path, examples)
    after = OnnxModel(path, 1)(examples[1])[0]
    assert path.stat().st_size < 0.3 * size
    assert 0 < error < quantise.MOST_ERROR
    assert np.abs(after - before).max() < 5 * error * before.std()


def test_weights_that_bytes_cannot_hold_are_refused_and_the_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "alike.onnx"
    examples = [with_print(np.random.default_rng(5).uniform(-1, 0, (8, 3, 64, 48)).astype(np.float32))]
    main.export(LookAlikeNet(), examples[0], {0: "n"}, path)
    before = path.read_bytes()
    monkeypatch.setattr(quantise, "MOST_ERROR", 1e-9)
    with pytest.raises(RuntimeError, match=r"expected an error of at most 1e-09, found .*alike\.onnx"):
        quantise.store_weights_in_bytes(path, examples)
    assert path.read_bytes() == before


def test_examples_are_drawn_for_every_network(faces: Faces, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantise, "PICTURES", 1)
    monkeypatch.setattr(quantise, "CROPS", 20)
    drawn = quantise.make_examples(faces, {3: 1.0, 500_003: 0.45})
    assert drawn.keys() == NETS.keys()
    assert [picture.shape for picture in drawn["finder"]] == [(1, 3, 256, 256)] * 2
    assert all(ink.shape[1:] == (3, crops.HEIGHT, crops.WIDTH) for ink in drawn["reader"])
    assert len(np.concatenate(drawn["reader"])) <= 40
    assert drawn["finder"][0].shape[2] % find.STRIDE == 0


@pytest.mark.parametrize("part", NETS)
def test_the_networks_that_are_shipped_are_quantised(part: str) -> None:
    assert bytes_of(MODELS / f"{part}.onnx")["int8"] > 20_000
