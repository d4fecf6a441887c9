"""Where lgpio makes its pipe: never where the referee was started, which its user may not be allowed to write."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from referee.devices.panel import gpio
from referee.devices.panel.gpio import scratch_folder
from referee.errors import BadInput
from referee.settings.file import settings_file

ROOT = Path(__file__).parent.parent.parent
LGPIO = """
# Does at its import what lgpio does: makes a pipe in the working directory, under a relative name.
import os
os.mkfifo(".lgd-nfy0")
os.close(os.open(".lgd-nfy0", os.O_RDWR))

class error(Exception):
    pass

def gpiochip_open(number):
    raise error("the pipe was made; there is no chip")

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return 1
"""
PANEL = """
import os, random, shutil, tempfile, gpiozero.pins.local
from referee.devices.panel.gpio import pi_factory
from referee.errors import BadInput
if os.getuid() == 0:  # to root rights mean nothing
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
try:
    pi_factory()
except BadInput as error:
    print(error)
print(os.path.exists("mine"), [name for name in os.listdir() if "lgd" in name] if os.access(".", os.R_OK) else [])
"""


def open_to_all(folder: Path) -> bool:
    """Whether every user may read what lies in a folder."""
    return all(place.stat().st_mode & 0o005 == 0o005 for place in (folder, *folder.parents))


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody may read, unlike `tmp_path`, with a stand-in for the library in it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "lgpio.py").write_text(LGPIO)
        yield Path(folder)


@pytest.mark.skipif(
    os.getuid() == 0 and not all(map(open_to_all, (ROOT, Path(sys.prefix)))),
    reason="root has to become another user here, who may not read this checkout",
)
@pytest.mark.parametrize(
    ("mode", "back"), [pytest.param(0o555, True, id="not to be written"), pytest.param(0o700, False, id="a home")]
)
def test_the_pins_are_reached_from_a_folder_that_cannot_be_written(place: Path, mode: int, back: bool) -> None:
    home = place / "home"
    home.mkdir()
    (home / "mine").touch()
    home.chmod(mode)
    try:
        environ = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{place}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", PANEL]
        done = subprocess.run(command, cwd=home, env=environ, capture_output=True, text=True, check=False)  # noqa: S603
    finally:
        home.chmod(0o700)
    back = back or os.getuid() != 0  # whoever owns the home may enter it
    assert done.stderr == ""
    assert done.stdout.splitlines()[0].startswith("panel.no_pins(reason=")
    assert "there is no chip" in done.stdout or "revision" in done.stdout
    assert done.stdout.splitlines()[1].startswith(str(back))
    assert sorted(path.name for path in home.iterdir()) == ["mine"]


def test_work_goes_on_where_it_was_and_the_scratch_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with suppress(ZeroDivisionError), scratch_folder():
        there = Path.cwd()
        Path("something").touch()
        raise ZeroDivisionError
    assert Path.cwd() == tmp_path
    assert not there.exists()
    assert list(tmp_path.iterdir()) == []


def test_where_no_disk_can_be_written_memory_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpio.tempfile, "tempdir", str(tmp_path / "nowhere"))
    monkeypatch.setattr(gpio, "MEMORY", str(tmp_path))
    with scratch_folder():
        assert Path.cwd().parent == tmp_path


def test_no_folder_at_all_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpio.tempfile, "tempdir", str(tmp_path / "nowhere"))
    monkeypatch.setattr(gpio, "MEMORY", str(tmp_path / "nowhere"))
    with pytest.raises(BadInput) as refused:
        gpio.pi_factory()
    assert str(refused.value).startswith(
        "panel: expected a temporary folder in which lgpio can make its pipe, found: "
    )
    assert "\n" not in str(refused.value)


def test_settings_that_may_not_even_be_looked_for_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11 raises where a folder may not be entered; later ones say no."""
    (tmp_path / "second.toml").touch()
    asked = Path.is_file

    def closed(self: Path) -> bool:
        if self.name == "first.toml":
            raise PermissionError(13, "Permission denied", str(self))
        return asked(self)

    monkeypatch.setattr(Path, "is_file", closed)
    places = (tmp_path / "first.toml", tmp_path / "second.toml")
    assert settings_file(None, {}, places) == tmp_path / "second.toml"
    assert settings_file(None, {}, places[:1]) is None
