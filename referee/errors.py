"""The errors of the project. All derive from RefereeError, most also from the built-in exception that fits."""

from __future__ import annotations

import enum


class RefereeError(Exception):
    """The base class of all errors. The text says what was expected, what was found, and where."""


class BadInput(RefereeError, ValueError):
    """An argument, a notation, a name or a file that cannot be used (exit code 2)."""


class UnreadablePicture(RefereeError, OSError):
    """A picture that is missing, truncated, empty, too large or no picture at all (exit code 2)."""


class BadModel(RefereeError, OSError):
    """A model file that is missing, or is not the one that its description names (exit code 2)."""


class MissingCatalogue(RefereeError, OSError):
    """A catalogue of sentences that has not been compiled (exit code 2)."""


class CannotJudge(RefereeError):
    """The picture contains nothing that can be judged (exit code 3)."""


class Loss(enum.Enum):
    """Why a camera is lost. What to do about it depends on this."""

    ABSENT = "absent"
    """There is no camera, or it has nothing to show."""
    BUSY = "busy"
    """Another program is using the camera."""
    SILENT = "silent"
    """The camera is open, but no picture comes in time."""
    STUCK = "stuck"
    """A process that uses the camera hangs in the kernel and cannot be ended. Only a reboot, or cutting the power,
    frees the camera."""
    UNUSABLE = "unusable"
    """The camera cannot be used as it is set up, for instance because its software is missing or too old. Trying again
    does not help."""
    LOST = "lost"
    """Any other reason."""


class CameraLost(RefereeError, OSError):
    """A camera that is missing, busy, or gives no picture in time (exit code 4; 2 if its software is missing)."""

    def __init__(self, told: object, kind: Loss = Loss.LOST) -> None:
        """`told` is the message: a text, or a notice (`referee.game.notice`) if it may be shown to players."""
        super().__init__(told)
        self.kind = kind
