"""The dispatch table of all requests to a running table: who may send each, under which conditions, and its handler.

Every press that is meant for the match, every command of a page, every order of a club and every line at the console
goes through `Requests.handle`, which looks up the row of the request:

1. The request is refused unless it comes from the sender that its row allows.
2. It is refused unless every condition of its row holds.
3. Its handler carries it out and returns None; or returns a notice that says why that is impossible; or returns an
   event, which is then applied to the match.

No request of a club can end a turn for a player or answer a question. If a request of a club or a page is refused,
that is not announced at the table. The rounds of any match can be corrected while this table is running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from referee.errors import BadInput
from referee.game.match.correction import check_correction
from referee.game.match.events import (
    Called,
    Coached,
    Declared,
    Effect,
    Event,
    Insisted,
    Paused,
    Pressed,
    Resumed,
    Withdrawn,
)
from referee.game.match.phases import Phase
from referee.game.match.rummy_call import may_call
from referee.game.notice import Notice, told_by
from referee.journal.errors import JournalError, without_a_game
from referee.table.desk import Desk
from referee.table.desk_values import CallDirector, DismissAnnouncement, HearHall, WithdrawCall
from referee.table.input.answers import Answer
from referee.table.input.buttons import Buttons
from referee.table.input.commands import (
    Begins,
    Call,
    Command,
    EndTurn,
    Insist,
    NotNow,
    SitDown,
    Start,
    TakeBack,
    Trouble,
)
from referee.table.input.requests import (
    AddTile,
    Announce,
    AskPresence,
    BeginDraw,
    BeginMatch,
    CalibrateLens,
    ClubTrouble,
    Configure,
    CorrectOther,
    CorrectRound,
    CountAsItLies,
    Decide,
    DiscardMatch,
    EnrolBox,
    GoOn,
    KeepFailure,
    LeavePresence,
    LogCoach,
    LookAgain,
    LookThrough,
    NameTile,
    NextMatch,
    Pause,
    PlaceTile,
    ReadAgain,
    Request,
    Sender,
    TakePicture,
    TellNews,
    TellTile,
    TryAgain,
    TryPanel,
)
from referee.table.output.signals import Cue
from referee.table.preparation.at_a_screen import ENROLLING, NOT_HERE, AnotherPin, AtAScreen
from referee.table.preparation.enrolment import Enrolment
from referee.table.presence import Presence
from referee.table.reviewing import Reviewing
from referee.table.running_match import RunningMatch
from referee.table.session import Session
from referee.table.starting import Starting
from referee.table.tile_answers import TileAnswers

NOT_AGREED, BUSY = Notice("coach.not_agreed"), Notice("coach.busy")
OTHER_MATCH = Notice("scores.other_match")
"""The match is not the one at the table, so it must be corrected in the journal (`correct_other`)."""
STANDS_SO = Notice("scores.stands_so")
LATE = Notice("scores.late")


def correct_round(
    request: CorrectRound, session: Session, t: float, carry_out: Callable[[Iterable[Effect]], None]
) -> Notice | None:
    """Correct a round of the match at the table, still under way or just over; return why that is impossible."""
    if not _at_the_table(request.match, session):
        return OTHER_MATCH
    if (trouble := _journal_trouble(session, t)) is not None:
        return trouble  # a correction can be made later instead
    state = session.state
    if len(state.sheet.corrections) != request.since:
        return LATE
    try:
        event = check_correction(state, request.event(t))
        if event is None:
            return STANDS_SO
        effects = session.handle(event)
    except BadInput as error:
        return told_by(error)
    carry_out(effects)
    return None


def correct_other(request: CorrectOther, session: Session) -> Notice | None:
    """Correct a match that is not at the table; return why that is impossible."""
    if _at_the_table(request.rows[0].match, session):
        return LATE
    try:
        return None if session.journal.amend(request.rows) else LATE
    except JournalError as error:
        return told_by(without_a_game(error))


def _journal_trouble(session: Session, t: float) -> Notice | None:
    """Return why an event would only be kept in memory, because the disk does not write; None if it does."""
    session.journal.beat(t)
    trouble = session.journal.trouble
    return None if trouble is None else told_by(without_a_game(JournalError(trouble)))


def _at_the_table(match: int, session: Session) -> bool:
    return session.journal.match == match and session.state.phase is not Phase.LOBBY


CLUB_PART = "club"
"""The part of the equipment under which a trouble with the connection to the broker is shown."""
NOT_NOW = Notice("play.not_now")
ONLY_BEFORE = Notice("setup.only_before")
CAMERA_BUSY = Notice("puzzle.camera_busy")
MATCH_UNDER_WAY = Notice("club.match_under_way")
DRAW_IS_OVER = Notice("club.draw_is_over")
PAGE, CLUB, PANEL, CONSOLE, MACHINE = Sender.PAGE, Sender.CLUB, Sender.PANEL, Sender.CONSOLE, Sender.MACHINE

Condition = Callable[[RunningMatch], Notice | None]
"""Returns why a request is impossible in the present state of the match, or None."""
ALWAYS: tuple[Condition, ...] = ()
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Row(Generic[_R]):
    """One row of the dispatch table: the type of a request, its sender, its conditions, and its handler."""

    request: type[_R]
    sender: Sender
    conditions: tuple[Condition, ...]
    handler: Callable[[_R], Event | Notice | None]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a running table that handle requests."""

    match: RunningMatch
    buttons: Buttons
    pin: AnotherPin
    enrolment: Enrolment
    preparation: AtAScreen
    starting: Starting
    reviewing: Reviewing
    tile_answers: TileAnswers
    desk: Desk
    presence: Presence


class Requests:
    """Handles every request by its row in the dispatch table."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._match, self._presenter = parts, parts.match, parts.match.presenter
        self._time, self._monotonic = parts.match.time, parts.match.out.monotonic
        self._rows = {row.request: row for row in self._table()}

    def handle(self, request: Request | Command | Answer, sender: Sender) -> Notice | None:
        """Carry out a request; return None, or why it is impossible."""
        row = self._rows[type(request)]
        if sender is not row.sender:
            return NOT_NOW
        for condition in row.conditions:
            if (refused := condition(self._match)) is not None:
                return refused
        outcome = row.handler(request)
        if outcome is None or isinstance(outcome, Notice):
            return outcome
        return self._match.apply_event(outcome)

    # fmt: off
    def _table(self) -> tuple[Row[Any], ...]:
        """Return all rows. Presses and console lines that belong to a dialogue are handled elsewhere."""
        answers, reviewing, starting = self._parts.tile_answers, self._parts.reviewing, self._parts.starting
        presence = self._parts.presence
        preparation, enrolment, match = self._parts.preparation, self._parts.enrolment, self._match
        desk = self._parts.desk
        no_enrolment, say, time, now = self._no_enrolment, self._presenter.say, self._time, self._monotonic
        rows = (
            # Presses
            Row(EndTurn,       PANEL,   ALWAYS,                        self._end_turn),
            Row(TakeBack,      PANEL,   ALWAYS,                        lambda r: Withdrawn(r.seat, time.time_at(r.t))),
            Row(Insist,        PANEL,   ALWAYS,                        self._insist),
            Row(Call,          PANEL,   ALWAYS,                        self._call),
            Row(SitDown,       PANEL,   ALWAYS,                        self._sit_down),
            Row(Begins,        PANEL,   ALWAYS,                        lambda _: NOT_NOW),  # nobody asks who begins
            Row(Start,         PANEL,   ALWAYS,                        self._press_start),
            Row(NotNow,        PANEL,   ALWAYS,                        lambda r: self._presenter.not_now(r.told)),
            Row(Trouble,       PANEL,   ALWAYS,                        self._report_contact),
            Row(Answer,        CONSOLE, ALWAYS,                        answers.answer_at_console),
            # The last look
            Row(TellTile,      PAGE,    ALWAYS,                        answers.tell_tile),
            Row(PlaceTile,     PAGE,    ALWAYS,                        answers.place_tile),
            Row(ReadAgain,     PAGE,    ALWAYS,                        reviewing.read_again),
            Row(CountAsItLies, PAGE,    ALWAYS,                        reviewing.agree),
            Row(KeepFailure,   PAGE,    ALWAYS,                        reviewing.keep_failure),
            # Score sheets
            Row(CorrectRound,  PAGE,    ALWAYS,                        self._correct_round),
            Row(CorrectOther,  PAGE,    ALWAYS,                        lambda r: correct_other(r, match.session)),
            # The coach and the puzzle
            Row(LogCoach,      PAGE,    (during_match,),               self._log_coach),
            Row(TakePicture,   PAGE,    (while_camera_is_free, no_enrolment), self._take_picture),
            # Preparations: those that need the panel or the camera first put away a match that is over
            Row(LookThrough,   PAGE,    (before_match,),               lambda _: preparation.look_through_camera()),
            Row(TryPanel,      PAGE,    (around_match,),               self._try_panel),
            Row(EnrolBox,      PAGE,    (around_match,),               self._enrol_box),
            Row(NameTile,      PAGE,    (before_match,),               lambda r: enrolment.name_tile(r, now())),
            Row(AddTile,       PAGE,    (before_match,),               lambda r: enrolment.add_tile(r, now())),
            Row(CalibrateLens, PAGE,    (around_match,),               self._calibrate_lens),
            Row(Configure,     PAGE,    (around_match, no_enrolment),  preparation.configure),
            Row(TryAgain,      PAGE,    (around_match, no_enrolment),  preparation.configure),
            Row(Decide,        PAGE,    (before_match,),               lambda _: NOT_HERE),  # nothing is undecided
            Row(BeginMatch,    PAGE,    (before_match, no_enrolment),  lambda _: self._begin_match()),
            Row(NextMatch,     PAGE,    ALWAYS,                        lambda _: starting.put_match_away()),
            Row(DiscardMatch,  PAGE,    (during_match,),               lambda _: starting.discard_match()),
            # A club: a hall, a smart home
            Row(Pause,         CLUB,    (while_clock_runs,),           lambda _: Paused(time.now())),
            Row(GoOn,          CLUB,    (while_paused,),               lambda _: Resumed(time.now())),
            Row(LookAgain,     CLUB,    (while_asking,),               lambda _: Resumed(time.now())),
            Row(Announce,      CLUB,    ALWAYS,                        lambda r: desk.announce(r.text, r.seconds)),
            Row(BeginDraw,     CLUB,    (outside_match, no_enrolment), self._begin_draw),
            Row(ClubTrouble,   CLUB,    ALWAYS,                        self._report_club),
            # The director's desk of the hall
            Row(HearHall,      CLUB,    ALWAYS,                        desk.hear),
            Row(CallDirector,  PAGE,    ALWAYS,                        desk.call),
            Row(WithdrawCall,  PAGE,    ALWAYS,                        lambda _: desk.withdraw()),
            Row(DismissAnnouncement, PAGE, ALWAYS,                     desk.dismiss),
            # The machine
            Row(AskPresence,   PAGE,    ALWAYS,                        lambda r: presence.ask(r, match.state.phase)),
            Row(LeavePresence, PAGE,    ALWAYS,                        presence.leave),
            Row(TellNews,      MACHINE, (around_match,),               lambda r: say(r.told)),
        )
        return rows  # noqa: RET504 - named, so that each handler is checked against the request of its row
    # fmt: on

    def _no_enrolment(self, _: RunningMatch) -> Notice | None:
        return ENROLLING if self._parts.enrolment.under_way else None

    # From the panel --------------------------------------------------------------------------------------------------

    def _end_turn(self, press: EndTurn) -> None:
        match, state, t = self._match, self._match.state, self._time.time_at(press.t)
        if press.seat is None:
            self._presenter.not_now(Notice("play.nobodys_button"))
            return
        if match.cut and state.in_question is not None:
            match.apply_event(Resumed(t))  # repeats the question, which may not have been heard
            return
        if match.session.undeclared and state.phase is Phase.TURN and press.seat == state.current:
            match.apply_event(Declared(press.seat, t))  # the press confirms what was asked
        refused = match.apply_event(Pressed(press.seat, t, press.long), after=press.t)
        (self._parts.buttons.note_accepted if refused is None else self._parts.buttons.note_refused)(press)

    def _insist(self, press: Insist) -> Notice | None:
        return self._match.apply_event(Insisted(press.seat, self._time.time_at(press.t)), after=press.t)

    def _call(self, press: Call) -> Called | None:
        # A long press that cannot be a call is ignored: most are just a little slow.
        called = Called(press.seat, self._time.now())
        return called if may_call(self._match.state, called.player, called.t) else None

    def _sit_down(self, press: SitDown) -> None:
        self._parts.starting.sit_down(press.button, long=press.long)

    def _press_start(self, press: Start) -> Notice | None:
        self._parts.buttons.note_accepted(press)
        return self._parts.starting.press_start(press.t, long=press.long, has_pin=self._parts.pin.possible)

    def _report_contact(self, trouble: Trouble) -> None:
        self._presenter.trouble(trouble.contact, trouble.told, self._match.state)

    # From pages ------------------------------------------------------------------------------------------------------

    def _correct_round(self, request: CorrectRound) -> Notice | None:
        return correct_round(request, self._match.session, self._time.now(), self._match.carry_out)

    def _log_coach(self, request: LogCoach) -> Coached | Notice:
        state = self._match.state
        if not state.coach or state.rules.knocking is not None:
            return NOT_AGREED
        if (trouble := _journal_trouble(self._match.session, self._time.now())) is not None:
            return trouble  # what is not written down is not told
        return Coached(request.laid, self._time.now(), state.current if state.phase.in_round else None)

    def _take_picture(self, request: TakePicture) -> Notice | None:
        return None if self._match.worker.hand_over_picture(request.take, self._monotonic()) else BUSY

    def _try_panel(self, request: TryPanel) -> Notice | None:
        if request.name is None:  # this ends a test; after a match no test can be running
            if (refused := before_match(self._match)) is None:
                self._parts.preparation.end_panel_test()
            return refused
        self._parts.starting.put_match_away()
        return self._parts.preparation.try_panel(request.name)

    def _enrol_box(self, request: EnrolBox) -> Notice | None:
        self._parts.starting.put_match_away()
        return self._parts.enrolment.take_step(request.step, self._monotonic())

    def _calibrate_lens(self, request: CalibrateLens) -> Notice | None:
        self._parts.starting.put_match_away()
        return self._parts.preparation.calibrate_lens(request.step)

    def _begin_match(self) -> Notice | None:
        self._parts.preparation.end_panel_test()
        return self._parts.starting.begin_match()

    # From clubs ------------------------------------------------------------------------------------------------------

    def _begin_draw(self, request: BeginDraw) -> Notice | None:
        """Begin the match of a draw, as from a screen but with other players; check everything first."""
        try:
            plan = self._parts.starting.plan_of_draw(request)
        except BadInput as error:
            return told_by(error)
        state, setup = self._match.state, self._match.session.setup
        ended = state.phase is Phase.OVER and (setup.draw, setup.rules) == (request.draw, plan.setup.rules)
        if ended and tuple(seat.name for seat in state.seats) == plan.names:
            return DRAW_IS_OVER  # a hall that was cut off may ask again before it knows the result
        self._parts.starting.wait_for_match(plan, Notice("club.begun", playing=plan.names))
        self._presenter.play(Cue.LONG)
        return self._begin_match()

    def _report_club(self, trouble: ClubTrouble) -> None:
        self._presenter.trouble(CLUB_PART, trouble.told, self._match.state, quiet=True)


# When ----------------------------------------------------------------------------------------------------------------


def before_match(match: RunningMatch) -> Notice | None:
    """Refuse unless the table waits for the players of a match."""
    return None if match.state.phase is Phase.LOBBY else ONLY_BEFORE


def around_match(match: RunningMatch) -> Notice | None:
    """Refuse unless it is before a match, or after one that is over."""
    return None if match.state.phase in (Phase.LOBBY, Phase.OVER) else ONLY_BEFORE


def while_camera_is_free(match: RunningMatch) -> Notice | None:
    """Refuse while a match is under way, because that needs the camera."""
    return CAMERA_BUSY if match.state.phase.in_match else None


def during_match(match: RunningMatch) -> Notice | None:
    """Refuse unless a match is under way."""
    return None if match.state.phase.in_match else NOT_NOW


def outside_match(match: RunningMatch) -> Notice | None:
    """Refuse while a match is under way, with the notice for a hall."""
    return MATCH_UNDER_WAY if match.state.phase.in_match else None


def while_clock_runs(match: RunningMatch) -> Notice | None:
    """Refuse except during a turn whose clock runs."""
    return None if match.state.phase is Phase.TURN else NOT_NOW


def while_paused(match: RunningMatch) -> Notice | None:
    """Refuse except during a pause; after a power cut the match can be continued only at the table."""
    return None if match.state.phase is Phase.PAUSED and not match.cut else NOT_NOW


def while_asking(match: RunningMatch) -> Notice | None:
    """Refuse unless the referee is asking about tiles that it could not read."""
    state = match.state
    return None if state.asked and state.phase.awaits_table and state.in_question is None else NOT_NOW
