"""`referee.backup.drives`: which mounted drives are USB sticks."""

from pathlib import Path

from referee.backup.drives import removable_folders


def machine(root: Path, mounts: str, **removable: int) -> Path:
    """A file system with these mounts and drives."""
    (root / "proc").mkdir()
    (root / "proc" / "mounts").write_text(mounts)
    for drive, yes in removable.items():
        (root / "sys/block" / drive / f"{drive}1").mkdir(parents=True)
        (root / "sys/block" / drive / "removable").write_text(f"{yes}\n")
    return root


def test_a_stick_that_is_mounted_is_found(tmp_path: Path) -> None:
    root = machine(
        tmp_path,
        "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\nproc /proc proc rw 0 0\n"
        "/dev/sda1 /media/pi/OUR\\040STICK vfat rw,nosuid 0 0\n/dev/sdb /mnt/whole vfat rw 0 0\n",
        mmcblk0=0, sda=1, sdb=1,
    )  # fmt: skip
    (root / "sys/block/mmcblk0/mmcblk0p2").mkdir()
    for folder in ("media/pi/OUR STICK", "mnt/whole"):
        (root / folder).mkdir(parents=True)
    assert removable_folders(root) == [root / "media/pi/OUR STICK", root / "mnt/whole"]


def test_what_cannot_be_written_or_taken_out_is_left_alone(tmp_path: Path) -> None:
    root = machine(
        tmp_path,
        "/dev/sda1 /media/locked vfat ro 0 0\n/dev/sdb1 /media/disk ext4 rw 0 0\n/dev/sdc1 /media/gone vfat rw 0 0\n"
        "server:/x /media/net nfs rw 0 0\ntmpfs /media/tmp tmpfs rw 0 0\n/dev/mapper/x /media/map ext4 rw 0 0\n",
        sda=1, sdb=0, sdc=1,
    )  # fmt: skip
    for folder in ("locked", "disk", "net", "tmp", "map"):
        (root / "media" / folder).mkdir(parents=True)
    assert removable_folders(root) == []


def test_the_drive_that_the_system_runs_from_is_no_stick(tmp_path: Path) -> None:
    root = machine(
        tmp_path, "/dev/sda2 / ext4 rw 0 0\n/dev/sda1 /media/part vfat rw 0 0\n/dev/sdb1 /media/b vfat rw 0 0\n",
        sda=1, sdb=1,
    )  # fmt: skip
    (root / "sys/block/sda/sda2").mkdir()
    for folder in ("part", "b"):
        (root / "media" / folder).mkdir(parents=True)
    assert removable_folders(root) == [root / "media/b"]


def test_a_disk_in_a_usb_case_counts(tmp_path: Path) -> None:
    root = machine(tmp_path, "/dev/sda1 /media/disk ext4 rw 0 0\n")
    disk = root / "sys/devices/platform/usb1/1-1/block/sda"
    (disk / "sda1").mkdir(parents=True)
    (disk / "removable").write_text("0\n")
    (root / "sys/block").mkdir(parents=True)
    (root / "sys/block/sda").symlink_to(disk)
    (root / "media/disk").mkdir(parents=True)
    assert removable_folders(root) == [root / "media/disk"]


def test_a_machine_that_tells_nothing_has_no_stick(tmp_path: Path) -> None:
    assert removable_folders(tmp_path) == []


def test_what_can_only_be_read_counts_if_that_is_enough(tmp_path: Path) -> None:
    root = machine(tmp_path, "/dev/sda1 /media/locked vfat ro 0 0\n/dev/sdb1 /media/disk ext4 ro 0 0\n", sda=1, sdb=0)
    for folder in ("locked", "disk"):
        (root / "media" / folder).mkdir(parents=True)
    assert removable_folders(root) == []
    assert removable_folders(root, writable=False) == [root / "media/locked"]
