"""Compares reads with labelled pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.game.tiles import FACE_DOWN
from referee.vision.sighting import Read, Sighting

EDGE_PX = 3.0  # a labelled outline this close to the edge of the picture counts as cut off


@dataclass
class Tally:
    """Counts over pictures; `failures` lists missed, misread and false tiles, `doubts` tiles right but in doubt."""

    tiles: int = 0
    found: int = 0
    right: int = 0
    silent_wrong: int = 0
    doubtful: int = 0
    false: int = 0
    pictures: int = 0
    sets: int = 0
    sets_right: int = 0
    distances_mm: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    sure: int = 0
    """The number of tiles read right and without doubt."""
    asked: int = 0
    """The number of pictures with a tile in doubt."""
    backs: int = 0
    """The number of face-down tiles."""
    backs_sure: int = 0
    """The number of face-down tiles read as such and without doubt."""
    doubts: list[str] = field(default_factory=list)
    """Tiles that were read right, but in doubt."""

    def add(self, other: Tally) -> None:
        """Add another tally to this one."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def summary(self) -> list[str]:
        """All failures and doubts."""
        return self.failures + self.doubts


def photos(folder: Path) -> list[dict[str, Any]]:
    """Return the entries of `labels.jsonl`."""
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]


def tally_photo(sighting: Sighting, entry: dict[str, Any]) -> Tally:
    """Compare reads with the labels of a photo; a tile is found if the centre of a read is inside its outline.

    Each read counts for one tile only.
    """
    width, height = entry["size"]
    tally = Tally(pictures=1, asked=bool(sighting.doubts))
    centres = [read.corners_px.mean(axis=0) for read in sighting.reads]
    free = set(range(len(centres)))
    for label in entry["tiles"]:
        outline = np.asarray(label["outline"], np.float32)
        low, high = outline.min(axis=0), outline.max(axis=0)
        cut = low.min() < EDGE_PX or high[0] > width - EDGE_PX or high[1] > height - EDGE_PX
        middle = (low + high) / 2
        inside = [
            i for i in free if cv2.pointPolygonTest(outline, (float(centres[i][0]), float(centres[i][1])), False) >= 0
        ]
        best = min(inside, key=lambda i: float(np.linalg.norm(centres[i] - middle)), default=None)
        if best is not None:
            free.discard(best)
        if cut:
            continue
        where = f"{entry['image']} {label['label']} at ({middle[0]:.0f}, {middle[1]:.0f})"
        _count(tally, None if best is None else sighting.reads[best], label["label"], where)
    for i in sorted(free):
        x, y = centres[i]
        cut = min(x, y, width - x, height - y) < 0.75 * float(
            np.linalg.norm(np.ptp(sighting.reads[i].corners_px, axis=0)) / 2
        )
        if not cut:
            tally.false += 1
            tally.failures.append(f"false {entry['image']} {sighting.reads[i].name} at ({x:.0f}, {y:.0f})")
    return tally


def _count(tally: Tally, read: Read | None, label: str, where: str) -> None:
    tally.tiles += 1
    if read is None:
        tally.failures.append(f"missed {where}")
        return
    tally.found += 1
    tally.doubtful += read.doubtful
    if read.name == label:
        tally.right += 1
        tally.sure += not read.doubtful
        if read.doubtful:
            tally.doubts.append(f"in doubt ({read.confidence:.3f}) {where}{_alternatives(read)}")
    else:
        tally.silent_wrong += not read.doubtful
        mark = "doubtful" if read.doubtful else "SILENT"
        tally.failures.append(f"misread ({mark} {read.confidence:.3f}) {where} as {read.name}{_alternatives(read)}")


def _alternatives(read: Read) -> str:
    """Return the two likeliest alternatives of a read, with their probabilities."""
    others = [f"{name} {chance:.3f}" for name, chance in read.alternatives if name != read.name][:2]
    return f", or {', '.join(others)}" if others else ""


def scene_label(tile: dict[str, Any]) -> str:
    """Return the long name of a tile in the ground truth of a scene."""
    return "joker" if tile["rank"] == "joker" else f"{tile['colour']}-{tile['rank']}"


def tally_scene(sighting: Sighting, truth: dict[str, Any], name: str) -> Tally:
    """Compare reads with the ground truth of a marked table; a tile is found if a read lies within 12 mm.

    Each read counts for one tile only.
    """
    tally = Tally(pictures=1, asked=bool(sighting.doubts))
    free = {i for i, read in enumerate(sighting.reads) if read.x_mm is not None}
    match: dict[int, int] = {}
    for k, tile in enumerate(truth["tiles"]):
        place = np.asarray([tile["x_mm"], tile["y_mm"]])
        distance = {
            i: float(np.hypot(sighting.reads[i].x_mm - place[0], sighting.reads[i].y_mm - place[1])) for i in free
        }
        best = min(distance, key=distance.__getitem__, default=None)
        where = f"{name} {scene_label(tile)} at ({place[0]:.0f}, {place[1]:.0f}) mm"
        if best is None or distance[best] > 12:
            _count(tally, None, scene_label(tile), where)
            continue
        free.discard(best)
        match[best] = k
        tally.distances_mm.append(distance[best])
        _count(tally, sighting.reads[best], scene_label(tile), where)
    down = [i for i in free if sighting.reads[i].name == FACE_DOWN]
    for i in sorted(free - set(down)):
        read = sighting.reads[i]
        tally.false += 1
        tally.failures.append(f"false {name} {read.name} at ({read.x_mm:.0f}, {read.y_mm:.0f}) mm")
    if len(down) != truth["face_down"]:
        tally.failures.append(f"face-down {name}: expected {truth['face_down']}, found {len(down)}")
    tally.backs = truth["face_down"]
    tally.backs_sure = min(tally.backs, sum(not sighting.reads[i].doubtful for i in down))
    _count_sets(tally, sighting, truth, match, name)
    return tally


def _count_sets(tally: Tally, sighting: Sighting, truth: dict[str, Any], match: dict[int, int], name: str) -> None:
    wanted: dict[int, list[tuple[int, int]]] = {}
    for k, tile in enumerate(truth["tiles"]):
        wanted.setdefault(tile["meld"], []).append((tile["pos"], k))
    seen = {tuple(match.get(i, -1) for i in s) for s in sighting.sets}
    for meld, members in wanted.items():
        order = tuple(k for _, k in sorted(members))
        tally.sets += 1
        if order in seen:
            tally.sets_right += 1
        else:
            tally.failures.append(f"set {name} meld {meld} not seen as laid")
