"""`referee print`: the sheets in exact millimetres, as PDF and PNG, in four languages, on both papers."""

import struct
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from command_line import run

from referee.devices.paper import PNG_PX_PER_MM
from referee.i18n import LANGUAGES
from referee.vision.geometry.calibration_sheet import CELL_MM, COLUMNS, ROWS, find_sheet

Captured = pytest.CaptureFixture[str]
PX_PER_MM = 10
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


def rendered(path: Path) -> list[tuple[np.ndarray, tuple[float, float], str]]:
    """Each page of a PDF as a grey picture of 10 pixels per millimetre, its size in millimetres, and its text."""
    document = pypdfium2.PdfDocument(path)
    pages = []
    for page in document:
        picture = page.render(scale=PX_PER_MM * 25.4 / 72, grayscale=True).to_numpy()
        size = page.get_width() * 25.4 / 72, page.get_height() * 25.4 / 72
        pages.append(
            (np.ascontiguousarray(picture.reshape(picture.shape[:2])), size, page.get_textpage().get_text_range())
        )
    document.close()
    return pages


def check_markers(picture: np.ndarray, per_mm: float) -> None:
    """Four markers of 40 mm each, upright, clockwise from the top left one, whose squares are black to the pixel."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(picture)
    found = {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}
    assert sorted(found) == [0, 1, 2, 3]
    for place in found.values():
        x, y = (int(value) for value in place.mean(axis=0))
        left, top = (int(value) for value in place[0])
        reach = round(6 * per_mm)
        row = picture[top + 10, left - reach : left + round(40 * per_mm) + reach]
        column = picture[top - reach : top + round(40 * per_mm) + reach, left + 10]
        assert np.count_nonzero(row < 128) == pytest.approx(40 * per_mm, abs=1)
        assert np.count_nonzero(column < 128) == pytest.approx(40 * per_mm, abs=1)
        assert place[0, 1] < y < place[3, 1]
        assert place[0, 0] < x < place[1, 0]
    centres = {i: c.mean(axis=0) / per_mm for i, c in found.items()}
    for one, other in ((0, 1), (1, 2), (2, 3), (3, 0)):
        assert np.linalg.norm(centres[one] - centres[other]) == pytest.approx(80, abs=0.15)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pdf_has_both_sheets_in_exact_millimetres(
    paper: str, language: str, tmp_path: Path, capsys: Captured
) -> None:
    out = tmp_path / "sheets.pdf"
    assert run(["print", "--out", out, "--paper", paper, "--language", language])[0] == 0
    assert str(out) in capsys.readouterr().out
    assert b"/PrintScaling /None" in out.read_bytes()
    (markers, size, text), (sheet, _, other) = rendered(out)
    assert size == pytest.approx(PAPERS[paper], abs=0.01)
    check_markers(markers, PX_PER_MM)
    for told in (text, other):
        assert "100%" in told.replace("\xa0", " ").replace(" %", "%")  # in English without a blank
        assert "?" not in told  # a letter that the font has not
    found = find_sheet(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR))
    assert found is not None
    assert found.sheet == "charuco"
    assert len(found.points_mm) == (COLUMNS - 1) * (ROWS - 1)
    scale = np.linalg.norm(np.ptp(found.pixels, axis=0)) / np.linalg.norm(np.ptp(found.points_mm, axis=0))
    assert scale == pytest.approx(PX_PER_MM, rel=0.001)


@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_lies_where_printers_cannot_print(paper: str, tmp_path: Path) -> None:
    out = tmp_path / "sheets.pdf"
    for language in LANGUAGES:
        run(["print", "--out", out, "--paper", paper, "--language", language])
        for picture, _, _ in rendered(out):
            margin = 5 * PX_PER_MM
            inside = np.zeros(picture.shape, bool)
            inside[margin:-margin, margin:-margin] = True
            assert (picture[~inside] == 255).all()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_png_is_as_large_as_it_says(language: str, tmp_path: Path) -> None:
    out = tmp_path / "markers.png"
    assert run(["print", "markers", "--out", out, "--language", language])[0] == 0
    picture = cv2.imread(str(out), cv2.IMREAD_GRAYSCALE)
    assert picture.shape == (297 * PNG_PX_PER_MM, 210 * PNG_PX_PER_MM)
    check_markers(picture, PNG_PX_PER_MM)
    data = out.read_bytes()
    at = data.index(b"pHYs") + 4
    assert struct.unpack(">IIB", data[at : at + 9]) == (1000 * PNG_PX_PER_MM, 1000 * PNG_PX_PER_MM, 1)
    assert run(["print", "calibration", "--out", out, "--language", language])[0] == 0
    found = find_sheet(cv2.imread(str(out)))
    assert found is not None
    assert np.ptp(found.pixels[:, 0]) / PNG_PX_PER_MM == pytest.approx((COLUMNS - 2) * CELL_MM, abs=0.1)


def test_without_a_name_the_sheet_gives_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["print"])[0] == run(["print", "markers"])[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["markers.pdf", "sheets.pdf"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["posters"], "expected one of markers, calibration, found 'posters'"),
        (["--paper", "a3"], "--paper: expected one of a4, letter, found 'a3'"),
        (["--out", "sheets.svg"], "--out: expected a name ending in .pdf or .png, found sheets.svg"),
        (["--out", "sheets.png"], "--out: expected one sheet for a PNG, found markers and calibration"),
        (["--out", "/dev/full.pdf/x.pdf"], "expected a place to write the sheets to"),
        (["--language", "es"], "--language: expected one of"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_one_line(arguments: list[str], told: str, capsys: Captured) -> None:
    assert run(["print", *arguments])[0] == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert told in lines[0]
