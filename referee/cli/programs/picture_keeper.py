"""Saving pictures: those of verdicts, and those of misread tiles, which are kept for training.

Pictures of misread tiles are kept beside the journal, and only if people have asked for that.
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
from referee.journal.tile_places import PlacedSets, with_places
from referee.table.looking.look import Failure
from referee.vision.sighting import Image

FOLDER = "failures"
MOST, MOST_BYTES = 200, 500_000_000
"""The most failures that are kept, and the most bytes of them; the oldest are deleted first."""
MISREAD_JPEG_QUALITY = 95
A_PLACE = "a place for a failure"
JPEG_QUALITY = 85
MOST_WAITING = 4
"""The most pictures that wait for the disk; each takes as much memory as the camera's picture, up to 36 MB."""
Tell = Callable[[Notice], None]


class Failures:
    """A folder with a numbered picture and JSON file for each failure."""

    def __init__(self, folder: Path, most: int = MOST, most_bytes: int = MOST_BYTES) -> None:
        """`folder` is created with the first failure."""
        self._folder, self._most, self._most_bytes = folder, most, most_bytes
        self._last: tuple[weakref.ref[Image], int, bytes] | None = None
        """The last picture that was kept, its number, and its JSON text."""

    def keep(self, failure: Failure) -> None:
        """Save a failure, which waits for the disk; raises BadInput if it cannot be written or is not valid JSON.

        A picture that was just saved is not saved again; only its JSON file is updated.
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
        # The JSON file is written last, so that it always has its picture.
        write_whole(self._folder / f"{number:06}.json", text, A_PLACE)
        self._last = weakref.ref(failure.picture), number, text

    def _number_if_kept(self, picture: Image) -> int | None:
        """Return the number of this picture if it is the last one that was kept, otherwise None."""
        last = self._last
        return last[1] if last is not None and last[0]() is picture else None

    def _keep_picture(self, picture: Image, more: int) -> int:
        """Save a picture, together with which `more` bytes will be written; return its number."""
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
        """Delete the oldest failures until one of this size fits; return the number of the next one."""
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
    """Saves the pictures of verdicts in its own thread, so that the disk delays neither a lamp nor the end."""

    def __init__(self, pictures: Pictures, tell: Tell, patience_s: float = PATIENCE_S) -> None:
        self._pictures, self._tell = pictures, tell
        self._thread = OneThread("pictures", patience_s)
        self._begun: list[Future[None]] = []
        self._behind = False

    def keep(self, match: int, number: int, picture: Image, places: PlacedSets = ()) -> None:
        """Queue a picture to be saved, with the places of its tiles.

        If the disk is too slow it is dropped, which is reported once.
        """
        if not self._unwritten():
            self._behind = False
        if len(self._begun) <= MOST_WAITING:
            self._begun.append(self._thread.submit(self._write, match, number, picture, places))
        elif not self._behind:
            self._behind = True
            self._tell(Notice("journal.pictures_too_slow"))

    def keep_failure(self, failures: Failures, tell: Tell, failure: Failure) -> None:
        """Queue a failure to be saved, and report the outcome; `tell` may be called in any thread."""
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
        """Yield the last pictures of a match, the newest first; each is loaded only when it is requested."""
        for path in self._pictures.latest(match, most):
            with suppress(RefereeError, OSError):
                yield load_picture(path)

    def close(self) -> None:
        """Wait some time for the last pictures to be saved."""
        self._thread.shutdown(wait=True)
        if left := self._unwritten():
            self._tell(Notice("journal.pictures_unwritten", left=left))

    def _unwritten(self) -> int:
        self._begun = [one for one in self._begun if not one.done()]
        return len(self._begun)

    def _write(self, match: int, number: int, picture: Image, places: PlacedSets) -> None:
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
        before = self._pictures.trouble
        self._pictures.keep(match, number, with_places(data, places))
        trouble = self._pictures.trouble
        if trouble is not None and trouble != before:
            self._tell(trouble)
