"""Model files: checked before they run, run with all their outputs, refused with one line."""

import base64
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from fake_model import FakeModel

from referee.devices import onnx
from referee.devices.onnx import OnnxModel, load_arrays, load_description
from referee.errors import BadModel
from referee.vision.reading.look_alikes import PAIRS

MODELS = Path(__file__).parents[2] / "models"

# y = x + x and z = |x| for float vectors of any length, as onnx.helper writes it (opset 13).
TINY = base64.b64decode(
    "CAg6VgoOCgF4CgF4EgF5IgNBZGQKCwoBeBIBeiIDQWJzEgFnWhAKAXgSCwoJCAESBQoDEgFuYhAKAXkSCwoJCAESBQoDEgFuYhAK"
    "AXoSCwoJCAESBQoDEgFuQgQKABAN"
)


FILES = {
    "finder": "finder.onnx", "aligner": "aligner.onnx", "reader": "reader.onnx", "look_alikes": "look_alikes.onnx",
    "inks": "inks.npz",
}  # fmt: skip


def write_models(folder: Path) -> Path:
    lines = []
    for part, name in FILES.items():
        (folder / name).write_bytes(TINY)
        digest = hashlib.sha256(TINY).hexdigest()
        lines += [f"[{part}]", f'file = "{name}"', f'sha256 = "{digest}"', "size = [48, 64]"]
    (folder / "tiles.toml").write_text("\n".join(lines))
    return folder


def one_line_of(folder: Path) -> str:
    with pytest.raises(BadModel) as caught:
        load_description(folder)
    text = str(caught.value)
    assert "\n" not in text
    assert "expected" in text
    assert "found" in text
    return text


def test_a_description_gives_checked_files_and_its_own_keys(tmp_path: Path) -> None:
    description = load_description(write_models(tmp_path))
    assert description.files == {part: tmp_path / name for part, name in FILES.items()}
    assert description.tables["reader"]["size"] == [48, 64]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "tiles.toml" in one_line_of(tmp_path / "none")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("[finder\n", "a TOML file", id="no TOML"),
        pytest.param("", "a table [finder]", id="nothing in it"),
        pytest.param("finder = 3", "a table [finder]", id="a number for a table"),
        pytest.param('[finder]\nsha256 = "00"', "`file` in [finder]", id="no file"),
        pytest.param('[finder]\nfile = "finder.onnx"', "`sha256` in [finder]", id="no checksum"),
        pytest.param('[finder]\nfile = "other.onnx"\nsha256 = "00"', "other.onnx", id="file missing"),
    ],
)
def test_a_description_that_says_too_little_is_refused(tmp_path: Path, text: str, named: str) -> None:
    write_models(tmp_path)
    (tmp_path / "tiles.toml").write_text(text)
    assert named in one_line_of(tmp_path)


def test_a_description_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tiles.toml").write_bytes(b"\xff\xfe\0")
    assert "a TOML file" in one_line_of(tmp_path)


@pytest.mark.parametrize("part", FILES)
def test_a_description_that_lacks_a_part_is_refused(tmp_path: Path, part: str) -> None:
    path = write_models(tmp_path) / "tiles.toml"
    path.write_text(path.read_text().replace(f"[{part}]", "[other]"))
    assert f"a table [{part}]" in one_line_of(tmp_path)


@pytest.mark.parametrize("name", FILES.values())
def test_a_file_with_another_checksum_is_never_used(tmp_path: Path, name: str) -> None:
    write_models(tmp_path)
    (tmp_path / name).write_bytes(TINY + b"\0")
    text = one_line_of(tmp_path)
    assert name in text
    assert hashlib.sha256(TINY).hexdigest() in text
    assert "found a file that was damaged or changed; fetch the folder models/ of this version anew" in text
    (tmp_path / name).write_bytes(b"")
    assert "found an empty file; fetch" in one_line_of(tmp_path)
    (tmp_path / name).unlink()
    assert "found: No such file or directory; fetch" in one_line_of(tmp_path)


def test_a_model_gives_all_its_outputs(tmp_path: Path) -> None:
    path = tmp_path / "tiny.onnx"
    path.write_bytes(TINY)
    double, absolute = OnnxModel(path, threads=1)(np.array([1.0, -2.0], np.float32))
    assert double.tolist() == [2.0, -4.0]
    assert absolute.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 2), (4, 4), (16, 4)])
def test_as_many_threads_as_serve_and_none_that_spins(
    cores: int, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    class Session:
        def __init__(self, _: str, options: onnx.onnxruntime.SessionOptions, **__: object) -> None:
            given.append(options)

        def get_inputs(self) -> list[object]:
            return [SimpleNamespace(name="x")]

    monkeypatch.setattr(onnx.onnxruntime, "InferenceSession", Session)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    OnnxModel(tmp_path / "tiny.onnx")
    assert given[0].intra_op_num_threads == threads
    for pool in ("intra_op", "inter_op"):
        assert given[0].get_session_config_entry(f"session.{pool}.allow_spinning") == "0"


@pytest.mark.parametrize(
    ("machine", "flags", "overflow"),
    [
        pytest.param("x86_64", "flags: sse2 avx2 avx512_vnni", False, id="a PC with VNNI for 512 bits"),
        pytest.param("AMD64", "flags: sse2 avx2 avx_vnni", False, id="a PC with VNNI for 256 bits"),
        pytest.param("x86_64", "flags: sse2 avx2", True, id="an older PC"),
        pytest.param("x86_64", None, True, id="a PC that does not say"),
        pytest.param("aarch64", "Features: fp asimd", False, id="a Raspberry Pi"),
    ],
)
def test_quantised_networks_must_not_overflow(
    machine: str, flags: str | None, overflow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(onnx.platform, "machine", lambda: machine)
    monkeypatch.setattr(onnx, "CPU_INFO", tmp_path / "cpuinfo")
    if flags is not None:
        (tmp_path / "cpuinfo").write_text(flags)
    assert onnx.bytes_overflow.__wrapped__() is overflow


@pytest.mark.parametrize("overflow", [False, True])
def test_unsigned_bytes_are_used_only_where_signed_ones_overflow(
    overflow: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []
    runtime = onnx.onnxruntime

    class Options(runtime.SessionOptions):  # type: ignore[misc,name-defined]
        def add_session_config_entry(self, key: str, value: str) -> None:
            given.append(key)
            super().add_session_config_entry(key, value)

    monkeypatch.setattr(runtime, "SessionOptions", Options)
    monkeypatch.setattr(onnx, "bytes_overflow", lambda: overflow)
    (tmp_path / "tiny.onnx").write_bytes(TINY)
    OnnxModel(tmp_path / "tiny.onnx", threads=1)
    assert ("session.x64quantprecision" in given) == overflow


def test_a_file_that_is_no_model_is_refused_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "text.onnx"
    path.write_bytes(b"no model")
    with pytest.raises(BadModel, match="expected an ONNX model") as caught:
        OnnxModel(path)
    assert "\n" not in str(caught.value)


def test_a_network_with_other_answers_is_refused_with_what_to_do() -> None:
    """Another version's network for look-alikes once ended `read` with numpy's words, at the first tile in doubt."""
    path = MODELS / "look_alikes.onnx"
    assert OnnxModel(path, 1, columns=len(PAIRS))
    with pytest.raises(BadModel, match=f"expected a network with 7 answers for each tile, found {len(PAIRS)}; fetch"):
        OnnxModel(path, 1, columns=7)


def test_an_error_without_words_is_told_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def speechless(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(onnx.onnxruntime, "InferenceSession", speechless)
    with pytest.raises(BadModel, match=r"found: MemoryError$"):
        OnnxModel(tmp_path / "large.onnx")


def test_arrays_are_loaded_by_their_names(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", means=np.arange(3.0), colours=np.asarray([["red", "blue"]]))
    found = load_arrays(tmp_path / "a.npz")
    assert sorted(found) == ["colours", "means"]
    assert found["means"].tolist() == [0.0, 1.0, 2.0]
    assert found["colours"].tolist() == [["red", "blue"]]


def nameless(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def pickled(path: Path) -> None:
    np.savez(path, means=np.asarray([{"a": 1}], dtype=object), allow_pickle=True)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda path: path.write_bytes(b"no arrays"), id="a text"),
        pytest.param(lambda path: path.write_bytes(b""), id="nothing in it"),
        pytest.param(lambda path: path.write_bytes(b"PK\x03\x04 cut off"), id="cut off"),
        pytest.param(Path.exists, id="no file"),
        pytest.param(nameless, id="one array without a name"),
        pytest.param(pickled, id="objects that would run code"),
    ],
)
def test_a_file_that_holds_no_arrays_is_refused_with_one_line(tmp_path: Path, write: Callable[[Path], object]) -> None:
    write(tmp_path / "a.npz")
    with pytest.raises(BadModel, match="expected arrays as numpy saves them") as caught:
        load_arrays(tmp_path / "a.npz")
    assert "\n" not in str(caught.value)


def test_a_fake_model_gives_prepared_outputs_and_remembers_what_it_saw() -> None:
    first, last = (np.zeros(1),), (np.ones(1),)
    model = FakeModel([first, last])
    assert [model(np.full(1, i)) for i in range(3)] == [first, last, last]
    assert [int(a[0]) for a in model.seen] == [0, 1, 2]


def test_nothing_is_told_to_anybody_about_its_use() -> None:
    code = "import os, referee.devices.onnx; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    environ = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)  # noqa: S603
    assert told.stdout.strip() == "1"


def test_pipes_in_the_place_of_models_are_told(tmp_path):
    """Opening one would wait for ever."""
    os.mkfifo(tmp_path / "tiles.toml")
    with pytest.raises(BadModel, match=r"tiles\.toml: expected the models' description, found a pipe"):
        load_description(tmp_path)
    (tmp_path / "tiles.toml").unlink()
    (tmp_path / "tiles.toml").write_text("\n".join(f'[{part}]\nfile = "{part}"\nsha256 = ""' for part in FILES))
    os.mkfifo(tmp_path / "finder")
    with pytest.raises(BadModel, match="model, found no regular file"):
        load_description(tmp_path)
