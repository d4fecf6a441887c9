"""Bundles on their way to the machine's updater, and what it is asked for; both are files that systemd waits for.

1. A bundle arrives in `updates/.bundle.part`, and gets the name that systemd waits for only once it is complete and on
   the disk. Whoever writes it has it locked, so that two that arrive at the same time do not disturb each other.
2. While a bundle lies there that the updater has not removed yet, no other one is taken.
3. Nothing is trusted that is checked here: the signature is verified by the updater. These checks only spare people
   the time to send something that cannot be an update.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from referee.devices.whole_file import sync_folder, write_whole
from referee.errors import BadInput

UPDATES, BUNDLE, PART, ORDER = "updates", "bundle", ".bundle.part", "request"
"""The folder in that of the service, and the files in it."""
MOST_BYTES = 400_000_000
"""Of a bundle; a real one has 95 MB."""
FOR_INSTALLING = 700_000_000
"""Bytes that the updater needs besides the bundle and what it unpacks of it (`systemd/updater/bundle.py`)."""
HEAD_BYTES = 512
"""As much of a file as tells whether it can be a bundle: the header of the first member of a tar file."""
_FIRST_MEMBER, _MAGIC_AT, _MAGIC = b"manifest.json\0", 257, b"ustar"
TAKEN_S = 120.0
"""Seconds within which the updater must take what lies before it, and say so. Chosen by hand: it has the lowest
priority, and on a Pi with a match and a slow card it needs several to start."""
SYNC_BYTES = 4_000_000
"""So many bytes are written to the card at a time: a journal that is written meanwhile never waits for all of them."""


class NotTaken(BadInput):
    """A bundle that is not handed over to the updater. `reason` is the word by which people are told why."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def can_be_bundle(head: bytes) -> bool:
    """Return whether a file with these first bytes can be a bundle."""
    magic = head[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)]
    return len(head) >= HEAD_BYTES and head.startswith(_FIRST_MEMBER) and magic == _MAGIC


def free_bytes(folder: Path) -> int:
    """Return how many bytes can still be written below a folder."""
    return shutil.disk_usage(folder).free


def is_waiting(state: Path) -> bool:
    """Return whether a bundle lies there that the updater has not removed yet."""
    return os.path.lexists(state / UPDATES / BUNDLE)


def mark_of_bundle(state: Path) -> tuple[int, int] | None:
    """Return what tells the bundle that waits for the updater from any other; None if there is none."""
    return _mark(state / UPDATES / BUNDLE)


def mark_of_order(state: Path) -> tuple[int, int] | None:
    """Return the mark of the order that the updater has not read yet, different for each; None if there is none."""
    return _mark(state / UPDATES / ORDER)


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _remove(path: Path, mark: tuple[int, int] | None) -> None:
    """Remove a file, unless another one has taken its place since it had this mark."""
    with contextlib.suppress(OSError):
        if mark is not None and _mark(path) == mark:
            path.unlink()
            sync_folder(path.parent)


def withdraw_bundle(state: Path, mark: tuple[int, int] | None) -> bool:
    """Remove the bundle with this mark, so that nobody installs it later; return whether none is left.

    The updater says that it checks a bundle before it opens it. So if it has said nothing even after this, it will not
    install it.
    """
    _remove(state / UPDATES / BUNDLE, mark)
    return mark_of_bundle(state) is None


class ArrivingBundle:
    """A bundle that is handed over piece by piece; as a context it leaves nothing behind unless it was finished."""

    def __init__(self, state: Path, size: int | None = None, free: Callable[[Path], int] = free_bytes) -> None:
        """Begin; raises NotTaken. `state` is the folder of the service, `size` the number of bytes if it is known."""
        self._folder, self._size, self._free = state / UPDATES, size, free
        self._in_use = threading.Lock()
        self._part: int | None = None
        self._head = b""
        self._unsynced = 0
        self.received = 0
        """How many bytes have arrived."""
        if not state.is_dir():
            raise NotTaken("disk", f"{state}: expected the folder of the service, found none")
        self._check_size(size or 0)
        with self._translate_errors():
            self._folder.mkdir(mode=0o750, exist_ok=True)
            self._remove_cut_off()
            self._check_room(size or 0)
            self._part = self._begin()

    def write(self, piece: bytes) -> None:
        """Add a piece; raises NotTaken."""
        with self._open_part() as part:
            if len(self._head) < HEAD_BYTES:
                self._head += piece[: HEAD_BYTES - len(self._head)]
                if len(self._head) == HEAD_BYTES:
                    self._check_head()
            self.received += len(piece)
            self._check_size(self.received)
            with self._translate_errors():
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(part, rest) :]
                self._unsynced += len(piece)
                if self._unsynced >= SYNC_BYTES:
                    os.fdatasync(part)
                    self._unsynced = 0
                    self._check_room(self.received if self._size is None else self._size)

    def restart(self, size: int | None = None) -> None:
        """Begin again with the first byte of `size`; raises NotTaken."""
        with self._open_part() as part, self._translate_errors():
            os.ftruncate(part, 0)
            os.lseek(part, 0, os.SEEK_SET)
        self._size, self._head, self.received, self._unsynced = size, b"", 0, 0
        self._check_size(size or 0)
        with self._translate_errors():
            self._check_room(size or 0)

    def finish(self) -> None:
        """Hand over what has arrived; raises NotTaken."""
        with self._open_part() as file:
            self._check_head()
            if self._size is not None and self.received != self._size:
                raise NotTaken("cut_off", f"expected {self._size:,} bytes, found {self.received:,}")
            part, bundle = self._folder / PART, self._folder / BUNDLE
            with self._translate_errors():
                os.fsync(file)
                if os.path.lexists(bundle) or not os.path.samestat(os.fstat(file), part.lstat()):
                    raise _busy(self._folder)
                part.replace(bundle)
                sync_folder(self._folder)
            os.close(file)
            self._part = None

    def close(self) -> None:
        """Remove what has arrived, unless it was handed over; a piece that is being written is waited for."""
        with self._in_use:
            if self._part is None:
                return
            handle, self._part = self._part, None
            with contextlib.suppress(OSError):
                part = self._folder / PART
                if os.path.samestat(os.fstat(handle), part.lstat()):
                    part.unlink()
            os.close(handle)

    def __enter__(self) -> ArrivingBundle:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    @contextlib.contextmanager
    def _open_part(self) -> Iterator[int]:
        """Provide the file; nobody closes it meanwhile, so that its number does not come to belong to another file."""
        with self._in_use:
            if self._part is None:
                raise ValueError("expected a bundle that is still arriving, found one that has ended")
            yield self._part

    def _remove_cut_off(self) -> None:
        """Remove what a power cut has left, whose room is needed.

        Raises NotTaken if another bundle is arriving, or waits for the updater.
        """
        if os.path.lexists(self._folder / BUNDLE):
            raise _busy(self._folder)
        _remove_unlocked(self._folder / PART)

    def _begin(self) -> int:
        """Open a new file and lock it; raises NotTaken if another bundle has begun to arrive."""
        part = self._folder / PART
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise _busy(self._folder) from error
        return handle

    def _check_size(self, size: int) -> None:
        if size > MOST_BYTES:
            raise NotTaken("too_large", f"expected at most {MOST_BYTES:,} bytes, found more")

    def _check_head(self) -> None:
        if not can_be_bundle(self._head):
            raise NotTaken("no_bundle", "expected the file of an update, found another file")

    def _check_room(self, size: int) -> None:
        """Check that the bundle fits, and that it can be installed afterwards."""
        needed, free = 2 * size - self.received + FOR_INSTALLING, self._free(self._folder)
        if free < needed:
            raise NotTaken("no_room", f"{self._folder}: expected {needed // 10**6} MB free, found {free // 10**6} MB")

    @contextlib.contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except PermissionError as error:
            text = f"{self._folder}: expected the right to write there, found none: put sudo before it"
            raise NotTaken("disk", text) from error
        except FileExistsError as error:  # another one has begun at the same moment
            raise _busy(self._folder) from error
        except OSError as error:
            reason = "no_room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "disk"
            lacks = " (there is not enough room)" if reason == "no_room" else ""
            text = f"{self._folder}: expected a place for the update, found: {error.strerror}{lacks}"
            raise NotTaken(reason, text) from error


def is_arriving(state: Path) -> bool:
    """Return whether somebody is writing a bundle at the moment."""
    try:
        handle = os.open(state / UPDATES / PART, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(handle)
    return False


def ask_updater(state: Path, order: str) -> None:
    """Ask the updater for something: "cancel" or "back"; raises BadInput if that cannot be written."""
    folder = state / UPDATES
    try:
        folder.mkdir(mode=0o750, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: expected a folder to write to, found: {error.strerror}") from error
    write_whole(folder / ORDER, json.dumps({"do": order}).encode(), "a place to ask the updater", 0o640)


def withdraw_order(state: Path, mark: tuple[int, int] | None) -> None:
    """Remove the order with this mark, so that nobody follows it later; one that is already being read is followed."""
    _remove(state / UPDATES / ORDER, mark)


def is_asked(state: Path) -> bool:
    """Return whether the updater has not yet read what it was asked for."""
    return os.path.lexists(state / UPDATES / ORDER)


def _busy(folder: Path) -> NotTaken:
    return NotTaken("busy", f"{folder}: expected no other update on its way, found one: wait until it is installed")


def _remove_unlocked(part: Path) -> None:
    """Remove what a bundle that was cut off has left; raises NotTaken if somebody is still writing it."""
    try:
        handle = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    except OSError:  # a link, which is removed and not followed
        part.unlink(missing_ok=True)
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink(missing_ok=True)
    except BlockingIOError as error:
        raise _busy(part.parent) from error
    finally:
        os.close(handle)
