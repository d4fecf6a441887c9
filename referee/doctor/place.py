"""Checks of the markers, the table and the camera's place above it, from what a view shows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from referee.doctor.finding import Finding, attention, ok, skip_check, together, wrong
from referee.doctor.measure import TILE_TOP_MM
from referee.doctor.view import CORNERS, SIZE_OFF, SIZE_WRONG, View, markers_are_swapped, off_by, places_of
from referee.game.notice import Notice
from referee.vision.geometry.markers import IDS, NEEDED, marker_centre
from referee.vision.geometry.pose import Lens, Pose, homography_pose
from referee.vision.sighting import Doubles

SHEET_MM = 56.0
"""The smallest white card that a marker may be printed on."""

# The thresholds below were chosen on rendered tables with the seeds 100 to 113, and hold for 200 to 219 as well:
# any table top, light, place of the camera and make of tiles. Renders are better than reality, since a real lens is
# softer towards the corners. So the limits keep a margin from where the reader failed on renders.
COARSE_PX_MM, TOO_COARSE_PX_MM = 1.6, 1.1
"""Pixels per millimetre of the tiles. Rendered tables are read down to 0.8; camera and height are planned for 1.7."""
TILTED_DEG, TOO_TILTED_DEG = 10.0, 25.0
"""Degrees away from straight down. Tables were read well up to 25; from 10 on a tile's side hides a part of its
neighbour."""
ASKEW_MM = 9.0
"""The largest residual in mm when four corners are taken for a rectangle. It is 1 for a true rectangle, 7 if one of
the corners lies 28 mm beside its place, and 13 at 50 mm. A lens with strong distortion leaves 7 as well."""
TURNED_DEG = 10.0
"""How far a card may be turned. People lay cards to within 5 degrees by eye."""


def judge_view(view: View) -> Iterator[Finding]:
    """Yield findings about markers, table and camera from a view."""
    yield _markers(view)
    if view.pose is None:
        yield skip_check("camera place", Notice("doctor.no_place_without_markers"))
        return
    yield _table(view)
    yield _check_camera_tilt(view.pose)
    yield _framing(view, view.pose)
    yield _resolution(view, view.pose)


def _markers(view: View) -> Finding:
    if len(view.markers) < NEEDED:
        return _too_few(view)
    if markers_are_swapped(view.markers):
        return wrong("markers", _exchange(view), _CLOCKWISE)
    if view.pose is None:
        return wrong("markers", Notice("doctor.markers_around_no_table"), _CLOCKWISE)
    turned = {i: abs(angle) for i, angle in (view.turned_deg or {}).items() if abs(angle) > TURNED_DEG}
    if turned:
        by = [Notice("doctor.marker_turned_by", marker=marker_name(i), angle=angle) for i, angle in turned.items()]
        return wrong("markers", Notice("doctor.markers_turned", markers=tuple(by)), Notice("doctor.turn_cards"))
    if view.missing_markers:
        return _one_gone(view, view.pose, view.missing_markers[0])
    return ok("markers", Notice("doctor.markers_seen"), seen=len(IDS))


def _too_few(view: View) -> Finding:
    seen, missing = len(view.markers), tuple(marker_name(i) for i in view.missing_markers)
    if not seen and view.trouble:
        return wrong("markers", Notice("doctor.markers_foreign", why=view.trouble), _PRINT, seen=0)
    if not seen:
        do = together(_PRINT, Notice("doctor.switch_on_light"))
        return wrong("markers", Notice("doctor.markers_none"), do, seen=0)
    found = Notice("doctor.markers_few", seen=seen, missing=missing)
    return wrong("markers", found, Notice("doctor.lay_missing", missing=missing), seen=seen)


def _one_gone(view: View, pose: Pose, gone: int) -> Finding:
    x, y = pose.on_plane([places_of(view.table_mm)[gone]], 0.0)[0]
    inside = 0 <= x < view.size_px[0] and 0 <= y < view.size_px[1]
    do = Notice("doctor.look_at_corner" if inside else "doctor.corner_outside", corner=CORNERS[gone])
    return attention("markers", Notice("doctor.marker_gone", missing=marker_name(gone)), do, seen=NEEDED)


_PRINT = Notice("doctor.print_markers")
_CLOCKWISE = Notice("doctor.lay_clockwise")


def marker_name(marker: int) -> Notice:
    """Return the notice that names a marker and where it lies."""
    return Notice("doctor.marker", marker=marker, corner=CORNERS[marker])


def _exchange(view: View) -> Notice:
    """Return the notice of what is wrong with the order of the markers.

    It names the two markers that have changed places, if exchanging them is all it takes.
    """
    for one, other in itertools.combinations(sorted(view.markers), 2):
        order = {one: other, other: one}
        if not markers_are_swapped({order.get(i, i): corners for i, corners in view.markers.items()}):
            return Notice("doctor.markers_exchanged", one=one, other=other)
    return Notice("doctor.markers_not_clockwise")


def _table(view: View) -> Finding:
    width, height = view.table_mm
    if view.found_mm is None or view.pose is None:
        return skip_check("table size", Notice("doctor.table_size_unknown"))
    figures = {"width_mm": round(view.found_mm[0]), "height_mm": round(view.found_mm[1])}
    off = off_by(view.found_mm, view.table_mm)
    if off > SIZE_OFF:
        text = Notice(
            "doctor.table_size_off", seen_width=_round(view.found_mm[0]), seen_height=_round(view.found_mm[1]),
            width=width, height=height,
        )  # fmt: skip
        kind = wrong if off > SIZE_WRONG else attention
        return kind("table size", text, Notice("doctor.measure_table"), **figures)
    beside = _worst_marker_offset(view.markers, view.found_mm, view.size_px)
    if beside > ASKEW_MM:
        return attention("table size", Notice("doctor.table_askew"), Notice("doctor.measure_diagonals"), **figures)
    return ok("table size", Notice("doctor.table_size", width=width, height=height), **figures)


def _worst_marker_offset(
    ours: Mapping[int, npt.NDArray[np.float32]], table_mm: tuple[float, float], size: tuple[int, int]
) -> float:
    """Return how far the worst marker is from its corner of a rectangle, mm."""
    corners = [places_of(table_mm)[i] for i in sorted(ours)]
    centres = [marker_centre(ours[i]) for i in sorted(ours)]
    try:
        pose = homography_pose(Lens.usual(*size), corners, centres)
    except (ValueError, cv2.error):
        return 0.0
    return float(np.hypot(*(pose.to_plane(centres, 0.0) - corners).T).max())


def _round(mm: float) -> int:
    return round(mm / 10) * 10


def _check_camera_tilt(pose: Pose) -> Finding:
    turn = cv2.Rodrigues(pose.rotation)[0]
    tilt = float(np.degrees(np.arccos(np.clip(turn[2, 2], -1, 1))))
    height = float((turn.T @ pose.translation)[2])
    figures = {"tilt_deg": round(tilt, 1), "height_mm": round(height)}
    if tilt > TILTED_DEG:
        do = Notice("doctor.hang_straight", side=_side(turn[2, 0], turn[2, 1]))
        kind = wrong if tilt > TOO_TILTED_DEG else attention
        return kind("camera place", Notice("doctor.camera_askew", degrees=round(tilt)), do, **figures)
    found = Notice("doctor.camera_straight", height=height / 10, degrees=round(tilt))
    return ok("camera place", found, **figures)


def _side(x: float, y: float) -> Notice:
    """Return the side of the table that lies in a direction."""
    if abs(x) > abs(y):
        return Notice("doctor.side_right") if x > 0 else Notice("doctor.side_left")
    return Notice("doctor.side_bottom") if y > 0 else Notice("doctor.side_top")


def _framing(view: View, pose: Pose) -> Finding:
    width, height = view.size_px
    half = SHEET_MM / 2
    corners = places_of(view.found_mm if view.found_mm is not None else view.table_mm)
    area = pose.on_plane(corners, TILE_TOP_MM)
    around = [[x + dx, y + dy] for x, y in corners for dx in (-half, half) for dy in (-half, half)]
    sheets = pose.on_plane(around, 0.0).reshape(4, 4, 2)

    def is_outside(pixels: Doubles) -> bool:
        return bool((pixels < 0).any() or (pixels > [width - 1, height - 1]).any())

    lost = tuple(CORNERS[i] for i in range(4) if is_outside(area[i]))
    cut = tuple(CORNERS[i] for i in range(4) if is_outside(sheets[i]))
    higher = Notice("doctor.hang_higher")
    if lost:
        return wrong("play area", Notice("doctor.play_area_lost", corners=lost), higher)
    if cut:
        return attention("play area", Notice("doctor.card_cut_off", corners=cut), higher)
    return ok("play area", Notice("doctor.play_area_seen"))


def _resolution(view: View, pose: Pose) -> Finding:
    places = np.asarray(places_of(view.table_mm), np.float64)
    places = np.vstack([places, places.mean(axis=0)])
    one, other = (pose.on_plane(places + np.asarray([shift, 0.0]), TILE_TOP_MM) for shift in (-5.0, 5.0))
    scales = np.hypot(*(other - one).T) / 10.0
    least = float(scales.min())
    figures = {"px_per_mm": round(least, 2), "px_per_mm_middle": round(float(scales[-1]), 2)}
    if least < COARSE_PX_MM:
        text = Notice("doctor.resolution_low", pixels=least, needed=COARSE_PX_MM)
        kind = wrong if least < TOO_COARSE_PX_MM else attention
        return kind("resolution", text, Notice("doctor.hang_lower"), **figures)
    return ok("resolution", Notice("doctor.resolution", pixels=least, needed=COARSE_PX_MM), **figures)
