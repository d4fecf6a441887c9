"""The pictures of verdicts, and of what was misread, on their way to the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress

import cv2

from referee.cli.programs.failures import Failures
from referee.devices.camera.stills import load_picture
from referee.devices.thread import PATIENCE_S, OneThread
from referee.errors import BadInput, RefereeError
from referee.game.notice import Notice
from referee.journal.files.pictures import Pictures
from referee.table.failure import Failure
from referee.vision.sighting import Image

JPEG_QUALITY = 85
MOST_WAITING = 4
"""Pictures that wait for the disk; each takes as much memory as the camera's picture, up to 36 MB."""

Tell = Callable[[Notice], None]


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
