"""The project's errors: one base, and leaves that also inherit the builtin a caller would guess."""

from __future__ import annotations

import enum


class RefereeError(Exception):
    """Anything the referee refuses to do; its text says what was expected, what was found, and where."""


class BadInput(RefereeError, ValueError):
    """An argument, a notation, a name or a file that cannot be used (exit code 2)."""


class UnreadablePicture(RefereeError, OSError):
    """A picture that is missing, truncated, empty, too large or no picture at all (exit code 2)."""


class BadModel(RefereeError, OSError):
    """A model file that is missing or is not the one its description names (exit code 2)."""


class MissingCatalogue(RefereeError, OSError):
    """A catalogue of sentences that nobody has compiled (exit code 2)."""


class CannotJudge(RefereeError):
    """Nothing in the picture that could be judged (exit code 3)."""


class Loss(enum.Enum):
    """Why a camera is lost; what to do depends on it."""

    ABSENT = "absent"
    """There is none, or nothing to show."""
    BUSY = "busy"
    """Another program has it."""
    SILENT = "silent"
    """It is open, but gives no picture in time."""
    STUCK = "stuck"
    """It hangs in the kernel, in a process that nothing ends: only without power it comes back."""
    UNUSABLE = "unusable"
    """What drives it is missing or too old: trying again mends nothing."""
    LOST = "lost"
    """Anything else."""


class CameraLost(RefereeError, OSError):
    """A camera that is missing, busy, or gives no picture in time (exit code 4; 2 where its software is missing)."""

    def __init__(self, told: object, kind: Loss = Loss.LOST) -> None:
        """`told` is a text, or a notice (`referee.game.notice`) where players may be told."""
        super().__init__(told)
        self.kind = kind
