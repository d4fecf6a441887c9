"""Box files: one enrolled box each, by path or by name below the boxes' folder.

They are sealed files, as are other small files of learnt data: JSON with its kind, version and a checksum, written
whole or not at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from referee.devices.whole_file import TooLong, kind_of_no_file, read_whole, write_whole
from referee.errors import BadInput
from referee.game.tiles import TILE_SETS, TileSet, tile_set
from referee.vision.boxes.box import VERSION, Box

MAX_BYTES = 5_000_000


class BadSeal(BadInput):
    """A file that is there, but is not what was written: cut off, edited, of another kind or version."""


def write_sealed(path: Path, kind: str, version: int, content: Mapping[str, Any]) -> None:
    """Write `content` with its checksum; readers of `path` see the old file or the whole new one.

    Raises BadInput where it cannot be written; the old file is untouched then.
    """
    text = json.dumps({"kind": kind, "version": version, "sha256": _sum(content), "content": content}, allow_nan=False)
    write_whole(path, f"{text}\n".encode(), "a place to write to")
    _outlast(path.parent)


def read_sealed(path: Path, kind: str, version: int) -> Mapping[str, Any]:
    """Return the content of a sealed file; raises BadInput where there is none, BadSeal where it was altered."""
    try:
        data = read_whole(path, MAX_BYTES, f"a file ({kind})")
    except TooLong as error:
        raise BadSeal(str(error)) from None
    try:
        outer = json.loads(data)
        found, content = (outer["kind"], outer["version"], outer["sha256"]), outer["content"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadSeal(f"{path}: expected a file ({kind}), found one that is cut off or something else") from None
    if found[:2] != (kind, version):
        raise BadSeal(f"{path}: expected {kind}, version {version}, found {found[0]!s:.40}, version {found[1]!s:.20}")
    if not isinstance(content, dict) or found[2] != _sum(content):
        raise BadSeal(f"{path}: expected {kind} as it was written, found one that was edited or damaged")
    return content


def _sum(content: Any) -> str:
    """The checksum over the content as it is read back, whatever its layout."""
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(plain.encode("ascii")).hexdigest()


def _outlast(folder: Path) -> None:
    """Make the names in a folder survive a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


KIND = "referee-box"
FOLDER = "boxes"
SUFFIX = ".json"
LONGEST_NAME = 60
MOST_KEPT = 100
AGAIN = "enrol the box again"


def boxes_folder(state: Path) -> Path:
    """The folder of the box files beside the journal."""
    return state / FOLDER


def box_path(chosen: str, folder: Path) -> Path:
    """Return the file that BOX means: a path where it looks like one, else that name in the boxes' folder."""
    if not chosen.strip() or "\0" in chosen:
        raise BadInput(f"expected the name or the path of a box file, found {chosen!r}")
    path = Path(chosen)
    if path.suffix.lower() == SUFFIX or len(path.parts) > 1 or chosen in (".", "..", "~"):
        return path
    if len(chosen) > LONGEST_NAME:
        raise BadInput(f"expected the name of a box, at most {LONGEST_NAME} letters, found {chosen[:LONGEST_NAME]}...")
    return folder / f"{chosen}{SUFFIX}"


def kept_boxes(folder: Path, reader: str) -> list[tuple[str, str]]:
    """Return the names and tile sets of all boxes in the folder that `load_box` accepts."""
    found = []
    for path in sorted(folder.glob(f"*{SUFFIX}"))[:MOST_KEPT]:
        # A box is chosen by its name, so a file whose name leads to another file is left out.
        with contextlib.suppress(BadInput, OSError):
            if box_path(path.stem, folder) == path:
                found.append((path.stem, load_box(path, reader).tileset))
    return found


def save_box(path: Path, box: Box) -> None:
    """Store a box; the old file is untouched where that fails. Raises BadInput."""
    if path.is_dir():
        raise BadInput(f"{path}: expected a file to write the box to, found a folder")
    if path.parent.name == FOLDER and not path.parent.exists():
        try:
            path.parent.mkdir(parents=True)
        except OSError as error:
            raise BadInput(f"{path.parent}: expected a folder for boxes, found: {error.strerror}") from error
    write_sealed(path, KIND, VERSION, box.to_json())


def load_box(path: Path, reader: str, wanted: TileSet | None = None) -> Box:
    """Load a box for the reader network with the checksum `reader` and the tile set in use.

    Raises BadInput, which says what to do, for a file of another version, network or tile set, edited or cut off.
    """
    if not path.is_file():
        try:
            found = kind_of_no_file(path) or "none"
        except OSError as error:
            found = os.strerror(error.errno or 0)
        raise BadInput(f"{path}: expected a box file, found {found}; `referee enrol` makes one")
    try:
        box = Box.from_json(read_sealed(path, KIND, VERSION))
    except BadSeal as error:
        raise BadInput(f"{error}; {AGAIN}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path}: expected a box file, found values that no box has; {AGAIN}") from None
    finite = all(np.isfinite(part).all() for part in (box.inks, box.centre, box.prototypes, np.asarray(box.size_mm)))
    if box.tileset not in TILE_SETS or set(box.colours) != set(tile_set(box.tileset).colours) or not finite:
        raise BadInput(f"{path}: expected a box file, found values that no box has; {AGAIN}")
    if box.reader != reader:
        raise BadInput(f"{path}: expected a box enrolled with this reader network, found one made by another; {AGAIN}")
    if wanted is not None and wanted.name != box.tileset:
        raise BadInput(
            f"{path}: expected a box of {wanted.name} tiles, found one of {box.tileset}; "
            f"name its tile set, or {AGAIN.replace('the box', 'the right box')}"
        )
    return box
