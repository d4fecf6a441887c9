"""Pictures of looks: scaled, kept by the browser, gone when newer ones are there."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import quote

import cv2
import numpy as np
import pytest
from page import Stream, looked_at, served

from referee.pages.table import pictures, server
from referee.pages.table.setup.pages import COLUMNS, sheet_jpeg
from referee.table.output.rectified import HIGHEST_PX, rectify_look, tile_picture

OPENING = "R10 R11 R12 | B10 B11 B12"


@pytest.fixture(scope="module")
def table():
    with served() as made:
        made.press()
        made.see(OPENING)
        screen = Stream(made)
        made.look = screen.until(lambda parts: parts["picture"])["picture"]["look"]
        screen.close()
        yield made


def size(data: bytes) -> tuple[int, int]:
    height, width = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape[:2]
    return width, height


@pytest.mark.parametrize(
    ("asked", "given"),
    [("300", 320), ("320", 320), ("1000", 1280), ("99999", 1920), (12 * "9", 1920),
     ("", 640), ("-5", 640), ("1e9", 640), (17 * "9", 640)],
)  # fmt: skip
def test_a_picture_is_scaled_to_what_the_screen_asks_for(table, asked, given):
    status, headers, data = table.get(f"/picture/{table.look}.jpg?w={asked}")
    assert (status, headers["Content-Type"]) == (200, "image/jpeg")
    assert size(data) == (given, round(given * 600 / 900))


@pytest.mark.parametrize("draw", [lambda _: 0, lambda below: below - 1], ids=["lowest", "highest"])
def test_a_start_has_pictures_and_changes_whatever_its_first_numbers_are(monkeypatch, draw):
    monkeypatch.setattr(server.secrets, "randbelow", draw)
    with served() as made:
        made.press()
        made.see(OPENING)
        screen = Stream(made)
        look = screen.until(lambda parts: parts["picture"])["picture"]["look"]
        screen.close()
        assert made.get(f"/picture/{look}.jpg")[0] == made.get(f"/picture/{look}/0.jpg")[0] == 200
        again = Stream(made, last=screen.last)
        made.press()
        again.next()
        again.close()
        assert again.kind == "changes"


def test_a_picture_that_the_browser_has_is_not_sent_again(table):
    _, headers, _ = table.get(f"/picture/{table.look}.jpg")
    status, _, data = table.get(f"/picture/{table.look}.jpg", If_None_Match=headers["ETag"])
    assert (status, data) == (304, b"")


def test_a_picture_that_many_ask_for_is_made_once(table, monkeypatch):
    made = []

    def slowly(*how):
        made.append(how)
        time.sleep(0.5)
        return rectify_look(*how)

    monkeypatch.setattr(pictures, "rectify_look", slowly)
    with ThreadPoolExecutor(12) as screens:
        answers = list(screens.map(lambda _: table.get(f"/picture/{table.look}.jpg?w=960"), range(12)))
    assert [status for status, _, _ in answers] == [200] * 12
    assert len({data for _, _, data in answers}) == len(made) == 1


def test_the_picture_of_a_narrow_table_is_no_higher_than_a_screen_can_use():
    look = looked_at(OPENING)
    height, width = rectify_look(look, (100.0, 5000.0), 1920).shape[:2]
    assert height == HIGHEST_PX
    assert width == round(HIGHEST_PX / 50)


def test_a_tile_without_width_has_no_picture():
    look = looked_at(OPENING)
    flat = replace(look.sighting.reads[0], corners_px=np.ones((4, 2), np.float32))
    sighting = replace(look.sighting, reads=(flat,))
    assert tile_picture(replace(look, sighting=sighting), 0, 320) is None


def test_a_sheet_has_room_for_many_boxes():
    crops = [np.full((96, 66, 3), number % 250, np.uint8) for number in range(1300)]
    sheet = cv2.imdecode(np.frombuffer(sheet_jpeg(crops), np.uint8), cv2.IMREAD_COLOR)
    row, column = divmod(700, COLUMNS)
    middle = sheet[row * 96 + 48, column * 66 + 33]
    assert abs(int(middle[0]) - 200) <= 3


def test_one_tile_is_shown_upright(table):
    status, _, data = table.get(f"/picture/{table.look}/0.jpg?w=320")
    width, height = size(data)
    assert status == 200
    assert height > width


def test_the_tile_that_is_meant_is_outlined_in_the_middle_and_what_lies_around_it_dimmed():
    corners = np.asarray([(100, 60), (150, 60), (150, 130), (100, 130)], np.float32)
    picture = np.full((240, 320, 3), 200, np.uint8)
    sighting = SimpleNamespace(reads=[SimpleNamespace(corners_px=corners)])
    shown = tile_picture(SimpleNamespace(picture=picture, sighting=sighting), 0, 480)
    height, width = shown.shape[:2]
    assert tuple(shown[height // 2, width // 2]) == (200, 200, 200)
    for row, column in ((5, 5), (height // 2, 5), (height // 2, width - 6), (5, width // 2)):
        assert shown[row, column].max() < 130
    blue = (shown[height // 2, :, 0].astype(int) - shown[height // 2, :, 2] > 120).nonzero()[0]
    assert blue.min() + blue.max() == pytest.approx(width - 1, abs=1)
    assert 2 * 50 * 480 / 110 > blue.max() - blue.min() > 50 * 480 / 110


@pytest.mark.parametrize("path", ["/picture/77.jpg", "/picture/{look}/99.jpg", "/picture/-1.jpg", "/picture/x.jpg",
                                  "/picture/99999999999999999999.jpg", "/picture/" + "9" * 6000 + ".jpg",
                                  "/picture/{look}/" + "0" * 6000 + ".jpg", "/picture/{look}/x.jpg",
                                  "/picture/\u0661.jpg", "/setup/camera/" + "9" * 6000 + ".jpg",
                                  "/setup/box/" + "9" * 6000 + ".jpg", "/scores/" + "9" * 6000,
                                  "/scores/1/picture/" + "9" * 6000 + ".jpg",
                                  "/scores/" + "9" * 6000 + ".csv"])  # fmt: skip
def test_a_picture_that_is_not_there_is_a_plain_404(table, path):
    status, _, _ = table.get(quote(path.format(look=table.look)))
    assert status == 404


def test_scripts_of_a_page_come_in_one_answer(table):
    status, headers, both = table.get("/static/scripts/page.clock.js")
    assert (status, headers["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    for name in ("page", "clock"):
        assert table.get(f"/static/{name}.js")[2] in both
    assert table.get("/static/scripts/page.clock.js", If_None_Match=headers["ETag"])[0] == 304


@pytest.mark.parametrize("names", ["nothing", "page.nothing", "page..clock", "..%2Fapp", "page.page.page" * 20, ""])
def test_no_other_file_comes_as_a_script(table, names):
    assert table.get(f"/static/scripts/{names}.js")[0] == 404
