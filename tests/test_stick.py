"""USB sticks: which are mounted for the referee and how, what is left alone, and what is left after they are gone."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from updater import stick as stick_module
from updater.stick import NotMounted, Stick, main, mounted_at, options_for, run_command

from referee.backup.drives import removable_folders

SYSTEMD = Path(__file__).parent.parent / "systemd"
UNIT, RULES = SYSTEMD / "referee-stick@.service", SYSTEMD / "referee-stick.rules"
OWNER = (991, 992)


class Machine:
    """A Raspberry Pi with a stick of two partitions; programs are answered from a table, and what was run is kept."""

    def __init__(self, root: Path, mounts: str = "", kind: str = "vfat", **failing: str) -> None:
        self.root, self.kind, self.failing = root, kind, failing
        self.ran: list[list[str]] = []
        (root / "proc").mkdir()
        self.mounts(f"/dev/mmcblk0p2 / ext4 rw 0 0\nproc /proc proc rw 0 0\n{mounts}")
        for drive, parts in {"sda": ("sda1", "sda2"), "mmcblk0": ("mmcblk0p2",), "sdb": ()}.items():
            for part in parts:
                (root / "sys/block" / drive / part).mkdir(parents=True)
                (root / "sys/block" / drive / part / "partition").write_text("1\n")
            (root / "sys/block" / drive).mkdir(parents=True, exist_ok=True)
            (root / "sys/block" / drive / "removable").write_text("1\n" if drive.startswith("sd") else "0\n")
        (root / "sys/class/block").mkdir(parents=True)
        for path in (root / "sys/block").glob("**/"):
            if path.name != "block":
                (root / "sys/class/block" / path.name).symlink_to(path)

    def mounts(self, text: str) -> None:
        (self.root / "proc/mounts").write_text(text)

    def run(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        self.ran.append(list(command))
        if command[0] == "systemctl":
            return subprocess.CompletedProcess(command, 0 if "desktop" in self.failing else 3, "", "")
        if command[0] == "blkid":
            return subprocess.CompletedProcess(command, 0, f"{self.kind}\n", "")
        said = self.failing.get(command[0], "")
        return subprocess.CompletedProcess(command, 1 if said else 0, "", said)

    def named(self, program: str) -> list[list[str]]:
        return [command for command in self.ran if command[0] == program]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("vfat", "nosuid,nodev,noexec,noatime,errors=remount-ro,flush,uid=991,gid=992,umask=0022"),
        ("exfat", "nosuid,nodev,noexec,noatime,errors=remount-ro,dirsync,uid=991,gid=992,umask=0022"),
        ("ext4", "nosuid,nodev,noexec,noatime,errors=remount-ro,commit=1"),
    ],
)
def test_a_stick_is_mounted_for_the_referee_and_nothing_on_it_can_be_run(
    tmp_path: Path, kind: str, options: str
) -> None:
    machine = Machine(tmp_path, kind=kind)
    Stick(tmp_path, "sda1", machine.run).mount(OWNER)
    folder = tmp_path / "media/referee-sda1"
    assert machine.named("mount") == [["mount", "-t", kind, "-o", options, "/dev/sda1", str(folder)]]
    assert folder.is_dir()


def test_what_is_mounted_is_found_where_backups_and_updates_look(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    stick = Stick(tmp_path, "sda1", machine.run)
    stick.mount(OWNER)
    machine.mounts("/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/sda1 /media/referee-sda1 vfat rw,nosuid 0 0\n")
    assert removable_folders(tmp_path) == [stick.folder]


def test_the_second_partition_of_a_stick_is_mounted_as_well(tmp_path: Path) -> None:
    machine = Machine(tmp_path, f"/dev/sda1 {tmp_path}/media/referee-sda1 vfat rw 0 0\n")
    Stick(tmp_path, "sda2", machine.run).mount(OWNER)
    assert len(machine.named("mount")) == 1


@pytest.mark.parametrize(
    "mounts",
    [
        pytest.param("/dev/sda2 /boot/firmware vfat rw 0 0\n", id="the system runs from it"),
        pytest.param("/dev/sda1 /media/pi/STICK vfat rw 0 0\n", id="somebody has mounted it"),
        pytest.param("/dev/sda2 /home/pi/my\\040disk ext4 rw 0 0\n", id="somebody uses another partition"),
    ],
)
def test_a_drive_that_somebody_else_uses_is_left_alone(tmp_path: Path, mounts: str) -> None:
    machine = Machine(tmp_path, mounts)
    with pytest.raises(NotMounted, match="expected a drive that nobody uses"):
        Stick(tmp_path, "sda1", machine.run).mount(OWNER)
    assert machine.named("mount") == []
    assert not (tmp_path / "media").exists()


@pytest.mark.parametrize("kind", ["ntfs", "iso9660", "crypto_LUKS", "swap", ""])
def test_other_file_systems_are_left_alone(tmp_path: Path, kind: str) -> None:
    machine = Machine(tmp_path, kind=kind)
    with pytest.raises(NotMounted, match="expected one of vfat, exfat, ext4"):
        Stick(tmp_path, "sda1", machine.run).mount(OWNER)
    assert not (tmp_path / "media").exists()


def test_a_desktop_mounts_sticks_itself(tmp_path: Path) -> None:
    machine = Machine(tmp_path, desktop="is there")
    with pytest.raises(NotMounted, match="without a desktop"):
        Stick(tmp_path, "sda1", machine.run).mount(OWNER)
    assert machine.named("mount") == []


def test_a_stick_that_is_damaged_leaves_no_folder(tmp_path: Path) -> None:
    machine = Machine(tmp_path, mount="wrong fs type, bad superblock")
    with pytest.raises(NotMounted, match="bad superblock"):
        Stick(tmp_path, "sda1", machine.run).mount(OWNER)
    assert list((tmp_path / "media").iterdir()) == []


@pytest.mark.parametrize("name", ["../sda1", "sda1/../..", "", "-o", "sda 1", "SDA1", "a" * 40])
def test_only_names_of_the_kernel_are_taken(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotMounted, match="expected the name of a partition"):
        Stick(tmp_path, name, run_command)


@pytest.mark.parametrize(
    ("failing", "commands"),
    [
        pytest.param({}, [["umount"]], id="somebody takes it out"),
        pytest.param({"umount": "target is busy"}, [["umount"], ["umount", "--lazy"]], id="while it is being read"),
    ],
)
def test_a_stick_that_is_gone_is_unmounted(
    tmp_path: Path, failing: Mapping[str, str], commands: list[list[str]]
) -> None:
    folder = tmp_path / "media/referee-sda1"
    machine = Machine(tmp_path, f"/dev/sda1 {folder} vfat rw 0 0\n", **failing)
    folder.mkdir(parents=True)
    Stick(tmp_path, "sda1", machine.run).unmount()
    assert machine.named("umount") == [[*command, str(folder)] for command in commands]
    assert not folder.exists()


def test_what_is_not_mounted_is_not_unmounted_and_nothing_in_its_place_is_removed(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    (tmp_path / "media/referee-sda1").mkdir(parents=True)
    (tmp_path / "media/referee-sda1/file").touch()
    Stick(tmp_path, "sda1", machine.run).unmount()
    assert machine.named("umount") == []
    assert (tmp_path / "media/referee-sda1/file").exists()


def test_the_verbs_end_with_a_code_and_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path, kind="ntfs")
    monkeypatch.setattr(stick_module, "OWNER", "root")
    assert main(["mount", "sda1"], tmp_path, machine.run) == 1
    assert "found ntfs" in capsys.readouterr().err
    machine.kind = "vfat"
    assert main(["mount", "sda1"], tmp_path, machine.run) == 0
    assert main(["unmount", "sda1"], tmp_path, machine.run) == 0
    assert main(["format", "sda1"], tmp_path, machine.run) == 2
    monkeypatch.setattr(stick_module, "OWNER", "nobody-of-that-name")
    assert main(["mount", "sda1"], tmp_path, machine.run) == 1


def test_a_program_that_is_missing_or_hangs_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_command(["no-such-program-anywhere"]).returncode == 1
    monkeypatch.setattr(stick_module, "COMMAND_S", 0.01)
    assert run_command(["sleep", "60"]).returncode == 1


def test_names_with_a_blank_are_read_as_the_kernel_writes_them() -> None:
    assert mounted_at("/dev/sda1 /media/my\\040stick vfat rw 0 0\n\nx\n") == [("/dev/sda1", "/media/my stick")]
    with pytest.raises(NotMounted):
        options_for("vfat,exec", *OWNER)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_finds_nothing_to_complain_about_in_the_sticks_unit(tmp_path: Path) -> None:
    copy = tmp_path / "referee-stick@sda1.service"
    copy.write_text(UNIT.read_text(encoding="utf-8"), encoding="utf-8")
    command = ["systemd-analyze", "verify", str(copy)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert [line for line in checked.stderr.splitlines() if "referee" in line] == []
    assert checked.returncode == 0


def test_what_the_unit_mounts_is_seen_by_all_others() -> None:
    """A unit with a file system of its own would mount the stick for itself alone."""
    own_view = r"^(Protect\w+|Private\w+|ReadWritePaths|ReadOnlyPaths|InaccessiblePaths|BindPaths|TemporaryFileSystem|"
    own_view += r"RootDirectory|DynamicUser|StateDirectory|MountFlags|SystemCallFilter)="
    assert not re.search(own_view, UNIT.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_service_sees_sticks_and_can_write_to_them() -> None:
    assert "\nReadWritePaths=-/media\n" in (SYSTEMD / "referee.service").read_text(encoding="utf-8")


def test_the_rule_starts_the_unit_for_what_the_unit_mounts() -> None:
    (rule,) = [line for line in RULES.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    parts = rule.split(", ")
    assert all(re.fullmatch(r'[A-Z]+(\{[A-Z_]+\})?(==|!=|\+=)"[^"]+"', part) for part in parts)
    assert f'ENV{{ID_FS_TYPE}}=="{"|".join(stick_module.SOON)}"' in parts
    assert 'ENV{ID_BUS}=="usb"' in parts
    assert 'ENV{SYSTEMD_WANTS}+="referee-stick@%k.service"' in parts
    assert UNIT.name == "referee-stick@.service"


@pytest.mark.skipif(shutil.which("udevadm") is None, reason="udevadm is not installed")
def test_udev_finds_nothing_to_complain_about() -> None:
    help_text = subprocess.run(["udevadm", "--help"], capture_output=True, text=True, check=True).stdout  # noqa: S607
    if "verify" not in help_text:
        pytest.skip("this udevadm cannot verify rules")
    checked = subprocess.run(["udevadm", "verify", RULES], capture_output=True, text=True, check=False)  # noqa: S603, S607
    assert checked.returncode == 0, checked.stderr


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mkfs.vfat") is None, reason="needs root and mkfs.vfat")
def test_the_real_mount_takes_these_options(tmp_path: Path) -> None:
    image, folder = tmp_path / "stick.img", tmp_path / "there"
    with image.open("wb") as file:
        file.truncate(2_000_000)
    subprocess.run(["mkfs.vfat", str(image)], check=True, capture_output=True)  # noqa: S603, S607
    folder.mkdir()
    command = ["mount", "-t", "vfat", "-o", f"loop,{options_for('vfat', *OWNER)}", str(image), str(folder)]
    done = run_command(command)
    if done.returncode and re.search("permission|denied|loop|permitted|unknown filesystem", done.stderr):
        pytest.skip(f"this machine mounts nothing: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    try:
        (folder / "file").touch()
        assert ((folder / "file").stat().st_uid, (folder / "file").stat().st_mode & 0o777) == (991, 0o755)
    finally:
        run_command(["umount", str(folder)])
