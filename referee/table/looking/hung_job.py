"""A job of the worker that hangs: whether it is blocked in the kernel, what to say then, and whether to reboot.

A program that hangs by itself is ended and restarted by the service's watchdog. One that is blocked in the kernel
cannot be ended, and the camera stays in use whatever is started. Then the referee keeps running, so that its lamps and
its page can say that the plug must be pulled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.devices.camera.kernel_sleep import Sleeper, reboot, sleepers
from referee.game.notice import Notice

DECIDED_S = 4.0
"""Seconds after which a thread that has not woken counts as blocked: less than the watchdog's time. Chosen by hand."""
HANGS = Notice("play.camera_hangs")
STUCK = Notice("play.camera_stuck")
REBOOTS = Notice("play.camera_reboots")


@dataclass(frozen=True, slots=True)
class Kernel:
    """Access to the machine's kernel; `reboot` is None if the settings do not allow it."""

    sleepers: Callable[[], frozenset[Sleeper]] = sleepers
    reboot: Callable[[], str | None] | None = None


def kernel_of(*, reboots: bool) -> Kernel:
    """What this machine says, with a reboot where that is wanted."""
    return Kernel(reboot=reboot if reboots else None)


class Hanging:
    """Observes one job while it is overdue."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._since: float | None = None
        self._asleep: frozenset[Sleeper] = frozenset()
        self._decided = self.stuck = False
        self._notice = HANGS

    @property
    def ends(self) -> bool:
        """Whether it is known that the process can be ended, so that a restart may help."""
        return self._decided and not self.stuck

    def notice_at(self, now: float) -> Notice:
        """Return what to tell at this moment (monotonic seconds); call it repeatedly while the job is overdue."""
        if self._since is None:
            self._since, self._asleep = now, self._for_a_camera()
        elif now - self._since >= DECIDED_S and not self._decided:
            self._decided = True
            self.stuck = bool(self._asleep & self._for_a_camera())  # the very same, not once awake in between
            self._notice = self._reboot_notice() if self.stuck else HANGS
        return self._notice

    def next_due(self) -> float | None:
        """Return the moment (monotonic seconds) of the decision; None without a job."""
        return None if self._since is None or self._decided else self._since + DECIDED_S

    def clear(self) -> None:
        """Forget the job, which has ended."""
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
