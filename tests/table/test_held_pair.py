"""Two buttons held together for five seconds switch the machine off; nothing less does, and no match is harmed."""

from concurrent.futures import Future

import pytest
from virtual_evening import Evening

from referee.devices.system.power import Going
from referee.devices.wiring.pins import PAUSE, PinMap
from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.table.held_pair import HOLD_S, pair_of
from referee.table.output.signals import TUNES, Cue

KEEP, STAYS, OFF = "Hold both buttons for 4 more seconds", "The machine stays on.", "The machine is shutting down."
FIRST, START = "button-1", PAUSE
TICK = TUNES[Cue.COUNT][0][0]


class Power:
    """The power of a machine that is asked, and answers at once, or only when a test says so."""

    def __init__(self, refused: Notice | None = None, *, answers: bool = True) -> None:
        self.going: Going | None = None
        self.asked: list[Going] = []
        self.refused, self.answers = refused, answers
        self.answer: Future[Notice | None] = Future()

    def end_soon(self, how: Going) -> Future[Notice | None]:
        self.asked.append(how)
        self.going = None if self.refused is not None else how
        if self.answers:
            self.answer.set_result(self.refused)
        return self.answer


def evening(power: Power | None, **how) -> Evening:
    made = Evening(**how)
    made.replace_parts(power=power)
    return made


async def hold(evening: Evening, *contacts: str, seconds: float, apart: float = 0.05) -> None:
    """Press contacts one shortly after the other, and let go of all of them after so many seconds."""
    for contact in contacts:
        evening.panel.edge(contact, True)
        await evening.wait(apart)
    await evening.wait(seconds)
    for contact in contacts:
        evening.panel.edge(contact, False)
    await evening.wait(0.2)


def texts(evening: Evening) -> list[str]:
    found = []
    for _, moment in evening.panel.history:
        if not found or found[-1] != moment.text:
            found.append(moment.text)
    return found


@pytest.mark.parametrize("order", [(FIRST, START), (START, FIRST)], ids=["start last", "start first"])
def test_before_a_match_both_held_for_five_seconds_switch_off(order):
    power = Power()

    async def script(evening):
        began = evening.time.time()
        await hold(evening, *order, seconds=HOLD_S + 0.2)
        assert power.asked == [Going.OFF]
        assert next(said for said in evening.said if said.startswith((KEEP, OFF))).startswith(KEEP)
        assert evening.said[-1].startswith(OFF)
        assert evening.tones(began).count(TICK) >= 4
        assert [text for text in texts(evening) if text][-4:] == ["4", "3", "2", "1"]
        assert evening.state.phase is Phase.LOBBY
        assert evening.loop.controller.starting.lobby.joined == frozenset()  # nobody has sat down

    played = evening(power).play(script)
    assert played.rows == []
    # At the end the lamps are out, and the last tune has been played to its end.
    assert played.panel.history[-1][1].lit == frozenset()
    assert played.tones()[-3:] == [note for note, _ in TUNES[Cue.OFF]]


@pytest.mark.parametrize("seconds", [0.2, 0.9, 2.5, 4.7])
def test_whoever_lets_go_before_has_changed_nothing(seconds):
    power = Power()

    async def script(evening):
        await hold(evening, START, FIRST, seconds=seconds)
        assert power.asked == []
        assert (STAYS in evening.said) is (seconds > 1)
        assert evening.state.phase is Phase.LOBBY
        assert evening.loop.controller.starting.lobby.joined == frozenset()
        await evening.start()  # presses mean what they meant before
        assert evening.state.phase is Phase.TURN

    evening(power).play(script)


@pytest.mark.parametrize("contacts", [(FIRST, START), (START, FIRST)], ids=["start last", "start first"])
@pytest.mark.parametrize("seconds", [1.5, HOLD_S + 0.2])
def test_during_a_turn_the_match_stays_as_it_was_and_the_clock_runs(contacts, seconds):
    power = Power()

    async def script(evening):
        await evening.start()
        await evening.wait(3.0)
        before = evening.state
        assert (before.phase, before.current) == (Phase.TURN, 0)
        await hold(evening, *contacts, seconds=seconds)
        assert power.asked == ([Going.OFF] if seconds > HOLD_S else [])
        after = evening.state
        assert (after.phase, after.current, after.seats, after.sheet) == (
            Phase.TURN, before.current, before.seats, before.sheet
        )  # fmt: skip
        assert after.clock.is_running
        await evening.wait(60.0)  # its end is not put off by a press that nobody has made
        assert evening.state.current == 1

    evening(power).play(script)


def test_in_a_pause_it_switches_off_without_ending_the_match():
    power = Power()

    async def script(evening):
        await evening.start()
        await evening.wait(3.0)
        await evening.press("pause")
        assert evening.state.phase is Phase.PAUSED
        await hold(evening, START, FIRST, seconds=HOLD_S + 0.2)
        assert (evening.state.phase, power.asked) == (Phase.PAUSED, [Going.OFF])
        await evening.press("pause")
        assert evening.state.phase is Phase.TURN

    assert "given-up" not in evening(power).play(script).rows


def test_while_the_referee_looks_it_can_be_switched_off():
    power = Power()

    async def script(evening):
        await evening.start()
        await evening.wait(3.0)
        evening.sight.table = ()
        await hold(evening, FIRST, START, seconds=HOLD_S + 0.2, apart=0.3)
        assert power.asked == [Going.OFF]

    evening(power).play(script)


def test_two_presses_that_are_apart_are_two_presses():
    power = Power()

    async def script(evening):
        await hold(evening, FIRST, START, seconds=HOLD_S + 1, apart=0.7)
        assert power.asked == []

    evening(power).play(script)


async def tap(evening: Evening, contact: str) -> None:
    """Press a contact for a tenth of a second, and wait until that is known."""
    evening.panel.edge(contact, True)
    await evening.wait(0.1)
    evening.panel.edge(contact, False)
    await evening.wait(0.05)


@pytest.mark.parametrize(
    ("contacts", "kinds"),
    [((FIRST, START), ["pressed", "paused"]), ((START, FIRST), ["paused"])],
    ids=["start last", "start first"],
)
def test_a_tap_on_one_and_soon_after_on_the_other_are_two_presses(contacts, kinds):
    """Somebody ends their turn, and at once somebody pauses: the first button is not held any more."""

    async def script(evening):
        await evening.start()
        await evening.wait(3.0)
        for contact in contacts:
            await tap(evening, contact)
        await evening.wait(1.0)

    played = evening(Power()).play(script)
    assert [kind for kind in played.rows if kind not in ("match", "started", "seen")] == kinds


def test_a_third_button_does_not_matter_and_other_pairs_do_nothing():
    power = Power()

    async def script(evening):
        await hold(evening, "button-1", "button-2", seconds=HOLD_S + 1)
        assert power.asked == []
        await hold(evening, "button-2", START, seconds=HOLD_S + 1)
        assert power.asked == []

    evening(power).play(script)


def test_a_refusal_is_told_and_everything_goes_on():
    power = Power(Notice("system.not_allowed"))

    async def script(evening):
        await hold(evening, START, FIRST, seconds=HOLD_S + 1)
        assert evening.said[-1].startswith("The machine does not let the referee do that.")
        await evening.start()
        assert evening.state.phase is Phase.TURN

    played = evening(power).play(script)
    assert [note for note, _ in TUNES[Cue.OFF]] != played.tones()[-3:]


def test_an_answer_that_comes_late_is_told_too():
    power = Power(Notice("system.no_answer"), answers=False)

    async def script(evening):
        await hold(evening, START, FIRST, seconds=HOLD_S + 1)
        assert len(power.asked) == 1
        power.answer.set_result(power.refused)
        await evening.wait(0.5)
        assert evening.said[-1].startswith("The machine did not answer.")

    evening(power).play(script)


def test_what_the_page_has_asked_for_is_told_at_the_table():
    power = Power()

    async def script(evening):
        power.going = Going.RESTART
        await evening.wait(6.0)
        assert evening.said[-1].startswith("The machine is restarting.")

    evening(power).play(script)


def test_without_power_the_buttons_mean_what_they_mean():
    async def script(evening):
        await evening.start()
        await evening.wait(3.0)
        await hold(evening, START, FIRST, seconds=HOLD_S + 1)
        assert evening.state.phase is Phase.PAUSED

    evening(None).play(script)


@pytest.mark.parametrize(
    ("contacts", "kinds"),
    [((FIRST, START), ["pressed", "withdrawn"]), ((START, FIRST), ["paused", "resumed"])],
    ids=["start last", "start first"],
)
def test_the_journal_has_what_the_first_press_did_and_that_it_was_undone(contacts, kinds):
    async def script(evening):
        await evening.start()
        await evening.wait(3.0)
        await hold(evening, *contacts, seconds=HOLD_S + 0.2)

    played = evening(Power()).play(script)
    assert [kind for kind in played.rows if kind not in ("match", "started", "seen")] == kinds


@pytest.mark.parametrize(
    ("pins", "pair"),
    [(PinMap(), {FIRST, START}), (PinMap(pause_button=None), {FIRST, "button-2"}),
     (PinMap(turn_buttons=(5,)), {"button-all", START}), (PinMap(turn_buttons=(5,), pause_button=None), set())],
    ids=["start", "no start", "one for all", "one button"],
)  # fmt: skip
def test_which_buttons_they_are(pins, pair):
    assert pair_of(pins) == pair
