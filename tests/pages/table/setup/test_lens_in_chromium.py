"""The lens calibrated on the page: pictures of the sheet by taps, what is still missing, the profile, and its use."""

import cv2
import numpy as np
import pytest
from page_process import ready_page
from sheets import LENS, SIZE, photograph, poses

from referee.cli.parts import lens_profiles
from referee.i18n import LANGUAGES

EMPTY = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)


@pytest.fixture(scope="module")
def views():
    return [photograph(view) for view in poses()]


@pytest.fixture
def before_the_camera(tmp_path):
    """A referee whose camera shows the newest picture of a folder; `show` lays one more into it."""
    shown = [EMPTY]

    def show(picture):
        cv2.imwrite(str(tmp_path / "pictures" / f"{len(shown):03}.png"), picture)
        shown.append(picture)

    with ready_page(tmp_path, "panel.kind=console", picture=EMPTY) as process:
        yield process, show, tmp_path / "state"


def step(page, name, holds):
    page.find(f"[data-lens={name}]:not([disabled])").click()
    page.wait(lambda: (lens := page.run("return Referee.parts.lens")) and not lens["busy"] and holds(lens), name)


def test_the_lens_is_calibrated_by_taps_and_used(before_the_camera, views, screen):
    process, show, state = before_the_camera
    screen.open(f"{process.url}/setup/lens?lang=en")
    step(screen, "begin", lambda lens: lens["under_way"])
    step(screen, "picture", lambda lens: lens["told"] and not lens["well"])
    screen.until("#lens-told", "I cannot see the sheet")
    for number, view in enumerate(views, 1):
        show(view)
        step(screen, "picture", lambda lens, taken=number: lens["pictures"] == taken)
        screen.until("#lens-told", f"Picture {number}: ")
        if number == 1:
            screen.until("#lens-told", "54 corners of the sheet seen")
            screen.until("#lens-left", "7 more pictures")
            screen.until("#lens-left", "in the top left corner")
            step(screen, "picture", lambda lens: not lens["well"])  # the same once more
            screen.until("#lens-told", "like an earlier one")
            step(screen, "learn", lambda lens: not lens["well"])
            screen.until("#lens-told", "at least 8 pictures")
    screen.until("#lens-left", "That is enough")
    assert screen.run("return document.querySelectorAll('#lens-view .field.covered').length") == sum(
        map(sum, process.parts["lens"]["grid"])
    )
    screen.wait(lambda: screen.run("return !!document.querySelector('#lens-view img')"), "the camera's picture")
    step(screen, "back", lambda lens: lens["pictures"] == len(views) - 1)
    assert not (state / lens_profiles.NAME).exists()
    step(screen, "learn", lambda lens: not lens["under_way"])
    screen.until("#lens-told", "The lens is calibrated")
    found = lens_profiles.load(state / lens_profiles.NAME)
    assert found.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)
    assert (found.views, found.optics.size_px) == (len(views) - 1, SIZE)
    run = process.parts["setup"]["run"]
    screen.find("#lens-use").click()
    process.ready(run + 1)
    screen.until("#stage", screen.run("return document.getElementById('stage').dataset.ready"))
    assert screen.complaints() == []


def test_nothing_keeps_anybody_from_calibrating(before_the_camera, views, screen):
    process, show, _ = before_the_camera
    screen.open(f"{process.url}/setup/lens?lang=en")
    step(screen, "begin", lambda lens: lens["under_way"])
    show(views[0])
    step(screen, "picture", lambda lens: lens["pictures"] == 1)
    for language in LANGUAGES:
        screen.resize(320, 640)
        screen.open(f"{process.url}/setup/lens?lang={language}")
        screen.find("#lens-parts h2")
        for scheme in ("light", "dark"):
            screen.prefers(scheme=scheme)
            assert screen.violations() == [], (language, scheme)
        assert screen.sideways() <= 0
    screen.find("[data-lens=stop]").click()
    screen.wait(lambda: screen.run("return Referee.parts.lens === null"), "nothing under way")
