"""The pictures behind the verdicts, stored beside the journal within a budget. The oldest are deleted first."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.game.notice import Notice
from referee.journal.owner import give, no_follow_flag

FOLDER = "pictures"
SPARE = 64_000_000
"""Bytes that must stay free on the disk when pictures are stored: the journal needs them more."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY
_NAME = re.compile(r"(\d+)-(\d+)\.jpg")


def free_bytes(folder: Path) -> int:
    """Return how many bytes are free on the folder's disk."""
    return shutil.disk_usage(folder).free


class Pictures:
    """JPEG pictures by match and event. No failure here ever stops the game; `trouble` says what failed.

    The oldest are deleted first, so those of the last verdicts in the running match stay longest.
    """

    def __init__(
        self, folder: Path, budget: int, spare: int = SPARE, free: Callable[[Path], int] = free_bytes
    ) -> None:
        """`budget` is in bytes; with 0 no pictures are stored. `folder` is created with the first picture."""
        self.trouble: Notice | None = None
        self._folder, self._budget, self._spare, self._free = folder, budget, spare, free
        self._sizes: dict[tuple[int, int, int], int] | None = None

    def keep(self, match: int, number: int, *pictures: bytes) -> tuple[Path, ...]:
        """Store the pictures on which event `number` of a match rests; return their paths, or none if that failed.

        This takes as long as the disk does, so it belongs in a worker, one call at a time.
        """
        if not pictures or sum(map(len, pictures)) > self._budget:
            return ()
        try:
            kept = tuple(self._write((match, number, view), data) for view, data in enumerate(pictures, 1))
        except OSError as error:
            where = str(error.filename or self._folder)
            self.trouble = Notice("journal.no_pictures", reason=str(error.strerror), where=where)
            return ()
        self.trouble = None
        return kept

    def pictures_of(self, match: int, number: int) -> tuple[Path, ...]:
        """Return the pictures of an event that still exist."""
        return tuple(sorted(self._of_match(match).glob(f"{number:05}-*.jpg"), key=lambda path: _key(path) or ()))

    def latest(self, match: int, most: int) -> tuple[Path, ...]:
        """Return the last `most` pictures of a match, the latest first."""
        found = sorted(
            (path for path in self._of_match(match).glob("*.jpg") if _key(path)), key=lambda p: _key(p) or ()
        )
        return tuple(reversed(found[-most:]))

    def events(self, match: int) -> tuple[int, ...]:
        """Return the numbers of the events of a match that have pictures, in order. Raises OSError."""
        keys = (_key(path) for path in self._of_match(match).glob("*.jpg"))
        return tuple(sorted({key[1] for key in keys if key is not None}))

    def make_room(self, size: int) -> int:
        """Delete the oldest pictures until `size` bytes are freed, or none is left.

        Returns how many bytes were freed. Raises OSError.
        """
        sizes = self._picture_sizes()
        freed = 0
        for key in sorted(sizes):
            if freed >= size:
                break
            self._path(key).unlink(missing_ok=True)
            freed += sizes.pop(key)
        return freed

    def _write(self, key: tuple[int, int, int], data: bytes) -> Path:
        sizes, path = self._picture_sizes(), self._path(key)
        _make(self._folder)
        self.make_room(sum(sizes.values()) + len(data) - self._budget)
        missing = self._spare + len(data) - self._free(self._folder)
        if self.make_room(missing) < missing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder))
        _make(path.parent)
        draft = path.with_suffix(".part")
        with _open_folder(path.parent) as place:
            try:
                handle = os.open(draft.name, _NEW | no_follow_flag(), 0o666, dir_fd=place)
                with os.fdopen(handle, "wb") as file:
                    give(handle, self._folder)
                    file.write(data)
                    file.flush()
                    # So there is never half a picture under its own name, whenever the power fails.
                    os.fsync(handle)
                os.replace(draft.name, path.name, src_dir_fd=place, dst_dir_fd=place)
            except OSError:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(draft.name, dir_fd=place)
                raise
        sizes[key] = len(data)
        return path

    def _picture_sizes(self) -> dict[tuple[int, int, int], int]:
        """Return the sizes of the existing pictures. Files that a power cut left half written are deleted."""
        if self._sizes is None:
            sizes = {}
            there = self._folder.exists() and not _is_link_elsewhere(self._folder)
            for entry in self._folder.glob("*/*") if there else ():
                if _is_link_elsewhere(entry.parent):
                    continue
                key = _key(entry)
                if key is not None:
                    sizes[key] = entry.stat().st_size
                elif entry.suffix == ".part":
                    entry.unlink(missing_ok=True)
            self._sizes = sizes
        return self._sizes

    def _of_match(self, match: int) -> Path:
        return self._folder / f"{match:06}"

    def _path(self, key: tuple[int, int, int]) -> Path:
        match, number, view = key
        return self._of_match(match) / f"{number:05}-{view}.jpg"


def _make(folder: Path) -> None:
    """Create a folder for the owner of its parent folder."""
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with _open_folder(folder) as handle:
            give(handle, folder.parent)


@contextmanager
def _open_folder(folder: Path) -> Iterator[int]:
    """Return a context manager for the handle of a folder.

    Work with the handle stays in this folder, even if something else is put in its place meanwhile.
    """
    outer = os.open(folder.parent, _FOLDER | (no_follow_flag() if folder.parent.name == FOLDER else 0))
    try:
        inner = os.open(folder.name, _FOLDER | no_follow_flag(), dir_fd=outer)
    finally:
        os.close(outer)
    try:
        yield inner
    finally:
        os.close(inner)


def _is_link_elsewhere(path: Path) -> bool:
    """Return whether the path is a link and this user is root, who must not follow it."""
    return bool(no_follow_flag()) and path.is_symlink()


def _key(path: Path) -> tuple[int, int, int] | None:
    """Return match, event and view from the name of a file; None if it is not a picture of ours."""
    found = _NAME.fullmatch(path.name)
    if found is None or not path.parent.name.isdecimal():
        return None
    return int(path.parent.name), int(found[1]), int(found[2])
