"""Buttons pressed on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from referee.devices.wiring.pins import PAUSE
from referee.game.notice import Notice
from referee.page.command import Command, Controls, number, one_of, text
from referee.table.input.touches import Stroke, Touch
from referee.table.output.follower import Facts

DOUBTFUL_S = 0.5
"""A screen that knows the time no better is not believed when it says when a finger came: it came now."""
GLANCE_S = 3.0
"""Whoever presses has looked at the screen within this time: until then it counts what was to be seen before."""


@dataclass(frozen=True, slots=True)
class PressFields:
    """A finger on a button: `at` is when, by the clock of the loop, and `doubt` how well the screen knows that."""

    button: Annotated[str, text(1, 40)]
    what: Annotated[Stroke, one_of(*Stroke)]
    finger: Annotated[str, text(8, 64)]
    at: Annotated[float | None, number(-1e12, 1e12, "seconds")] = None
    doubt: Annotated[float, number(0, 1e6, "seconds")] = 0.0


async def _press(fields: PressFields, _: Facts, controls: Controls) -> Notice | None:
    """A finger goes down, still is, or leaves."""
    came = controls.now()
    t = came if fields.at is None or fields.doubt > DOUBTFUL_S else fields.at
    return await controls.touch(Touch(fields.button, fields.what, fields.finger, t, came, fields.doubt))


def _parts_pressed(fields: PressFields) -> tuple[str, ...]:
    """A press is about the match as it was to be seen; whether a finger still is there, or has left, holds always."""
    if fields.what is not Stroke.DOWN:
        return ()
    return ("buttons",) if fields.button == PAUSE else ("match",)


def _patience(fields: PressFields) -> float:
    """What start does changes with every press of it: whoever comes second would pause what the first has begun."""
    return 0.0 if fields.button == PAUSE else GLANCE_S


COMMANDS: Mapping[str, Command[Any]] = {"press": Command(PressFields, _press, _parts_pressed, _patience)}
