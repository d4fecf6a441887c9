"""Looks at the table: watched while nobody presses, read ahead while it is still, confirmed after the press.

Everything here blocks, and belongs into one worker thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from referee.devices.camera import Camera, Frame, Gray
from referee.errors import CannotJudge
from referee.game.tiles import TileSet
from referee.vision.covering import Cover, View, covers
from referee.vision.fuse import with_confirmed
from referee.vision.moved import STEADY, Stand
from referee.vision.places import Bare, Lies, Place, places
from referee.vision.sighting import Floats, Image, Read, Sighting
from referee.vision.still import Mask, Stillness, close, differs, play_area

TRIES = 4
"""Pictures taken before a table that does not come to rest is called restless."""


class Reader(Protocol):
    """Whatever makes a sighting of a picture; raises CannotJudge where it is no picture of a table."""

    def read(
        self, picture: Image, tileset: TileSet | None, table_mm: tuple[float, float], *, marked_only: bool
    ) -> Sighting:
        """What lies on the table in `picture`; with `marked_only` one without markers is refused."""


@dataclass(frozen=True, slots=True)
class Look:
    """The answer to a press: what lies there, the picture behind it, and why it cannot be judged, if so."""

    sighting: Sighting | None
    picture: Image | None
    ahead: bool = False
    trouble: str | None = None
    changes: int = 0
    """How often anything had moved by then."""
    covers: tuple[Cover, ...] = ()
    """What lies over the table, as far as an earlier look shows it without."""
    places: tuple[Place, ...] = ()
    """Where tiles lay that cannot be found, as far as an earlier look shows them."""
    view: View | None = None
    moved: bool = False
    """Whether the camera hangs otherwise than at the look before; it is followed."""

    @property
    def clear(self) -> bool:
        """Whether all of the table was seen and read beyond doubt."""
        seen = self.sighting
        return seen is not None and not (
            self.trouble
            or self.covers
            or any(place.lies is not Lies.NOTHING for place in self.places)
            or seen.doubts
            or seen.quality.hand
        )


@dataclass(frozen=True, slots=True)
class Glance:
    """What watching tells: seconds without a change, and how often anything has moved so far."""

    still_s: float
    changes: int


@dataclass(frozen=True, slots=True)
class _Ahead:
    look: Look
    close: Image
    changes: int


class Looker:
    """One camera, one reader, one table; not to be used by two threads at once."""

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        tileset: Callable[[], TileSet],
        table_mm: tuple[float, float],
        now: Callable[[], float],
    ) -> None:
        """`tileset` is asked before every look: a match that goes on may be played with another box than the next."""
        self._camera, self._reader, self._now = camera, reader, now
        self._tileset, self._table_mm = tileset, table_mm
        self._stillness = Stillness()
        self._ahead: _Ahead | None = None
        self._outline: tuple[Floats, tuple[int, int]] | None = None
        """The play area in a full picture of that size (height, width)."""
        self._confirmed: tuple[Read, ...] = ()
        self._before: View | None = None
        """By this one covers are noticed: the table as confirmed, or with what was let stay over it."""
        self._known: View | None = None
        """The table as it was confirmed."""
        self._bare: Bare | None = None
        self._bare_due: list[View] = []
        """What is to be added to it when nobody waits for it."""
        self._marker_may_hide = False
        self._stand: Stand | None = None
        """How the camera hung at the last look at which it was at rest."""

    def confirm(self, look: Look) -> None:
        """The table of this look was accepted: its reads help with tiles that are not moved, the view with covers."""
        self._confirmed = () if look.sighting is None else look.sighting.reads
        self._ahead = None
        if look.view is not None:
            self._before = self._known = look.view
            self._bare_due = [*self._bare_due[-1:], look.view]

    def clear(self) -> None:
        """A round begins, and nothing of the last one lies where it lay."""
        self._confirmed, self._ahead = (), None
        self._before = self._known = self._bare = None
        self._bare_due = []

    def accustom(self, look: Look) -> None:
        """Whatever lies over the table or on a marker in this look may stay there."""
        if look.view is not None:
            self._before = look.view
            if self._known is None:
                self._known, self._bare_due = look.view, [look.view]
        self._marker_may_hide = look.sighting is not None and look.sighting.quality.hand
        self._ahead = None

    @property
    def accustomed(self) -> bool:
        """Whether there is a view of the table by which a cover would be noticed."""
        return self._before is not None

    def glance(self) -> Glance:
        """One small picture, compared with the one before."""
        t = self._now()
        self._watched(self._camera.preview(t), t)
        return Glance(self._stillness.still_for(self._now()), self._stillness.changes)

    @property
    def ready(self) -> bool:
        """True where the table as it lies has been read ahead."""
        return self._ahead is not None and self._ahead.changes == self._stillness.changes

    def read_ahead(self) -> Look:
        """Read the table now, so that the next press need only confirm that nothing has moved."""
        look = self._read(self._now())
        if look.trouble is None and look.picture is not None:
            self._ahead = _Ahead(look, close(look.picture), self._stillness.changes)
        return look

    def look(self, after: float) -> Look:
        """What lies on the table after the moment `after` (monotonic seconds).

        What was read ahead stands only where a picture from after that moment shows it again, in colour; what was in
        doubt is always read anew.
        """
        ahead = self._ahead
        if ahead is not None and ahead.look.clear and self.ready:
            picture = self._camera.frame(after).picture
            if not differs(ahead.close, now := close(picture), self._within(now.shape[:2])):
                return replace(ahead.look, ahead=True)
            self._watched(self._camera.preview(after), self._now())
        return self._read(after)

    def close(self) -> None:
        """Let go of the camera."""
        self._camera.close()

    def _watched(self, preview: Gray, t: float) -> None:
        self._stillness = self._stillness.seen(preview, t, self._within(preview.shape[:2]))

    def _read(self, after: float) -> Look:
        """Read the first picture during which nothing moved."""
        before = self._camera.preview(after)
        for _ in range(TRIES):
            frame = self._camera.frame(after)
            preview = self._camera.preview(self._now())
            self._watched(preview, self._now())
            if not differs(before, preview, self._within(preview.shape[:2])):
                return self._understood(frame)
            before, after = preview, self._now()
        return self._trouble("Something moves on the table; please take your hands away.")

    def _understood(self, frame: Frame) -> Look:
        picture = frame.picture
        try:
            sighting = self._reader.read(picture, self._tileset(), self._table_mm, marked_only=True)
            picture, sighting, moved = self._at_rest(picture, sighting)
        except CannotJudge as error:
            return self._trouble(str(error), picture)
        if sighting.outline_px is not None:
            self._outline = sighting.outline_px, picture.shape[:2]
        sighting = self._settled(sighting)
        view = View.of(picture, sighting, self._table_mm)
        look = Look(sighting, picture, changes=self._stillness.changes, view=view, moved=moved)
        before, known = self._before, self._known  # a round may begin meanwhile
        if view is None or before is None:
            return look
        due, self._bare_due = self._bare_due, []
        for shown in due:
            self._bare = Bare.after(self._bare, shown)
        over = covers(before, view, () if self._bare is None else self._bare.layers)
        return replace(look, covers=over, places=() if known is None else places(known, view, self._bare))

    def _at_rest(self, picture: Image, sighting: Sighting) -> tuple[Image, Sighting, bool]:
        """The same, or the first picture in which a camera that was moved hangs as in the one before."""
        before, stand = self._stand, Stand.of(sighting, picture.shape[:2])
        if before is None or stand is None or not stand.differs(before):
            self._stand = before or stand
            return picture, sighting, False
        for _ in range(TRIES):
            picture = self._camera.frame(self._now()).picture
            sighting = self._reader.read(picture, self._tileset(), self._table_mm, marked_only=True)
            after = Stand.of(sighting, picture.shape[:2])
            if stand is not None and after is not None and not after.differs(stand, STEADY):
                self._stand = after
                return picture, sighting, True
            stand = after
        raise CannotJudge("The camera moves; please let it come to rest.")

    def _settled(self, sighting: Sighting) -> Sighting:
        """Without the doubts that the last confirmed table settles, or that somebody has settled."""
        sighting = with_confirmed(sighting, self._confirmed)
        self._marker_may_hide = self._marker_may_hide and sighting.quality.hand
        return replace(sighting, quality=replace(sighting.quality, hand=False)) if self._marker_may_hide else sighting

    def _trouble(self, text: str, picture: Image | None = None) -> Look:
        return Look(None, picture, trouble=text, changes=self._stillness.changes)

    def _within(self, size: tuple[int, int]) -> Mask | None:
        """Where to watch: what players do with their racks beside the table is no change of it."""
        if self._outline is None:
            return None
        outline, full = self._outline
        return play_area(outline, full, size, self._table_mm)
