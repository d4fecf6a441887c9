"""As root: runs a command in namespaces of its own in which programs for arm64 are started by the emulator.

    python3 tests/pi/arm/emulated.py QEMU-AARCH64-STATIC COMMAND...

Only programs that start others need this, such as apt. It takes Linux 6.7 or newer, where binfmt_misc may be had for
oneself; mounts that the command makes vanish with it.
"""

import ctypes
import os
import signal
import sys
import tempfile
from pathlib import Path

NEW_USERS, NEW_MOUNTS, NEW_PROCESSES = 0x10000000, 0x00020000, 0x20000000
PRIVATE, RECURSIVE = 0x40000, 0x4000
PR_SET_PDEATHSIG = 1
MAGIC = rb"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
MASK = rb"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
libc = ctypes.CDLL(None, use_errno=True)


def call(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def became(command: list[str], qemu: str) -> None:
    """In the child, once it may call itself root: mounts, the rule for arm64, the command."""
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)
    os.setgroups([])
    inner = os.fork()  # the first process in its own numbering
    if inner:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1]) & 255)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    call(libc.mount(b"none", b"/", None, PRIVATE | RECURSIVE, None))
    at = tempfile.mkdtemp()
    call(libc.mount(b"binfmt_misc", at.encode(), b"binfmt_misc", 0, None))
    rule = b":qemu-aarch64:M::" + MAGIC + b":" + MASK + b":" + qemu.encode() + b":FP"
    (Path(at) / "register").write_bytes(rule)
    os.execvp(command[0], command)  # noqa: S606


def main() -> int:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    apart, mapped = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        call(libc.unshare(NEW_USERS | NEW_MOUNTS | NEW_PROCESSES))
        os.write(apart[1], b"x")
        os.read(mapped[0], 1)
        became(sys.argv[2:], sys.argv[1])
    os.read(apart[0], 1)
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{child}/{name}").write_text("0 0 65536", encoding="ascii")
    os.write(mapped[1], b"x")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255


if __name__ == "__main__":
    sys.exit(main())
