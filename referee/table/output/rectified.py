"""The picture of a look as the page shows it: rectified, a little more than the play area, scaled."""

from __future__ import annotations

import cv2
import numpy as np

from referee.table.looking.look import Look
from referee.vision.sighting import Floats, Image

MARGIN = 0.04
"""Of the play area's width and height: so much of the table is shown beyond it on every side."""
AROUND = 0.6
"""Of a tile's width: so much is shown around it in its own picture."""
BESIDE = 0.06
"""Of a tile's width: so far from its edge it is outlined."""
DIMMED, GREY = 0.4, 60
"""How much is left of what lies around a tile in its own picture, and of what grey the rest is."""
LIGHT, DARK = (255, 255, 255), (196, 98, 11)
"""Of the line around a tile, blue, green, red: one of both is seen on whatever lies there."""
JPEG_QUALITY = 82
HIGHEST_PX = 3840
"""No picture for the page is higher; a narrower one is made of a table that is."""


def outlines(look: Look) -> list[Floats]:
    """The corners (4, 2) of every tile's top in parts of the rectified picture, 0 to 1 from its top left."""
    sighting = look.sighting
    if sighting is None or not sighting.reads:
        return []
    points = np.concatenate([read.corners_px for read in sighting.reads])
    unit = cv2.perspectiveTransform(points[None].astype(np.float32), _to_unit(look))[0]
    return list(np.asarray(unit, np.float32).reshape(-1, 4, 2))


def picture_place(look: Look, x: float, y: float) -> tuple[float, float]:
    """The pixel of the camera's picture at a place of the rectified one, in parts."""
    back = np.linalg.inv(_to_unit(look))
    found = cv2.perspectiveTransform(np.asarray([[[x, y]]], np.float32), back)[0, 0]
    return float(found[0]), float(found[1])


def rectify_look(look: Look, table_mm: tuple[float, float], width: int) -> Image | None:
    """The picture of a look this many pixels wide, or less where it would get too high; None where it has none."""
    if look.picture is None:
        return None
    shape = aspect(look, table_mm)
    width = max(1, min(width, round(HIGHEST_PX * shape)))
    size = (width, max(1, min(HIGHEST_PX, round(width / shape))))
    scale = np.diag([size[0], size[1], 1.0])
    return np.asarray(cv2.warpPerspective(look.picture, scale @ _to_unit(look), size, flags=cv2.INTER_AREA), np.uint8)


def tile_picture(look: Look, read: int, width: int) -> Image | None:
    """One tile, upright, outlined, with a little dimmed around it, this many pixels wide; None where it is none."""
    sighting = look.sighting
    if look.picture is None or sighting is None or not 0 <= read < len(sighting.reads):
        return None
    corners = sighting.reads[read].corners_px.astype(np.float32)
    across = float(np.linalg.norm(corners[1] - corners[0]))
    along = float(np.linalg.norm(corners[3] - corners[0]))
    if not across > 0:
        return None
    edge = AROUND * across
    height = max(1, min(HIGHEST_PX, round(width * (along + 2 * edge) / (across + 2 * edge))))
    pixel = width / (across + 2 * edge)
    left, top = edge * pixel, edge * pixel
    there = np.asarray(
        [(left, top), (width - left, top), (width - left, height - top), (left, height - top)], np.float32
    )
    view = cv2.getPerspectiveTransform(corners, there)
    image = np.asarray(cv2.warpPerspective(look.picture, view, (width, height), flags=cv2.INTER_AREA), np.uint8)
    return _outline_area(image, left - BESIDE * across * pixel)


def _outline_area(image: Image, edge: float) -> Image:
    """The picture with what lies within `edge` pixels of its edges dimmed, and the rest outlined."""
    height, width = image.shape[:2]
    line, at = max(1, round(width / 80)), max(0, round(edge))
    shown = np.asarray(DIMMED * image + (1 - DIMMED) * GREY, np.uint8)
    inner = slice(at, height - at), slice(at, width - at)
    shown[inner] = image[inner]
    cv2.rectangle(shown, (at - line, at - line), (width - at + line - 1, height - at + line - 1), LIGHT, 3 * line)
    cv2.rectangle(shown, (at - line, at - line), (width - at + line - 1, height - at + line - 1), DARK, line)
    return shown


def jpeg(image: Image) -> bytes:
    """The picture as a JPEG file."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def aspect(look: Look, table_mm: tuple[float, float]) -> float:
    """Width by height of the rectified picture."""
    if look.sighting is None or look.sighting.outline_px is None:
        height, width = (2, 3) if look.picture is None else look.picture.shape[:2]
        return float(width) / float(height)
    return table_mm[0] / table_mm[1]


def _to_unit(look: Look) -> np.ndarray:
    """The homography from pixels of the camera's picture to parts of the rectified one."""
    sighting = look.sighting
    if sighting is None or sighting.outline_px is None:
        height, width = (1, 1) if look.picture is None else look.picture.shape[:2]
        return np.diag([1 / width, 1 / height, 1.0])
    low, high = MARGIN / (1 + 2 * MARGIN), (1 + MARGIN) / (1 + 2 * MARGIN)
    corners = np.asarray([(low, low), (high, low), (high, high), (low, high)], np.float32)
    return cv2.getPerspectiveTransform(np.asarray(sighting.outline_px, np.float32), corners)
