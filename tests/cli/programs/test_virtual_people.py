"""Virtual people at the table of `referee play`: a whole match by every kind of book, in virtual time."""

import asyncio

import numpy as np
import pytest
from virtual_evening import Evening

from referee.cli.programs.virtual_table import VirtualPeople
from referee.devices.wiring.pins import PinMap
from referee.game.match.events import Ask, Started
from referee.game.match.phases import Phase
from referee.i18n import ENGLISH
from referee.journal.replay import replay
from referee.sim.match import VirtualMatch
from referee.table.looking.vision_worker import Watch


class Unseen(VirtualPeople):
    """People without a camera: what lies there is seen at once."""

    def __init__(self, match, evening, *, waits=False):
        super().__init__(match, None, 1.0, lambda told: evening.said.append(ENGLISH(told)), waits=waits)
        self.evening, self.match = evening, match
        evening.ears, evening.gone = self.follow_effects, self.get_up

    async def show(self):
        self.evening.sight.table = self.match.table.table


class Paused(Unseen):
    """People who count how often the match stands."""

    pauses = 0

    async def wait_for_news(self, seconds):
        self.pauses += self.evening.state.phase is Phase.PAUSED
        return await super().wait_for_news(seconds)


class Hasty(Paused):
    """People who press start once more, as they do before a loop that has not had its turn yet."""

    pressed = 0

    async def press(self, event, panel, pins):
        await super().press(event, panel, pins)
        if isinstance(event, Started):
            self.pressed, self._started_twice = self.pressed + 1, True
            await asyncio.sleep(1)
            await super().press(event, panel, pins)


def played(rules, options=None, seed=3, pins=None, doubtful=0, kind=Unseen):
    """The evening after a match."""
    evening = Evening(rules, options, ("Anna", "Ben"), pins=pins, watch=Watch(every_s=1.0), rounds=1)
    book = evening.plan.rules
    people = kind(VirtualMatch(book, np.random.default_rng(seed), players=("Anna", "Ben")), evening)
    evening.sight.doubtful = doubtful

    async def script(evening):
        await asyncio.wait_for(people.play(evening.loop, evening.panel, evening.pins), 40_000)

    return evening.play(script)


@pytest.mark.parametrize(("rules", "options"), [("rummikub", {}), ("piatnik", {"last-tile": "on"})])
def test_a_match_is_played_to_its_end(rules, options):
    evening = played(rules, options)
    assert evening.state.phase is Phase.OVER
    assert any(text.startswith("The match is over: ") for text in evening.said)


def test_without_a_start_button_and_with_one_for_all():
    assert played("rummikub", pins=PinMap(turn_buttons=(5,), pause_button=None)).state.phase is Phase.OVER


def test_who_is_asked_again_and_again_takes_the_press_back():
    evening = played("rummikub", doubtful=30)
    assert evening.state.phase is Phase.OVER
    assert any("it is still your turn" in text for text in evening.said)


def test_who_presses_start_twice_pauses_the_match_and_goes_on():
    evening = played("rummikub", kind=Hasty)
    assert evening.state.phase is Phase.OVER
    people = evening.ears.__self__
    assert (people.pressed, people.pauses > 0) == (1, True)


def test_one_press_stays_one_on_a_machine_that_is_busy_for_longer_than_a_contact_bounces(monkeypatch):
    prompt = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: prompt(seconds + 0.05 if seconds > 0 else seconds))
    evening = played("rummikub", kind=Paused)
    assert evening.state.phase is Phase.OVER
    assert evening.ears.__self__.pauses == 0
    assert not any("loose" in text for text in evening.said)


class Waiting(Unseen):
    """People who wait until somebody else starts the match."""

    def __init__(self, match, evening):
        super().__init__(match, evening, waits=True)
        self.pressed = []

    async def press(self, event, panel, pins):
        self.pressed.append(type(event))
        await super().press(event, panel, pins)


@pytest.mark.parametrize("starts", ["drawn", "next"])
def test_people_who_wait_play_once_somebody_else_has_started(starts):
    evening = Evening("rummikub", {"starts": starts}, ("Anna", "Ben"), watch=Watch(every_s=1.0), rounds=1)
    match = VirtualMatch(evening.plan.rules, np.random.default_rng(3), players=("Anna", "Ben"))
    people = Waiting(match, evening)

    async def script(evening):
        playing = asyncio.ensure_future(people.play(evening.loop, evening.panel, evening.pins))
        await asyncio.sleep(600)
        assert (evening.state.phase, people.pressed) == (Phase.LOBBY, [])
        await evening.start()
        await asyncio.wait_for(playing, 40_000)

    evening.play(script)
    assert evening.state.phase is Phase.OVER
    assert Started not in people.pressed


class ThreadedStore(Unseen):
    """People who leave what is asked to others first."""

    def __init__(self, match, evening):
        super().__init__(match, evening)
        self._patience_s = 20.0
        self.asked, self.waited = [], []

    def follow_effects(self, effects):
        if self.asked:
            self.waited.append(self.evening.time.time() - self.asked.pop())
        if any(isinstance(effect, Ask) for effect in effects):
            self.asked.append(self.evening.time.time())
        super().follow_effects(effects)


def test_what_is_asked_is_left_to_whoever_taps_on_the_page_for_a_while():
    made = []

    def patient(match, evening):
        made.append(ThreadedStore(match, evening))
        return made[0]

    assert played("rummikub", doubtful=1, kind=patient).state.phase is Phase.OVER
    assert made[0].waited
    assert all(waited >= 20.0 for waited in made[0].waited)


def people_of(evening, seed):
    return Unseen(VirtualMatch(evening.plan.rules, np.random.default_rng(seed), players=("Anna", "Ben")), evening)


def until(reached, people):
    """A script in which people play until the power is cut."""

    async def script(evening):
        playing = asyncio.ensure_future(people.play(evening.loop, evening.panel, evening.pins))
        while not reached(evening):
            await asyncio.sleep(0.01)
        playing.cancel()

    return script


@pytest.mark.parametrize("events", [2, 3, 4, 9, 14])
def test_a_match_that_was_cut_off_is_played_on(events):
    first = Evening("rummikub", {}, ("Anna", "Ben"), watch=Watch(every_s=1.0))

    first.play(until(lambda evening: len(evening.rows) >= events, people_of(first, 3)))
    kept = replay(first.store.rows)
    later = Evening(
        "rummikub", {}, ("Anna", "Ben"), watch=Watch(every_s=1.0), journal=first.journal, store=first.store, kept=kept
    )
    again = people_of(later, 5)
    again.take_up(kept.state)

    async def to_the_end(evening):
        assert evening.loop.controller.match.cut
        await asyncio.wait_for(again.play(evening.loop, evening.panel, evening.pins), 40_000)

    assert later.play(to_the_end).state.phase is Phase.OVER
    assert later.rows.count("started") == 1


@pytest.mark.parametrize("starts", ["drawn", "next"])
@pytest.mark.parametrize("cut", [False, True], ids=["", "after a cut"])
def test_people_play_the_next_match_once_theirs_was_ended_during_a_pause(starts, cut):
    evening = Evening("rummikub", {"starts": starts}, ("Anna", "Ben"), watch=Watch(every_s=1.0), rounds=1)
    if cut:
        evening.play(until(lambda evening: len(evening.rows) >= 9, people_of(evening, 3)))
        kept = replay(evening.store.rows)
        evening = Evening("rummikub", {"starts": starts}, ("Anna", "Ben"), watch=Watch(every_s=1.0), rounds=1,
                          journal=evening.journal, store=evening.store, kept=kept)  # fmt: skip
    people = people_of(evening, 5)
    if cut:
        people.take_up(kept.state)

    async def script(evening):
        playing = asyncio.ensure_future(people.play(evening.loop, evening.panel, evening.pins))
        await ended_in_a_pause(evening)
        if starts == "next":
            await evening.start()  # before they do
        played = len(evening.rows)
        await asyncio.wait_for(reached(lambda: len(evening.rows) > played + 8), 600)
        playing.cancel()

    evening.play(script)
    assert evening.rows.count("started") == 2


async def reached(condition):
    while not condition():
        await asyncio.sleep(0.1)


async def ended_in_a_pause(evening):
    """Pause the match that people have begun, or gone on with, and end it."""
    ready = reached(lambda: evening.state.phase is Phase.TURN and not evening.loop.controller.match.cut)
    await asyncio.wait_for(ready, 600)
    await asyncio.sleep(1)  # until their own press is over
    await evening.press("pause")
    await asyncio.sleep(5)
    assert evening.state.phase is Phase.PAUSED
    await evening.press("pause", hold=2.0)


def test_people_of_a_match_that_others_follow_leave_the_table_once_it_was_ended():
    evening = Evening("rummikub", names=("Anna", "Ben"), watch=Watch(every_s=1.0))
    people = people_of(evening, 5)
    people.lasting = True

    async def script(evening):
        playing = asyncio.ensure_future(people.play(evening.loop, evening.panel, evening.pins))
        await ended_in_a_pause(evening)
        await asyncio.wait_for(playing, 60)

    assert evening.play(script).state.phase is Phase.LOBBY
