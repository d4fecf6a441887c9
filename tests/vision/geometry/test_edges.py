"""Places of tiles from the edges of their tops: the far edge, the dark line between two, and the size they share."""

import cv2
import numpy as np
import pytest

from referee.vision.geometry.pose import Lens, Pose
from referee.vision.geometry.tile_edges import on_tops

WIDTH, HEIGHT, TOP = 26.0, 37.0, 9.0
LENS = Lens.usual(2304, 1296)
POSE = Pose(LENS, np.zeros(3), np.asarray([-450.0, -300.0, 1000.0]))


def quad(x, y, turn=0.0):
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    box = np.asarray([[-WIDTH, -HEIGHT], [WIDTH, -HEIGHT], [WIDTH, HEIGHT], [-WIDTH, HEIGHT]]) / 2
    return box @ np.asarray([[c, s], [-s, c]]) + [x, y]


def shown(tiles, wall=235):
    """Cream tiles with bright walls on a dark table, as seen from above its middle; blurred like a picture."""
    fine = 4
    picture = np.full((1296 * fine, 2304 * fine), 60, np.uint8)
    for tile in tiles:
        foot, top = POSE.on_plane(quad(*tile), 0.0), POSE.on_plane(quad(*tile), TOP)
        for corners, level in ((np.concatenate([foot, top]), wall), (top, 235)):
            hull = cv2.convexHull(((corners + 0.5) * fine - 0.5).astype(np.float32))
            cv2.fillConvexPoly(picture, np.round(hull * 16).astype(np.int32), level, cv2.LINE_AA, 4)
            if level == 235 and corners is top:
                cv2.polylines(picture, [np.round(hull * 16).astype(np.int32)], True, 150, 2, cv2.LINE_AA, 4)
    small = cv2.GaussianBlur(cv2.resize(picture, (2304, 1296), interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    return cv2.cvtColor(small, cv2.COLOR_GRAY2BGR)


def read_with_walls(tiles, share=0.5):
    """Quads (n, 4, 2) in pixels as a reader gives them that takes a part of the wall for the top."""
    quads = []
    for tile in tiles:
        top, foot = POSE.on_plane(quad(*tile), TOP), POSE.on_plane(quad(*tile), 0.0)
        frame = np.stack([(top[1] - top[0]) / np.linalg.norm(top[1] - top[0]),
                          (top[3] - top[0]) / np.linalg.norm(top[3] - top[0])])  # fmt: skip
        both = np.stack([top @ frame.T, ((1 - share) * top + share * foot) @ frame.T])
        low, high = both.min(axis=(0, 1)), both.max(axis=(0, 1))
        quads.append(np.asarray([low, [high[0], low[1]], high, [low[0], high[1]]]) @ frame)
    return np.asarray(quads, np.float32)


def misses(picture, corners, tiles):
    middles = on_tops(picture, POSE, corners, TOP).mean(axis=1)
    return np.linalg.norm(middles - np.asarray([t[:2] for t in tiles]), axis=1)


SINGLE = [(120, 90), (450, 280), (780, 520, 4.0), (130, 500, 90.0), (800, 100, 92.0), (460, 330)]
ROW = [(650 + 26.6 * i, 470) for i in range(5)] + [(400, 300), (450, 305), (500, 310)]


def test_tiles_whose_bright_walls_were_taken_for_their_tops_are_put_into_place():
    picture, corners = shown(SINGLE), read_with_walls(SINGLE)
    raw = POSE.to_plane(corners.reshape(-1, 2), TOP).reshape(-1, 4, 2).mean(axis=1)
    assert np.linalg.norm(raw - [t[:2] for t in SINGLE], axis=1).max() > 0.6
    assert misses(picture, corners, SINGLE).max() < 0.5


def test_tiles_that_touch_are_told_by_the_dark_line_between_them():
    assert misses(shown(ROW), read_with_walls(ROW), ROW).max() < 0.5


def test_a_reader_that_was_right_is_left_alone():
    corners = np.asarray([POSE.on_plane(quad(*t), TOP) for t in SINGLE], np.float32)
    assert misses(shown(SINGLE), corners, SINGLE).max() < 0.3


@pytest.mark.parametrize("level", [0, 128, 255])
def test_where_no_edge_is_seen_no_tile_is_moved_far(level):
    corners = np.asarray([POSE.on_plane(quad(*t), TOP) for t in SINGLE], np.float32)
    assert misses(np.full((1296, 2304, 3), level, np.uint8), corners, SINGLE).max() < 0.3


def test_a_tile_at_the_pictures_edge_and_no_tile_at_all_are_no_errors():
    corners = np.asarray([[[-5, -5], [40, -5], [40, 60], [-5, 60]]], np.float32)
    assert on_tops(shown([]), POSE, corners, TOP).shape == (1, 4, 2)
    assert on_tops(shown([]), POSE, np.zeros((0, 4, 2), np.float32), TOP).shape == (0, 4, 2)
