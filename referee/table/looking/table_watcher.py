"""Watches the table while nobody presses, reads it ahead while it is still, and looks at it after a press.

Everything here blocks, and must be called in the worker's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from referee.devices.camera.camera import Camera, Frame, Gray
from referee.errors import CannotJudge
from referee.game.match.events import About
from referee.game.notice import Notice, told_by
from referee.game.table import Table
from referee.game.tiles import TileSet
from referee.table.looking.exposure import Exposure
from referee.table.looking.known_table import KnownTable, Memory, lesson_of
from referee.table.looking.look import Earlier, Glance, Look, Reread
from referee.table.looking.more_pictures import CombinedSighting, closer, read_closer
from referee.table.looking.pictures_before import PicturesBefore
from referee.table.preparation.light_and_focus import Preparing, Rest
from referee.vision.change.absence import SEVERAL, Lies, without_shadows_outside
from referee.vision.change.motion import STEADY, Mask, Stand, Stillness, close, differs, play_area
from referee.vision.change.occlusion import TopView
from referee.vision.quality import complaint_of
from referee.vision.sighting import Floats, Image, Reader, Sighting

TRIES = 4
"""If something moves in this many pictures in a row, the table is reported as restless. Chosen by hand."""
MORE = 5
"""A weak texture is recognised in the mean of this many pictures despite camera noise. Chosen by hand."""
MOST = 4 * MORE
"""The most pictures whose mean is taken before players are asked. On a plain cloth in a noisy picture (piatnik of
`benchmarks.evenings`, seed 93000005), the table correlates with 0.36 to 0.46 in five, and with at least 0.5 in ten."""
RESTLESS = Notice("play.restless")


@dataclass(frozen=True, slots=True)
class _Ahead:
    look: Look
    close: Image
    changes: int


class TableWatcher:
    """Watches one table with one camera and one reader; must not be used by two threads at once."""

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        tileset: Callable[[], TileSet],
        table_mm: tuple[float, float],
        now: Callable[[], float],
        learn: Callable[[Sighting, int], None] | None = None,
        earlier: Earlier | None = None,
    ) -> None:
        """Watch one table.

        `camera`: the camera, used by this watcher alone. The caller closes it.
        `reader`: reads the pictures.
        `tileset`: returns the box in use; called before every look, because a match that is continued may be played
            with another box than the next one.
        `table_mm`: width and depth of the play area, between the centres of the markers.
        `now`: the clock of the loop, in seconds.
        `learn`: called when nobody waits, with what a confirmed table showed and its picture's width in pixels. None:
            nothing is learnt.
        `earlier`: pictures from before a power cut, read when nobody waits. None: there are none.
        """
        self._camera, self._reader, self._now = camera, reader, now
        self._tileset, self._table_mm = tileset, table_mm
        self._stillness = Stillness()
        self._ahead: _Ahead | None = None
        self._outline: tuple[Floats, tuple[int, int]] | None = None
        """The outline of the play area in a full picture, and the size (height, width) of that picture."""
        self.memory = Memory()
        self._known = KnownTable()
        self._earlier = earlier
        self._told: TopView | None = None
        """The view of the table when players last named tiles that were not found, or when it was accepted since."""
        self._marker_may_hide = False
        self._learn = learn
        self._lesson: tuple[Sighting, int] | None = None
        """What is to be learnt as soon as nobody waits."""
        self._before = PicturesBefore(table_mm)
        self._exposure = Exposure(camera)
        self._preparing = Preparing(camera, self._exposure, now)
        self._stand: Stand | None = None
        """The position of the camera at the last look during which it did not move."""

    def confirm(self, look: Look) -> None:
        """Remember an accepted table: its reads, to recognise tiles that are not moved; its view, to detect covers."""
        self.memory.confirm(look.sighting)
        self._ahead = None
        if look.view is not None:
            self._known.confirm(look.view)
            self._told = look.view

    def take_back(self) -> None:
        """Take note that the table that was accepted last is no longer accepted."""
        self.memory.take_back()
        self._ahead = None

    def note_answers(self, look: Look) -> None:
        """Take note that players have said what lies in the picture of this look."""
        self._told, self._ahead = look.view, None

    def teach(self, look: Look, table: Table) -> None:
        """Let the reader learn from this look once nobody waits; its table was accepted just as it was read."""
        self._lesson = lesson_of(look.plain, look.picture, table)

    def clear(self) -> None:
        """Forget the tiles of the last round, because another round begins."""
        self.memory.clear()
        self._ahead = self._earlier = self._told = None
        self._known.clear()
        self._before.clear()
        self._preparing.begin_round()

    def set_rest(self, rest: Rest) -> None:
        """Set whether anybody's turn runs; may be called in another thread."""
        self._preparing.set_rest(rest)

    def keep_pictures(self, on: bool) -> None:
        """Set whether pictures of the last seconds before a press are kept; may be called in another thread."""
        self._before.keep(on)

    def accustom(self, look: Look) -> None:
        """Accept whatever lies over the table or on a marker in this look."""
        if look.view is not None:
            self._known.accustom(look.view)
        self._marker_may_hide = look.sighting is not None and look.sighting.quality.hand
        self._ahead = None

    @property
    def is_accustomed(self) -> bool:
        """Whether there is a view of the table with which a cover would be detected."""
        return self._known.is_accustomed

    def glance(self) -> Glance:
        """Compare one small picture with the last one; before that, do what was postponed until nobody waits."""
        if self._exposure.settle():
            self._look_again()
        lesson, self._lesson = self._lesson, None
        if lesson is not None and self._learn is not None:
            self._learn(*lesson)
        self._known.catch_up()
        self._recall()
        t = self._now()
        self._watch_motion(preview := self._camera.preview(t), t)
        self._before.add(preview, self._now(), self._outline)
        step = self._preparing.step(preview, self._stillness.changes)
        if step.changed:
            self._look_again()
        return Glance(self._stillness.still_for(self._now()), self._stillness.changes, step.told)

    def _look_again(self) -> None:
        """Drop what was read ahead, because pictures look different from now on although nothing has moved."""
        self._ahead = None
        self._stillness = replace(self._stillness, changes=self._stillness.changes + 1)

    @property
    def ready(self) -> bool:
        """Whether the table was read ahead and has not changed since."""
        return self._ahead is not None and self._ahead.changes == self._stillness.changes

    def read_ahead(self) -> Look:
        """Read the table now, so that after the next press it need only be checked that nothing has moved."""
        before = self._camera.preview(self._now())
        look = self._read(self._now())
        if look.clear and look.view is not None and not self._known.has_view:
            for view in (
                look.view,
                *self._views_of_more_pictures(look, before),
            ):  # the table before anything was laid, most likely
                self._known.recall(view, confirmed=False)
        if look.trouble is None and look.picture is not None:
            self._ahead = _Ahead(look, close(look.picture), self._stillness.changes)
        return look

    def look(self, after: float, known: Look | None = None) -> Look:
        """Look at the table after the moment `after` (monotonic seconds).

        What was read ahead is used only if it was clear and a picture from after that moment looks the same, in
        colour. Otherwise the table is read, and if tiles are in doubt, further pictures are read as well, perhaps with
        other light, before players are asked. The look `known`, with all answers of players, is returned if a new
        picture looks like its own. Any other look comes with the small pictures of the seconds before `after`.
        """
        look = self._look(after, known)
        return look if look is known else replace(look, before=self._before.before(after))

    def _look(self, after: float, known: Look | None) -> Look:
        began = self._now()
        if known is not None and known.picture is not None:
            now = close(self._camera.frame(after).picture)
            if not differs(close(known.picture), now, self._watched_area(now.shape[:2])):
                return known
        ahead = self._ahead
        if ahead is not None and ahead.look.clear and self.ready:
            picture = self._camera.frame(after).picture
            if not differs(ahead.close, now := close(picture), self._watched_area(now.shape[:2])):
                return replace(ahead.look, ahead=True, took_s=self._now() - began)
            self._watch_motion(self._camera.preview(after), self._now())
        return replace(self._read(after, closer_look=True), took_s=self._now() - began)

    def any(self) -> Image:
        """Return the next picture, even if something moves in it."""
        return self._camera.frame(self._now()).picture

    def still(self, after: float) -> Image:
        """Return a picture from after that moment during which nothing moved; raises CannotJudge if there is none."""
        before = self._camera.preview(after)
        for _ in range(TRIES):
            picture = self._camera.frame(after).picture
            preview = self._camera.preview(self._now())
            if not differs(before, preview, self._watched_area(preview.shape[:2])):
                return picture
            before, after = preview, self._now()
        raise CannotJudge(RESTLESS)

    def reread(self, look: Look, number: int) -> Reread:
        """Read a tile of a look once more, in a new picture at full resolution; it may have been moved since."""
        picture = self.still(self._now())
        return Reread.from_look(look, number, self._read_picture(picture))

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()

    def _watch_motion(self, preview: Gray, t: float) -> None:
        self._stillness = self._stillness.after_picture(preview, t, self._watched_area(preview.shape[:2]))

    def _read(self, after: float, *, closer_look: bool = False) -> Look:
        """Read the first picture during which nothing moved; `closer_look`: read further ones if it leaves doubts."""
        before = self._camera.preview(after)
        for _ in range(TRIES):
            frame = self._camera.frame(after)
            preview = self._camera.preview(self._now())
            self._watch_motion(preview, self._now())
            if not differs(before, preview, self._watched_area(preview.shape[:2])):
                look, seen = self._read_frame(frame)
                return self._closer(look, seen, preview) if closer_look and seen is not None else look
            before, after = preview, self._now()
        return self._trouble(RESTLESS)

    def _read_frame(self, frame: Frame) -> tuple[Look, CombinedSighting | None]:
        """Return the look at one picture, and what was seen in it before any doubt was settled."""
        picture = frame.picture
        try:
            sighting = self._read_picture(picture)
            picture, sighting, moved = self._at_rest(picture, sighting)
        except CannotJudge as error:
            if complaint_of(picture) is not None:
                self._preparing.wrong_light()
            return self._trouble(told_by(error), picture), None
        if sighting.outline_px is not None:
            self._outline = sighting.outline_px, picture.shape[:2]
        self._exposure.learn_from(picture, sighting, self._table_mm)
        flagged = sighting.quality.dark or sighting.quality.bright
        if self._exposure.is_out_of_reach or (flagged and not self._exposure.is_due):
            self._preparing.wrong_light()
        seen = CombinedSighting(sighting, picture)
        return replace(self._make_look(seen), moved=moved), seen

    def _read_picture(self, picture: Image) -> Sighting:
        return self._reader.read(picture, self._tileset(), self._table_mm, marked_only=True)

    def _once_more(self, picture: Image) -> Sighting:
        return read_closer(self._reader, picture, self._tileset(), self._table_mm, marked_only=True)

    def _make_look(self, seen: CombinedSighting) -> Look:
        """Return the look for what was seen, after comparing that with the confirmed table."""
        held = self.memory.settle(self._without_bare_places(seen))
        sighting, lost = self._without_marker_doubt(held.sighting), held.lost
        view = TopView.from_sighting(seen.picture, sighting, self._table_mm)
        words = (*held.words, *lost) if sighting.quality.hand else held.words
        look = Look(sighting, seen.picture, changes=self._stillness.changes, view=view, given=held.given, words=words,
                    frames=seen.frames, exposure_due=self._exposure.is_due, plain=seen.sighting)  # fmt: skip
        if view is None:
            return look
        over = self._known.covers_in(view)
        words = (*held.words, *lost) if over else words  # the tile may lie under what covers the table
        look = replace(look, covers=over, places=self._known.places(view), words=words)
        unseen = tuple(word for word in lost if word.about is About.UNSEEN)
        return look.with_standing_tiles(unseen, self._told)

    def _without_bare_places(self, seen: CombinedSighting) -> Sighting:
        """Return what was seen, without reads of places that look as they did when nothing lay there."""
        sighting = without_shadows_outside(seen.sighting)
        if not any(read.bare for read in sighting.reads):
            return sighting
        view = TopView.from_sighting(seen.picture, sighting, self._table_mm)
        return sighting if view is None else self._known.without_bare_places(sighting, view)

    def _recall(self) -> bool:
        """Learn from one picture from before a power cut where tiles lie now; return False if no picture is left."""
        earlier = self._earlier
        picture = None if earlier is None else next(earlier.pictures, None)
        if earlier is None or picture is None:
            self._earlier = None
            return False
        try:
            sighting = self._read_picture(picture)
        except CannotJudge:
            return True  # the camera was being moved, perhaps
        view = TopView.from_sighting(picture, sighting, self._table_mm)
        if view is not None:
            self._known.recall(view, confirmed=earlier.confirmed(sighting.table))
        return True

    def _closer(self, look: Look, first: CombinedSighting, preview: Gray) -> Look:
        """Return the look with more pictures added, if a tile is in doubt or missing and nothing has moved since."""
        if self._earlier is not None and self._earlier.lacks(first.sighting.table):
            while self._recall():
                pass
            look = replace(self._make_look(first), moved=look.moved)
        if not look.unclear:
            return look
        with self._exposure.restore_after():
            seen = closer(first, lambda factor: self._another(first.picture, factor), self._once_more, self._enough)
        if seen.frames == 1:
            return look
        after = self._camera.preview(self._now())
        self._watch_motion(after, self._now())
        if differs(preview, after, self._watched_area(preview.shape[:2])):
            return look
        return self._without_noise(replace(self._make_look(seen), moved=look.moved), preview)

    def _without_noise(self, look: Look, preview: Gray) -> Look:
        """Return the look with undecided places of missing tiles judged again by the mean of ever more pictures."""
        views: list[TopView] = []
        while look.may_be_noise and look.view is not None and len(views) < MOST:
            more = self._views_of_more_pictures(look, preview)
            if len(more) < SEVERAL:
                break
            views += more
            mean = np.asarray(np.mean([view.picture for view in views], axis=0, dtype=np.float32), np.float32)
            again = self._known.places(look.view, mean)
            if [place.tile for place in again] != [place.tile for place in look.places]:
                break  # a round has begun meanwhile
            both = zip(look.places, again, strict=True)
            places = tuple(new if old.lies is Lies.UNTOLD else old for old, new in both)
            look = replace(look, places=places, frames=look.frames + len(more))
        return look

    def _views_of_more_pictures(self, look: Look, preview: Gray) -> list[TopView]:
        """Return views of a look's table in MORE pictures; none if anything has moved since `preview` was taken."""
        views: list[TopView] = []
        self._camera.frame(self._now())  # skipped: it may still have the last picture's exposure
        while len(views) < MORE and look.sighting is not None and look.picture is not None:
            picture = self._another(look.picture)
            view = None if picture is None else TopView.from_sighting(picture, look.sighting, self._table_mm)
            if view is None:
                break
            views.append(view)
        after = self._camera.preview(self._now())
        self._watch_motion(after, self._now())
        return [] if differs(preview, after, self._watched_area(preview.shape[:2])) else views

    def _enough(self, sighting: Sighting) -> bool:
        return not self.memory.hold_known(sighting).sighting.doubts

    def _another(self, first: Image, factor: float | None = None) -> Image | None:
        """Return one more picture of the table; None if something moved, or the picture is the same as `first`."""
        exposed = factor is not None and self._exposure.times(factor)
        before = self._camera.preview(self._now())
        picture = self._camera.frame(self._now()).picture
        preview = self._camera.preview(self._now())
        if differs(before, preview, self._watched_area(preview.shape[:2])):
            return None
        return picture if exposed or not np.array_equal(picture, first) else None

    def _at_rest(self, picture: Image, sighting: Sighting) -> tuple[Image, Sighting, bool]:
        """Return this picture and its sighting; if the camera was moved, the first ones after it has come to rest.

        The last value is whether the camera was moved.
        """
        before, stand = self._stand, Stand.from_sighting(sighting, picture.shape[:2])
        if before is None or stand is None or not stand.differs(before):
            self._stand = before or stand
            return picture, sighting, False
        for _ in range(TRIES):
            picture = self._camera.frame(self._now()).picture
            sighting = self._read_picture(picture)
            after = Stand.from_sighting(sighting, picture.shape[:2])
            if stand is not None and after is not None and not after.differs(stand, STEADY):
                self._stand = after
                return picture, sighting, True
            stand = after
        raise CannotJudge(Notice("play.camera_moves"))

    def _without_marker_doubt(self, sighting: Sighting) -> Sighting:
        """Return the sighting without the doubt about a hidden marker, if that marker may stay hidden."""
        self._marker_may_hide = self._marker_may_hide and sighting.quality.hand
        return replace(sighting, quality=replace(sighting.quality, hand=False)) if self._marker_may_hide else sighting

    def _trouble(self, told: Notice, picture: Image | None = None) -> Look:
        return Look(None, picture, trouble=told, changes=self._stillness.changes)

    def _watched_area(self, size: tuple[int, int]) -> Mask | None:
        """Return the mask of the play area, since movements at the racks beside it do not count; None if unknown."""
        if self._outline is None:
            return None
        outline, full = self._outline
        return play_area(outline, full, size, self._table_mm)
