"""Where camera and lamps may be: `python hardware/geometry.py` draws light-*.svg anew and prints camera.md's tables.

Lengths are millimetres, angles degrees. The camera hangs above the middle of the table and looks straight down.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan, degrees, inf, radians, tan
from pathlib import Path

HERE = Path(__file__).parent
CAMERA_MM = 900.0
PLAY_MM = (900.0, 600.0)
TILTS = (0.0, 2.0, 5.0)
LAMP_HEIGHTS_MM = (200.0, 400.0, 600.0, 900.0, 1200.0, 1650.0)
STATED = (66.0, 41.0)
"""The camera's angles of view as its maker states them, across and along."""
MODES_PX = (2304, 4608)
CAMERA_HEIGHTS_MM = (850.0, 900.0, 950.0, 1000.0)


def seen_mm(height: float, angle: float) -> float:
    """The length that an angle of view takes in from that height."""
    return 2 * height * tan(radians(angle / 2))


def least_height_mm(length: float, angle: float) -> float:
    """The height from which that length just fits."""
    return length / (2 * tan(radians(angle / 2)))


def parallax_mm(out: float, thickness: float, height: float = CAMERA_MM) -> float:
    """How far outside its place the top of a tile appears that lies `out` from the middle."""
    return out * thickness / (height - thickness)


def keep_out_mm(half: float, lamp_height: float, tilt: float, camera_height: float = CAMERA_MM) -> float:
    """The distance from the middle up to which a lamp at that height may be mirrored into the camera.

    `half` is half the play area in the direction of the lamp. The outermost tile sees the camera under the angle
    atan(half / camera_height) from the vertical and mirrors it to the same angle on the other side; a tile that is
    tilted by `tilt` turns the mirrored ray by twice as much.
    """
    angle = degrees(atan(half / camera_height)) + 2 * tilt
    return inf if angle >= 90 else half + lamp_height * tan(radians(angle))


def glare_at_mm(lamp_out: float, lamp_height: float, camera_height: float = CAMERA_MM) -> float:
    """Where on level tiles the glare of a lamp lies: on the line from the camera to the lamp's mirror image."""
    return lamp_out * camera_height / (camera_height + lamp_height)


def heights_table() -> Iterator[str]:
    """The rows of camera.md about the camera's height."""
    for height in CAMERA_HEIGHTS_MM:
        across, along = (seen_mm(height, angle) for angle in STATED)
        fine = [px / across for px in MODES_PX]
        yield (
            f"| {height / 10:.0f} cm | {across:.0f} x {along:.0f} mm | {fine[0]:.1f} | {fine[1]:.1f} "
            f"| {26 * fine[0]:.0f} x {37 * fine[0]:.0f} px | {parallax_mm(PLAY_MM[0] / 2, 11, height):.1f} mm |"
        )


def lamps_table() -> Iterator[str]:
    """The rows of camera.md about the lamps' places."""
    for lamp in LAMP_HEIGHTS_MM:
        cells = [f"{keep_out_mm(side / 2, lamp, tilt) / 10:.0f}" for side in PLAY_MM for tilt in TILTS]
        yield f"| {lamp / 10:.0f} cm | {' | '.join(cells)} |"


# --- drawings, one unit to the centimetre ---

RED, PINK, GREEN, GREY = "#c0392b", "#f6d5d1", "#1e8449", "#666"


def side_view() -> str:
    """Table, camera, the zone that is mirrored, and three lamps, seen from the front."""
    half, camera, top = PLAY_MM[0] / 20, CAMERA_MM / 10, 170.0

    def zone(tilt: float, fill: str) -> str:
        reach = keep_out_mm(half * 10, top * 10, tilt) / 10
        corners = f"{-half:g},0 {-reach:.1f},{-top:g} {reach:.1f},{-top:g} {half:g},0"
        return f'<polygon class="zone" points="{corners}" fill="{fill}"/>'

    lamp = (60.0, 120.0)
    glare = glare_at_mm(lamp[0] * 10, lamp[1] * 10) / 10
    lines = [
        _head(-190, -178, 380, 312),
        zone(5, PINK),
        zone(0, "#eab0a9"),
        _line(-190, 0, 190, 0, "#8d6e63", 2),
        *(f'<rect x="{x - 1.9:g}" y="-1.2" width="3.8" height="1.2" fill="#333"/>' for x in range(-44, 45, 8)),
        _line(0, 0, 0, -camera, "#bbb", 0.5, "2 2"),
        f'<rect x="-4" y="{-camera - 3:g}" width="8" height="5" fill="#333"/>',
        _text(-6, -camera + 1, "camera, 90 cm", "end"),
        # the mirror image of the bad lamp and the line of sight to it
        _lamp(*lamp, RED),
        f'<circle class="image" cx="{lamp[0]:g}" cy="{lamp[1]:g}" r="4.5" fill="none" stroke="{RED}"'
        ' stroke-dasharray="2 1.5"/>',
        _line(0, -camera, lamp[0], lamp[1], RED, 0.6, "2 1.5"),
        _line(glare, 0, lamp[0], -lamp[1], RED, 0.8),
        _line(0, -camera, glare, 0, RED, 0.8),
        _line(lamp[0], -lamp[1], lamp[0], lamp[1], "#bbb", 0.5, "2 2"),
        f'<circle class="glare" cx="{glare:.2f}" cy="0" r="2.4" fill="white" stroke="{RED}" stroke-width="0.8"/>',
        _text(lamp[0] + 8, -lamp[1] - 3, "wrong: a lamp here …", "start", RED),
        _text(glare - 4, 11, "… is mirrored here", "end", RED),
        _text(lamp[0] - 8, lamp[1] + 1, "its mirror image, as far below the table", "end", RED),
        *_good(-1, 40),
        *_good(1, 40),
        _text(0, -150, "no lamp in here", "middle", RED),
        _text(0, -142, "dark: level tiles · light: tiles tilted by up to 5°", "middle", RED),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _good(side: int, height: float) -> list[str]:
    """A lamp that may stand there: outside the zone for tilted tiles, with some room."""
    out = side * (keep_out_mm(PLAY_MM[0] / 2, height * 10, 5) / 10 + 25)
    return [
        _line(out, 0, out, -height, "#999", 1.2),
        _lamp(out, height, GREEN),
        _text(out + 8 * side, -height - 2, "right:", "start" if side > 0 else "end", GREEN),
        _text(out + 8 * side, -height + 6, f"{height:g} cm high", "start" if side > 0 else "end", GREEN),
        _text(out, 11, f"{abs(out):.0f} cm from the middle", "middle", GREEN),
    ]


def plan_view() -> str:
    """The table from above, with the border that lamps of each height must stay outside."""
    shown = (200.0, 400.0, 600.0, 900.0)
    lines = [_head(-120, -87, 240, 174)]
    for number, lamp in enumerate(reversed(shown)):
        x, y = (keep_out_mm(side / 2, lamp, 5) / 10 for side in PLAY_MM)
        shade = ("#fbe9e7", "#f6d5d1", "#f0bfb8", "#eab0a9")[number]
        lines += [
            _box(x, y, f'class="zone" rx="6" fill="{shade}" stroke="{RED}" stroke-width="0.4"'),
            _text(0, y - 3, f"lamps {lamp / 10:.0f} cm high: not in here", "middle", RED),
            _text(x - 2, -y + 7, f"{x:.0f} x {y:.0f} cm from the middle", "end", GREY),
        ]
    half_x, half_y = PLAY_MM[0] / 20, PLAY_MM[1] / 20
    lines += [
        _box(half_x, half_y, 'class="play" fill="white" stroke="#8d6e63"'),
        _text(0, -half_y + 9, "play area 90 x 60 cm", "middle", "#8d6e63"),
        '<circle cx="0" cy="0" r="3" fill="#333"/>',
        _text(0, 11, "camera", "middle"),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _head(left: float, top: float, width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}"'
        ' width="760" font-family="sans-serif" font-size="6">\n'
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="white"/>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def _lamp(x: float, height: float, colour: str) -> str:
    place = f'cx="{x:.1f}" cy="{-height:.1f}"'
    return f'<circle class="lamp" {place} r="4.5" fill="#fff3b0" stroke="{colour}" stroke-width="1.2"/>'


def _box(half_x: float, half_y: float, looks: str) -> str:
    """A rectangle around the middle."""
    return f'<rect x="{-half_x:.1f}" y="{-half_y:.1f}" width="{2 * half_x:.1f}" height="{2 * half_y:.1f}" {looks}/>'


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


FIGURES = {"light-side.svg": side_view, "light-plan.svg": plan_view}

if __name__ == "__main__":
    for name, figure in FIGURES.items():
        (HERE / name).write_text(figure(), encoding="utf-8")
    print(*heights_table(), "", *lamps_table(), sep="\n")
