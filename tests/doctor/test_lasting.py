"""Whether what is written to the journal's folder is still there after the power was off."""

from pathlib import Path

import pytest

from referee.doctor.finding import Result
from referee.doctor.storage import is_lost_at_power_off, lasting
from referee.i18n import ENGLISH

PI = "Raspberry Pi 4 Model B Rev 1.5\0"
ROOT = "26 1 179:2 / / rw,relatime - ext4 /dev/mmcblk0p2 rw"
OVERLAY = "26 1 0:23 / / rw,relatime - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay"
MEMORY = "27 26 0:24 / /media/root-rw rw - tmpfs tmpfs-root rw"


def system(folder: Path, *mounts: str, model: str = PI) -> Path:
    for name, text in (("proc/self/mountinfo", "\n".join(mounts)), ("proc/device-tree/model", model)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def own(place: Path, kind: str) -> str:
    point = str(place).replace("\\", "\\134").replace(" ", "\\040")
    return f"40 26 179:3 / {point} rw - {kind} /dev/mmcblk0p3 rw"


@pytest.mark.parametrize(
    ("mounts", "lost"),
    [
        ((ROOT,), False),
        ((OVERLAY, MEMORY), True),
        ((ROOT, OVERLAY), True),
        ((), False),
        (("nonsense", "1 2 - x"), False),
    ],
    ids=["card", "overlay", "overlay above", "unknown", "nonsense"],
)
def test_a_folder_of_an_overlay_is_lost(tmp_path: Path, mounts: tuple[str, ...], lost: bool) -> None:
    found = list(lasting(tmp_path / "state", system(tmp_path / "root", *mounts)))
    assert [one.result for one in found] == ([Result.WRONG] if lost else [])
    if lost:
        assert "anything played now is lost when the power goes off" in ENGLISH(found[0].found)


@pytest.mark.parametrize(("kind", "lost"), [("ext4", False), ("overlay", True), ("tmpfs", True)])
@pytest.mark.parametrize("name", ["state", "my state"])
def test_the_partition_of_the_folder_itself_decides(tmp_path: Path, name: str, kind: str, lost: bool) -> None:
    """With `recurse=1`, overlayroot puts an overlay over that partition, too."""
    folder = tmp_path / name
    folder.mkdir()
    root = system(tmp_path / "root", OVERLAY, own(folder, kind), own(tmp_path / "stat", "tmpfs"))
    assert (list(lasting(folder, root)) != []) is lost


def test_on_another_machine_it_is_nobodys_business(tmp_path: Path) -> None:
    root = system(tmp_path, OVERLAY, model="Laptop")
    assert list(lasting(tmp_path / "state", root)) == []


def test_this_machine_can_be_asked(tmp_path: Path) -> None:
    assert is_lost_at_power_off(tmp_path) in (True, False)
