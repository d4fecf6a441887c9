"""`referee play` and `referee doctor` on the real camera software and the real pins at once."""

import json
import re
from dataclasses import replace

import cv2
import pytest
from pi_inside import Inside
from pi_roots import HERE
from pi_tables import pictures

SETTINGS = """
[game]
options = ["starts=next"]
rules = "rummikub"
players = ["Anna", "Ben"]
[camera]
timeout_s = 1.0
[storage]
state = "/work/state"
"""
OPENING = "R10 B10 K10"
MENDED = f"{OPENING} | O11 R11 K11"
TABLES = {"bare": "", "opening": OPENING, "wrong": f"{OPENING} | O11 R11 K12", "mended": MENDED,
          "last": f"{MENDED} | B5 B6 B7"}  # fmt: skip
"""What lies there at each step of an evening."""


@pytest.fixture(scope="module")
def table(camera_root: Inside, board: str, tmp_path_factory: pytest.TempPathFactory) -> Inside:
    """A Pi with a camera and a header, before the pictures of an evening."""
    source = HERE / "pins" / "gpiochip.c"
    if not source.is_file():
        pytest.skip(f"{source} is not there: the header in memory")
    scenes, work = tmp_path_factory.mktemp("evening"), tmp_path_factory.mktemp("play")
    (scenes / "table.jpg").write_bytes((camera_root.scenes / "table.jpg").read_bytes())
    for name, picture in pictures(TABLES).items():
        cv2.imwrite(str(scenes / f"{name}.png"), picture)
    (work / "referee.toml").write_text(SETTINGS, encoding="utf-8")
    (work / "gpiochip.c").write_bytes(source.read_bytes())
    mounts = {"/proc/cpuinfo": HERE / "arm" / "cpuinfo"}
    preloaded = {
        "LD_PRELOAD": f"/work/gpiochip.so:{camera_root.environ['LD_PRELOAD']}",
        "PINS_REVISION": board,
    }
    built = replace(camera_root, scenes=scenes, work=work, mounts=mounts)
    made = built.run("gcc", "-shared", "-fPIC", "-O1", *("-o", "/work/gpiochip.so", "/work/gpiochip.c"), "-ldl")
    assert made.returncode == 0, made.stderr
    return replace(built, environ={**camera_root.environ, **preloaded})


def test_a_round_with_a_wrong_turn_and_a_loose_ribbon(table: Inside) -> None:
    done = table.run("python3", "/code/tests/pi/camera/evening.py")
    said = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0, said
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert told[-1]["seen"] == [
        "ready", "Anna's turn", "accepted", "refused", "accepted", "told", "nothing accepted", "accepted",
    ], said  # fmt: skip
    assert told[-1]["code"] == 0
    assert told[-1]["dark"] == []
    assert told[0]["writes"]["buzzer"] > 100, "lgpio makes the tones by switching the pin"


def test_the_doctor_finds_camera_markers_and_panel_in_order(table: Inside) -> None:
    done = table.run("python3", "-m", "referee", "doctor", "--json", "--config", "/work/referee.toml")
    found = {one["check"]: one for one in json.loads(done.stdout)["findings"]}
    wrong = {check: one["found"] for check, one in found.items() if one["result"] == "wrong"}
    assert not {"camera", "camera lock", "markers", "focus", "tiles", "model", "panel"} & wrong.keys(), wrong
    assert found["camera"]["result"] == found["panel"]["result"] == "ok", (found["camera"], found["panel"])
    assert found["tiles"]["result"] == "ok", found["tiles"]
    assert re.search(r"7 tiles read", found["tiles"]["found"])
