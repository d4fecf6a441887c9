"""A made-up Raspberry Pi with a new card: the folder of the boot partition is there, nothing is installed yet.

As a program (`card_box.py ROOT STEP`) it does the first start, and everything ends, the installer included, as in a
power cut before the step with that number: a file operation of the first start, or a command of the installer.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(PROJECT / "systemd"))

STEPS = ("os.rename", "os.remove", "os.rmdir", "os.symlink", "os.mkdir", "subprocess.Popen")
CUT = """
[[ $0 == */install.sh ]] || return 0
set -T
steps=$STEPS_BEFORE
cut_here() {
  if ((++steps == CUT)); then kill -9 "$FIRST_START" 0; fi
  echo "$steps" > "$STEPS_FILE"
}
trap cut_here DEBUG
"""
"""Bash reads this before the installer. It goes on counting where Python was, and ends Python, too."""
KILLED = -signal.SIGKILL


def write_card(root: Path, folder: Path) -> None:
    """Copy the folder that `make card-bundle` makes to the boot partition, as people do."""
    shutil.copytree(folder, root / "boot/firmware", dirs_exist_ok=True)


def copied(box: Path, to: Path) -> Path:
    """The same machine once more: the folder `card` below `box`, and the programs beside it."""
    shutil.copytree(box.parent, to, symlinks=True)
    for name in ("systemctl",):
        program = to / "programs" / name
        program.write_text(program.read_text().replace(str(box.parent), str(to)))
    return to / box.name


def first_start(root: Path, environ: Mapping[str, str], cut: int = 0) -> subprocess.CompletedProcess[str]:
    """Start the machine: what its service does, cut off before a step, or not at all."""
    command: Sequence[str] = [sys.executable, "-S", "-P", "-B", str(HERE / "card_box.py"), str(root), str(cut)]
    return subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=False, env=environ, start_new_session=True
    )


def cut_before(step: int, root: Path) -> None:
    """End this process before the step with that number; the installer goes on counting."""
    file, script = root.parent / "steps", root.parent / "cut.sh"
    script.write_text(CUT)
    file.write_text("0")
    os.environ.update(BASH_ENV=str(script), CUT=str(step), FIRST_START=str(os.getpid()), STEPS_FILE=str(file))
    count, counting = 0, False

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count, counting
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if counting or not (writes or event in STEPS):
            return
        counting = True
        count = max(count, int(file.read_text() or 0)) + 1
        os.environ["STEPS_BEFORE"] = str(count)
        if count == step:
            os.kill(os.getpid(), signal.SIGKILL)
        counting = False

    os.environ["STEPS_BEFORE"] = "0"
    sys.addaudithook(audit)


def break_disk(number: int, folder: Path) -> None:
    """Let everything that opens a file in a folder to write to it fail with this error of the system."""

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes and str(arguments[0]).startswith(str(folder)):
            raise OSError(number, os.strerror(number), str(arguments[0]))

    sys.addaudithook(audit)


if __name__ == "__main__":
    from first_start import __main__ as program

    there = Path(sys.argv[1])
    program.time.sleep = lambda _: None  # type: ignore[attr-defined]
    if int(sys.argv[2]):
        cut_before(int(sys.argv[2]), there)
    if (there / "state/broken-disk").exists():
        break_disk(int((there / "state/broken-disk").read_text()), there / "etc/referee")
    sys.exit(program.main(["--root", str(there)]))
