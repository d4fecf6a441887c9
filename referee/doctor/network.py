"""What a network camera tells of its way here: how pictures come, how many, and how late at most."""

from __future__ import annotations

from collections.abc import Iterator

from referee.devices.camera.network.camera import Report
from referee.doctor.finding import Finding, attention, ok
from referee.errors import CameraLost, Loss
from referee.messages import ENGLISH

FEW_PER_S = 4.0
"""A stream with fewer pictures is watched more seldom than the settings usually ask for."""
LAG = "hold a running stopwatch under the camera, and compare it with its picture in a browser"


def reached(found: Report) -> Iterator[Finding]:
    """How the pictures come."""
    figures = {"per_second": round(found.per_second, 1), "lag_s": found.lag_s, "renewed": found.renewed}
    rate = f", about {found.per_second:.0f} a second" if found.per_second else ""
    text = (
        f"Pictures come as {ENGLISH(found.way)} from {found.place}{rate}. Those of the first {found.lag_s:g} s after a"
        f" press are left out, as [camera] lag_s says ({LAG})."
    )
    yield ok("network camera", text, **figures)
    if found.renewed:
        yield attention(
            "network camera",
            "Pictures come faster than the network carries them, so that they wait on the way.",
            "Choose fewer or smaller pictures in the phone's program, or bring phone and referee nearer the router.",
        )
    elif 0 < found.per_second < FEW_PER_S:
        yield attention(
            "network camera",
            f"Only {found.per_second:.1f} pictures come in a second.",
            "Choose more of them, or smaller ones, in the phone's program.",
        )
    if found.readable_password:
        yield attention(
            "network camera",
            "The camera takes its password unencrypted: whoever is in the network can read it.",
            "Use https, or a password that opens nothing else.",
        )


def what_to_do(error: Exception) -> str:
    """What to do about a network camera that could not be opened, or was lost meanwhile."""
    match error.kind if isinstance(error, CameraLost) else None:
        case Loss.BUSY:
            return "Close whatever else shows the camera's pictures, then run the doctor again."
        case Loss.ABSENT:
            return "Start the camera's program on the phone, keep its screen from locking, and check [camera] source."
        case Loss.SILENT:
            return "Bring the phone to the front again, and look at the stream in a browser: does it move?"
    return "Correct [camera] in the settings; hardware/camera.md says how a phone is used."
