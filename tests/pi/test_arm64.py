"""The project on an emulated Cortex-A72 with the wheels that a Pi would get: every instruction is one that it has.

The emulator is fifty to a hundred times slower than a Pi, so that only a part fits: one read, every network once, and
the tests of the game but those that make up matches or turns by chance.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import pytest
from pi_inside import Inside
from pi_roots import PROJECT
from pi_tables import picture

READ = ("-m", "referee", "read", "--tileset", "rummikub", "--json")
AS_NEAR = 2e-3
"""By so much confidences may differ: sums of floats are rounded otherwise with other instructions."""
AS_NEAR_MM = 0.2
GAME = (
    "-m",
    "not hypothesis",
    "-k",
    "not random_matches and not agree and not one_point_short and not never_lost and not same_events"
    " and not puzzle_making and not best_of_all_choices and not trying_everything and not best_turn_exhaustive",
)
"""All tests of the game but those whose cases are drawn by chance, and a few that take more than ten seconds there."""


@pytest.fixture(scope="session")
def picture_of_a_set(arm_root: Inside) -> Path:
    path = arm_root.work / "set.png"
    cv2.imwrite(str(path), picture("R7 B7 K7"))
    return path


def here(*arguments: str) -> Any:
    """What this machine's own Python says."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PROJECT)  # noqa: S603
    return json.loads(done.stdout.splitlines()[-1])


def test_every_network_answers_as_it_does_here(arm_root: Inside) -> None:
    there = arm_root.facts("/usr/bin/python3", "/code/tests/pi/arm/answers.py")
    assert there["machine"] == "aarch64"
    wanted = here("tests/pi/arm/answers.py")["answers"]
    assert len(wanted) == len(list((PROJECT / "models").glob("*.onnx"))) > 0
    for name, values in wanted.items():
        assert there["answers"][name] == [pytest.approx(one, abs=AS_NEAR) for one in values], name


def test_a_picture_is_read_as_it_is_here(arm_root: Inside, picture_of_a_set: Path) -> None:
    there = arm_root.facts("/usr/bin/python3", *READ, "/work/set.png")
    wanted = here(*READ, str(picture_of_a_set))
    assert there["sets"] == wanted["sets"]
    assert there["quality"] == wanted["quality"]
    for found, one in zip(there["tiles"], wanted["tiles"], strict=True):
        assert (found["tile"], found["doubtful"]) == (one["tile"], one["doubtful"])
        assert found["confidence"] == pytest.approx(one["confidence"], abs=AS_NEAR)
        assert [found["x_mm"], found["y_mm"]] == pytest.approx([one["x_mm"], one["y_mm"]], abs=AS_NEAR_MM)
    assert sorted(one["tile"] for one in there["tiles"]) == ["black-7", "blue-7", "red-7"]


def test_the_tests_of_the_game_pass(arm_root: Inside) -> None:
    plain = (
        "-q",
        "-c",
        "/dev/null",
        "--rootdir",
        "/code",
        "-p",
        "no:cacheprovider",
        "-o",
        "pythonpath=/code/tests/support",
    )
    done = arm_root.run("/usr/bin/python3", "-m", "pytest", "/code/tests/game", *plain, *GAME)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout.splitlines()[-1]
