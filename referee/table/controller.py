"""The controller: dispatches every press, request and look to the part of a running table that handles it.

The loop calls it in its own thread, with one thing at a time. What a press, a request or a look does to the match is
in the parts: `requests` has the dispatch table of all requests, `running_match` applies events to the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.devices.panel.debounce import Told
from referee.devices.wiring.pins import PinMap
from referee.game.match.events import Event, MatchTimeUp, RebuildBegun
from referee.game.match.match_time import match_deadline
from referee.game.match.phases import Phase
from referee.game.match.round import may_begin
from referee.game.notice import Notice
from referee.table.call_pair import CallPair
from referee.table.desk import Desk
from referee.table.held_pair import HeldPair
from referee.table.input.answers import Answer
from referee.table.input.buttons import Buttons
from referee.table.input.commands import Command
from referee.table.input.requests import Request, Sender
from referee.table.lobby import Plan
from referee.table.looking.doubts import as_confirmed, reads_in_doubt, shows_rebuilding
from referee.table.looking.look import Glance, Look, Reread
from referee.table.looking.vision_worker import HandedOver
from referee.table.output.notices import back_after_a_cut
from referee.table.output.signals import Cue
from referee.table.preparation.at_a_screen import AnotherPin, AtAScreen
from referee.table.preparation.enrolment import Enrolment
from referee.table.preparation.lens_steps import LensLearnt, SheetSeen
from referee.table.preparation.prepared import Viewed
from referee.table.presence import Presence
from referee.table.requests import Parts, Requests
from referee.table.reviewing import Reviewing
from referee.table.running_match import RunningMatch
from referee.table.starting import Starting
from referee.table.tile_answers import TileAnswers


class Controller:
    """Receives everything that happens at one table, and passes it to the part that handles it."""

    def __init__(self, match: RunningMatch, plan: Plan, pins: PinMap) -> None:
        """`plan` is what is set for the next match at this table, `pins` are the contacts of its panel."""
        self.match, out = match, match.out
        self._time, self._worker, self._presenter, self._out = match.time, match.worker, match.presenter, out
        self.enrolment = Enrolment(out.teacher, match.worker, match.presenter)
        self._buttons = Buttons(pins, match.session.players(plan.names))
        self._pin = AnotherPin(out.pin, match.presenter, out.monotonic)
        self._preparation = AtAScreen(pins, match.worker, match.presenter, out, self.enrolment, plan.names)
        self.starting = Starting(match, plan, pins, self._buttons, self.enrolment)
        self._reviewing = Reviewing(match)
        self._tile_answers = TileAnswers(match, self._buttons, self.enrolment, self.starting, self._reviewing)
        match.observers = (self._reviewing, self._tile_answers, self.starting)
        self.held_pair = HeldPair(pins, out.power, match.presenter, out.monotonic, self._undo_press)
        self.desk = Desk(match, out.calls, out.lot)
        self.call_pair = CallPair(pins, self.desk, match.presenter, self._undo_press)
        self.held_pair.barred = lambda: self.call_pair.under_way
        self.call_pair.barred = lambda: self.held_pair.under_way
        self.presence = Presence(pins, match.presenter, out.monotonic, out.buttons)
        self._requests = Requests(
            Parts(
                match=match,
                buttons=self._buttons,
                pin=self._pin,
                enrolment=self.enrolment,
                preparation=self._preparation,
                starting=self.starting,
                reviewing=self._reviewing,
                tile_answers=self._tile_answers,
                desk=self.desk,
                presence=self.presence,
            )
        )

    def begin(self) -> None:
        """Get ready for a match, or to continue one."""
        self.desk.begin()
        if self.match.cut:
            self.match.carry_out(self.match.session.back_after_a_cut(self._time.now()))
            self._presenter.say(back_after_a_cut(self.match.state))
            self._worker.set_words(self.match.state.words)
        self._presenter.play(Cue.READY)

    def show(self) -> None:
        """Bring the panel up to date."""
        self._preparation.show(lobby=self.match.state.phase is Phase.LOBBY)
        choosing, lobby = self.starting.who_begins.current_choice(self._out.monotonic()), self.starting.lobby
        shown, players = self.match.session.match_state, self._buttons.players
        self._presenter.show(*shown, players, lobby, choosing, cut=self.match.cut)

    # What people ask for

    @property
    def undecided_since(self) -> float | None:
        """The first edge (monotonic seconds) of a press that may still end the turn; None without one."""
        return self._buttons.undecided_since

    def end_match_time(self, t: float) -> None:
        """Let no new round begin if the time of the match is up at `t`; a choice of who begins ends, too."""
        end = match_deadline(self.match.state)
        if end is None or t < end:
            return
        self.match.apply_event(MatchTimeUp(t))
        if self.match.state.phase is Phase.OVER:
            self.starting.who_begins.stop()

    def handle_contacts(self, contacts: Iterable[Told]) -> None:
        """Handle events of debounced contacts: find out what each means, and carry it out.

        First, an event of a contact is offered to these in order; one that accepts it ends the handling:
        1. two buttons held together, which switch the machine off (`held_pair.py`) or call the director of the hall
           (`call_pair.py`);
        2. a press of start that allows what somebody on a page has asked for (`presence.py`);
        3. start held three times before a match, which sets a new PIN for the page (`preparation/at_a_screen.py`);
        4. a test of the panel (`preparation/at_a_screen.py`), which shows the presses of 1, too.

        Otherwise it means one command or several, or none yet, depending on the match (`input/buttons.py`). Each
        command goes to the first of these that accepts it:
        5. an enrolment of the box (`preparation/enrolment.py`);
        6. the choice of who begins (`who_begins.py`);
        7. the dialogue about a tile that the referee asks about (`tile_answers.py`);
        8. the match, by the rows of the panel in `requests.py`.
        """
        for contact in [contact for contact in contacts if not self._prepares(contact)]:
            for command in self._commands_of(contact):
                self._handle_command(command, contact.t)

    def _handle_command(self, command: Command, t: float) -> None:
        if self.enrolment.handle_command(command, t):
            return
        if self.starting.who_begins.handle_command(command):
            return
        if not self._tile_answers.handle_command(command):
            self._requests.handle(command, Sender.PANEL)

    def _undo_press(self, contact: str, t: float) -> None:
        """Undo what a press has done that began at `t` (monotonic seconds): it was meant for something else."""
        state, match_t = self.match.state, self._time.time_at(t)
        for command in self._buttons.take_out(contact, t, state, match_t):
            self._handle_command(command, t)

    def _prepares(self, contact: Told) -> bool:
        """Return whether one of the steps 1 to 4 accepts the event of a contact."""
        if self.held_pair.handle_contact(contact) or self.call_pair.handle_contact(contact):
            self._preparation.handle_contact(contact)
            return True
        if self.presence.handle_contact(contact):
            return True
        if self.match.state.phase is Phase.LOBBY and self._pin.handle_contact(contact):
            # Stop whatever was begun from the page by somebody with the old PIN.
            self.enrolment.stop()
            self._preparation.end_panel_test()
            return True
        return self._preparation.handle_contact(contact)

    def _commands_of(self, contact: Told) -> tuple[Command, ...]:
        """Return the commands that the event of a contact means in the present state of the match."""
        choosing, begins = self.match.settling.is_choosing, self.starting.who_begins.by_press
        state, t = self.match.state, self._time.time_at(contact.t)
        return self._buttons.commands(contact, state, t, cut=self.match.cut, choosing=choosing, begins=begins)

    def handle_request(self, request: Request | Answer, sender: Sender) -> Notice | None:
        """Carry out a request that does not come from the panel; return None, or why it is impossible."""
        return self._requests.handle(request, sender)

    def apply_event(self, event: Event) -> Notice | None:
        """Apply an event to the match; return None, or why the rules refuse it."""
        return self.match.apply_event(event)

    # What the worker brings

    def handle_errand(self, result: object) -> None:
        """Pass the result of an errand to the part that asked for it. An errand is a function sent to the worker."""
        if isinstance(result, HandedOver):
            return
        if isinstance(result, Reread):
            self._reviewing.offer_reread(result)
        elif isinstance(result, Viewed):
            self._preparation.show_view(result)
        elif isinstance(result, SheetSeen | LensLearnt):
            self._preparation.lens.take_result(result)
        else:
            self.enrolment.take_result(result, self._out.monotonic())

    def handle_glance(self, glance: Glance) -> None:
        """Handle a glance: read a still table ahead of the press, or look again if a table in doubt was changed."""
        self._presenter.show_movement(not self._worker.still(glance))
        if self.match.cut or not self._worker.still(glance) or self._worker.waits:
            return
        now = self._out.monotonic()
        if self.match.state.asked:
            if self.match.questions.wants_look(glance.changes, now):
                self._worker.want(now)
        elif self.match.state.phase is Phase.TURN:
            self._worker.read_ahead(now)

    def handle_look_ahead(self, look: Look) -> None:
        """Handle a look that was taken ahead of a press.

        The first one that shows the table as it was confirmed also shows which other things may lie on and around it.
        """
        state = self.match.state
        if state.phase is Phase.TURN and not self._worker.is_accustomed and as_confirmed(look, state):
            self._worker.accustom(look)
        if (complaint := self.match.complaints.early_complaint(look)) is not None:
            self._presenter.say(complaint)
        if may_begin(state) and shows_rebuilding(look.with_words(state.words), state):
            self.match.apply_event(RebuildBegun(self._time.now()))
        if look.trouble:
            self._worker.ahead_in_vain(self._out.monotonic())

    def handle_look(self, look: Look) -> None:
        """Handle a look that somebody waited for: judge it, or ask the players about it."""
        if self._worker.waits:
            return  # somebody has pressed again meanwhile: only a picture from after that press counts
        state = self.match.state
        if not (state.phase.in_match or self.starting.looks_for_aside):
            return  # the match was ended meanwhile
        # Only the page keeps the pictures from before the press, and deletes them with the next one.
        before, look = look.before, replace(look.with_words(state.words), before=())
        if self._reviewing.handle_look(look):
            return
        self.match.seen = look
        self._presenter.show_look(look)
        self._presenter.show_before(before)
        if self.starting.looks_for_aside:
            doubts, _ = self.match.settling.ask(look, reads_in_doubt(look), again=False)
            self.starting.deal(self._time.now(), () if look.sighting is None else look.sighting.table, doubts)
            return
        if not state.phase.awaits_table or state.in_question is not None:
            return  # the press was taken back meanwhile, or the table was asked about already
        self.match.judge(look)
