"""Adding a tile that was not found, at the place where somebody says it lies."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from referee.game.tiles import TILE_SETS, Tile
from referee.vision.finding.grouping import regroup_sets
from referee.vision.sighting import Floats, Read, Sighting

USUAL_MM = (26.0, 37.5)
"""Width and height of a tile in mm if the box is not known: those of Rummikub."""
BESIDE_MM = 90.0
"""A tile gets the turn of the nearest one if that is within this distance: about three tiles. Chosen by hand."""
_Matrix = npt.NDArray[np.float64]


def place_of_pixel(sighting: Sighting, x_px: float, y_px: float) -> tuple[float, float] | None:
    """Return where on the table a pixel is, in mm; None if that is unknown or outside the play area."""
    turn = _to_mm(sighting)
    if turn is None or sighting.table_mm is None:
        return None
    x, y = (float(v) for v in cv2.perspectiveTransform(np.asarray([[[x_px, y_px]]], np.float32), turn)[0, 0])
    width, height = sighting.table_mm
    return (x, y) if 0 <= x <= width and 0 <= y <= height else None


def angle_beside(sighting: Sighting, x_mm: float, y_mm: float) -> float:
    """Return the most likely angle of a tile at a place: that of its nearest neighbour."""
    found = [
        (float(np.hypot((read.x_mm or 0) - x_mm, (read.y_mm or 0) - y_mm)), read.angle_deg)
        for read in sighting.reads
        if read.x_mm is not None
    ]
    distance, angle = min(found, default=(np.inf, 0.0))
    return angle if distance < BESIDE_MM else 0.0


def with_tile(sighting: Sighting, tile: Tile, x_mm: float, y_mm: float, angle_deg: float) -> Sighting | None:
    """Return the sighting with one more tile; None if its place is unknown or the box has no more of this tile."""
    turn, box = _to_mm(sighting), TILE_SETS.get(sighting.tileset)
    if turn is None or (box is not None and _count_sure(sighting, tile) >= box.inventory().get(tile, 0)):
        return None
    size = USUAL_MM if box is None else box.size_mm[:2]
    corners = cv2.perspectiveTransform(_quad(size, x_mm, y_mm, angle_deg)[None], np.linalg.inv(turn))[0]
    read = Read(tile, 1.0, False, (), np.asarray(corners, np.float32), angle_deg, x_mm, y_mm)
    return regroup_sets(replace(sighting, reads=(*sighting.reads, read)))


def _count_sure(sighting: Sighting, tile: Tile) -> int:
    return sum(read.tile == tile and not read.doubtful for read in sighting.reads)


def _quad(size: tuple[float, float], x: float, y: float, angle_deg: float) -> Floats:
    """Return the corners (4, 2) of a tile on the table, in mm, the printed top left first."""
    width, height = size
    turn = np.radians(angle_deg)
    across, down = np.asarray([np.cos(turn), np.sin(turn)]), np.asarray([-np.sin(turn), np.cos(turn)])
    square = np.asarray([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
    return np.asarray(square[:, :1] * across + square[:, 1:] * down + np.asarray([x, y]), np.float32)


def _to_mm(sighting: Sighting) -> _Matrix | None:
    """Return the homography from pixels to millimetres on the table; None if the picture shows no marked table."""
    if sighting.outline_px is None or sighting.table_mm is None:
        return None
    width, height = sighting.table_mm
    corners = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(sighting.outline_px, np.float32), corners), np.float64)
