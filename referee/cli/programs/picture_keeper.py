"""The pictures of verdicts on their way to the disk, and those of misread tiles, which are kept for training.

A misread picture is kept beside the journal, and only where people have said so.
"""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

import cv2

from referee.devices.camera.stills import load_picture
from referee.devices.thread import PATIENCE_S, OneThread
from referee.devices.whole_file import write_whole
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.pictures import SPARE, Pictures, free_bytes
from referee.table.looking.look import Failure
from referee.vision.sighting import Image

FOLDER = "failures"
MOST, MOST_BYTES = 200, 500_000_000
"""How many are kept, and how many bytes of them; the oldest go first."""
MISREAD_JPEG_QUALITY = 95
A_PLACE = "a place for a failure"
JPEG_QUALITY = 85
MOST_WAITING = 4
"""Pictures that wait for the disk; each takes as much memory as the camera's picture, up to 36 MB."""
Tell = Callable[[Notice], None]


class Failures:
    """A folder with a picture and a JSON file for each failure, numbered."""

    def __init__(self, folder: Path, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        """`folder` is made when the first failure comes."""
        self._folder, self._most, self._most_bytes = folder, most, most_bytes
        self._last: tuple[weakref.ref[Image], int, bytes] | None = None
        """The picture that was kept last, its number, and what was known of it."""

    def keep(self, failure: Failure) -> None:
        """Keep one more. Slow as the disk is; raises BadInput where it cannot be written, or is no JSON.

        A picture that was kept just before is not kept twice: what is known of it by now is.
        """
        try:
            text = json.dumps(failure.told, ensure_ascii=False, indent=1, allow_nan=False).encode()
        except ValueError as error:
            raise BadInput(f"expected a failure that JSON can hold, found: {error}") from error
        number = self._number_if_kept(failure.picture)
        if number is not None and self._last is not None and self._last[2] == text:
            return
        if number is None:
            number = self._keep_picture(failure.picture, len(text))
        # What is known of a picture comes last: a JSON file always has its picture.
        write_whole(self._folder / f"{number:06}.json", text, A_PLACE)
        self._last = weakref.ref(failure.picture), number, text

    def _number_if_kept(self, picture: Image) -> int | None:
        """The number under which this very picture was kept just before."""
        last = self._last
        return last[1] if last is not None and last[0]() is picture else None

    def _keep_picture(self, picture: Image, more: int) -> int:
        """Keep a picture that this many bytes belong to; gives its number."""
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, MISREAD_JPEG_QUALITY])
        if not done:
            raise BadInput("expected a picture that JPEG can hold, found another one")
        size = len(data) + more
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            number = self._make_room(size)
            if free_bytes(self._folder) < SPARE + size:
                raise BadInput(f"expected room for a failure, found none ({self._folder})")
        except OSError as error:
            raise BadInput(f"expected a folder for failures, found: {error.strerror} ({self._folder})") from error
        write_whole(self._folder / f"{number:06}.jpg", data.tobytes(), A_PLACE)
        return number

    def _make_room(self, size: int) -> int:
        """Drop the oldest until one of that size fits; gives the number of the next."""
        sizes: dict[int, int] = {}
        for path in sorted(self._folder.glob("*.j*")):
            if path.stem.isdecimal():
                sizes[int(path.stem)] = sizes.get(int(path.stem), 0) + path.stat().st_size
        following = max(sizes, default=0) + 1
        while sizes and (len(sizes) >= self._most or sum(sizes.values()) + size > self._most_bytes):
            oldest = min(sizes)
            del sizes[oldest]
            for path in self._folder.glob(f"{oldest:06}.j*"):
                path.unlink(missing_ok=True)
        return following


class PictureKeeper:
    """Keeps the pictures of verdicts in a thread of its own, so that no disk delays a lamp, or the end."""

    def __init__(self, pictures: Pictures, tell: Tell, patience_s: float = PATIENCE_S) -> None:
        self._pictures, self._tell = pictures, tell
        self._thread = OneThread("pictures", patience_s)
        self._begun: list[Future[None]] = []
        self._behind = False

    def keep(self, match: int, number: int, picture: Image) -> None:
        """Keep a picture soon; where the disk does not keep up it is left out, and that is told once."""
        if not self._unwritten():
            self._behind = False
        if len(self._begun) <= MOST_WAITING:
            self._begun.append(self._thread.submit(self._write, match, number, picture))
        elif not self._behind:
            self._behind = True
            self._tell(Notice("journal.pictures_too_slow"))

    def keep_failure(self, failures: Failures, tell: Tell, failure: Failure) -> None:
        """Keep what was misread soon, and tell when that was done; `tell` may be called in any thread."""
        if self._unwritten() <= MOST_WAITING:
            self._begun.append(self._thread.submit(self._write_failure, failures, tell, failure))
        else:
            tell(Notice("play.failure_not_kept"))

    @staticmethod
    def _write_failure(failures: Failures, tell: Tell, failure: Failure) -> None:
        try:
            failures.keep(failure)
        except BadInput:
            tell(Notice("play.failure_not_kept"))
        else:
            tell(Notice("play.failure_kept"))

    def latest(self, match: int, most: int) -> Iterator[Image]:
        """The pictures of a match that were kept last, the latest first, each loaded once it is asked for."""
        for path in self._pictures.latest(match, most):
            with suppress(RefereeError, OSError):
                yield load_picture(path)

    def close(self) -> None:
        """Wait a while for the last pictures."""
        self._thread.shutdown(wait=True)
        if left := self._unwritten():
            self._tell(Notice("journal.pictures_unwritten", left=left))

    def _unwritten(self) -> int:
        self._begun = [one for one in self._begun if not one.done()]
        return len(self._begun)

    def _write(self, match: int, number: int, picture: Image) -> None:
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        before = self._pictures.trouble
        self._pictures.keep(match, number, data)
        trouble = self._pictures.trouble
        if trouble is not None and trouble != before:
            self._tell(trouble)
