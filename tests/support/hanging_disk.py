"""A disk that stops answering in the middle of a file, as a broken USB stick does, by FUSE without any library.

Whoever reads there sleeps in the kernel and cannot even be killed, until the disk answers or is taken away.
"""

import ctypes
import os
import stat
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

ENOENT, ENOSYS = 2, 38
ROOT, LARGEST = 1, 1 << 20
LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE, FLUSH = 1, 2, 3, 14, 15, 17, 18, 25
INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, FORGET_MANY = 26, 27, 28, 29, 36, 42
_HEAD, _ANSWER = struct.Struct("<IIQQIIII"), struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<6Q10I")


class HangingDisk:
    """Files by path below the disk; reading over byte `hangs_at` of one of them never ends.

    If that is None, even looking for a file never ends.
    """

    def __init__(self, files: Mapping[str, bytes], hangs_at: int | None) -> None:
        self._nodes: list[tuple[int, str, bytes | None]] = [(0, "", None), (0, "", None)]
        self._hangs_at = hangs_at
        self.hung = threading.Event()
        """Set once somebody waits there."""
        self._device = os.open("/dev/fuse", os.O_RDWR)
        self._serving = threading.Thread(target=self._serve, daemon=True)
        for path, data in files.items():
            parent = ROOT
            *folders, name = path.split("/")
            for folder in folders:
                parent = self._child(parent, folder) or self._add(parent, folder, None)
            self._add(parent, name, data)

    def mount(self, folder: Path) -> None:
        """Mount the disk, or skip the test where that is not permitted."""
        libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={self._device},rootmode=40000,user_id=0,group_id=0,default_permissions"
        if libc.mount(b"hanging", bytes(folder), b"fuse", 6, options.encode()):  # no programs, no devices
            os.close(self._device)
            pytest.skip(f"this machine lets nobody mount a disk: {os.strerror(ctypes.get_errno())}")
        self._serving.start()

    def close(self, folder: Path) -> None:
        """Take the disk away: everybody who waits for it gets an error."""
        unmount = ctypes.CDLL(None).umount2
        unmount(bytes(folder), 1)  # by force: whatever waits for it gets an error
        unmount(bytes(folder), 2)  # lazily: it may be in use
        self._serving.join()
        os.close(self._device)

    def _add(self, parent: int, name: str, data: bytes | None) -> int:
        self._nodes.append((parent, name, data))
        return len(self._nodes) - 1

    def _child(self, parent: int, name: str) -> int | None:
        there = (number for number, (above, own, _) in enumerate(self._nodes) if (above, own) == (parent, name))
        return next(there, None)

    def _serve(self) -> None:
        while True:
            try:
                request = os.read(self._device, LARGEST + 4096)
            except OSError:  # it was unmounted
                return
            _, code, unique, node, *_ = _HEAD.unpack_from(request)
            answer = self._answer(code, node, request[_HEAD.size :])
            if answer is not None:
                error, data = (-answer, b"") if isinstance(answer, int) else (0, answer)
                os.write(self._device, _ANSWER.pack(_ANSWER.size + len(data), error, unique) + data)

    def _answer(self, code: int, node: int, data: bytes) -> bytes | int | None:
        """Return the data of an answer, or an error; None if there is no answer."""
        if code in (FORGET, FORGET_MANY, INTERRUPT):
            return None
        if code == LOOKUP:
            if self._hangs_at is None:
                self.hung.set()
                return None
            found = self._child(node, data.rstrip(b"\0").decode())
            return ENOENT if found is None else struct.pack("<QQQQII", found, 0, 60, 60, 0, 0) + self._stat(found)
        if code == READ:
            return self._read(node, *struct.unpack_from("<QI", data, 8))
        answers: dict[int, Callable[[], bytes]] = {
            INIT: lambda: struct.pack("<IIIIHHIIHHI7I", 7, 31, 0, 0, 12, 9, LARGEST, 1, 32, 0, 0, *(0,) * 7),
            GETATTR: lambda: struct.pack("<QII", 60, 0, 0) + self._stat(node),
            READDIR: lambda: b"" if struct.unpack_from("<Q", data, 8)[0] else self._names(node),
            STATFS: lambda: struct.pack("<5Q10I", 0, 0, 0, 0, 0, 4096, 200, 4096, *(0,) * 7),
            **dict.fromkeys((OPEN, OPENDIR), lambda: struct.pack("<QII", 0, 0, 0)),
            **dict.fromkeys((RELEASE, RELEASEDIR, FLUSH), lambda: b""),
        }
        return answers[code]() if code in answers else ENOSYS

    def _read(self, node: int, offset: int, size: int) -> bytes | None:
        content = self._nodes[node][2] or b""
        if self._hangs_at is not None and offset <= self._hangs_at < offset + size:
            self.hung.set()
            return None
        return content[offset : offset + size]

    def _names(self, node: int) -> bytes:
        found = b""
        for number, (parent, name, _) in enumerate(self._nodes):
            if parent == node and name:
                entry = struct.pack("<QQII", number, number, len(name), 0) + name.encode()
                found += entry + bytes(-len(entry) % 8)
        return found

    def _stat(self, node: int) -> bytes:
        content = self._nodes[node][2]
        mode = stat.S_IFDIR | 0o755 if content is None else stat.S_IFREG | 0o644
        size = len(content or b"")
        return _ATTRIBUTES.pack(node, size, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


@contextmanager
def hanging_disk(folder: Path, files: Mapping[str, bytes], hangs_at: int | None) -> Iterator[HangingDisk]:
    """Mount such a disk at a folder; the test is skipped where that is not permitted."""
    folder.mkdir()
    try:
        disk = HangingDisk(files, hangs_at)
    except OSError as error:
        pytest.skip(f"this machine has no FUSE: {error}")
    disk.mount(folder)
    try:
        yield disk
    finally:
        disk.close(folder)
