"""A camera that hangs: by itself the watchdog ends it; in the kernel nothing does, and people are told what helps."""

from concurrent.futures import Future

import pytest
from virtual_evening import OPENING, AtOnce, Evening

from referee.devices.camera.kernel_sleep import Sleeper
from referee.i18n import ENGLISH
from referee.table.looking.hung_job import DECIDED_S, HANGS, NETWORK_HANGS, REBOOTS, STUCK, Hanging, Kernel, kernel_of
from referee.table.looking.vision_worker import DEADLINE_S

STOPPING = Sleeper(9, 42, "vb2_wait_for_all_buffers")


class Sleeping:
    """The threads that sleep in the kernel, one set for every time they are asked for; the last one for ever."""

    def __init__(self, *answers):
        self.answers = [frozenset(one) for one in answers]

    def __call__(self):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def decided(hanging):
    first = hanging.notice_at(100.0)
    assert not hanging.ends
    assert hanging.next_due() == 100.0 + DECIDED_S
    return first, hanging.notice_at(100.0 + DECIDED_S)


class TestHanging:
    def test_a_thread_that_never_wakes_means_pull_the_plug_and_not_restart(self):
        hanging = Hanging(Kernel(Sleeping([STOPPING])))
        assert decided(hanging) == (HANGS, STUCK)
        assert hanging.stuck
        assert not hanging.ends
        assert hanging.next_due() is None
        assert not any("restart" in ENGLISH(told) for told in (HANGS, STUCK))

    @pytest.mark.parametrize(
        "later",
        [
            pytest.param([], id="awake again"),
            pytest.param([Sleeper(9, 43, "vb2_wait_for_all_buffers")], id="awake in between"),
            pytest.param([Sleeper(8, 42, "vb2_wait_for_all_buffers")], id="another"),
        ],
    )
    def test_one_that_wakes_now_and_then_is_left_to_the_watchdog(self, later):
        hanging = Hanging(Kernel(Sleeping([STOPPING], later)))
        assert decided(hanging) == (HANGS, HANGS)
        assert hanging.ends

    def test_a_disk_that_is_slow_is_no_camera_that_hangs(self):
        hanging = Hanging(Kernel(Sleeping([Sleeper(9, 42, "jbd2_log_wait_commit")])))
        assert decided(hanging) == (HANGS, HANGS)

    def test_a_camera_in_the_network_is_no_reason_to_pull_a_plug(self):
        assert kernel_of(reboots=False).hangs is HANGS
        kernel = kernel_of(reboots=False, network=True)
        assert kernel.hangs is NETWORK_HANGS
        hanging = Hanging(Kernel(Sleeping([]), hangs=kernel.hangs))
        assert decided(hanging) == (NETWORK_HANGS, NETWORK_HANGS)
        hanging.clear()
        assert decided(hanging) == (NETWORK_HANGS, NETWORK_HANGS)
        assert "plug" in ENGLISH(HANGS)
        assert "plug" not in ENGLISH(NETWORK_HANGS)

    def test_what_comes_back_is_forgotten(self):
        hanging = Hanging(Kernel(Sleeping([STOPPING])))
        decided(hanging)
        hanging.clear()
        assert not hanging.stuck
        assert decided(hanging) == (HANGS, STUCK)

    def test_it_reboots_once_where_the_settings_want_that(self):
        asked = []
        hanging = Hanging(Kernel(Sleeping([STOPPING]), lambda: asked.append(1)))
        assert decided(hanging) == (HANGS, REBOOTS)
        hanging.notice_at(200.0)
        assert asked == [1]

    def test_a_reboot_that_is_refused_is_told_with_what_helps(self):
        hanging = Hanging(Kernel(Sleeping([STOPPING]), lambda: "Access denied"))
        assert (
            ENGLISH(decided(hanging)[1])
            == f"{ENGLISH(STUCK)} (The referee could not reboot the machine: Access denied.)"
        )

    def test_without_the_setting_nothing_is_rebooted(self):
        assert kernel_of(reboots=False).reboot is None
        assert kernel_of(reboots=True).reboot is not None


class Gone(AtOnce):
    """Where looks are taken, until none comes back any more."""

    gone = False

    def submit(self, call, /, *arguments, **named):
        return Future() if self.gone else super().submit(call, *arguments, **named)


def test_the_referee_stays_and_tells_as_long_as_the_kernel_holds_the_camera():
    thread = Gone()
    evening = Evening(thread=thread, environ={"WATCHDOG_USEC": "10000000"})
    evening.replace_parts(kernel=Kernel(Sleeping([STOPPING])))
    fed = []
    evening.outside.service.alive = lambda: fed.append(evening.time.time())

    async def script(evening):
        await evening.start()
        await evening.lay(OPENING)
        thread.gone = True
        await evening.press(1)
        await evening.wait(DEADLINE_S + DECIDED_S + 60)
        assert evening.said.count(ENGLISH(STUCK)) == 1
        assert fed[-1] > evening.time.time() - 6
        assert any("red" in moment.lit for t, moment in evening.panel.history if t > evening.time.time() - 10)

    evening.play(script)
