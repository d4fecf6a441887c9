"""An enrolment between the loop's parts: what buttons, console and worker mean to it, and what people hear of it."""

from __future__ import annotations

from referee.errors import CannotJudge
from referee.game.match.events import Light
from referee.game.notice import Notice, told_by
from referee.runtime.input.commands import Command, EndTurn, SitDown, Start
from referee.runtime.looking.vision_worker import Worker
from referee.runtime.output.presenter import Presenter
from referee.runtime.output.signals import Cue
from referee.runtime.preparation.enrol_steps import BEGIN, Enrolling, Learnt, Pictured, Step, Teacher, Wanted

ENROL = "enrol"
"""The line at the console that begins one."""
ONLY_BEFORE = Notice("box.only_before")
CANNOT = Notice("box.cannot")


class Enrolment:
    """At most one enrolment at a time."""

    def __init__(self, teacher: Teacher | None, worker: Worker, presenter: Presenter) -> None:
        self._teacher, self._worker, self._presenter = teacher, worker, presenter
        self._under_way: Enrolling | None = None

    @property
    def possible(self) -> bool:
        """Whether a box can be enrolled here at all."""
        return self._teacher is not None

    def begin(self, *, lobby: bool) -> None:
        """Somebody wants to enrol the box."""
        if self._teacher is None or not lobby:
            self._presenter.not_now(CANNOT if self._teacher is None else ONLY_BEFORE)
        elif self._under_way is None:
            self._under_way = Enrolling(self._teacher.tileset, self._teacher.table_mm)
            self._presenter.say(BEGIN)
            self._presenter.play(Cue.LONG)

    def heard(self, command: Command, now: float) -> bool:
        """Whether a command belongs to an enrolment under way, which takes it then."""
        one = self._under_way
        if one is None:
            return False
        match command:
            case Start(t, long):
                self._do(one, one.pressed(long=long), t)
            case SitDown() | EndTurn():
                self._do(one, one.button(), now)
            case _:
                return False
        return True

    def said(self, text: str, now: float) -> bool:
        """Whether a line at the console belongs to an enrolment under way."""
        one = self._under_way
        if one is not None:
            self._do(one, one.said(text), now)
        return one is not None

    def came(self, result: object, now: float) -> None:
        """The worker has brought what was asked of it."""
        one = self._under_way
        if one is None:
            return
        self._presenter.aside(None)
        match result:
            case Pictured():
                self._do(one, one.pictured(result), now)
            case Learnt():
                self._do(one, one.learnt(result), now)
            case CannotJudge():
                self._do(one, one.pictured(Pictured(None, (told_by(result),))), now)
            case _:
                self._do(one, one.failed(), now)

    def _do(self, one: Enrolling, step: Step, t: float) -> None:
        if step.told is not None:
            (self._presenter.say if step.well else self._presenter.not_now)(step.told)
        if step.well and step.told is not None:
            self._presenter.play(Cue.ACCEPTED if step.wanted is Wanted.END else Cue.JOINED)
        teacher = self._teacher
        if step.wanted is Wanted.END:
            self._under_way = None
        elif teacher is not None and step.wanted is Wanted.PICTURE:
            number = len(one.batches) + 1
            self._presenter.aside(Light.LOOKING)
            self._worker.send(lambda: teacher.picture(self._worker.still_picture(t), number))
        elif teacher is not None and step.wanted is Wanted.LEARN:
            batches, named = tuple(one.batches), dict(one.named)
            self._presenter.aside(Light.LOOKING)
            self._worker.send(lambda: teacher.learn(batches, named))
