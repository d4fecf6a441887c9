"""A new card in a small machine that really starts: cloud-init, systemd, a FAT partition, and power cuts.

The `user-data` of the Imager and our `vendor-data` beside it must both be applied. The machine is x86 and has no
network. The program of the first start is the real one, the installer in its bundle a small one (`card/install.sh`).
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pi_roots import HERE, PROJECT, Recipe, UnavailableError, cache, made

from tools import card_bundle

CARD = HERE / "card"
TOOLS = ("qemu-system-x86_64", "mmdebstrap", "mkfs.vfat", "mcopy", "mdir", "mke2fs", "debugfs", "ssh-keygen")
INSTANCE = "rpi-imager-1764180000000"
CONSOLE = "console=ttyS0 systemd.journald.forward_to_console=1 systemd.log_level=warning"
LONGEST_S = 900.0
CUTS = (b"Run /init", b"ssh_host_ed25519", b"]: Machine", b"]: Program", b"]: Settings")
"""The power fails when the machine prints this, on the same card each time, which comes further and further."""
LOOK_S = 0.05


def why_not() -> str | None:
    """Why no machine can be started here; None if one can."""
    if os.environ.get("REFEREE_TEST_CARD") != "1":
        return "run by make test-card"
    if os.geteuid() != 0 or os.uname().machine != "x86_64":
        return "only root on x86-64 can make the machine"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)}: not installed"
    return None


class Machine:
    """The machine with one card."""

    def __init__(self, parts: Path, folder: Path, card: Path) -> None:
        self.parts, self.folder = parts, folder
        self.boot, self.disk = folder / "boot.img", folder / "disk.img"
        self.console = folder / "console"
        run("mkfs.vfat", "-n", "bootfs", "-C", self.boot, str(64 * 1024))
        run("cp", "--sparse=always", parts / "root.img", self.disk)
        (folder / "meta-data").write_text(f"instance-id: {INSTANCE}\n")
        (folder / "network-config").write_text("")
        shutil.copy(CARD / "user-data", folder)
        for path in (*(folder / name for name in ("meta-data", "network-config", "user-data")), *card.iterdir()):
            run("mcopy", "-s", "-i", self.boot, path, "::")

    def start(self, cut: bytes = b"") -> bool:
        """Switch it on; return whether it switched itself off, before the power failed at what it printed."""
        command = [
            *("qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "512", "-nographic"),
            *("-no-reboot", "-nic", "none", "-kernel", self.parts / "vmlinuz", "-initrd", self.parts / "initrd"),
            *("-append", f"root=/dev/vda rw {CONSOLE} ds=nocloud;i={INSTANCE}"),
            *("-drive", f"file={self.disk},if=virtio,format=raw,cache=writethrough"),
            *("-drive", f"file={self.boot},if=virtio,format=raw,cache=writethrough"),
        ]
        with (
            self.console.open("wb") as console,
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=console) as machine,  # noqa: S603
        ):
            end = time.monotonic() + LONGEST_S
            while machine.poll() is None:
                if cut and cut in self.console.read_bytes():
                    machine.kill()  # which is what pulling the plug does
                    return False
                if time.monotonic() > end:
                    machine.kill()
                    raise AssertionError(self.last_words())
                time.sleep(LOOK_S)
        assert machine.returncode == 0, self.last_words()
        return True

    def last_words(self) -> str:
        """The end of what it printed."""
        return self.console.read_text(errors="replace")[-4000:]

    def read(self, path: str) -> str:
        """A file of its root partition; empty if there is none."""
        return run("debugfs", "-R", f"cat {path}", self.disk)

    def names(self) -> str:
        """What lies on its boot partition."""
        return run("mdir", "-b", "-i", self.boot)

    def report(self) -> str:
        """What the first start has written there."""
        return run("mtype", "-i", self.boot, "::referee-card.txt")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for the disks, in memory where there is one: they are written to at once, as a card is."""
    memory = Path("/dev/shm")  # noqa: S108
    if not memory.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="referee-card-") as made_here:
        yield Path(made_here)


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace")


@pytest.fixture(scope="module")
def parts() -> Path:
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    try:
        return made(Recipe("machine", CARD / "machine.sh", (HERE / "debian.sh",)), cache())
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def card(parts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001 - skips where no machine starts
    """What is copied to a card with Trixie, with the small installer in its bundle."""
    folder = tmp_path_factory.mktemp("card")
    key = folder / "key"
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_bundle, "program_files", lambda: {"systemd/install.sh": CARD / "install.sh"})
        patch.setattr(card_bundle, "version", lambda: "1-tested")
        card_bundle.make_bundle(folder / "bundle", key, {"trixie": []})
        card_bundle.make_card(folder / "trixie", "trixie", folder / "bundle", key)
    return folder / "trixie"


def check(machine: Machine) -> None:
    """Both the Imager's settings and ours were applied, and the card is ready."""
    assert "http://kitchen.local" in machine.report(), machine.last_words()
    assert "referee-card/" not in machine.names().lower()
    assert "anna:" in machine.read("/etc/passwd")
    assert machine.read("/root/run-by-user-data") == "done\n"
    assert machine.read("/etc/hostname") == "kitchen\n"
    assert machine.read("/opt/referee/slots/a/installed") == "1\n"
    assert machine.read("/etc/referee/referee.toml") == (PROJECT / "systemd/card/referee.toml").read_text()
    assert "sleep infinity" in machine.read("/etc/systemd/system/referee.service")


def test_a_new_card_starts_with_the_settings_of_the_imager_and_with_ours_whenever_the_power_fails(
    parts: Path, card: Path, folder: Path
) -> None:
    machine = Machine(parts, folder, card)
    for cut in CUTS:
        assert not machine.start(cut), cut
        assert "referee-card" in machine.names().lower(), cut
    assert machine.start()
    check(machine)
