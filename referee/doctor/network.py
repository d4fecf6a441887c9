"""How the pictures of a network camera arrive: in which way, how many, and with which delay at most."""

from __future__ import annotations

from collections.abc import Iterator

from referee.devices.camera.network.camera import Report
from referee.doctor.finding import Finding, attention, ok
from referee.errors import CameraLost, Loss
from referee.game.notice import Notice, Value

FEW_PER_S = 4.0
"""A stream with fewer pictures per second is watched less often than the settings usually ask for."""


def check_network(found: Report) -> Iterator[Finding]:
    """Yield how the pictures arrive."""
    figures = {"per_second": round(found.per_second, 1), "lag_s": found.lag_s, "renewed": found.renewed}
    told: dict[str, Value] = {"way": found.way, "place": found.place, "lag": found.lag_s}
    if found.per_second:
        text = Notice("machine.pictures_come_often", **told, rate=found.per_second)
    else:
        text = Notice("machine.pictures_come", **told)
    yield ok("network camera", text, **figures)
    if found.renewed:
        yield attention("network camera", Notice("machine.pictures_wait"), Notice("machine.fewer_on_phone"))
    elif 0 < found.per_second < FEW_PER_S:
        few = Notice("machine.pictures_few", rate=found.per_second)
        yield attention("network camera", few, Notice("machine.more_on_phone"))
    if found.readable_password:
        yield attention("network camera", Notice("machine.password_readable"), Notice("machine.use_https"))


def what_to_do(error: Exception) -> Notice:
    """Return what to do about a network camera that could not be opened, or was lost meanwhile."""
    match error.kind if isinstance(error, CameraLost) else None:
        case Loss.BUSY:
            return Notice("machine.close_other_viewers")
        case Loss.ABSENT:
            return Notice("machine.start_phone")
        case Loss.SILENT:
            return Notice("machine.phone_to_front")
    return Notice("machine.correct_camera")
