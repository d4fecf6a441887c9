"""Model files: checked before they run, run with all their outputs, refused with one line."""

import base64
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from referee.devices import onnx
from referee.devices.onnx import FakeModel, OnnxModel, load_description
from referee.errors import BadModel

# y = x + x and z = |x| for float vectors of any length, as onnx.helper writes it (opset 13).
TINY = base64.b64decode(
    "CAg6VgoOCgF4CgF4EgF5IgNBZGQKCwoBeBIBeiIDQWJzEgFnWhAKAXgSCwoJCAESBQoDEgFuYhAKAXkSCwoJCAESBQoDEgFuYhAK"
    "AXoSCwoJCAESBQoDEgFuQgQKABAN"
)


def write_models(folder: Path, finder: bytes = TINY, reader: bytes = TINY) -> Path:
    lines = []
    for part, data in {"finder": finder, "reader": reader}.items():
        (folder / f"{part}.onnx").write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        lines += [f"[{part}]", f'file = "{part}.onnx"', f'sha256 = "{digest}"', "size = [48, 64]"]
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
    assert description.files == {"finder": tmp_path / "finder.onnx", "reader": tmp_path / "reader.onnx"}
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


def test_a_file_with_another_checksum_is_never_run(tmp_path: Path) -> None:
    write_models(tmp_path)
    (tmp_path / "reader.onnx").write_bytes(TINY + b"\0")
    text = one_line_of(tmp_path)
    assert "reader.onnx" in text
    assert hashlib.sha256(TINY).hexdigest() in text


def test_a_model_gives_all_its_outputs(tmp_path: Path) -> None:
    path = tmp_path / "tiny.onnx"
    path.write_bytes(TINY)
    double, absolute = OnnxModel(path, threads=1)(np.array([1.0, -2.0], np.float32))
    assert double.tolist() == [2.0, -4.0]
    assert absolute.tolist() == [1.0, 2.0]


def test_a_file_that_is_no_model_is_refused_with_one_line(tmp_path: Path) -> None:
    path = tmp_path / "text.onnx"
    path.write_bytes(b"no model")
    with pytest.raises(BadModel, match="expected an ONNX model") as caught:
        OnnxModel(path)
    assert "\n" not in str(caught.value)


def test_an_error_without_words_is_told_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def speechless(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(onnx.onnxruntime, "InferenceSession", speechless)
    with pytest.raises(BadModel, match=r"found: MemoryError$"):
        OnnxModel(tmp_path / "large.onnx")


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
