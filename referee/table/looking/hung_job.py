"""A job of the worker that does not come back: whether the kernel holds it, what to say then, and whether to reboot.

A program that hangs by itself is ended by the service's watchdog and started anew. One that hangs in the kernel cannot
be ended, and its camera stays in use whatever is started: the referee stays then, so that its lamps and its page go on
telling that the plug must be pulled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.devices.camera.kernel_sleep import Sleeper, reboot, sleepers
from referee.game.notice import Notice

DECIDED_S = 4.0
"""A thread that has not woken for this long hangs; less than the service's watchdog leaves."""
HANGS = Notice("play.camera_hangs")
STUCK = Notice("play.camera_stuck")
REBOOTS = Notice("play.camera_reboots")


@dataclass(frozen=True, slots=True)
class Kernel:
    """What can be asked and told of the machine; `reboot` None: the settings do not want it."""

    sleepers: Callable[[], frozenset[Sleeper]] = sleepers
    reboot: Callable[[], str | None] | None = None


def kernel_of(*, reboots: bool) -> Kernel:
    """What this machine says, with a reboot where that is wanted."""
    return Kernel(reboot=reboot if reboots else None)


class Hanging:
    """One job that is overdue, as long as it is."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._since: float | None = None
        self._asleep: frozenset[Sleeper] = frozenset()
        self._decided = self.stuck = False
        self._notice = HANGS

    @property
    def ends(self) -> bool:
        """Whether it is known by now that the process can be ended, so that starting it anew may help."""
        return self._decided and not self.stuck

    def notice_at(self, now: float) -> Notice:
        """What to tell at this moment, monotonic; to be asked again and again while the job is overdue."""
        if self._since is None:
            self._since, self._asleep = now, self._for_a_camera()
        elif now - self._since >= DECIDED_S and not self._decided:
            self._decided = True
            self.stuck = bool(self._asleep & self._for_a_camera())  # the very same, not once awake in between
            self._notice = self._reboot_notice() if self.stuck else HANGS
        return self._notice

    def next_due(self) -> float | None:
        """When it is decided, monotonic; None: not under way."""
        return None if self._since is None or self._decided else self._since + DECIDED_S

    def clear(self) -> None:
        """The job has come back."""
        self._since, self._asleep = None, frozenset()
        self._decided = self.stuck = False
        self._notice = HANGS

    def _reboot_notice(self) -> Notice:
        if self._kernel.reboot is None:
            return STUCK
        refused = self._kernel.reboot()
        return REBOOTS if refused is None else Notice("play.camera_stuck_for_good", reason=refused)

    def _for_a_camera(self) -> frozenset[Sleeper]:
        return frozenset(one for one in self._kernel.sleepers() if one.for_a_camera)
