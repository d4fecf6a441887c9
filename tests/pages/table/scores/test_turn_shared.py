"""A turn is passed on as a picture, as text and as a link; pictures are marked where it is known where tiles lie."""

import re

import cv2
import numpy as np
import pytest
from kept_matches import keep_picture, page, two_matches

from referee.game.notation import parse_table
from referee.i18n import LANGUAGES
from referee.journal.tile_places import TilePlace, with_places

TABLE = "R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"
"""What the first turn of `short()` lays."""


def picture(table=None, width=800):
    """A grey picture; with a table, its tiles are said to lie in rows in the middle of it."""
    data = cv2.imencode(".jpg", np.full((width * 3 // 4, width, 3), 120, np.uint8))[1].tobytes()
    sets = tuple(
        tuple(
            TilePlace(tile, tuple((0.3 + 0.04 * (column + x), 0.4 + 0.1 * (row + y))
                                  for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))))
            for column, tile in enumerate(tiles)
        )
        for row, tiles in enumerate(() if table is None else parse_table(table))
    )  # fmt: skip
    return with_places(data, sets)


def image_of(answer):
    status, headers, body = answer
    assert status == 200
    assert headers["Content-Type"] in ("image/png", "image/jpeg")
    return cv2.imdecode(np.frombuffer(body, np.uint8), cv2.IMREAD_COLOR)


@pytest.fixture
def folder(tmp_path):
    return two_matches(tmp_path / "state")


def seen_event(folder):
    """The event of the look in the first turn of match 2."""
    with page(folder) as served:
        text = served.read("/scores/2/replay?turn=1")
    assert "Turn 1 of 4" in text
    return 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_says_who_what_and_where(folder, language):
    with page(folder) as served:
        text = served.read(f"/scores/2/turn/1.txt?lang={language}")
        assert "Ann" in text.splitlines()[0]
        assert TABLE in text or " | ".join(reversed(TABLE.split(" | "))) in text
        assert text.rstrip().endswith(f"{served.address}/scores/2/replay?turn=1")
        assert text in served.read(f"/scores/2/replay?turn=1&lang={language}").replace("\r", "")


def test_a_turn_without_a_picture_is_drawn(folder):
    with page(folder) as served:
        image = image_of(served.get("/scores/2/turn/1.png"))
        other = image_of(served.get("/scores/2/turn/2.png"))
        assert image.shape[1] == 1080
        assert image.shape[0] > 720
        assert tuple(image[-1, 0]) == (62, 74, 15)  # the felt of the caption
        assert image.shape != other.shape or (image != other).any()
        german = image_of(served.get("/scores/2/turn/1.png?lang=de"))
        assert german.shape != image.shape or (german[720:] != image[720:]).any()


def test_the_picture_is_cut_to_the_tiles_and_new_ones_are_outlined(folder):
    event = seen_event(folder)
    keep_picture(folder, 2, event, picture(TABLE))
    with page(folder) as served:
        text = served.read("/scores/2/replay?turn=1")
        assert text.count('<polygon class="is-new"') == 14
        assert 'class="is-moved"' not in text.partition("<svg")[2].partition("</svg>")[0]
        points = [float(one) for one in re.search(r'"is-new" points="([^"]*)"', text)[1].replace(",", " ").split()]
        assert all(0 < one < 1000 for one in points)
        cut = image_of(served.get(f"/scores/2/picture/{event}.jpg?tiles&w=320"))
        assert cut.shape[:2] == (240, 320)
        shared = image_of(served.get("/scores/2/turn/1.png"))
        assert (np.abs(shared[:800].astype(int) - (196, 98, 11)).sum(axis=2) < 40).sum() > 500  # blue lines
        assert (shared[:800] > 240).all(axis=2).sum() > 500  # on white ones


@pytest.mark.parametrize("table", [None, "R1 R2 R3"], ids=["no places", "another table"])
def test_a_picture_whose_tiles_are_not_known_is_whole_and_without_lines(folder, table):
    event = seen_event(folder)
    keep_picture(folder, 2, event, picture(table))
    with page(folder) as served:
        text = served.read("/scores/2/replay?turn=1")
        assert f"/scores/2/picture/{event}.jpg" in text
        assert "<polygon" not in text
        assert image_of(served.get("/scores/2/turn/1.png")).shape[1] == 1080


def test_a_file_that_is_no_picture_does_no_harm(folder):
    keep_picture(folder, 2, seen_event(folder), b"no picture")
    with page(folder) as served:
        assert "<polygon" not in served.read("/scores/2/replay?turn=1")
        assert image_of(served.get("/scores/2/turn/1.png")).shape[1] == 1080


def test_the_drawn_table_is_marked_too_and_told_to_those_who_do_not_see_it(folder):
    with page(folder) as served:
        text = served.read("/scores/2/replay?turn=1&lang=en")
        assert text.count(" is-new") >= 14
        assert text.count("red 1, new on the table") == 2  # its name for a screen reader and for the mouse
        assert "new on the table</span>" in text
        assert "moved here from another set</span>" not in text


def test_the_strip_has_every_turn_and_every_round(folder):
    keep_picture(folder, 2, 3, picture(TABLE))
    with page(folder) as served:
        text = served.read("/scores/2/replay?turn=2&lang=en")
    strip = text[text.index('class="strip') : text.index('id="turn"')]
    assert re.findall(r'href="([^"]*)"', strip) == [f"/scores/2/replay?turn={number}" for number in range(1, 5)]
    assert re.findall(r"(Round \d)", strip) == ["Round 1", "Round 2"]
    assert '<a href="/scores/2/replay?turn=2" aria-current="true">' in strip
    assert strip.count("aria-current") == 1
    assert "/scores/2/picture/3.jpg?tiles&w=160" in strip
    assert "/scores/2/table/2.png?w=320" in strip


def test_a_drawn_table_is_sent_once(folder):
    with page(folder) as served:
        status, headers, body = served.get("/scores/2/table/1.png?w=320")
        assert (status, body[:4]) == (200, b"\x89PNG")
        assert served.get("/scores/2/table/1.png?w=320", If_None_Match=headers["ETag"])[0] == 304
        assert image_of(served.get("/scores/2/table/1.png?w=640")).shape == (427, 640, 3)


@pytest.mark.parametrize(
    "path", ["/scores/2/turn/0.png", "/scores/2/turn/99.png", "/scores/2/turn/x.txt", "/scores/2/turn/1.gif",
             "/scores/9/turn/1.png", "/scores/2/table/99.png", "/scores/9/card.png"]
)  # fmt: skip
def test_what_is_not_there_is_said(folder, path):
    with page(folder) as served:
        assert served.get(path)[0] == 404


@pytest.mark.parametrize("path", ["/scores/2/turn/1", "/scores/2/card"])
def test_a_picture_is_shown_or_saved(folder, path):
    with page(folder) as served:
        assert served.get(f"{path}.png")[1]["Content-Disposition"] is None
        told = served.get(f"{path}.png?save")[1]["Content-Disposition"]
        assert re.fullmatch(r'attachment; filename="[\w-]+\.png"', told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_card_of_a_match_is_on_its_page(folder, language):
    with page(folder) as served:
        assert 'src="/scores/2/card.png"' in served.read(f"/scores/2?lang={language}")
        assert image_of(served.get(f"/scores/2/card.png?lang={language}")).shape[1] == 1080


def test_statistics_are_files_too(folder):
    with page(folder) as served:
        text = served.read("/scores/statistics.csv")
        assert text.splitlines()[0].startswith("\N{ZERO WIDTH NO-BREAK SPACE}player,rating,")
        assert len(text.splitlines()) == 3
        assert "+33" in text  # as it was corrected
        assert len(served.read("/scores/statistics.csv?season=Winter").splitlines()) == 3
        assert (
            served.read("/scores/head-to-head.csv").splitlines()[0].lstrip("\N{ZERO WIDTH NO-BREAK SPACE}")
            == "player,other,matches,ahead,behind,equal"
        )
        assert '"player": "Ann"' in served.read("/scores/head-to-head.json")
        assert served.get("/scores/statistics.xls")[0] == 404
        links = re.findall(r'href="(/scores/(?:statistics|head)[^"]*)"', served.read("/scores/players?season=Winter"))
        assert len(links) == 3
        assert all(served.get(link)[0] == 200 and "season=Winter" in link for link in links)
