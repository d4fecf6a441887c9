"""The model files: `tiles.toml` describes them, their checksums are verified, and ONNX Runtime runs them."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

# ONNX Runtime reads this when it is imported. Otherwise it would report its use to its maker; no data may leave.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
import onnxruntime

from referee.devices.whole_file import read_whole
from referee.errors import BadInput, BadModel

DESCRIPTION = "tiles.toml"
NETWORKS = ("finder", "aligner", "reader", "look_alikes")
PARTS = (*NETWORKS, "inks")
"""The networks, and the prior for the inks of boxes."""

CPU_INFO = Path("/proc/cpuinfo")

Array = npt.NDArray[Any]
Model = Callable[[Array], tuple[Array, ...]]

_ERRORS_ONLY = 3
REMEDY = "fetch the folder models/ of this version anew (`git restore models`, or unpack it again)"
LONGEST = 1_000_000
"""The largest size of the description in bytes. The real one has some ten thousand."""
MOST_THREADS = 4
"""The most threads of a network: a Pi has four cores. More threads than this, or than there are cores, gain nothing
(`python -m benchmarks cost`)."""


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """The content of `tiles.toml`.

    `files` are the paths of the model files by part. `tables` are all tables as they are written.
    """

    files: Mapping[str, Path]
    tables: Mapping[str, Any]


def load_description(models_dir: Path) -> ModelDescription:
    """Load the description of the models in a folder, and verify the checksum of every file; raises BadModel."""
    path = models_dir / DESCRIPTION
    try:
        tables = tomllib.loads(read_whole(path, LONGEST, "the models' description").decode("utf-8"))
    except BadInput as error:
        raise BadModel(str(error)) from error
    except ValueError as error:  # a TOMLDecodeError, or bytes that are not UTF-8
        reason = str(error).replace("\n", " ")
        raise BadModel(f"{path}: expected a TOML file, found: {reason}") from error
    return ModelDescription({part: _checked_file(path, tables, part) for part in PARTS}, tables)


def _checked_file(description: Path, tables: Mapping[str, Any], part: str) -> Path:
    table = tables.get(part)
    if not isinstance(table, dict):
        raise BadModel(f"{description}: expected a table [{part}], found none")
    for key in ("file", "sha256"):
        if not isinstance(table.get(key), str):
            raise BadModel(f"{description}: expected a text `{key}` in [{part}], found {table.get(key)!r}")
    path = description.parent / str(table["file"])
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer for ever
            raise BadModel(f"{path}: expected the {part} model, found no regular file; {REMEDY}")
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except BadModel:
        raise
    except OSError as error:
        raise BadModel(f"{path}: expected the {part} model, found: {error.strerror}; {REMEDY}") from error
    if found != str(table["sha256"]).lower():
        what = "a file that was damaged or changed" if path.stat().st_size else "an empty file"
        raise BadModel(f"{path}: expected the {part} model of sha256 {table['sha256']}, found {what}; {REMEDY}")
    return path


def load_arrays(path: Path) -> Mapping[str, Array]:
    """Return the named arrays of a model file that is not a network; raises BadModel."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: np.asarray(arrays[name]) for name in arrays.files}
    except Exception as error:  # the errors for a damaged archive share no base class
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise BadModel(f"{path}: expected arrays as numpy saves them, found: {reason}") from error


def serving_threads() -> int:
    """Return how many threads a network gets: one for each core that this process may use, at most MOST_THREADS."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(MOST_THREADS, usable))


@functools.cache
def bytes_overflow() -> bool:
    """Return whether this processor adds the products of quantised networks in 16 bits, which may overflow.

    Those for PCs do without VNNI, an extension for dot products of bytes. ONNX Runtime can avoid it, but does so also
    where there is no need, where the networks then take twice as long.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    try:
        return "vnni" not in CPU_INFO.read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        return True


class OnnxModel:
    """A network on the processor. It is called with one array and returns all its outputs."""

    def __init__(self, path: Path, threads: int | None = None, columns: int | None = None) -> None:
        """Load the network; raises BadModel.

        `threads`: how many threads work on one picture, by default `serving_threads()`.
        `columns`: the number of columns of its first output, which another version of the program may count otherwise.
            None: it is not checked.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = serving_threads() if threads is None else threads
        options.inter_op_num_threads = 1
        # Threads that spin while they wait, even between two looks, heat a Pi and slow down everything else on it.
        for pool in ("intra_op", "inter_op"):
            options.add_session_config_entry(f"session.{pool}.allow_spinning", "0")
        if bytes_overflow():
            options.add_session_config_entry("session.x64quantprecision", "1")  # only unsigned bytes, which is slower
        options.enable_cpu_mem_arena = False  # an arena keeps the largest look's memory for ever
        options.log_severity_level = _ERRORS_ONLY
        try:
            self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's errors share no base
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise BadModel(f"{path}: expected an ONNX model, found: {reason}") from error
        found = self._session.get_outputs()[0].shape[-1] if columns is not None else None
        if isinstance(found, int) and found != columns:  # a network may leave it open
            raise BadModel(f"{path}: expected a network with {columns} answers for each tile, found {found}; {REMEDY}")
        self._input = self._session.get_inputs()[0].name

    def __call__(self, array: Array) -> tuple[Array, ...]:
        """Return every output of the network, in its own order."""
        return tuple(np.asarray(output) for output in self._session.run(None, {self._input: array}))
