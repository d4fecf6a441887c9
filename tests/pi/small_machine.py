"""A small x86 machine that really starts: kernel and systemd of Debian, a root and a FAT partition, no network.

Whoever starts it can have the power fail at any moment.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from pi_roots import HERE, Recipe, UnavailableError, cache, made

TOOLS = ("qemu-system-x86_64", "mmdebstrap", "mkfs.vfat", "mcopy", "mdir", "mke2fs", "debugfs", "ssh-keygen")
CONSOLE = "console=ttyS0 systemd.journald.forward_to_console=1 systemd.log_level=warning"
LONGEST_S = 900.0
LOOK_S = 0.05
OWN_CLOCK = ("-accel", "tcg,thread=multi")
Cut = Callable[[bytes], bool]
"""Whether the power fails now, after the machine has printed this."""


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


def parts_of_machine() -> Path:
    """Kernel, initrd and root partition; the test is skipped where they cannot be made."""
    if (reason := why_not()) is not None:
        pytest.skip(reason)
    try:
        return made(Recipe("machine", HERE / "card/machine.sh", (HERE / "debian.sh",)), cache())
    except UnavailableError as error:
        pytest.skip(str(error))


def run(*command: str | Path) -> str:
    """What a command prints; it must not fail."""
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace")


@contextmanager
def folder_in_memory(otherwise: Path) -> Iterator[Path]:
    """A folder for the disks, in memory where there is one: they are written to at once, as a card is."""
    memory = Path("/dev/shm")  # noqa: S108
    if not memory.is_dir():
        yield otherwise
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="referee-card-") as made_here:
        yield Path(made_here)


class SmallMachine:
    """The machine with one card, whose FAT partition has some files."""

    def __init__(self, parts: Path, folder: Path, files: Iterable[Path]) -> None:
        self.parts, self.folder = parts, folder
        self.boot, self.disk = folder / "boot.img", folder / "disk.img"
        self.console = folder / "console"
        run("mkfs.vfat", "-n", "bootfs", "-C", self.boot, str(64 * 1024))
        run("cp", "--sparse=always", parts / "root.img", self.disk)
        for path in files:
            run("mcopy", "-s", "-i", self.boot, path, "::")

    def start(self, cut: Cut = lambda _: False, words: str = "", clock: Sequence[str] = OWN_CLOCK) -> bool:
        """Switch it on; return whether it switched itself off, before the power failed.

        `words` are added to what the kernel is told; `clock` says how QEMU's time passes.
        """
        command = [
            *("setpriv", "--pdeathsig", "KILL"),  # it does not go on without us, if this test is ended
            *("qemu-system-x86_64", *clock, "-cpu", "max", "-m", "512", "-nographic"),
            *("-no-reboot", "-nic", "none", "-kernel", self.parts / "vmlinuz", "-initrd", self.parts / "initrd"),
            *("-append", f"root=/dev/vda rw {CONSOLE} {words}"),
            *("-drive", f"file={self.disk},if=virtio,format=raw,cache=writethrough"),
            *("-drive", f"file={self.boot},if=virtio,format=raw,cache=writethrough"),
        ]
        with (
            self.console.open("wb") as console,
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=console) as machine,  # noqa: S603
        ):
            end = time.monotonic() + LONGEST_S
            while machine.poll() is None:
                if cut(self.console.read_bytes()):
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
