"""The project's errors: one base, and leaves that also inherit the builtin a caller would guess."""


class RefereeError(Exception):
    """Anything the referee refuses to do; its text says what was expected, what was found, and where."""


class BadInput(RefereeError, ValueError):
    """An argument, a notation, a name or a file that cannot be used (exit code 2)."""


class UnreadablePicture(RefereeError, OSError):
    """A picture that is missing, truncated, empty, too large or no picture at all (exit code 2)."""


class BadModel(RefereeError, OSError):
    """A model file that is missing or is not the one its description names (exit code 2)."""


class CannotJudge(RefereeError):
    """Nothing in the picture that could be judged (exit code 3)."""


class CameraLost(RefereeError, OSError):
    """A camera that is missing, busy, or gives no picture in time (exit code 2)."""
