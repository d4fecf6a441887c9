"""Picture files: good ones are read upright, bad ones refused with one line."""

import io
import os
import struct
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.devices.camera.stills import MAX_BYTES, load_picture, picture_of, save_picture
from referee.errors import BadInput, UnreadablePicture


def encoded(suffix: str, height: int = 60, width: int = 90) -> bytes:
    picture = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
    return cv2.imencode(suffix, picture)[1].tobytes()


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_claiming(width: int, height: int) -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    body = png_chunk(b"IDAT", zlib.compress(b"\0" * 100))
    return b"\x89PNG\r\n\x1a\n" + header + body + png_chunk(b"IEND", b"")


def jpeg_with_orientation(orientation: int) -> bytes:
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + struct.pack("<H", orientation) + b"\0\0\0\0\0\0"
    body = b"Exif\0\0" + tiff
    plain = encoded(".jpg")
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + plain[2:]


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_a_whole_picture_is_read_as_bgr(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    cv2.imwrite(str(path), np.full((40, 60, 3), (250, 5, 5), np.uint8))
    picture = load_picture(path)
    assert picture.shape == (40, 60, 3)
    assert picture.dtype == np.uint8
    assert picture[20, 30, 0] > 200 > picture[20, 30, 2]


def test_a_grey_or_transparent_png_becomes_three_channels(tmp_path: Path) -> None:
    for channels in (1, 4):
        path = tmp_path / f"{channels}.png"
        cv2.imwrite(str(path), np.full((8, 9, channels), 7, np.uint8))
        assert load_picture(path).shape == (8, 9, 3)


def see_through(channels: int, depth: type[np.unsignedinteger]) -> bytes:
    """Return a black PNG whose left half is transparent, and whose lower half is half transparent."""
    most = np.iinfo(depth).max
    picture = np.zeros((60, 90, channels), depth)
    picture[..., -1] = most
    picture[30:, :, -1] = most // 2
    picture[:, :45, -1] = 0
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.mark.parametrize("depth", [np.uint8, np.uint16])
def test_transparent_parts_are_white(tmp_path: Path, depth: type[np.unsignedinteger]) -> None:
    """Whatever colour is stored there, as of a tile that was erased, nobody sees it."""
    path = tmp_path / "t.png"
    path.write_bytes(see_through(4, depth))
    picture = load_picture(path)
    assert (picture[:, :45] == 255).all()
    assert (picture[:30, 45:] == 0).all()
    assert abs(picture[30:, 45:].astype(int) - 128).max() <= 1


def test_a_transparent_colour_of_a_palette_is_white(tmp_path: Path) -> None:
    path = tmp_path / "t.png"
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 8, 8, 3, 0, 0, 0))
    palette = png_chunk(b"PLTE", bytes([10, 20, 30, 200, 0, 0])) + png_chunk(b"tRNS", b"\0")
    rows = b"".join(b"\0" + bytes(8 * [0] + 8 * [1]) for _ in range(8))
    body = png_chunk(b"IDAT", zlib.compress(rows)) + png_chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + header + palette + body)
    picture = load_picture(path)
    assert (picture[:, :8] == 255).all()
    assert (picture[:, 8:] == (0, 0, 200)).all()


def test_transparency_is_turned_with_its_picture(tmp_path: Path) -> None:
    path, data = tmp_path / "t.png", see_through(4, np.uint8)
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    path.write_bytes(data[:33] + png_chunk(b"eXIf", tiff) + data[33:])
    picture = load_picture(path)
    assert picture.shape == (90, 60, 3)
    assert (picture[:45] == 255).all()
    assert (picture[45:, 30:] == 0).all()
    lying = picture_of(path.read_bytes(), "t.png", as_it_lies=True)
    assert (lying[:, :45] == 255).all()


@pytest.mark.parametrize("frames", [1, 2])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_transparency_lies_as_its_picture_does_even_if_that_is_animated(frames: int, orientation: int) -> None:
    """What is transparent is dark below, so that the picture itself tells how it was turned."""
    dark = np.zeros((20, 30), bool)
    dark[:5, :12] = True
    row = np.where(dark[..., None], (10, 10, 10, 0), (200, 200, 200, 255)).astype(np.uint8)
    packed = zlib.compress(b"".join(b"\0" + one.tobytes() for one in row))
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([orientation]) + bytes(7)
    parts = [
        png_chunk(b"IHDR", struct.pack(">IIBBBBB", 30, 20, 8, 6, 0, 0, 0)),
        png_chunk(b"acTL", struct.pack(">II", frames, 0)),
        png_chunk(b"eXIf", tiff),
        frame_control(0),
        png_chunk(b"IDAT", packed),
    ]
    if frames == 2:
        parts += [frame_control(1), png_chunk(b"fdAT", struct.pack(">I", 2) + packed)]
    data = b"\x89PNG\r\n\x1a\n" + b"".join(parts) + png_chunk(b"IEND", b"")
    below = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert below is not None
    expected = np.where(below > 100, below, 255)
    np.testing.assert_array_equal(picture_of(data, "t.png"), expected)


def frame_control(number: int) -> bytes:
    return png_chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 30, 20, 0, 0, 1, 10, 0, 0))


def test_sixteen_bits_are_scaled_to_eight(tmp_path: Path) -> None:
    path = tmp_path / "t.png"
    for shape in ((8, 9), (8, 9, 3)):
        cv2.imwrite(str(path), np.full(shape, 200 * 257, np.uint16))
        assert (load_picture(path) == 200).all()


def test_a_picture_in_printing_inks_becomes_bgr(tmp_path: Path) -> None:
    path = tmp_path / "cmyk.jpg"
    pytest.importorskip("PIL.Image", reason="Pillow is not installed").new("CMYK", (16, 16), (0, 255, 255, 0)).save(
        path, quality=95
    )
    blue, green, red = load_picture(path)[8, 8].tolist()
    assert red > 250
    assert max(blue, green) < 5


def test_a_picture_is_turned_as_its_exif_orientation_says(tmp_path: Path) -> None:
    path = tmp_path / "phone.jpg"
    path.write_bytes(jpeg_with_orientation(6))
    assert load_picture(path).shape == (90, 60, 3)


def test_a_progressive_jpeg_and_bytes_after_its_end_are_fine(tmp_path: Path) -> None:
    picture = np.random.default_rng(2).integers(0, 255, (64, 64, 3), np.uint8)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2])[1]
    path = tmp_path / "p.jpg"
    path.write_bytes(data.tobytes() + b"maker's trailer")
    assert load_picture(path).shape == (64, 64, 3)


def cut(data: bytes, share: float) -> bytes:
    return data[: int(len(data) * share)]


BROKEN = [
    pytest.param(b"", "an empty file", id="empty"),
    pytest.param(b"no picture", "another kind of file: text", id="text"),
    pytest.param(b"\x01\x02\x03\x04\x05", "another kind of file (it starts with 01 02 03 04)", id="no known kind"),
    pytest.param(b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP picture: save it as JPEG or PNG", id="WebP"),
    pytest.param(b"\0\0\0\x18ftypheic\0\0\0\0", "a HEIC picture", id="HEIC"),
    pytest.param(b"\0\0\0\x1cftypavif\0\0\0\0", "an AVIF picture: save it", id="AVIF"),
    pytest.param(encoded(".bmp"), "a BMP picture: save it", id="BMP"),
    pytest.param(b"BM is how this text begins", "another kind of file: text", id="text that begins like a BMP"),
    pytest.param(encoded(".tiff"), "a TIFF picture", id="TIFF"),
    pytest.param(b"GIF89a\1\0\1\0", "a GIF picture: save it", id="GIF"),
    pytest.param(b"%PDF-1.7\n", "another kind of file: a PDF document", id="PDF"),
    pytest.param(b"<!DOCTYPE html>\n<html>", "another kind of file: a web page", id="web page"),
    pytest.param(b"\xff\xd8\xff", "a truncated JPEG", id="first bytes of a JPEG"),
    pytest.param(cut(encoded(".jpg"), 0.6), "a truncated JPEG", id="truncated JPEG"),
    pytest.param(encoded(".jpg")[:-1], "a truncated JPEG", id="JPEG without its last byte"),
    pytest.param(cut(encoded(".png"), 0.6), "a truncated PNG", id="truncated PNG"),
    pytest.param(encoded(".png")[:-1], "a truncated PNG", id="PNG without its last byte"),
    pytest.param(encoded(".png").replace(b"IDAT", b"IDAX", 1), "a damaged PNG", id="damaged PNG"),
    pytest.param(png_claiming(60_000, 60_000), "60000 x 60000", id="PNG that would fill the memory"),
    pytest.param(png_claiming(0, 5), "0 x 5 pixels", id="PNG of no width"),
    pytest.param(b"\xff\xd8\xff\xd9" + b"\0" * 9, "0 x 0 pixels", id="JPEG with nothing in it"),
    pytest.param(b"\xff\xd8\xff\xe0\0\x02rubbish", "a damaged JPEG", id="damaged JPEG"),
]


@pytest.mark.parametrize(("data", "found"), BROKEN)
def test_a_broken_file_is_refused_with_one_line_that_names_it(
    tmp_path: Path, data: bytes, found: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.jpg"
    path.write_bytes(data)
    with pytest.raises(UnreadablePicture) as caught:
        load_picture(path)
    text = str(caught.value)
    assert found in text
    assert "expected" in text
    assert str(path) in text
    assert "\n" not in text
    assert capfd.readouterr() == ("", "")


def test_no_prefix_of_a_picture_is_taken_for_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "t"
    for suffix in (".jpg", ".png"):
        data = encoded(suffix, 16, 16)
        for length in range(len(data)):
            path.write_bytes(data[:length])
            with pytest.raises(UnreadablePicture):
                load_picture(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    cases = {
        tmp_path: "a folder",
        tmp_path / "none.jpg": "No such file",
        tmp_path / "pipe": "a pipe",
        tmp_path / ("n" * 300): "found",
        tmp_path / "a\0b": "found",
    }
    for path, found in cases.items():
        with pytest.raises(UnreadablePicture, match=found):
            load_picture(path)


def test_a_file_of_too_many_bytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(UnreadablePicture, match="at most 100,000,000 bytes"):
        load_picture(path)


def test_a_thumbnail_does_not_hide_a_missing_end(tmp_path: Path) -> None:
    body = b"Exif\0\0" + encoded(".jpg", 8, 8)
    whole = encoded(".jpg")
    data = whole[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + whole[2:]
    path = tmp_path / "thumb.jpg"
    path.write_bytes(data)
    assert load_picture(path).shape == (60, 90, 3)
    path.write_bytes(data[:-2])
    with pytest.raises(UnreadablePicture, match="truncated"):
        load_picture(path)


def test_an_unreadable_body_in_a_whole_file_is_refused(tmp_path: Path) -> None:
    data = io.BytesIO(encoded(".jpg")).getvalue()
    path = tmp_path / "t.jpg"
    path.write_bytes(data[:2] + b"\xff\xc0\0\x0b\x08\0\x10\0\x10\x01\x01\x11\0" + b"\xff\xd9")
    with pytest.raises(UnreadablePicture):
        load_picture(path)


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_saved_picture_can_be_loaded(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    for value in (10, 200):
        save_picture(path, np.full((20, 30, 3), value, np.uint8))
        assert abs(int(load_picture(path)[5, 5, 1]) - value) < 3
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_failed_save_leaves_nothing_behind(tmp_path: Path) -> None:
    taken = tmp_path / "out.png"
    (taken / "kept").mkdir(parents=True)
    for path in (taken, tmp_path / "none" / "out.png"):
        with pytest.raises(BadInput, match="expected a place to write"):
            save_picture(path, np.zeros((4, 4, 3), np.uint8))
    assert [p.name for p in tmp_path.rglob("*")] == ["out.png", "kept"]


def test_damaged_data_is_refused_in_our_words_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever libjpeg and libpng print by themselves stays behind."""
    whole = encoded(".jpg")
    broken_png = png_claiming(50, 50)
    warned_png = encoded(".png")
    warned_png = warned_png[:33] + png_chunk(b"gAMA", b"\0") + warned_png[33:]
    for name, data, found in (
        ("half.jpg", whole[: len(whole) // 2] + b"\xff\xd9", r"a damaged one \(premature end of data segment\)"),
        ("broken.png", broken_png, "one that cannot be decoded"),
        ("warned.png", warned_png, None),
    ):
        (tmp_path / name).write_bytes(data)
        if found is None:
            assert load_picture(tmp_path / name).shape == (60, 90, 3)
        else:
            with pytest.raises(UnreadablePicture, match=f"{name}: expected .* JPEG.* picture, found {found}"):
                load_picture(tmp_path / name)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 5000), (5000, 1), (7, 20), (40_000, 8)])
def test_a_picture_that_can_hold_no_tile_is_refused(tmp_path: Path, width: int, height: int) -> None:
    path = tmp_path / "thin.png"
    cv2.imwrite(str(path), np.zeros((height, width, 3), np.uint8))
    with pytest.raises(UnreadablePicture, match=f"expected sides of 8 to 32,000 pixels, found {width} x {height}"):
        load_picture(path)


HEIC = Path(__file__).with_name("turned.heic")
"""Red, green, blue and light quarters of 64 x 48 pixels, to be turned clockwise by a quarter."""


def test_a_heic_picture_is_read_upright(tmp_path: Path) -> None:
    pytest.importorskip("pi_heif", reason="needs the extra `heic`")
    picture = load_picture(HEIC)
    assert picture.shape == (64, 48, 3)
    assert picture.dtype == np.uint8
    for (y, x), colour in {
        (5, 5): (220, 30, 30), (5, 42): (30, 30, 220), (58, 42): (30, 200, 30), (58, 5): (230, 230, 230),
    }.items():  # fmt: skip
        assert np.abs(picture[y, x].astype(int) - colour).max() < 20
    path = tmp_path / "cut.heic"
    for kept in (40, 300, 500):
        path.write_bytes(HEIC.read_bytes()[:kept])
        with pytest.raises(UnreadablePicture, match=r"cut.heic: expected a HEIC picture, found a damaged one \("):
            load_picture(path)


def test_without_the_extra_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(UnreadablePicture, match=r"found a HEIC picture: install the extra `heic` .* Most Compatible"):
        load_picture(HEIC)
