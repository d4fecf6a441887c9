"""After a power cut: what was pending comes again, nothing goes on before somebody starts it, every book goes on."""

import copy

import numpy as np
import pytest
from cutting import Cut, Cutter, again, journal_after, resumed, state_of, told_since
from virtual_evening import NO_START_BUTTON, OPENING

from referee.game.match.events import Declared, Pressed, Started, TakeLook
from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.game.table import tiles_on
from referee.sim.match import BareTable, Habits, people_for
from referee.table.looking.vision_worker import Watch

TORN = parse_table("R10 B10 | K10 K11")
HABITS = Habits(slips=0.2, time_outs=0.05, thinks_s=(2.0, 5.0))
SELDOM = Watch(every_s=1.0)
EVENTS, TAILS = 50, 8
LONGEST_S = 4000.0


async def looks_in_vain(evening):
    await evening.start()
    evening.sight.lost = True
    evening.sight.table = OPENING
    await evening.press(1)


async def is_asked(evening):
    await evening.start()
    await evening.lay(OPENING)
    evening.look_anew()
    evening.sight.doubtful = 1
    await evening.press(1)


async def runs_out_of_time(evening):
    await evening.start()
    await evening.lay(OPENING)
    await evening.press(1)
    await evening.press(2)
    await evening.lay(TORN)
    await evening.wait(62)


async def goes_out(evening):
    await evening.start()
    await evening.lay(parse_table("R1 R2 R3 R4 R5 R6 R7 | B1 B2 B3 B4 B5 B6 B7"))
    await evening.press(1)


def test_a_look_under_way_is_taken_again(tmp_path):
    async def after(evening):
        await evening.wait(5)
        assert evening.state.phase is Phase.LOOKING
        await evening.start()
        assert evening.state.current == 1
        assert evening.state.table == OPENING

    resumed(tmp_path, looks_in_vain, Phase.LOOKING, after)


def test_a_question_is_asked_again_and_not_before_somebody_starts(tmp_path):
    async def after(evening):
        evening.sight.doubtful = 1
        await evening.wait(5)
        assert evening.state.phase is Phase.ASKING
        assert not any("I cannot see" in text for text in evening.said)
        await evening.start()
        assert any("I cannot see this clearly: the red 10 in the picture: 10 or 1?" in text for text in evening.said)
        evening.sight.table = (OPENING[0][::-1],)
        await evening.wait(3)
        assert evening.state.current == 1

    resumed(tmp_path, is_asked, Phase.ASKING, after)


def test_what_must_be_put_right_is_told_again(tmp_path):
    async def after(evening):
        await evening.start()
        assert evening.state.phase is Phase.PUTTING_RIGHT
        assert "Take the black 11 into your hand." in evening.said
        await evening.lay(OPENING)
        await evening.press(1)
        assert evening.state.current == 1

    resumed(tmp_path, runs_out_of_time, Phase.PUTTING_RIGHT, after)


def test_a_hand_to_be_shown_is_asked_for_again(tmp_path):
    async def after(evening):
        await evening.start()
        assert "Ben, lay your hand (14 tiles) face up on the table and press." in evening.said

    resumed(tmp_path, goes_out, Phase.SHOWING, after)


def test_everybody_hears_how_many_tiles_to_hold(tmp_path):
    async def before(evening):
        await evening.start()
        await evening.press(1)

    made = resumed(tmp_path, before, Phase.TURN, lambda evening: evening.wait(1))
    assert any("Anna should hold 15 tiles and Ben should hold 14 tiles" in text for text in made.said)


@pytest.mark.parametrize("before", [looks_in_vain, is_asked, runs_out_of_time, goes_out])
def test_without_a_start_button_a_long_press_goes_on(tmp_path, before):
    async def begun(evening):
        async def start():
            await evening.press(1, hold=1.0)

        evening.start = start
        await before(evening)

    async def after(evening):
        asked = evening.sight.pictures
        await evening.press(1, hold=1.0)
        assert evening.sight.pictures > asked or "lay your hand (14 tiles)" in evening.said[-1]
        assert not evening.loop.controller.match.cut

    phases = {looks_in_vain: Phase.LOOKING, is_asked: Phase.ASKING, runs_out_of_time: Phase.PUTTING_RIGHT,
              goes_out: Phase.SHOWING}  # fmt: skip
    resumed(tmp_path, begun, phases[before], after, pins=NO_START_BUTTON)


@pytest.mark.parametrize("rules", ["rummikub", "gin"])
def test_without_a_start_button_a_match_is_begun_and_gone_on_with_by_a_long_press(tmp_path, rules):
    async def begins(evening):
        await evening.press(1, hold=1.0)
        assert evening.state.phase is Phase.TURN

    async def goes_on(evening):
        assert evening.state.phase is Phase.PAUSED
        await begins(evening)

    resumed(tmp_path, begins, Phase.TURN, goes_on, rules=rules, pins=NO_START_BUTTON)


class Seated:
    """Virtual people at the table of an evening; `pending` is what they have done but the referee has not noticed."""

    def __init__(self, people):
        self.people, self.pending = people, None

    def hear(self, effects):
        if any(isinstance(effect, TakeLook) for effect in effects) or not isinstance(self.pending, Pressed):
            self.pending = None
        self.people.follow_effects(effects)

    async def play(self, evening, events):
        """Play for so many events, or to the end of the round."""
        until = evening.time.time() + LONGEST_S
        while not evening.state.sheet.rounds and evening.journal.number < events:
            assert evening.time.time() < until, f"the match does not go on: {evening.state.phase}, {evening.said[-3:]}"
            await self._act(evening, evening.state)

    async def _act(self, evening, state):
        if state.phase is Phase.PAUSED or evening.loop.controller.match.cut:
            await evening.start()
        elif state.asked or state.phase in (Phase.LOBBY, Phase.TURN, Phase.PUTTING_RIGHT, Phase.SHOWING):
            if self.pending is None:
                begins = state.phase is Phase.LOBBY
                t = evening.loop.t
                self.pending = self.people.start(t) if begins else self.people.act(state, t)
                evening.sight.table = self.people.area.table
            await evening.wait(max(1.0, self.pending.t - evening.loop.t))
            await self._done(evening, self.pending)
        await evening.wait(0.5)

    async def _done(self, evening, event):
        if isinstance(event, Declared):
            evening.loop.happen(event)
        elif isinstance(event, Pressed):
            await evening.press(1 + event.player, hold=1.0 if event.long else 0.1)
        elif isinstance(event, Started):
            await evening.start()


@pytest.mark.parametrize(("rules", "options"), [("piatnik", {"last-tile": "on"}), ("brettspielnetz", {}), ("gin", {})])
def test_virtual_people_go_on_after_a_cut_around_any_event(tmp_path, rules, options):
    evening = {"rules": rules, "options": options, "names": ("Anna", "Ben"), "watch": SELDOM}
    cutter = Cutter(tmp_path, ("append", "heard"), **evening)
    book, rng = cutter.evening.plan.rules, np.random.default_rng(5)
    seated = Seated(people_for(book, rng, BareTable(), players=("Anna", "Ben"), habits=HABITS))
    cutter.evening.ears = seated.hear
    cutter.play(seated, lambda evening, seated: seated.play(evening, EVENTS))
    assert len(cutter.cuts) > EVENTS
    for cut in cutter.cuts:
        assert state_of(cut.disk) == (cut.confirmed if cut.disk.rows else None)
    for cut in cutter.cuts[:: len(cutter.cuts) // TAILS]:
        goes_on(cut, evening)


def goes_on(cut: Cut, evening):
    """After a cut the people play on, and the referee's count of their tiles is theirs."""
    seated = copy.deepcopy(cut.people)
    for effects in told_since(cut):
        seated.hear(effects)
    resumed, store = again(cut, **evening)
    resumed.ears = seated.hear
    events = len(cut.disk.rows) + EVENTS // 2

    async def script(resumed):
        await seated.play(resumed, events)
        assert resumed.state.sheet.rounds or resumed.journal.number >= events

    resumed.play(script)
    assert journal_after(cut, store) == resumed.state
    if tiles_on(seated.people.area.table) == tiles_on(resumed.state.table):  # else somebody is laying just now
        assert [rack.total() for rack in seated.people.racks] == [seat.hand for seat in resumed.state.seats]
