"""The picture of a table with the moves of a turn drawn into it, for people."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.game.moves import Step, members_moved, members_staying
from referee.vision.overlay import to_pixel
from referee.vision.sighting import Floats, Image, Read, Sighting

Colour = tuple[int, int, int]
_COLOURS: tuple[Colour, ...] = (
    (40, 40, 220),
    (200, 90, 20),
    (30, 150, 30),
    (180, 40, 160),
    (0, 130, 240),
    (140, 120, 0),
)
"""The colours of the steps, BGR; they repeat."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX
# Chosen by eye.
_LETTERS, _MARGIN_PX = 0.6, 4


def draw_moves(picture: Image, sighting: Sighting, steps: Sequence[Step]) -> Image:
    """Return a copy of the BGR picture with each step's number below its set, and an arrow for each moving tile.

    `steps` are those of a turn that begins at the table of the sighting. The tiles of the hand are named beside the
    number. Steps that need no tile of the table are listed in the upper left corner.
    """
    result = picture.copy()
    scale = max(picture.shape[:2]) / 1400
    moved = members_moved(sighting.table, steps)
    corner = np.asarray([0.0, 0.0], np.float32)
    for number, (step, members) in enumerate(zip(steps, moved, strict=True), 1):
        colour = _COLOURS[(number - 1) % len(_COLOURS)]
        there = () if step.place is None else members_staying(sighting.table, moved, step.place)
        stays = [sighting.sets[k][i] for k, i in there]
        comes = [sighting.sets[member[0]][member[1]] for member in members if member is not None]
        _draw_tiles(result, sighting, stays, comes, colour, scale)
        tiles = stays or comes
        if tiles:
            outline = np.concatenate([sighting.reads[i].corners_px for i in tiles])
            below = np.asarray([outline[:, 0].mean(), outline[:, 1].max()], np.float32)
            _write(result, _name_of(number, step), below, colour, scale)
        else:
            corner = _write(result, _name_of(number, step), corner, colour, scale)
    return result


def _draw_tiles(
    result: Image, sighting: Sighting, stays: Sequence[int], comes: Sequence[int], colour: Colour, scale: float
) -> None:
    """Outline the tiles of a step; those that come from elsewhere have a thick outline and an arrow."""
    thick = max(1, round(2 * scale))
    for i in stays:
        cv2.polylines(result, [_corners(sighting.reads[i])], True, colour, thick, cv2.LINE_AA)
    for i in comes:
        cv2.polylines(result, [_corners(sighting.reads[i])], True, colour, 2 * thick, cv2.LINE_AA)
    if stays:
        target = to_pixel(np.mean([_middle(sighting.reads[i]) for i in stays], axis=0))
        for i in comes:
            start = to_pixel(_middle(sighting.reads[i]))
            cv2.arrowedLine(result, start, target, colour, thick, cv2.LINE_AA, tipLength=0.05)


def _name_of(number: int, step: Step) -> str:
    """Return the label of a step: its number and the tiles of the hand."""
    return " ".join([str(number), *(f"+{move.tile}" for move in step.moves if move.source is None)])


def _write(result: Image, text: str, top: Floats, colour: Colour, scale: float) -> Floats:
    """Write a label below the place `top`, moved so that all of it is in the picture; return the place below it."""
    size, thick = _LETTERS * scale, max(1, round(1.5 * scale))
    (width, height), base = cv2.getTextSize(text, _FONT, size, thick)
    extent = np.asarray([width / 2 + _MARGIN_PX, (height + base) / 2 + _MARGIN_PX], np.float32)
    limit = np.maximum(extent, np.asarray(result.shape[1::-1], np.float32) - extent - 1)
    centre = np.clip(top + np.asarray([0, extent[1] + _MARGIN_PX], np.float32), extent, limit)
    cv2.rectangle(result, to_pixel(centre - extent), to_pixel(centre + extent), (255, 255, 255), -1)
    cv2.rectangle(result, to_pixel(centre - extent), to_pixel(centre + extent), colour, max(1, round(scale)))
    at = to_pixel((centre[0] - width / 2, centre[1] + (height - base) / 2))
    cv2.putText(result, text, at, _FONT, size, colour, thick, cv2.LINE_AA)
    return np.asarray([top[0], centre[1] + extent[1]], np.float32)


def _corners(read: Read) -> Image:
    return np.asarray(np.round(read.corners_px), np.int32)


def _middle(read: Read) -> Floats:
    return np.asarray(read.corners_px.mean(axis=0), np.float32)
