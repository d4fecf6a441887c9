"""Draws the two pictures of the README, in `docs/pictures`: a table with its overlay, and the page during a match.

Run `.venv/bin/python -m tools.readme_pictures` after `make .venv/.dev`; with the argument `table` or `page` it draws
only that picture. Both show the virtual table, so no camera is needed. For the page, Chromium with its driver must be
installed (on Debian the packages `chromium` and `chromium-driver`); it takes a few minutes, because a match is played
until a turn is refused. The players follow a seed. The picture of the table is the same every time. In that of the
page, the seconds on the clock differ.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

import cv2
import numpy as np

from referee.cli.parts.readers import compose
from referee.errors import BadInput
from referee.game.match.events import Seen
from referee.game.match.machine import apply, new_match
from referee.game.match.phases import Phase
from referee.game.rulebooks import ruleset
from referee.game.table import tiles_on
from referee.sim.match import VirtualMatch
from referee.vision.sighting import Image

T = TypeVar("T")

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
BOOK = "rummikub"
SEEDS = {"table": 4, "page": 6}
"""Chosen by looking at the pictures: two jokers on the table; a refused turn with an unfinished set on the page."""
TILES = {"table": 26, "page": 18}
"""The least number of tiles on the table, so that it is the middle of a round with room left around the sets."""
WIDTH_PX = 1000
"""The width of `table.jpg`, at which the labels of the tiles can still be read."""
QUALITY = 80
"""The JPEG quality: letters are still clean, and both pictures together have less than 250 kB."""
SCREEN_PX = (1280, 800)
SPEED = 10.0
"""How much faster than real people the virtual players think."""
PATIENCE_S = 900.0
"""How long to wait for a refused turn. With these seeds it takes two minutes, more on a busy machine."""

REFUSAL = """
const verdict = document.querySelector("#verdict"), tiles = document.querySelectorAll("#drawn .tile").length;
const image = document.querySelector("#picture img"), question = document.querySelector("#question");
const refused = !verdict.hidden && verdict.classList.contains("refused") && question.hidden;
return refused && image && image.complete && tiles >= arguments[0] ? verdict.textContent : null;
"""
"""Returns the text of the refusal on the page. It is null if there is none, while a question is open, or if too few
tiles are on the confirmed table."""


def draw_table(seed: int) -> Image:
    """Return a table in the middle of a round as the referee reads it: an array (height, width, 3), uint8, BGR."""
    match = VirtualMatch(ruleset(BOOK), np.random.default_rng(seed))
    state, effects = apply(new_match(match.rules), match.start(0.0))
    match.follow_effects(effects)
    while not (state.phase is Phase.TURN and len(tiles_on(state.table)) >= TILES["table"]):
        if state.phase is Phase.OVER:
            raise BadInput(f"--seed: expected a match with {TILES['table']} tiles on the table, found none in {seed}")
        event = Seen(match.table.table, 0.0) if state.phase.looks else match.act(state, 0.0)
        state, effects = apply(state, event)
        match.follow_effects(effects)
    parts, setting, picture = compose(), match.table.setting, match.picture()
    overlay = parts.draw(picture, parts.reader().read(picture, setting.tileset, setting.table_mm))
    height = round(overlay.shape[0] * WIDTH_PX / overlay.shape[1])
    return cv2.resize(overlay, (WIDTH_PX, height), interpolation=cv2.INTER_AREA).astype(np.uint8)


def address_in(log: TextIO) -> str | None:
    """Return the address that the program has printed; None if it has not printed it yet."""
    log.seek(0)
    match = re.search(r"http://localhost:\d+/", log.read())
    return match and match[0]


@contextmanager
def run_demo(seed: int) -> Iterator[str]:
    """Run `referee demo --page`, ignoring the user's settings; yield the address of its page."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    environ |= {"REFEREE_CONFIG": os.devnull, "REFEREE_WEB_PORT": "0", "PYTHONUNBUFFERED": "1"}
    program = [sys.executable, "-m", "referee", "demo", "--page", "--language", "en"]
    program += ["--rules", BOOK, "--seed", str(seed), "--speed", str(SPEED)]
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(program, env=environ, stdout=log, stderr=subprocess.STDOUT) as demo,  # noqa: S603 - our own
    ):
        try:
            yield wait_for(lambda: address_in(log), "the address of the page")
        finally:
            demo.send_signal(signal.SIGINT)


@contextmanager
def open_browser() -> Iterator[Any]:
    """Start Chromium without a window; yield the Selenium driver."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        raise BadInput("expected Chromium and its driver (apt install chromium chromium-driver), found none")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--lang=en"):
        options.add_argument(argument)
    chrome = webdriver.Chrome(options=options, service=Service(driver))
    try:
        size = {"width": SCREEN_PX[0], "height": SCREEN_PX[1], "deviceScaleFactor": 1, "mobile": False}
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        yield chrome
    finally:
        chrome.quit()


def photograph_page(seed: int) -> Image:
    """Return a picture of the page that shows a refused turn: an array (height, width, 3), uint8, BGR."""
    with run_demo(seed) as address, open_browser() as chrome:
        chrome.get(address)

        def picture() -> Image | None:
            refusal = chrome.execute_script(REFUSAL, TILES["page"])
            if refusal is None:
                return None
            data = chrome.get_screenshot_as_png()
            if chrome.execute_script(REFUSAL, TILES["page"]) != refusal:
                return None  # the match continued while the picture was taken
            screenshot = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            return None if screenshot is None else screenshot.astype(np.uint8)

        return wait_for(picture, "a refused turn on the page")


def wait_for(look: Callable[[], T | None], what: str) -> T:
    """Return the first value of `look` that is not None; raises BadInput after PATIENCE_S."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if (value := look()) is not None:
            return value
        time.sleep(0.1)
    raise BadInput(f"expected {what} within {PATIENCE_S:g} s, found none")


def main() -> int:
    """Write both pictures, or the one that is named, and return the exit status."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the README.")
    parser.add_argument("which", nargs="?", choices=list(SEEDS), help="only this picture")
    parser.add_argument("--seed", type=int, help="another match at the virtual table")
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder to write to")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name, make in {"table": draw_table, "page": photograph_page}.items():
        if chosen.which in (None, name):
            picture = make(SEEDS[name] if chosen.seed is None else chosen.seed)
            _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            path = chosen.out / f"{name}.jpg"
            path.write_bytes(data.tobytes())
            print(f"{path}: {len(data) / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
