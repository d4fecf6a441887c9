"""The pictures of the README can be drawn anew."""

import re

import cv2
import numpy as np
import pytest

from referee.errors import BadInput
from referee.sim.table import VirtualTable
from tools import readme_pictures


def test_the_table_is_drawn_with_its_tiles_outlined(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    picture_of = VirtualTable.picture

    def picture(table: VirtualTable, *how: object) -> np.ndarray:
        taken.append(picture_of(table, *how))
        return taken[-1]

    monkeypatch.setattr(VirtualTable, "picture", picture)
    drawn = readme_pictures.draw_table(readme_pictures.SEEDS["table"])
    assert drawn.shape == (562, readme_pictures.WIDTH_PX, 3)
    bare = cv2.resize(taken[-1], drawn.shape[1::-1], interpolation=cv2.INTER_AREA)
    green = [(np.subtract(image, (60, 200, 60)) ** 2).sum(axis=2) < 5000 for image in (bare, drawn)]
    assert green[0].sum() < 100
    assert green[1].sum() > 2000


def test_without_a_browser_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readme_pictures.shutil, "which", lambda _: None)
    with (
        pytest.raises(BadInput, match=re.escape("expected Chromium and its driver")),
        readme_pictures.open_browser(),
    ):
        pass
