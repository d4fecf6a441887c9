"""The worker when things go wrong in it: pictures it stumbles over, drivers that hang, tables that never rest."""

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import Future

import numpy as np
import pytest
from virtual_evening import OPENING, AtOnce, Evening

from referee.devices.thread import OneThread
from referee.game.match.phases import Phase
from referee.table.looking.doubts import AGAIN_S, Again
from referee.table.looking.hung_job import DECIDED_S
from referee.table.looking.look import Look
from referee.table.looking.table_watcher import RESTLESS
from referee.table.looking.vision_worker import AHEAD_AGAIN_S, DEADLINE_S, FAILURES


def stumbling(evening, error):
    """Let every reading of a picture raise this; gives the moments at which that was, and the way back."""
    right, moments = evening.sight.read, []

    def read(*arguments, **_):  # noqa: ARG001 - whatever the picture is
        moments.append(evening.time.time())
        raise error

    evening.sight.read = read
    return moments, lambda: setattr(evening.sight, "read", right)


class Quit(BaseException):
    """Ends the process on purpose, as SystemExit does."""


def at_work(thread):
    """Let the thread do something that does not end before `go` is set; gives `go` and the future."""
    begun, go = threading.Event(), threading.Event()

    def hang():
        begun.set()
        return go.wait()

    future = thread.submit(hang)
    assert begun.wait(5)
    return go, future


class TestStumbling:
    def test_a_picture_the_reader_stumbles_over_is_asked_about_and_the_match_goes_on(self, capsys):
        async def script(evening):
            await evening.start()
            moments, mend = stumbling(evening, ValueError("no such tile"))
            await evening.lay(OPENING)
            await evening.press(1)
            assert evening.state.phase is Phase.ASKING
            await evening.wait(60)
            assert evening.state.phase is Phase.ASKING
            assert len(moments) <= 60 / AGAIN_S + 3
            assert evening.rows.count("seen") == 1
            mend()
            await evening.press(1)
            await evening.wait(3)
            assert evening.state.current == 1

        said = Evening().play(script).said
        assert said.count("A picture could not be judged (ValueError: no such tile).") == 1
        assert (
            sum(text.startswith("I cannot see this clearly: This picture could not be judged") for text in said) == 1
        )
        assert "reading: working again." in said
        assert capsys.readouterr().err.count("Traceback") == 1

    @pytest.mark.filterwarnings("ignore")
    def test_reading_ahead_is_tried_again_after_a_while_only(self):
        async def script(evening):
            await evening.start()
            moments, _ = stumbling(evening, ValueError("no such tile"))
            await evening.lay(OPENING)
            await evening.wait(35)
            assert evening.state.phase is Phase.TURN
            assert 3 <= len(moments) <= 36 / AHEAD_AGAIN_S + 1

        Evening().play(script)

    def test_where_nothing_succeeds_any_more_the_error_ends_the_process(self):
        evening = Evening()
        tries = []

        def preview(after):  # noqa: ARG001 - as the protocol has it
            tries.append(evening.time.time())
            raise ValueError("no picture looks like that")

        async def script(evening):
            await evening.start()
            evening.sight.preview = preview
            await evening.wait(60)

        with pytest.raises(ValueError, match="no picture looks like that"):
            evening.play(script)
        assert len(tries) == FAILURES
        assert evening.sight.closed

    def test_a_success_in_between_lets_it_count_anew(self):
        async def script(evening):
            await evening.start()
            right = evening.sight.preview
            for _ in range(3):
                evening.sight.preview = lambda after: 1 / 0  # noqa: ARG005 - as the protocol has it
                await evening.wait(FAILURES - 1.5)
                evening.sight.preview = right
                await evening.wait(3)
            assert evening.state.phase is Phase.TURN

        assert "camera: working again." in Evening().play(script).said

    def test_what_ends_the_process_on_purpose_is_not_held_up(self):
        async def script(evening):
            await evening.start()
            stumbling(evening, Quit())
            await evening.lay(OPENING)
            await evening.press(1)

        with pytest.raises(Quit):
            Evening().play(script)


class TestRestless:
    def test_a_table_that_moved_during_the_whole_look_is_looked_at_again_by_itself(self):
        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            right, shown = evening.sight.preview, []

            def preview(after):
                shown.append(after)
                return right(after) if len(shown) % 2 else np.full_like(right(after), 10 * len(shown))

            evening.look_anew()
            evening.sight.preview = preview
            pressed = evening.time.time()
            evening.panel.edge("button-1", True)
            await evening.wait(0.05)
            evening.sight.preview = right
            evening.panel.edge("button-1", False)
            assert evening.state.phase is Phase.ASKING
            await evening.wait(AGAIN_S + 1)
            assert evening.state.current == 1
            assert evening.time.time() - pressed < AGAIN_S + 2

        assert any("Something is moving" in text for text in Evening().play(script).said)

    def test_an_unreadable_table_that_lies_still_is_looked_at_now_and_then_only(self):
        again, looks, now = Again(), 0, 0.0
        trouble = Look(None, None, trouble=RESTLESS, changes=4)
        assert again.is_new(trouble, now)
        while now < 60:
            now += 0.25
            if again.is_wanted(4, now):
                looks += 1
                assert not again.is_new(trouble, now)
        assert looks == pytest.approx(60 / AGAIN_S, abs=1)

    def test_a_doubt_is_looked_at_again_once_something_has_moved(self):
        again = Again()
        assert again.is_new(Look(None, None, changes=4), 10.0)
        assert not again.is_wanted(4, 100.0)
        assert again.is_wanted(5, 10.1)
        assert not again.is_wanted(5, 10.2)


class Hanging(AtOnce):
    """From the moment it is told to, nothing that it is given comes back before `come_back`."""

    def __init__(self):
        self.hangs, self.held = False, []

    def submit(self, call, /, *args, **kwargs):
        if not self.hangs:
            return super().submit(call, *args, **kwargs)
        self.held.append((Future(), lambda: call(*args, **kwargs)))
        return self.held[-1][0]

    def come_back(self):
        self.hangs = False
        for future, call in self.held:
            future.set_result(call())


class TestHanging:
    def evening(self):
        thread = Hanging()
        evening = Evening(thread=thread, environ={"WATCHDOG_USEC": "10000000"})
        fed = []
        evening.outside.service.alive = lambda: fed.append(evening.time.time())
        return evening, thread, fed

    def test_a_look_that_never_returns_is_told_and_the_watchdog_hears_no_more(self):
        evening, thread, fed = self.evening()

        async def script(evening):
            await evening.start()
            await evening.lay(OPENING)
            thread.hangs = True
            await evening.press(1)
            hung = evening.time.time()
            assert evening.state.phase is Phase.LOOKING
            await evening.wait(DEADLINE_S - 1)
            assert not any("is not responding" in text for text in evening.said)
            jumps = evening.time.jumps
            await evening.wait(61)
            assert evening.time.jumps - jumps < 61 * 3
            assert sum("is not responding" in text for text in evening.said) == 1
            assert hung + DEADLINE_S - 2 < fed[-1] <= hung + DEADLINE_S + DECIDED_S
            ticks = {frozenset(moment.lit & {"red", "amber"}) for t, moment in evening.panel.history if t > hung + 30}
            assert ticks == {frozenset({"amber"}), frozenset({"red", "amber"})}
            thread.come_back()
            await evening.wait(2)
            assert evening.state.current == 1
            assert "camera: working again." in evening.said
            await evening.wait(6)
            assert fed[-1] > evening.time.time() - 6

        evening.play(script)

    def test_a_match_can_still_be_ended(self):
        evening, thread, _ = self.evening()

        async def script(evening):
            await evening.start()
            thread.hangs = True
            await evening.press(1)
            await evening.wait(30)
            await evening.press("pause", hold=1.0)
            await evening.press("pause", hold=1.0)
            assert evening.state.phase is Phase.LOBBY

        evening.play(script)


class TestOneThread:
    def test_it_does_one_thing_after_the_other_and_tells_how_it_ended(self):
        thread = OneThread("work")
        futures = [thread.submit(pow, 2, 5), thread.submit(int, "x")]
        assert futures[0].result(5) == 32
        assert isinstance(futures[1].exception(5), ValueError)
        thread.shutdown()
        assert not thread.hangs

    def test_it_is_waited_for_only_for_a_while_and_what_was_not_begun_is_dropped(self):
        thread = OneThread("work", patience_s=0.05)
        go, hung = at_work(thread)
        never = thread.submit(pow, 2, 5)
        thread.shutdown(cancel_futures=True)
        assert thread.hangs
        assert never.cancelled()
        go.set()
        assert hung.result(5)

    def test_what_was_cancelled_is_not_done(self):
        thread = OneThread("work")
        go, _ = at_work(thread)
        late = thread.submit(pow, 2, 5)
        assert late.cancel()
        go.set()
        thread.shutdown()
        assert not thread.hangs

    def test_a_process_ends_though_its_thread_hangs(self):
        program = (
            "import threading; from referee.devices.thread import OneThread\n"
            "thread = OneThread('look', 0.1); thread.submit(threading.Event().wait); thread.shutdown()"
        )
        subprocess.run([sys.executable, "-c", program], check=True, timeout=20)  # noqa: S603 - our own program

    def test_a_referee_ends_though_a_look_hangs_and_leaves_the_camera_to_it(self):
        thread = OneThread("look", patience_s=0.05)
        go, _ = at_work(thread)
        evening = Evening(thread=thread)
        evening.play(lambda _: asyncio.sleep(0))
        assert not evening.sight.closed
        go.set()
