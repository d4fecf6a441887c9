"""Box files. Each contains one enrolled box and is named by its path, or by its name in the boxes' folder.

Box files are sealed files, like other small files of learnt data: JSON with its kind, its version and a checksum. They
are written completely or not at all.
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

from referee.devices.whole_file import TooLong, kind_of_no_file, read_whole, sync_folder, write_whole
from referee.errors import BadInput
from referee.game.tiles import TILE_SETS, TileSet, tile_set
from referee.vision.boxes.box import VERSION, Box

MAX_BYTES = 5_000_000


class BadSeal(BadInput):
    """A file that exists but is not what was written: it is cut off or edited, or of another kind or version."""


def write_sealed(path: Path, kind: str, version: int, content: Mapping[str, Any]) -> None:
    """Write `content` with its checksum. A reader of `path` sees either the old file or the complete new one.

    Raises BadInput if the file cannot be written; the old file then stays as it was.
    """
    text = json.dumps({"kind": kind, "version": version, "sha256": _sum(content), "content": content}, allow_nan=False)
    write_whole(path, f"{text}\n".encode(), "a place to write to")
    sync_folder(path.parent)


def read_sealed(path: Path, kind: str, version: int) -> Mapping[str, Any]:
    """Return the content of a sealed file; raises BadInput if there is none, and BadSeal if it was altered."""
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
    """Return the checksum of the content, which does not depend on the layout of the file."""
    plain = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(plain.encode("ascii")).hexdigest()


KIND = "referee-box"
FOLDER = "boxes"
SUFFIX = ".json"
LONGEST_NAME = 60
MOST_KEPT = 100
AGAIN = "enrol the box again"


def boxes_folder(state: Path) -> Path:
    """Return the folder of the box files, which is beside the journal."""
    return state / FOLDER


def box_path(chosen: str, folder: Path) -> Path:
    """Return the path of the box file that `chosen` names: either a path, or a name in the boxes' folder.

    Raises BadInput if it is neither.
    """
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
        # Boxes are chosen by name, so a file is left out if its name would be taken for another path.
        with contextlib.suppress(BadInput, OSError):
            if box_path(path.stem, folder) == path:
                found.append((path.stem, load_box(path, reader).tileset))
    return found


def save_box(path: Path, box: Box) -> None:
    """Store a box. If that fails, the old file stays as it was, and BadInput is raised."""
    if path.is_dir():
        raise BadInput(f"{path}: expected a file to write the box to, found a folder")
    if path.parent.name == FOLDER and not path.parent.exists():
        try:
            path.parent.mkdir(parents=True)
        except OSError as error:
            raise BadInput(f"{path.parent}: expected a folder for boxes, found: {error.strerror}") from error
    write_sealed(path, KIND, VERSION, box.to_json())


def load_box(path: Path, reader: str, wanted: TileSet | None = None) -> Box:
    """Load a box for the reader network with the checksum `reader` and the tile set `wanted`.

    Raises BadInput if the file is edited or cut off, or if it was made for another version, network or tile set. The
    message says what to do.
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
