"""A job of the worker that hangs: whether it is blocked in the kernel, what to tell players, and whether to reboot.

A program that hangs by itself is ended and restarted by the watchdog of the service. A program that is blocked in the
kernel cannot be ended, and keeps the camera in use so that no other program can open it. In that case the referee
keeps running, so that its lamps and its page can say that the plug must be pulled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.devices.camera.kernel_sleep import Sleeper, reboot, sleepers
from referee.game.notice import Notice

DECIDED_S = 4.0
"""Seconds after which a thread that has not woken counts as blocked; shorter than the watchdog's timeout. Chosen by
hand."""
HANGS = Notice("play.camera_hangs")
NETWORK_HANGS = Notice("play.net_camera_hangs")
"""Instead of HANGS where the camera is an app on a phone: no plug of this machine would help."""
STUCK = Notice("play.camera_stuck")
REBOOTS = Notice("play.camera_reboots")


@dataclass(frozen=True, slots=True)
class Kernel:
    """Access to the machine's kernel; `reboot` is None if the settings do not allow it.

    `hangs` is what players are told while it is not known whether the kernel holds the camera.
    """

    sleepers: Callable[[], frozenset[Sleeper]] = sleepers
    reboot: Callable[[], str | None] | None = None
    hangs: Notice = HANGS


def kernel_of(*, reboots: bool, network: bool = False) -> Kernel:
    """Return access to this machine's kernel.

    `reboots`: whether the settings allow a reboot; `network`: whether the camera is one in the network.
    """
    return Kernel(reboot=reboot if reboots else None, hangs=NETWORK_HANGS if network else HANGS)


class Hanging:
    """Observes a job that is overdue, and decides whether a restart may help."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._since: float | None = None
        self._asleep: frozenset[Sleeper] = frozenset()
        self._decided = self.stuck = False
        self._notice = kernel.hangs

    @property
    def ends(self) -> bool:
        """Whether the process is known not to be blocked in the kernel, so that ending it is possible and may help."""
        return self._decided and not self.stuck

    def notice_at(self, now: float) -> Notice:
        """Return the notice at `now` (monotonic seconds); to be called repeatedly while the job is overdue."""
        if self._since is None:
            self._since, self._asleep = now, self._for_a_camera()
        elif now - self._since >= DECIDED_S and not self._decided:
            self._decided = True
            self.stuck = bool(self._asleep & self._for_a_camera())  # the same sleep, without waking in between
            self._notice = self._reboot_notice() if self.stuck else self._kernel.hangs
        return self._notice

    def next_due(self) -> float | None:
        """Return when it is decided whether the job is blocked (monotonic seconds); None without an undecided job."""
        return None if self._since is None or self._decided else self._since + DECIDED_S

    def clear(self) -> None:
        """Forget the job, because it has ended."""
        self._since, self._asleep = None, frozenset()
        self._decided = self.stuck = False
        self._notice = self._kernel.hangs

    def _reboot_notice(self) -> Notice:
        if self._kernel.reboot is None:
            return STUCK
        refused = self._kernel.reboot()
        return REBOOTS if refused is None else Notice("play.camera_stuck_for_good", reason=refused)

    def _for_a_camera(self) -> frozenset[Sleeper]:
        return frozenset(one for one in self._kernel.sleepers() if one.for_a_camera)
