"""Pages to print, with exact sizes in millimetres, as a PDF document or as a PNG picture.

A page has only filled shapes and lines of text, so both formats are written here, without another library. Text in a
PDF is set in Helvetica, which every PDF reader has. The widths of Helvetica also place the letters of a PNG.
"""

from __future__ import annotations

import struct
import unicodedata
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.devices.png_marks import insert_chunk, mark_png

A4_MM, LETTER_MM = (210.0, 297.0), (215.9, 279.4)
POINTS_PER_MM = 72 / 25.4
PNG_PX_PER_MM = 12
MARK = "sheet"
"""The mark in a PNG picture of a page."""
"""305 dots per inch: squares of 40, 25 and 18 mm are whole pixels, and so are the cells of a 40 mm marker."""

_BLACK, _WHITE, _GREY, _THIN = 0.0, 1.0, 0.33, 0.73
# Helvetica's widths from the blank to the tilde, in thousandths of the font size, as Adobe's font metrics state them.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_OTHER_WIDTHS = {"ß": 611, "«": 556, "»": 556, "“": 333, "”": 333, "„": 333, "\N{RIGHT SINGLE QUOTATION MARK}": 222}
_PLAIN = str.maketrans(
    {"ß": "ss", "«": '"', "»": '"', "“": '"', "”": '"', "„": '"', "\N{RIGHT SINGLE QUOTATION MARK}": "'"}
)
"""Characters that OpenCV's font lacks. Accents are drawn above the letters."""


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text.

    `x` and `y` are the middle of its baseline; `size` is its size. All lengths are in millimetres.
    """

    x: float
    y: float
    size: float
    words: str

    @property
    def width(self) -> float:
        """The width of the text in millimetres."""
        return self.size * sum(_width(letter) for letter in self.words) / 1000


@dataclass(slots=True)
class Page:
    """The shapes on a page of `size` (width and height), in millimetres.

    x runs to the right and y down, from the upper left corner. Later shapes cover earlier ones.
    """

    size: tuple[float, float]
    rectangles: list[tuple[float, float, float, float, float]] = field(default_factory=list)
    """x, y, width, height, and the grey value from 0 (black) to 1 (white)."""
    triangles: list[tuple[float, float, float]] = field(default_factory=list)
    """Arrows that point up: x and y of the middle of the base, and the height."""
    texts: list[Text] = field(default_factory=list)

    def fill(self, x: float, y: float, width: float, height: float, *, white: bool = False) -> None:
        """Add a filled rectangle, black unless `white` is set."""
        self.rectangles.append((x, y, width, height, _WHITE if white else _BLACK))

    def frame(self, x: float, y: float, width: float, height: float, thick: float = 0.2) -> None:
        """Add thin grey lines for cutting. The middle of each line is on the edge of the rectangle."""
        half = thick / 2
        for left, top, across, down in (
            (x - half, y - half, width + thick, thick),
            (x - half, y + height - half, width + thick, thick),
            (x - half, y - half, thick, height + thick),
            (x + width - half, y - half, thick, height + thick),
        ):
            self.rectangles.append((left, top, across, down, _THIN))

    def write(self, y: float, size: float, words: str, x: float | None = None, room: float | None = None) -> float:
        """Write centred text on as many lines as it needs; return the next baseline.

        `x` is the middle of the text, by default the middle of the page. `room` is the width for the text, by default
        the width of the page without its margins.
        """
        middle = self.size[0] / 2 if x is None else x
        room = self.size[0] - 30 if room is None else room
        line = ""
        for word in [*words.split(" "), None]:
            longer = f"{line} {word}".strip() if word is not None else ""
            if word is None or (line and Text(0, 0, size, longer).width > room):
                self.texts.append(Text(middle, y, size, line))
                y += 1.3 * size
                longer = word or ""
            line = longer
        return y


def pdf_of(pages: Sequence[Page], title: str, language: str) -> bytes:
    """Return the pages as one PDF document, which asks to be printed without scaling."""
    numbers = [4 + 2 * i for i in range(len(pages))]
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Lang ({language}) /ViewerPreferences << /PrintScaling /None >> >>".encode(),
        f"<< /Type /Pages /Kids [{' '.join(f'{n} 0 R' for n in numbers)}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in zip(numbers, pages, strict=True):
        width, height = (f"{side * POINTS_PER_MM:.4f}" for side in page.size)
        packed = zlib.compress(_content(page))
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>".encode(),
            f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream",
        ]
    objects.append(b"<< /Title (" + _escape(title) + b") /Creator (referee) >>")
    data, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += "".join(f"{place:010} 00000 n \n" for place in places).encode()
    data += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n".encode()
    return bytes(data + f"startxref\n{table}\n%%EOF\n".encode())


def png_of(page: Page) -> bytes:
    """Return one page as a grey PNG picture, which states its resolution."""
    scale = PNG_PX_PER_MM
    picture = np.full((round(page.size[1] * scale), round(page.size[0] * scale)), 255, np.uint8)
    for x, y, width, height, grey in page.rectangles:
        left, top = round(x * scale), round(y * scale)
        right, bottom = max(left + 1, round((x + width) * scale)), max(top + 1, round((y + height) * scale))
        picture[top:bottom, left:right] = round(255 * grey)
    for x, y, height in page.triangles:
        corners = np.rint(np.array([(x - height / 2, y), (x + height / 2, y), (x, y - height)]) * scale)
        cv2.fillPoly(picture, [corners.astype(np.int32)], round(255 * _GREY))
    for text in page.texts:
        _draw(picture, text)
    data = cv2.imencode(".png", picture)[1].tobytes()
    chunk = b"pHYs" + struct.pack(">IIB", 1000 * scale, 1000 * scale, 1)
    return mark_png(insert_chunk(data, chunk), MARK)


def _content(page: Page) -> bytes:
    """Return what a PDF draws: its unit made a millimetre, its y still upwards."""
    height = page.size[1]
    lines = [f"{POINTS_PER_MM:.6f} 0 0 {POINTS_PER_MM:.6f} 0 0 cm".encode()]
    for x, y, width, high, grey in page.rectangles:
        lines.append(f"{grey:g} g {x:.4f} {height - y - high:.4f} {width:.4f} {high:.4f} re f".encode())
    lines.append(f"{_GREY:g} g".encode())
    for x, y, high in page.triangles:
        base = height - y
        lines.append(
            f"{x - high / 2:.4f} {base:.4f} m {x + high / 2:.4f} {base:.4f} l {x:.4f} {base + high:.4f} l f".encode()
        )
    for text in page.texts:
        place = f"{text.x - text.width / 2:.4f} {height - text.y:.4f}"
        lines.append(f"BT /F {text.size:g} Tf {place} Td (".encode() + _escape(text.words) + b") Tj ET")
    return b"\n".join(lines)


def _escape(words: str) -> bytes:
    plain = words.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}").encode("cp1252", errors="replace")
    return plain.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _width(letter: str) -> int:
    if letter in _OTHER_WIDTHS:
        return _OTHER_WIDTHS[letter]
    base = ord(unicodedata.normalize("NFKD", letter)[0])
    return _WIDTHS[base - 32] if 32 <= base < 32 + len(_WIDTHS) else 556


def _draw(picture: np.ndarray, text: Text) -> None:
    """Draw text in OpenCV's letters, each placed in the width that it has in Helvetica."""
    scale, face = PNG_PX_PER_MM, cv2.FONT_HERSHEY_SIMPLEX
    capital = 0.72 * text.size * scale
    height = cv2.getFontScaleFromHeight(face, round(capital))
    thick = max(1, round(0.08 * text.size * scale))
    x = (text.x - text.width / 2) * scale
    for letter in text.words:
        width = text.size * scale * _width(letter) / 1000
        for part in letter.translate(_PLAIN):
            letters = unicodedata.normalize("NFKD", part)
            base, accents = letters[0], letters[1:]
            (across, _), _ = cv2.getTextSize(base, face, height, thick)
            left = round(x + (width - across) / 2)
            foot = round(text.y * scale)
            cv2.putText(picture, base, (left, foot), face, height, round(255 * _GREY), thick, cv2.LINE_AA)
            top = foot - round(capital * (1.12 if base.isupper() else 0.88))
            for accent in accents:
                _draw_accent(picture, accent, round(x + width / 2), top, round(0.11 * text.size * scale), thick)
        x += width


def _draw_accent(picture: np.ndarray, accent: str, x: int, y: int, reach: int, thick: int) -> None:
    """Draw an accent of German, French or Italian as strokes beside and above the point `x`, `y`."""
    strokes = {
        "\N{COMBINING GRAVE ACCENT}": [(-1, -1, 1, 0)],
        "\N{COMBINING ACUTE ACCENT}": [(-1, 0, 1, -1)],
        "\N{COMBINING CIRCUMFLEX ACCENT}": [(-1, 0, 0, -1), (0, -1, 1, 0)],
        "\N{COMBINING DIAERESIS}": [(-1, 0, -1, 0), (1, 0, 1, 0)],
    }
    for x0, y0, x1, y1 in strokes.get(accent, []):
        ends = (x + x0 * reach, y + y0 * reach), (x + x1 * reach, y + y1 * reach)
        cv2.line(picture, *ends, round(255 * _GREY), thick, cv2.LINE_AA)
