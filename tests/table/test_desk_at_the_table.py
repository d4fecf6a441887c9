"""What a table does with the director's desk: signals of the round's time, its own call, announcements, the panel."""

import pytest
from virtual_evening import NO_START_BUTTON, ONE_FOR_ALL, Evening

from referee.club.table_side.call_file import CALL_FILE, CallFile
from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.call_pair import CallPair, call_pair_of
from referee.table.desk_values import (
    CallDirector,
    CallHeard,
    CallState,
    DismissAnnouncement,
    HallClock,
    HearHall,
    OwnCall,
    WithdrawCall,
)
from referee.table.held_pair import pair_of
from referee.table.input.requests import Announce, PendingRequest, Sender
from referee.table.output.audience import PartialAudience
from referee.table.output.signals import TUNES, Cue

UP = "The time is up. Finish this turn, and begin no new round."
WARNED = "5 minutes are left for this round."
CALLED, STOPPED = "The director has been called.", "The director has been called, and the clock is stopped."


class Screen(PartialAudience):
    shown = None

    def on_desk(self, shown):
        self.shown = shown


class AtTable(Evening):
    """A table of a club; `folder` has the file of its call. Its club's side speaks through `hears`."""

    def __init__(self, folder, **how):
        self.screen = Screen()
        super().__init__(audience=self.screen, **how)
        self.calls = CallFile(folder)
        self.replace_parts(calls=self.calls)

    @property
    def shown(self):
        return self.screen.shown

    async def ask(self, request, sender=Sender.PAGE):
        answers = []
        self.loop.request(PendingRequest(request, sender, answers.append))
        await self.wait(0.1)
        return answers[0]

    async def hears(self, *, listens=True, left=None, number=1, warn=300.0, stands=False, answer=None):
        clock = None
        if left is not None:
            clock = HallClock(number, left, None if stands else self.time.time() + left, warn)
        assert await self.ask(HearHall(listens, clock, answer), Sender.CLUB) is None

    def times(self, sentence):
        return self.said.count(sentence)


def heard(table, cue):
    return TUNES[cue][0][0] in table.tones()


async def in_a_turn(table):
    await table.start()
    await table.wait(3.0)
    assert table.state.phase is Phase.TURN


def test_players_are_warned_once_and_told_once_that_the_time_is_up_and_the_match_goes_on(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears(left=400.0)
        await table.wait(90)
        assert (table.times(WARNED), table.times(UP)) == (0, 0)
        await table.wait(20)
        assert (table.times(WARNED), table.times(UP)) == (1, 0)
        await table.hears(left=0.05)  # the hall has told it anew meanwhile
        await table.wait(5)
        assert (table.times(WARNED), table.times(UP)) == (1, 1)
        assert heard(table, Cue.ROUND_TIME_UP)
        assert table.state.phase.in_match
        await table.hears(left=0.0)
        await table.wait(60)
        assert table.times(UP) == 1

    AtTable(tmp_path).play(script)


def test_the_signals_come_although_the_hall_is_away(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears(left=310.0)
        clock = table.shown.clock
        assert await table.ask(HearHall(False, clock), Sender.CLUB) is None
        await table.wait(320)
        assert (table.times(WARNED), table.times(UP)) == (1, 1)

    AtTable(tmp_path).play(script)


def test_a_clock_that_is_paused_gives_no_signal_and_more_time_is_told(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears(left=10.0, stands=True, warn=0.0)
        await table.wait(30)
        assert table.times(UP) == 0
        await table.hears(left=610.0, number=2, warn=0.0)
        assert table.said[-1] == "The director has changed the time: 11 minutes are left."
        await table.wait(620)
        assert table.times(UP) == 1

    AtTable(tmp_path).play(script)


def test_who_comes_when_the_time_is_up_already_hears_no_signal(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears(left=0.0)
        await table.wait(10)
        assert table.times(UP) == 0
        assert table.shown.clock.left_at(table.time.time()) == 0

    AtTable(tmp_path).play(script)


def test_before_a_match_there_is_no_turn_to_finish(tmp_path):
    async def script(table):
        await table.hears(left=5.0)
        await table.wait(10)
        assert table.times(UP) == 0

    AtTable(tmp_path).play(script)


def test_a_call_is_stored_shown_and_its_clock_stopped_if_wanted(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears()
        assert await table.ask(CallDirector("rules", "May the joker go there?", stops=True)) is None
        assert table.state.phase is Phase.PAUSED
        assert table.said[-1] == STOPPED
        call = table.shown.call
        assert (call.reason, call.text, call.stopped) == ("rules", "May the joker go there?", True)
        assert table.calls.load() == call
        assert await table.ask(CallDirector()) == Notice("desk.called_already")
        await table.hears(answer=CallHeard(call.id, CallState.WAITING, 2))
        assert (table.shown.state, table.shown.place) == (CallState.WAITING, 2)
        await table.hears(answer=CallHeard(call.id, CallState.COMING, who="Maya"))
        assert table.said[-1] == "The director is coming: Maya."
        await table.hears(answer=CallHeard(call.id, CallState.COMING, who="Maya"))
        assert table.times("The director is coming: Maya.") == 1
        await table.hears(answer=CallHeard(call.id, is_over=True))
        assert table.said[-1] == "The director has closed the call. Press start to go on."
        assert (table.shown.call, table.calls.load()) == (None, None)
        await table.press("pause")
        assert table.state.phase is Phase.TURN

    AtTable(tmp_path).play(script)


def test_a_call_that_stops_nothing_lets_the_clock_run(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears()
        assert await table.ask(CallDirector(stops=False)) is None
        assert (table.state.phase, table.said[-1], table.shown.call.stopped) == (Phase.TURN, CALLED, False)

    AtTable(tmp_path).play(script)


def test_without_a_hall_that_listens_nobody_is_called(tmp_path):
    async def script(table):
        assert await table.ask(CallDirector(stops=True)) == Notice("desk.nobody_listens")
        await table.hears(listens=False)
        assert await table.ask(CallDirector()) == Notice("desk.nobody_listens")
        assert (table.shown.call, (tmp_path / CALL_FILE).exists()) == (None, False)

    AtTable(tmp_path).play(script)


def test_a_table_without_a_club_has_nobody_to_call():
    async def script(table):
        answers = []
        table.loop.request(PendingRequest(CallDirector(), Sender.PAGE, answers.append))
        await table.wait(0.1)
        assert answers == [Notice("desk.no_club")]

    Evening().play(script)


def test_a_call_is_withdrawn_at_the_table(tmp_path):
    async def script(table):
        assert await table.ask(WithdrawCall()) == Notice("desk.not_called")
        await table.hears()
        await table.ask(CallDirector())
        assert await table.ask(WithdrawCall()) is None
        assert (table.shown.call, table.calls.load()) == (None, None)

    AtTable(tmp_path).play(script)


def test_a_call_survives_the_end_of_the_program_even_with_a_file_half_written(tmp_path):
    CallFile(tmp_path).keep(OwnCall("call-1", "late", "Ben", True))

    async def script(table):
        assert table.shown.call == OwnCall("call-1", "late", "Ben", True)
        await table.hears(answer=CallHeard("call-1", CallState.COMING))
        assert table.shown.state is CallState.COMING

    AtTable(tmp_path).play(script)
    (tmp_path / CALL_FILE).write_bytes(b'{"id": "call')
    assert CallFile(tmp_path).load() is None


def test_an_answer_to_another_call_changes_nothing(tmp_path):
    async def script(table):
        await table.hears()
        await table.ask(CallDirector())
        await table.hears(answer=CallHeard("an older one", is_over=True))
        assert table.shown.call is not None

    AtTable(tmp_path).play(script)


def test_an_announcement_is_said_and_goes_after_its_time_or_when_dismissed(tmp_path):
    async def script(table):
        await table.ask(Announce("The buffet is open.", 60), Sender.CLUB)
        assert table.said[-1] == "The hall says: The buffet is open."
        assert table.shown.announcement.text == "The buffet is open."
        await table.wait(61)
        assert table.shown.announcement is None
        await table.ask(Announce("One.", 60), Sender.CLUB)
        first = table.shown.announcement.number
        await table.ask(Announce("Two."), Sender.CLUB)
        await table.ask(DismissAnnouncement(first))
        assert table.shown.announcement.text == "Two."
        await table.ask(DismissAnnouncement(table.shown.announcement.number))
        assert table.shown.announcement is None

    AtTable(tmp_path).play(script)


async def hold(table, *contacts, seconds, apart=0.05):
    for contact in contacts:
        table.panel.edge(contact, True)
        await table.wait(apart)
    await table.wait(seconds)
    for contact in contacts:
        table.panel.edge(contact, False)
    await table.wait(0.2)


LAST = PinMap().contacts[-2]


@pytest.mark.parametrize("order", [(LAST, PAUSE), (PAUSE, LAST)], ids=["start last", "start first"])
def test_start_and_the_last_button_held_call_and_held_again_withdraw(tmp_path, order):
    async def script(table):
        await in_a_turn(table)
        await table.hears()
        await hold(table, *order, seconds=CallPair.hold_s + 0.2)
        assert table.said[-1] == STOPPED
        assert table.state.phase is Phase.PAUSED
        assert any(said.startswith("Hold both buttons for 2 more seconds to call") for said in table.said)
        await hold(table, *order, seconds=CallPair.hold_s + 0.2)
        assert table.shown.call is None
        assert table.state.phase is Phase.PAUSED

    assert "given-up" not in AtTable(tmp_path).play(script).rows


def test_whoever_lets_go_before_has_called_nobody_and_the_turn_goes_on(tmp_path):
    async def script(table):
        await in_a_turn(table)
        await table.hears()
        await hold(table, PAUSE, LAST, seconds=1.5)
        assert table.said[-1] == "The director was not called."
        assert (table.state.phase, table.state.current) == (Phase.TURN, 0)
        assert table.state.clock.is_running

    AtTable(tmp_path).play(script)


def test_at_the_panel_it_is_told_when_nobody_listens(tmp_path):
    async def script(table):
        await hold(table, PAUSE, LAST, seconds=CallPair.hold_s + 0.2)
        assert table.said[-1].startswith("The hall is not connected")

    AtTable(tmp_path).play(script)


def test_the_gesture_is_another_one_than_that_which_switches_off_and_needs_start_and_two_players():
    assert call_pair_of(PinMap()) == {PAUSE, LAST} != pair_of(PinMap())
    assert call_pair_of(NO_START_BUTTON) == call_pair_of(ONE_FOR_ALL) == frozenset()
