"""A card that stalls for seconds on a write: the loop lives on, nothing is lost, nothing is shown too early."""

import asyncio
import itertools
from concurrent.futures import Executor, Future

import pytest
from virtual_evening import OPENING, AtOnce, Evening

from referee.game.match.phases import Phase
from referee.game.notation import parse_table
from referee.i18n import ENGLISH
from referee.journal.buffered_store import SLICE_S
from referee.journal.opening import open_journal
from referee.table.event_loop import DISK_HANGS_S, DISK_TOLD_S, SLOW_DISK
from referee.table.output.signals import ACCEPTED_S

STALL_S = 8.0
WATCHDOG_S = 10.0


class Written(Future):
    """Something that is on the disk from a certain moment on, in virtual time; waiting lets that time go by."""

    def __init__(self, card, done, at):
        super().__init__()
        self._card, self._done, self._at = card, done, at

    def done(self):
        return self._card.time() >= self._at

    def result(self, timeout=None):
        if not self.done():
            clock = asyncio.get_running_loop()
            until = self._at if timeout is None else min(self._at, clock.t + timeout)
            clock.t = until
            self._card.happened(until)
            if not self.done():
                raise TimeoutError
        return self._done.result()


class Card(Executor):
    """Writes at once, but for a while each writing comes back only after a stall, as a cheap card's may."""

    def __init__(self):
        self.stall_s = 0.0
        self.stalling = {"put", "amend", "beat", "close"}
        """The calls of a store that stall."""
        self.stalls = 0
        self.during = []
        """What happens at the table while the card stalls: moments, and calls."""

    def time(self):
        return asyncio.get_running_loop().time()

    def submit(self, call, /, *args, **kwargs):
        done = AtOnce().submit(call, *args, **kwargs)
        if not self.stall_s or call.__name__ not in self.stalling:
            return done
        self.stalls += 1
        return Written(self, done, self.time() + self.stall_s)

    def happened(self, until):
        while self.during and self.during[0][0] <= until:
            self.during.pop(0)[1]()


class Watchdog:
    """Keeps when systemd heard of us, in virtual time."""

    def __init__(self, evening):
        self.heard = []
        evening.outside.service.alive = lambda: self.heard.append(evening.time.time())

    def longest(self, until):
        """The longest silence, seconds."""
        moments = [*self.heard, until]
        return max(later - earlier for earlier, later in itertools.pairwise(moments))


@pytest.fixture
def card():
    return Card()


@pytest.fixture
def evening(tmp_path, card):
    opened = open_journal(tmp_path / "state", thread=card)
    evening = Evening(journal=opened.journal, environ={"WATCHDOG_USEC": str(int(WATCHDOG_S * 1e6))}, rounds=2)
    yield evening
    opened.journal.meanwhile(None)


def kept(tmp_path):
    opened = open_journal(tmp_path / "state")
    opened.journal.close()
    return opened.kept


def finished(evening, card):
    """Close the journal when nobody looks at the clock any more."""
    card.stall_s = 0.0
    evening.journal.close()


def test_the_watchdog_hears_the_loop_through_every_stall(tmp_path, card, evening):
    watchdog = Watchdog(evening)

    async def script(evening):
        await evening.start()
        card.stall_s = STALL_S
        await evening.wait(50)
        card.stall_s = 0.0
        await evening.wait(1)

    evening.play(script)
    finished(evening, card)
    assert card.stalls >= 5
    assert watchdog.longest(evening.time.t) <= WATCHDOG_S / 2 + 2 * SLICE_S
    assert evening.said.count(ENGLISH(SLOW_DISK)) >= 5
    assert evening.said[-1] == "journal: working again."
    assert kept(tmp_path).state.phase is evening.state.phase


def test_what_is_pressed_during_a_stall_counts_from_its_own_moment(tmp_path, card, evening):
    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.until_the_end(2.0)
        pressed = evening.time.time() + 1.0
        card.stall_s = STALL_S
        contact = evening.pins.contacts[0]
        card.during = [(pressed, lambda: evening.panel.edge(contact, True)),
                       (pressed + 0.2, lambda: evening.panel.edge(contact, False))]  # fmt: skip
        while card.during:
            await evening.wait(0.1)
        card.stall_s = 0.0
        await evening.wait(3)
        assert evening.state.current == 1
        assert evening.state.table == OPENING

    evening.play(script)
    finished(evening, card)
    assert "Ben, it is your turn." in evening.said
    assert not any("time" in text.lower() for text in evening.said)
    assert kept(tmp_path).state.table == OPENING


def test_nothing_is_shown_before_it_is_written_and_lamps_blink_on(card, evening):
    moments = []

    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        card.stall_s, card.stalling = STALL_S, {"put"}
        begun = evening.time.time()
        await evening.press(1)
        while "green" not in evening.lit:
            await evening.wait(0.1)
        card.stall_s = 0.0
        moments.extend([begun, evening.time.time()])

    evening.play(script)
    finished(evening, card)
    begun, green = moments
    assert green - begun >= STALL_S
    assert not [1 for t, moment in evening.panel.history if begun < t < begun + STALL_S and "green" in moment.lit]


def test_a_tone_ends_in_time_though_the_card_stalls(card, evening):
    async def script(evening):
        await evening.start()
        await evening.wait(0.95)
        card.stall_s = STALL_S
        evening.panel.play(((440.0, 0.2),))
        begun = evening.time.time()
        while evening.time.time() - begun < STALL_S:
            await evening.wait(0.05)
        card.stall_s = 0.0
        sounding = [t for t, moment in evening.panel.history if t >= begun and moment.hertz == 440.0]
        silent = [t for t, moment in evening.panel.history if t > sounding[0] and moment.hertz != 440.0]
        assert silent[0] - sounding[0] <= 0.2 + 2 * SLICE_S

    evening.play(script)
    finished(evening, card)


def test_a_card_that_never_comes_back_is_left_to_the_watchdog(card, evening):
    watchdog = Watchdog(evening)

    async def script(evening):
        await evening.start()
        card.stall_s = DISK_HANGS_S + 3 * WATCHDOG_S
        begun = evening.time.time()
        while evening.time.time() < begun + DISK_HANGS_S:
            await evening.wait(0.1)
        card.stall_s = 0.0
        silence = [t for t in watchdog.heard if t > begun + DISK_HANGS_S + 2]
        assert not silence or silence[0] - begun >= DISK_HANGS_S + WATCHDOG_S

    evening.play(script)
    finished(evening, card)


def test_an_error_of_the_disk_comes_through(tmp_path):
    class Refuses(AtOnce):
        refuses = True

        def submit(self, call, /, *args, **kwargs):
            if not self.refuses:
                return super().submit(call, *args, **kwargs)
            future = Future()
            future.set_exception(TimeoutError("the disk's own"))
            return future

    thread = Refuses()
    journal = open_journal(tmp_path / "state", thread=thread).journal
    with pytest.raises(TimeoutError, match="the disk's own"):
        journal.beat(2.0)
    thread.refuses = False
    journal.close()


def test_a_journal_without_a_thread_waits_as_ever():
    evening = Evening()
    evening.journal.meanwhile(print)

    async def script(evening):
        await evening.start()
        assert evening.state.phase is Phase.TURN

    evening.play(script)
    assert evening.rows[:2] == ["match", "started"]


def lit(evening, begin, end):
    """The lamps that were lit at all between two moments, and those that were lit all the time."""
    history = [(t, moment.lit) for t, moment in evening.panel.history]
    before = [lamps for t, lamps in history if t <= begin][-1:]
    shown = before + [lamps for t, lamps in history if begin < t < end]
    return frozenset().union(*shown), frozenset.intersection(*shown)


def test_amber_tells_at_once_that_a_press_waits_for_the_card_and_the_trouble_after_three_seconds(card, evening):
    moments = []

    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        card.stall_s, card.stalling = STALL_S, {"put"}
        pressed = evening.time.time()
        await evening.press(1)
        while "green" not in evening.lit:
            await evening.wait(0.1)
        card.stall_s = 0.0
        await evening.wait(3)
        moments.extend([pressed, evening.time.time()])

    evening.play(script)
    finished(evening, card)
    pressed, over = moments
    first = next(t for t, moment in evening.panel.history if t > pressed and "amber" in moment.lit)
    assert first - pressed <= 0.2 + 2 * SLICE_S  # so long the press itself takes
    ever, always = lit(evening, first, pressed + DISK_TOLD_S)
    assert "amber" in always
    assert "red" not in ever
    ever, always = lit(evening, first + DISK_TOLD_S + SLICE_S, first + STALL_S - 1)
    assert {"red", "amber"} <= ever
    assert not {"red", "amber"} & always
    assert not {"red", "amber"} & lit(evening, over - 0.01, over)[0]


async def nothing_yet(evening):
    """The lobby."""
    await evening.wait(1)


async def a_turn(evening):
    await evening.start()
    await evening.wait(1)


async def a_question(evening):
    await evening.start()
    evening.sight.doubtful = 10
    await evening.lay(OPENING)
    await evening.press(1)
    await evening.wait(2)
    assert evening.state.asked


async def between_rounds(evening):
    await evening.start()
    evening.count(3, 3)
    await evening.lay(OPENING)
    await evening.press(1)
    await evening.lay((*OPENING, *parse_table("K1 K2 K3")))
    await evening.press(2)
    assert evening.state.phase is Phase.BETWEEN
    await evening.lay(())


@pytest.mark.parametrize(
    ("before", "button"),
    [(nothing_yet, "pause"), (a_turn, "pause"), (a_turn, 1), (a_question, 1), (between_rounds, "pause")],
)
def test_whatever_is_pressed_amber_is_lit_at_once_and_the_trouble_told_after_three_seconds(
    card, evening, before, button
):
    moments = []

    async def script(evening):
        await before(evening)
        card.stall_s, card.stalling = STALL_S, {"put"}
        moments.append(evening.time.time())
        await evening.press(button)
        await evening.wait(2)
        card.stall_s = 0.0

    evening.play(script)
    finished(evening, card)
    assert card.stalls
    (pressed,) = moments
    begun = next(t for t, moment in evening.panel.history if t > pressed and "amber" in moment.lit)
    assert begun - pressed <= 0.75  # so long the press itself takes, and an amber lamp that blinks may be dark
    ever, always = lit(evening, begun, begun + DISK_TOLD_S - 2 * SLICE_S)
    assert "amber" in (ever if before is a_question else always)  # a question blinks
    assert "red" not in ever
    ever, always = lit(evening, begun + DISK_TOLD_S + SLICE_S, begun + STALL_S - 1)
    assert {"red", "amber"} <= ever
    assert not {"red", "amber"} & always
    assert ENGLISH(SLOW_DISK) in evening.said


def test_a_verdict_goes_out_in_time_though_the_card_stalls(card, evening):
    moments = []

    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        await evening.press(1)
        while "green" not in evening.lit:
            await evening.wait(0.05)
        moments.append(evening.time.time())
        card.stall_s = STALL_S
        while evening.time.time() < moments[0] + STALL_S:
            await evening.wait(0.1)
        card.stall_s = 0.0

    evening.play(script)
    finished(evening, card)
    dark = next(t for t, moment in evening.panel.history if t > moments[0] and "green" not in moment.lit)
    assert dark - moments[0] <= ACCEPTED_S + 2 * SLICE_S


def test_a_card_that_is_a_little_slow_to_keep_the_clock_lights_nothing(card, evening):
    moments = []

    async def script(evening):
        await evening.start()
        await evening.wait(0.5)
        card.stall_s = 3 * SLICE_S
        moments.append(evening.time.time())
        await evening.wait(10)
        card.stall_s = 0.0
        moments.append(evening.time.time())

    evening.play(script)
    finished(evening, card)
    assert card.stalls >= 5
    assert "amber" not in lit(evening, *moments)[0]
