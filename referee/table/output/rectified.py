"""The picture of a look as the page shows it: rectified, scaled, with a margin around the play area."""

from __future__ import annotations

import cv2
import numpy as np

from referee.table.looking.look import Look
from referee.vision.geometry.table_view import to_unit
from referee.vision.sighting import Floats, Image

AROUND = 0.6
"""How much is shown around a tile in its own picture, as a part of the tile's width."""
BESIDE = 0.06
"""The distance of the outline from the tile's edge, as a part of the tile's width."""
DIMMED, GREY = 0.4, 60
"""The surroundings of a tile are dimmed in its own picture: this part of them is mixed with this grey."""
LIGHT, DARK = (255, 255, 255), (196, 98, 11)
"""The colours (blue, green, red) of the line around a tile; one of them stands out against any surroundings."""
JPEG_QUALITY = 82
HIGHEST_PX = 3840
"""The most pixels in height of a picture for the page; for a taller table the picture gets narrower."""


def outlines(look: Look) -> list[Floats]:
    """Return the corners (4, 2) of each tile's top, as parts of the rectified picture: 0 to 1 from its top left."""
    sighting = look.sighting
    if sighting is None or not sighting.reads:
        return []
    points = np.concatenate([read.corners_px for read in sighting.reads])
    unit = cv2.perspectiveTransform(points[None].astype(np.float32), _to_unit(look))[0]
    return list(np.asarray(unit, np.float32).reshape(-1, 4, 2))


def picture_place(look: Look, x: float, y: float) -> tuple[float, float]:
    """Return the pixel of the camera's picture at a place of the rectified picture, given in parts (0 to 1)."""
    back = np.linalg.inv(_to_unit(look))
    found = cv2.perspectiveTransform(np.asarray([[[x, y]]], np.float32), back)[0, 0]
    return float(found[0]), float(found[1])


def rectify_look(look: Look, table_mm: tuple[float, float], width: int) -> Image | None:
    """Return a look's rectified picture, `width` pixels wide or less if it would be too high; None if it has none."""
    if look.picture is None:
        return None
    shape = aspect(look, table_mm)
    width = max(1, min(width, round(HIGHEST_PX * shape)))
    size = (width, max(1, min(HIGHEST_PX, round(width / shape))))
    scale = np.diag([size[0], size[1], 1.0])
    return np.asarray(cv2.warpPerspective(look.picture, scale @ _to_unit(look), size, flags=cv2.INTER_AREA), np.uint8)


def tile_picture(look: Look, read: int, width: int) -> Image | None:
    """Return a picture of one tile, upright and outlined, with dimmed surroundings, `width` pixels wide.

    None if the look has no picture or no such tile.
    """
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
    """Return the image with everything closer than `edge` pixels to its edges dimmed, and the rest outlined."""
    height, width = image.shape[:2]
    line, at = max(1, round(width / 80)), max(0, round(edge))
    shown = np.asarray(DIMMED * image + (1 - DIMMED) * GREY, np.uint8)
    inner = slice(at, height - at), slice(at, width - at)
    shown[inner] = image[inner]
    cv2.rectangle(shown, (at - line, at - line), (width - at + line - 1, height - at + line - 1), LIGHT, 3 * line)
    cv2.rectangle(shown, (at - line, at - line), (width - at + line - 1, height - at + line - 1), DARK, line)
    return shown


def jpeg(image: Image) -> bytes:
    """Return the image as a JPEG file."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def aspect(look: Look, table_mm: tuple[float, float]) -> float:
    """Return width divided by height of the rectified picture."""
    if look.sighting is None or look.sighting.outline_px is None:
        height, width = (2, 3) if look.picture is None else look.picture.shape[:2]
        return float(width) / float(height)
    return table_mm[0] / table_mm[1]


def _to_unit(look: Look) -> np.ndarray:
    """Return the homography from pixels of the camera's picture to parts (0 to 1) of the rectified picture."""
    sighting = look.sighting
    if sighting is None or sighting.outline_px is None:
        height, width = (1, 1) if look.picture is None else look.picture.shape[:2]
        return np.diag([1 / width, 1 / height, 1.0])
    return to_unit(sighting.outline_px)
