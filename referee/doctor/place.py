"""Markers, table and the camera's place above it: what a view means, and what to do about it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import cv2
import numpy as np
import numpy.typing as npt

from referee.doctor.finding import Finding, attention, ok, skipped, wrong
from referee.doctor.measure import TILE_TOP_MM
from referee.doctor.view import PLACES, SIZE_OFF, SIZE_WRONG, View, off_by, places_of, swapped
from referee.game.wording import count, joined
from referee.vision.geometry.markers import IDS, NEEDED, marker_centre
from referee.vision.geometry.pose import Doubles, Lens, Pose, homography_pose

SHEET_MM = 56.0
"""The smallest white card that a marker may be printed on."""

# The thresholds below were chosen on rendered tables of the seeds 100 to 113 and hold on 200 to 219 as well: any
# table top, light, hang and make of tiles. Renders flatter: a real lens is softer towards the corners, so the limits
# keep a distance from where the reader failed there.
COARSE_PX_MM, TOO_COARSE_PX_MM = 1.6, 1.1
"""Pixels on a millimetre of the tiles. Rendered tables are read down to 0.8; camera and height are planned for 1.7."""
TILTED_DEG, TOO_TILTED_DEG = 10.0, 25.0
"""Away from straight down. Read well up to 25; from 10 on a tile's side hides a part of its neighbour."""
ASKEW_MM = 9.0
"""What is left over where four corners are taken for a rectangle: 1 mm of true ones, 7 where one of them lies 28 mm
beside its place, 13 at 50 mm; a lens that bends much leaves 7 over as well."""
TURNED_DEG = 10.0
"""How far a card may be turned; people lay them to within 5 degrees by eye."""


def judge_view(view: View) -> Iterator[Finding]:
    """What the view says about markers, table and camera."""
    yield _markers(view)
    if view.pose is None:
        yield skipped("camera place", "How the camera hangs cannot be told without three markers in their places.")
        return
    yield _table(view)
    yield _hanging(view.pose)
    yield _framing(view, view.pose)
    yield _resolution(view, view.pose)


def _markers(view: View) -> Finding:
    if len(view.markers) < NEEDED:
        return _too_few(view)
    if swapped(view.markers):
        return wrong("markers", f"The markers lie in a wrong order: {_exchange(view)}", _CLOCKWISE)
    if view.pose is None:
        return wrong("markers", "The markers do not lie around a table.", _CLOCKWISE)
    turned = {i: abs(angle) for i, angle in (view.turned_deg or {}).items() if abs(angle) > TURNED_DEG}
    if turned:
        turns = joined([f"{named(i)} by {angle:.0f} degrees" for i, angle in turned.items()])
        do = 'Turn the cards so that all edges marked "this side up" point to the same side of the table.'
        return wrong("markers", f"Turned are {turns}.", do)
    if view.missing:
        return _one_gone(view, view.pose, view.missing[0])
    return ok("markers", "All four markers are seen, in their places.", seen=len(IDS))


def _too_few(view: View) -> Finding:
    seen, names = len(view.markers), joined([named(i) for i in view.missing])
    if not seen and view.trouble:
        return wrong("markers", f"Other markers than the referee's lie here: {view.trouble}.", _PRINT, seen=0)
    if not seen:
        do = f"{_PRINT} Switch on the light, take the cap off the lens, point the camera at the table."
        return wrong("markers", "None of the four markers is seen.", do, seen=0)
    found = (
        f"Only {'one of the four markers is' if seen == 1 else 'two of the four markers are'} seen; missing: {names}."
    )
    do = f"Lay {names}, and take away what covers them; all four must be in the picture."
    return wrong("markers", found, do, seen=seen)


def _one_gone(view: View, pose: Pose, gone: int) -> Finding:
    x, y = pose.on_plane([places_of(view.table_mm)[gone]], 0.0)[0]
    corner = PLACES[gone]
    if 0 <= x < view.size_px[0] and 0 <= y < view.size_px[1]:
        do = f"Look at the {corner} corner: it is covered, mirrors a lamp, or is not there. One may miss, not two."
    else:
        do = f"Its place is outside the picture: hang the camera higher, or move it towards the {corner} corner."
    found = f"Three of the four markers are seen; missing: {named(gone)}."
    return attention("markers", found, do, seen=NEEDED)


_PRINT = "Print the referee's own markers (calibration/markers-a4.svg) and lay them at the corners of the play area."
_CLOCKWISE = "Lay them clockwise: 0 top left, 1 top right, 2 bottom right, 3 bottom left."


def named(marker: int) -> str:
    """A marker in words."""
    return f"marker {marker} ({PLACES[marker]})"


def _exchange(view: View) -> str:
    """Which two have changed places, if exchanging them is all it takes."""
    for one, other in itertools.combinations(sorted(view.markers), 2):
        order = {one: other, other: one}
        if not swapped({order.get(i, i): corners for i, corners in view.markers.items()}):
            return f"{one} and {other} have changed places."
    return "they do not follow each other clockwise."


def _table(view: View) -> Finding:
    width, height = view.table_mm
    if view.found_mm is None or view.pose is None:
        return skipped("table size", "The size of the table cannot be checked with three markers.")
    found = f"{_round(view.found_mm[0])} x {_round(view.found_mm[1])} mm"
    figures = {"width_mm": round(view.found_mm[0]), "height_mm": round(view.found_mm[1])}
    off = off_by(view.found_mm, view.table_mm)
    if off > SIZE_OFF:
        text = f"The markers' middles seem to lie about {found} apart; the settings say {width:g} x {height:g} mm."
        do = (
            "Measure from middle to middle and write that into [table] width_mm and height_mm, or move the cards. "
            "Each black square must measure 40 mm: if not, print them again at 100 %."
        )
        return (wrong if off > SIZE_WRONG else attention)("table size", text, do, **figures)
    beside = _beside(view.markers, view.found_mm, view.size_px)
    if beside > ASKEW_MM:
        text = "The markers do not lie in a true rectangle: one at least is several centimetres beside its corner."
        return attention("table size", text, "Measure both diagonals; move the cards until they are equal.", **figures)
    return ok("table size", f"The markers lie {width:g} x {height:g} mm apart, as the settings say.", **figures)


def _beside(
    ours: Mapping[int, npt.NDArray[np.float32]], table_mm: tuple[float, float], size: tuple[int, int]
) -> float:
    """How far from its corner of a rectangle that marker lies which lies worst, mm."""
    corners = [places_of(table_mm)[i] for i in sorted(ours)]
    centres = [marker_centre(ours[i]) for i in sorted(ours)]
    try:
        pose = homography_pose(Lens.usual(*size), corners, centres)
    except (ValueError, cv2.error):
        return 0.0
    return float(np.hypot(*(pose.to_plane(centres, 0.0) - corners).T).max())


def _round(mm: float) -> int:
    return round(mm / 10) * 10


def _hanging(pose: Pose) -> Finding:
    turn = cv2.Rodrigues(pose.rotation)[0]
    tilt = float(np.degrees(np.arccos(np.clip(turn[2, 2], -1, 1))))
    height = float((turn.T @ pose.translation)[2])
    figures = {"tilt_deg": round(tilt, 1), "height_mm": round(height)}
    off = count(round(tilt), "degree")
    if tilt > TILTED_DEG:
        towards = _direction(turn[2, 0], turn[2, 1])
        do = f"Hang it above the middle of the table, looking straight down; now it leans towards the {towards} side."
        kind = wrong if tilt > TOO_TILTED_DEG else attention
        return kind("camera place", f"The camera looks down askew, by {off}.", do, **figures)
    where = f"about {height / 10:.0f} cm above the table (if its view is 66 degrees wide)"
    return ok("camera place", f"The camera hangs {where} and looks straight down, to within {off}.", **figures)


def _direction(x: float, y: float) -> str:
    if abs(x) > abs(y):
        return "right" if x > 0 else "left"
    return "bottom" if y > 0 else "top"


def _framing(view: View, pose: Pose) -> Finding:
    width, height = view.size_px
    half = SHEET_MM / 2
    corners = places_of(view.found_mm if view.found_mm is not None else view.table_mm)
    area = pose.on_plane(corners, TILE_TOP_MM)
    around = [[x + dx, y + dy] for x, y in corners for dx in (-half, half) for dy in (-half, half)]
    sheets = pose.on_plane(around, 0.0).reshape(4, 4, 2)

    def outside(pixels: Doubles) -> bool:
        return bool((pixels < 0).any() or (pixels > [width - 1, height - 1]).any())

    lost = [PLACES[i] for i in range(4) if outside(area[i])]
    cut = [PLACES[i] for i in range(4) if outside(sheets[i])]
    higher = "Hang the camera higher, or move it or the markers until the whole play area is in the picture."
    if lost:
        return wrong("play area", f"The play area leaves the picture at the {joined(lost)}.", higher)
    if cut:
        text = f"The white card is cut off by the picture's edge at the {joined(cut)}."
        return attention("play area", text, higher)
    return ok("play area", "The whole play area is in the picture.")


def _resolution(view: View, pose: Pose) -> Finding:
    places = np.asarray(places_of(view.table_mm), np.float64)
    places = np.vstack([places, places.mean(axis=0)])
    one, other = (pose.on_plane(places + np.asarray([shift, 0.0]), TILE_TOP_MM) for shift in (-5.0, 5.0))
    scales = np.hypot(*(other - one).T) / 10.0
    least = float(scales.min())
    found = f"A millimetre of a tile is {least:.2f} pixels wide where it is smallest"
    figures = {"px_per_mm": round(least, 2), "px_per_mm_middle": round(float(scales[-1]), 2)}
    if least < COARSE_PX_MM:
        do = "Hang the camera lower, or take larger pictures: [camera] width_px and height_px."
        kind = wrong if least < TOO_COARSE_PX_MM else attention
        return kind("resolution", f"{found}; {COARSE_PX_MM:g} or more are needed.", do, **figures)
    return ok("resolution", f"{found}; {COARSE_PX_MM:g} are needed.", **figures)
