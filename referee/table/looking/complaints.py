"""When players are told that the picture is a bad one: before what is in doubt for it, and before anybody asks."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.table.looking.look import Look
from referee.vision.complaints import complaint, complaint_of


class Complaints:
    """What was told about the picture last."""

    def __init__(self) -> None:
        self._told: Notice | None = None

    def reason(self, look: Look) -> Notice | None:
        """Why this look, which players are asked about, leaves doubts, if its picture is to blame."""
        self._told = _wrong_with(look)
        return self._told

    def ahead(self, look: Look) -> Notice | None:
        """What to say though nobody waits: only what is new, and what the camera does not put right by itself."""
        found = _wrong_with(look)
        if found is not None and look.exposure_due:
            return None
        news = found != self._told
        self._told = found
        return found if news else None


def _wrong_with(look: Look) -> Notice | None:
    """A bad picture in which all is read beyond doubt is good enough; one in which no table is seen may be dark."""
    if look.sighting is None:
        return None if look.picture is None else complaint_of(look.picture)
    return complaint(look.sighting) if look.sighting.doubts else None
