"""The camera's picture for somebody who sets the table up, before a match, with what is missing in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import RefereeError
from referee.game.notice import Notice, told_by
from referee.table.preparation.prepared import Inspection, Remark
from referee.vision.sighting import Image

EVERY_S = 1.0
"""However many look, a picture is taken no more often."""

Inspect = Callable[[Image], Inspection]


@dataclass(frozen=True, slots=True)
class Viewed:
    """What the worker brings of one look through the camera."""

    seen: Inspection


def look_through(frame: Callable[[], Image], inspect: Inspect) -> Viewed:
    """Look through the camera; belongs into the worker's thread, and raises nothing: what went wrong is a remark."""
    try:
        return Viewed(inspect(frame()))
    except RefereeError as error:
        return Viewed(Inspection((Remark("wrong", told_by(error)),)))
    except Exception as error:  # noqa: BLE001 - nobody's match ends because somebody looks at a picture
        why = f"{type(error).__name__}: {error}"
        return Viewed(Inspection((Remark("wrong", Notice("play.stumbled_over", error=why)),)))
