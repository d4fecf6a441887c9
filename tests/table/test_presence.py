"""A press of start that allows what somebody on a page asks for: whose press, when, and that it means nothing else."""

import asyncio

import pytest
from virtual_evening import NO_START_BUTTON, Evening

from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.input.requests import AskPresence, LeavePresence, PendingRequest, Sender
from referee.table.presence import LASTS_S, REST_S, SEEN_S, UNANSWERED

WHAT = Notice("presence.asked", what=Notice("presence.to_backup"))
ASKED = "Somebody with a phone wants to download a backup"
RED, GREEN = "red", "green"


class Buttons:
    """Counts the presses of real buttons that it is told of."""

    def __init__(self) -> None:
        self.presses = 0

    def were_pressed(self) -> None:
        self.presses += 1


class Asking:
    """Somebody on a page who asks, and waits for the answer."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.answers = evening, []

    async def send(self, request) -> Notice | None:
        told = []
        self.evening.loop.request(PendingRequest(request, Sender.PAGE, told.append))
        while not told:
            await asyncio.sleep(0)
        return told[0]

    def answered(self, allowed: bool) -> None:
        self.answers.append(allowed)

    async def ask(self, wait: float = SEEN_S + 0.5) -> Notice | None:
        refused = await self.send(AskPresence(WHAT, self.answered))
        await self.evening.wait(wait)
        return refused

    async def leave(self) -> None:
        await self.send(LeavePresence(self.answered))
        await self.evening.wait(0.1)


def lamps_while_waiting(evening: Evening, since: float) -> set[frozenset[str]]:
    return {moment.lit for t, moment in evening.panel.history if t > since}


def test_start_allows_it_once_and_begins_no_match():
    async def script(evening):
        asking = Asking(evening)
        began = evening.time.time()
        assert await asking.ask() is None
        assert evening.said[-1].startswith(ASKED)
        # Red and green in turn, and never anything else.
        assert {frozenset(lit) for lit in lamps_while_waiting(evening, began + 0.1)} == {
            frozenset({RED}),
            frozenset({GREEN}),
        }
        assert evening.panel.history[-1][1].text == "START?"
        await evening.start()
        assert (asking.answers, evening.said[-1]) == ([True], "It is allowed.")
        assert (evening.state.phase, evening.lit) == (Phase.LOBBY, frozenset())
        await evening.start()
        assert (asking.answers, evening.state.phase) == ([True], Phase.TURN)

    Evening().play(script)


def test_a_long_press_of_start_allows_it_as_well_and_is_no_part_of_a_new_pin():
    async def script(evening):
        asking = Asking(evening)
        await asking.ask()
        await evening.press("pause", hold=1.0)
        assert asking.answers == [True]
        assert evening.state.phase is Phase.LOBBY

    Evening().play(script)


def test_a_press_that_began_before_anybody_could_notice_means_what_it_always_does():
    async def script(evening):
        asking = Asking(evening)
        await asking.ask(wait=SEEN_S / 2)
        await evening.start()
        assert evening.state.phase is Phase.TURN
        assert asking.answers == [False]  # the match goes on, so it is no longer asked for
        assert evening.said[-1].startswith("It was not allowed")

    Evening().play(script)


def test_a_press_on_a_screen_allows_nothing():
    async def script(evening):
        asking = Asking(evening)
        await asking.ask()
        await evening.touch("pause", "down")
        await evening.touch("pause", "up")
        await evening.wait(0.5)
        assert True not in asking.answers

    Evening(touched=True).play(script)


def test_a_panel_of_a_page_has_nothing_to_press():
    async def script(evening):
        assert await Asking(evening).ask() == Notice("presence.no_buttons")

    Evening(pins=PinMap(kind="page"), touched=True).play(script)


def test_without_a_start_button_any_button_does():
    async def script(evening):
        asking = Asking(evening)
        await asking.ask()
        await evening.press(2)
        assert asking.answers == [True]
        assert evening.loop.controller.starting.lobby.joined == frozenset()  # nobody has sat down

    Evening(pins=NO_START_BUTTON).play(script)


def test_with_a_start_button_no_other_one_does():
    async def script(evening):
        asking = Asking(evening)
        await asking.ask()
        await evening.press(2)
        assert asking.answers == []
        assert evening.loop.controller.starting.lobby.joined == frozenset({1})

    Evening().play(script)


def test_during_a_turn_nobody_is_asked_and_in_a_pause_start_does_not_end_it():
    async def script(evening):
        asking = Asking(evening)
        await evening.start()
        assert await asking.ask(wait=0.0) == Notice("presence.not_during_turn")
        await evening.press("pause")
        assert evening.state.phase is Phase.PAUSED
        assert await asking.ask() is None
        await evening.press("pause")
        assert (asking.answers, evening.state.phase) == ([True], Phase.PAUSED)
        await evening.press("pause")
        assert evening.state.phase is Phase.TURN

    Evening().play(script)


def test_one_thing_is_asked_for_at_a_time_and_only_who_asked_ends_it():
    async def script(evening):
        first, second = Asking(evening), Asking(evening)
        await first.ask()
        assert await second.ask() == Notice("presence.other")
        await second.leave()
        assert first.answers == []
        await first.leave()
        assert (first.answers, second.answers) == ([False], [])
        assert evening.said[-1].startswith("It is no longer wanted")
        assert await second.ask() is None

    Evening().play(script)


def test_after_a_minute_it_is_not_allowed_and_who_insists_must_rest():
    async def script(evening):
        asking = Asking(evening)
        for _ in range(UNANSWERED):
            assert await asking.ask(wait=LASTS_S - 1) is None
            assert False not in asking.answers
            await evening.wait(2.0)
            assert asking.answers.pop() is False
        assert await asking.ask(wait=0.0) == Notice("presence.rests")
        await evening.wait(REST_S)
        assert await asking.ask() is None
        await evening.start()
        assert asking.answers == [True]

    Evening().play(script)


class Power:
    """A machine that nobody switches off here."""

    going = None

    def end_soon(self, how):
        raise AssertionError(how)


def test_start_and_the_first_players_button_held_together_are_the_pair_and_allow_nothing():
    async def script(evening):
        asking = Asking(evening)
        await asking.ask()
        for contact in (PAUSE, "button-1"):
            evening.panel.edge(contact, True)
            await evening.wait(0.05)
        await evening.wait(1.0)
        for contact in (PAUSE, "button-1"):
            evening.panel.edge(contact, False)
        await evening.wait(0.3)
        assert evening.loop.controller.starting.lobby.joined == frozenset()
        assert asking.answers == []

    made = Evening()
    made.replace_parts(power=Power())
    made.play(script)


def test_a_loop_that_ends_allows_nothing():
    asked = []

    async def script(evening):
        asked.append(Asking(evening))
        await asked[0].ask()

    Evening().play(script)
    assert asked[0].answers == [False]


@pytest.mark.parametrize("touched", [True, False])
def test_only_presses_of_real_buttons_prove_that_there_are_some(touched):
    buttons = Buttons()

    async def script(evening):
        await evening.touch("pause", "down")
        await evening.touch("pause", "up")
        await evening.wait(0.3)
        assert buttons.presses == 0
        await evening.press(1)
        assert buttons.presses > 0

    made = Evening(touched=touched)
    made.replace_parts(buttons=buttons)
    made.play(script)
