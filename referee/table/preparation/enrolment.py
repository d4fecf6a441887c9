"""Connects an enrolment with buttons, screens, the worker and the presenter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.errors import CannotJudge
from referee.game.match.events import Light
from referee.game.notice import Notice, told_by
from referee.game.tiles import Tile
from referee.table.input.commands import Command, EndTurn, SitDown, Start
from referee.table.input.requests import AddTile, EnrolStep, NameTile
from referee.table.looking.vision_worker import Worker
from referee.table.output.presenter import Presenter
from referee.table.output.signals import Cue
from referee.table.preparation.enrol_sheet import Sheet
from referee.table.preparation.enrol_steps import (
    BEGIN,
    BUSY,
    Enrolling,
    Instruction,
    Learnt,
    Pictured,
    Teacher,
    Wanted,
)
from referee.table.preparation.prepared import BoxShown, Outline, PictureKept
from referee.vision.boxes.batches import tile_at
from referee.vision.boxes.contact_sheet import face_of, pack_picture, unpack_picture
from referee.vision.boxes.enrol import Batch
from referee.vision.sighting import Floats, Image

ENROL = "enrol"
"""The line at the console that begins an enrolment."""
ONLY_BEFORE = Notice("box.only_before")
CANNOT = Notice("box.cannot")
NONE_BEGUN = Notice("box.nothing_asked")


@dataclass(frozen=True, slots=True)
class CroppedPicture:
    """A picture of an enrolment as the worker returns it, with a crop of each tile."""

    came: Pictured
    kept: PictureKept


@dataclass(frozen=True, slots=True)
class _Added:
    """The result of adding a tile to the picture of this index, from 0."""

    number: int
    batch: Batch
    kept: PictureKept
    tile: Tile


@dataclass(frozen=True, slots=True)
class _Brought:
    """The result of an errand, and the enrolment that sent it: by now it may be over, or another may be under way."""

    by: Enrolling
    result: object


class Enrolment:
    """Runs enrolments, at most one at a time."""

    def __init__(self, teacher: Teacher | None, worker: Worker, presenter: Presenter) -> None:
        self._teacher, self._worker, self._presenter = teacher, worker, presenter
        self._under_way: Enrolling | None = None
        self._last: Enrolling | None = None
        """The last enrolment that ended well; its sheet is still shown."""
        self._sheet = Sheet()
        self._told: tuple[Notice, bool] | None = None
        self._failed: Enrolling | None = None
        """The enrolment whose errand has just raised an exception."""

    @property
    def possible(self) -> bool:
        """Whether a box can be enrolled here at all."""
        return self._teacher is not None

    @property
    def under_way(self) -> bool:
        """Whether an enrolment is under way."""
        return self._under_way is not None

    @property
    def screen_view(self) -> BoxShown | None:
        """What a screen shows of the enrolment; None if there is none."""
        one = self._under_way or self._last
        if one is None:
            return None
        told, well = self._told or (None, True)
        return BoxShown(one.tileset, self.under_way, one.busy, len(one.batches), told, well,
                        one.remaining_notice if self.under_way else None, self._sheet.number, self._sheet.tiles(one),
                        self._sheet.crops, self._sheet.pictures)  # fmt: skip

    def begin(self, *, lobby: bool) -> Notice | None:
        """Begin an enrolment; return why that is impossible. `lobby`: whether the table waits for a match."""
        if self._teacher is None or not lobby:
            refused = CANNOT if self._teacher is None else ONLY_BEFORE
            self._presenter.not_now(refused)
            return refused
        if self._under_way is None:
            self._under_way = Enrolling(self._teacher.tileset, self._teacher.table_mm)
            self._last = None
            self._sheet.clear()
            self._say(Instruction(BEGIN))
            self._presenter.play(Cue.LONG)
        return None

    def forget(self) -> None:
        """Remove the sheet, because a match begins and nobody looks at it any more."""
        self._last = None
        self._sheet.clear()

    def stop(self) -> None:
        """Stop the enrolment under way without a result."""
        if self._under_way is not None:
            self._presenter.show_aside(None)
        self._under_way = None

    def handle_command(self, command: Command, now: float) -> bool:
        """Handle a press as part of an enrolment; return False if none is under way, or the press is ignored."""
        one = self._under_way
        if one is None:
            return False
        match command:
            case Start(t, long):
                self._do(one, one.press(long=long), t)
            case SitDown() | EndTurn():
                self._do(one, one.button(), now)
            case _:
                return False
        return True

    def take_line(self, text: str, now: float) -> bool:
        """Handle a line of the console, an answer or a place in a picture; return False if it is neither."""
        one = self._under_way
        if ":" not in text:
            if one is not None:
                self._do(one, one.take_line(text), now)
            return one is not None
        shown = NONE_BEGUN if one is None else one.place_said(text)
        refused = self.add_tile(shown, now) if isinstance(shown, AddTile) else shown
        if refused is not None:
            self._say(Instruction(refused, well=False))
        return True

    def take_step(self, step: EnrolStep, now: float) -> Notice | None:
        """Take a step that somebody on a screen requests before a match; return why that is impossible."""
        if step is EnrolStep.BEGIN:
            return self.begin(lobby=True)
        one = self._under_way
        if one is None:
            return NONE_BEGUN
        if step is EnrolStep.STOP:
            done = one.gives_up()
        elif step is EnrolStep.BACK:
            one.questions.clear()
            one.looks_like = None
            done = one.button()
        else:
            if one.questions:  # who takes another picture, or learns again, has dealt with the questions differently
                one.questions.clear()
            if step is not EnrolStep.LEARN:
                one.looks_like = None
            done = one.learns() if step is EnrolStep.LEARN else one.press(long=False)
        self._do(one, done, now)
        return None if done.well or done.wanted is Wanted.END else done.told

    def name_tile(self, request: NameTile, now: float) -> Notice | None:
        """Handle a name that somebody on a screen gives to a tile; after the end, the box is learnt again with it.

        Returns why that is impossible.
        """
        one = self._under_way or self._last
        if one is None or not self._sheet.has_tile(one, request.batch, request.read):
            return NONE_BEGUN
        if request.tile not in one.tileset.inventory():
            return Notice("box.expected_tile", box=one.tileset.name, found=str(request.tile))
        instruction = one.corrects(request.batch, request.read, request.tile.name)
        if instruction.well and self._under_way is None:
            self._under_way, one.busy = one, True
            instruction = Instruction(None, Wanted.LEARN)
        self._do(one, instruction, now)
        return None if instruction.well else instruction.told

    def add_tile(self, request: AddTile, now: float) -> Notice | None:
        """Add a tile that somebody marks in a picture, or name the one found there; the box must be learnt again then.

        Returns why that is impossible.
        """
        one, teacher = self._under_way, self._teacher
        if one is None or teacher is None or request.batch >= len(one.batches):
            return NONE_BEGUN
        if one.busy:
            return BUSY
        batch, kept, tile = one.batches[request.batch], self._sheet.picture(request.batch), request.tile
        (x, y), (width, height) = request.at_px, kept.size_px
        if not (0 <= x < width and 0 <= y < height):
            return Notice("box.place_outside", picture=request.batch + 1, width=width, height=height, x=round(x),
                          y=round(y))  # fmt: skip
        if tile not in one.tileset.inventory():
            return Notice("box.expected_tile", box=one.tileset.name, found=str(tile))
        found = tile_at(batch.sighting.reads, request.at_px)
        if found is not None:
            refused = self.name_tile(NameTile(request.batch, found, tile), now)
            if refused is None and not one.busy:  # learning reports its own result
                self._say(
                    Instruction(Notice("box.added", picture=request.batch + 1, tile=tile, left=one.remaining_notice))
                )
            return refused
        one.questions.clear()
        one.busy = True
        self._send(one, lambda: _with_tile(teacher, request.batch, batch, kept, request.at_px, tile))
        return None

    def take_result(self, result: object, now: float) -> None:
        """Continue an enrolment with the result of an errand."""
        by, self._failed = self._failed, None
        if isinstance(result, _Brought):
            by, result = result.by, result.result
        one = self._under_way
        if one is None or by is not one:
            return
        self._presenter.show_aside(None)
        match result:
            case _Added(number, batch, kept, tile):
                self._sheet.change(number, kept)
                self._do(one, one.add_tile(number, batch, tile), now)
            case CroppedPicture(came, kept):
                before = len(one.batches)
                instruction = one.take_picture(came)
                if len(one.batches) > before:
                    self._sheet.add(kept)
                self._do(one, instruction, now)
            case Learnt():
                self._sheet.show_learnt_names(result.names)
                self._do(one, one.handle_outcome(result), now)
            case CannotJudge():
                self._do(one, one.take_picture(Pictured(None, (told_by(result),))), now)
            case _:
                self._do(one, one.fail(), now)

    def _say(self, instruction: Instruction) -> None:
        if instruction.told is not None:
            (self._presenter.say if instruction.well else self._presenter.not_now)(instruction.told)
            self._told = instruction.told, instruction.well

    def _do(self, one: Enrolling, instruction: Instruction, t: float) -> None:
        self._say(instruction)
        if instruction.well and instruction.told is not None:
            self._presenter.play(Cue.ACCEPTED if instruction.wanted is Wanted.END else Cue.JOINED)
        self._sheet.keep(len(one.batches))
        teacher = self._teacher
        if instruction.wanted is Wanted.END:
            self.stop()
            self._last = one if instruction.well else None
        elif teacher is not None and instruction.wanted is Wanted.PICTURE:
            number = len(one.batches) + 1
            self._send(one, lambda: _read_and_crop(teacher, self._worker.still_picture(t), number))
        elif teacher is not None and instruction.wanted is Wanted.LEARN:
            batches, named, sure = tuple(one.batches), one.answers, one.sure
            self._send(one, lambda: teacher.learn(batches, named, sure=sure))

    def _send(self, one: Enrolling, errand: Callable[[], object]) -> None:
        """Send an errand for this enrolment to the worker."""

        def finish() -> _Brought:
            try:
                return _Brought(one, errand())
            except Exception:  # it is raised again; this only remembers whose errand failed
                self._failed = one
                raise

        self._presenter.show_aside(Light.LOOKING)
        self._worker.send(finish)


def _read_and_crop(teacher: Teacher, picture: Image, number: int) -> CroppedPicture:
    """Read one picture and crop its tiles; to be called in the worker's thread."""
    came = teacher.picture(picture, number)
    jpeg = pack_picture(picture)
    kept = PictureKept(jpeg, _size(picture)) if came.batch is None else _crop_tiles(picture, jpeg, came.batch)
    return CroppedPicture(came, kept)


def _with_tile(
    teacher: Teacher, number: int, batch: Batch, kept: PictureKept, place_px: tuple[float, float], tile: Tile
) -> _Added:  # fmt: skip
    """Add a tile to a picture that was taken before; to be called in the worker's thread."""
    picture = unpack_picture(kept.jpeg)
    more = teacher.with_tile(batch, picture, place_px, tile)
    return _Added(number, more, _crop_tiles(picture, kept.jpeg, more), tile)


def _crop_tiles(picture: Image, jpeg: bytes, batch: Batch) -> PictureKept:
    """Return a picture with a crop of each tile, and of everything that was taken for no tile."""
    quads = [read.corners_px for read in batch.sighting.reads]
    size = _size(picture)
    shown = (*quads, *batch.passed_px)
    crops = [face_of(picture, quad, "", doubtful=False).crop for quad in shown]
    outlines = tuple(_outline(quad, size) for quad in shown)
    return PictureKept(jpeg, size, tuple(crops[: len(quads)]), tuple(crops[len(quads) :]), outlines)


def _size(picture: Image) -> tuple[int, int]:
    """Return width and height in pixels."""
    return picture.shape[1], picture.shape[0]


def _outline(quad: Floats, size_px: tuple[int, int]) -> Outline:
    """Return corners (4, 2) in pixels as parts of the picture, 0 to 1."""
    width, height = size_px
    return tuple((float(x) / width, float(y) / height) for x, y in quad)
