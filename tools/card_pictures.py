"""Draws the two pictures of docs/card.md: what lies on the boot partition, and what the lamps show.

Run `python -m tools.card_pictures` after a change; a test compares. The names of the files are those that
`tools/card_bundle.py` writes, and the lamps those of `systemd/first_start/lamps.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.card_bundle import BESIDE, IN_THE_FOLDER, ROOT

FOLDER = ROOT / "docs" / "pictures"
OF_THE_SYSTEM = ("cmdline.txt", "config.txt", "user-data", "network-config", "…")
"""What lies there before, of which the Imager has written the last two. It stays as it is."""
OURS = ("referee.bundle", *IN_THE_FOLDER, "first-start.pyz", "hotspot.off", "update-signers")
INK, QUIET, PAPER, FELT, DARK = "#1c2b24", "#5c6b63", "#fbf8f1", "#1f6f4a", "#c9c4b6"
RED, AMBER, GREEN = "#d03a2b", "#e8960c", "#1f9d55"


@dataclass(frozen=True)
class Signal:
    """One thing that the lamps show: red, amber and green, the lamps of the bar, and what that means."""

    lit: tuple[bool, bool, bool]
    blinks: bool
    bar: int
    text: str
    more: str


SIGNALS = (
    Signal((False, True, False), True, 2, "Amber blinks", "It installs; the bar shows how far it is."),
    Signal((False, False, True), True, 0, "Green blinks slowly", "Ready: open the page, press start."),
    Signal((True, False, False), False, 0, "Red", "It failed: referee-card.txt says why."),
)


def draw_files() -> str:
    """Return the picture of the boot partition."""
    rows: list[tuple[int, str, bool, str]] = [(0, name, False, "") for name in OF_THE_SYSTEM]
    rows += [(0, BESIDE["trixie"], True, "new"), (0, "referee-card", True, "new")]
    rows += [(1, name, True, "") for name in sorted(OURS)]
    return _page(560, 56 + 26 * len(rows), "The boot partition after copying", _file_rows(rows))


def _file_rows(rows: Sequence[tuple[int, str, bool, str]]) -> Iterator[str]:
    yield _text(24, 34, "bootfs", INK, bold=True)
    for number, (depth, name, ours, note) in enumerate(rows):
        x, y = 24 + 28 * depth, 66 + 26 * number
        folder = name == "referee-card"
        colour = FELT if ours else DARK
        shape = f"M{x} {y - 12}h6l3 3h9v11h-18z" if folder else f"M{x + 2} {y - 13}h9l5 5v10h-14z"
        yield f'<path d="{shape}" fill="{colour}"/>'
        yield _text(x + 28, y, name, INK if ours else QUIET, bold=ours and depth == 0)
        if note:
            yield _text(300, y, "← copied by you" if folder else "← copied by you (Trixie)", FELT)
    yield _text(300, 66 + 26 * 2, "there before: stays as it is", QUIET)


def draw_lamps() -> str:
    """Return the picture of the lamps."""
    return _page(640, 40 + 84 * len(SIGNALS), "What the lamps show at the first start", _lamp_rows())


def _lamp_rows() -> Iterator[str]:
    for number, signal in enumerate(SIGNALS):
        y = 52 + 84 * number
        for place, (colour, lit) in enumerate(zip((RED, AMBER, GREEN), signal.lit, strict=True)):
            yield _lamp(40 + 44 * place, y, 14, colour, lit=lit)
            if lit and signal.blinks:
                yield _rays(40 + 44 * place, y, colour)
        for place in range(5):
            yield _lamp(178 + 20 * place, y, 7, GREEN, lit=place < signal.bar)
        yield _text(300, y - 4, signal.text, INK, bold=True)
        yield _text(300, y + 18, signal.more, QUIET)


def _lamp(x: int, y: int, radius: int, colour: str, *, lit: bool) -> str:
    fill = colour if lit else "none"
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def _rays(x: int, y: int, colour: str) -> str:
    """Return short lines around a lamp that blinks, which can be told without colours, too."""
    ends = (
        (0, -18, 0, -24),
        (0, 18, 0, 24),
        (13, -13, 17, -17),
        (-13, -13, -17, -17),
        (13, 13, 17, 17),
        (-13, 13, -17, 17),
    )
    lines = "".join(f"M{x + a} {y + b}L{x + c} {y + d}" for a, b, c, d in ends)
    return f'<path d="{lines}" stroke="{colour}" stroke-width="2.5" stroke-linecap="round" fill="none"/>'


def _text(x: int, y: int, text: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" fill="{colour}"{weight}>{text}</text>'


def _page(width: int, height: int, title: str, parts: Iterator[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="16" role="img"><title>{title}</title>'
        f'<rect width="{width}" height="{height}" rx="16" fill="{PAPER}"/>'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


PICTURES = {"card-files.svg": draw_files, "card-lamps.svg": draw_lamps}


def main(folder: Path = FOLDER) -> int:
    """Write both pictures."""
    for name, draw in PICTURES.items():
        (folder / name).write_text(draw(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
