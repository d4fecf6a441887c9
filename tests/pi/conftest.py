"""A Pi's own software: the roots that hold it, entered where this machine lets us, else skipped with the reason."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from pi_inside import Inside
from pi_roots import HERE, NEWEST, OLDEST, Recipe, UnavailableError, cache, made, requirements, why_not
from pi_tables import picture

CAMERA = HERE / "camera"
TESTING = ("pytest>=8", "hypothesis>=6.100")


def root_of(recipe: Recipe) -> Path:
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    try:
        return made(recipe, cache())
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module", params=[pytest.param("c03115", id="Pi 4"), pytest.param("d04170", id="Pi 5")])
def board(request: pytest.FixtureRequest) -> Iterator[str]:
    """The revision, in hex, of the board whose pins the processes of a module find."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINS_REVISION", request.param)
        yield request.param


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the virtual camera shows: a table with a few sets, as JPEG since libcamera reads nothing else."""
    folder = tmp_path_factory.mktemp("scenes")
    cv2.imwrite(str(folder / "table.jpg"), picture("R7 B7 K7 | B4 B5 ** B7"), [cv2.IMWRITE_JPEG_QUALITY, 97])
    return folder


@pytest.fixture(scope="session")
def camera_root(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Inside:
    """The real picamera2 on the real libcamera with its virtual camera, and the real lgpio."""
    parts = (HERE / "debian.sh", CAMERA / "virtual.yaml", CAMERA / "dmaheap.c")
    root = root_of(Recipe("camera", CAMERA / "root.sh", parts, (OLDEST, NEWEST, *requirements(), *TESTING)))
    environ = {
        "LD_PRELOAD": "/rest/dmaheap.so",
        "PYTHONPATH": "/code/tests/pi/camera:/code/tests/pi:/code",
        "PYTHONPYCACHEPREFIX": "/tmp",  # noqa: S108 - in there it is in memory
    }
    scenes = request.getfixturevalue("scenes")
    return Inside(root, tmp_path_factory.mktemp("camera"), scenes, environ)


@pytest.fixture(scope="session")
def arm_root(tmp_path_factory: pytest.TempPathFactory) -> Inside:
    """A Pi 4's processor, emulated, with Debian and the project's wheels for it."""
    script = HERE / "arm" / "root.sh"
    root = root_of(Recipe("arm", script, (HERE / "debian.sh",), (*requirements(), *TESTING)))
    work, compiled = tmp_path_factory.mktemp("arm"), root.with_name(f"{root.name}.compiled")
    compiled.mkdir(exist_ok=True)
    environ = {"PYTHONPATH": "/site:/code:/code/tests/pi", "PYTHONPYCACHEPREFIX": "/rest/compiled"}
    mounts = {"/rest/compiled": compiled, "/proc/cpuinfo": HERE / "arm" / "cpuinfo"}
    return Inside(root, work, work, environ, ("/rest/qemu", "-cpu", "cortex-a72"), mounts)
