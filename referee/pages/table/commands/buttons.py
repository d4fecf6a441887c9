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
"""If a screen knows the loop's time less exactly than this (seconds), a press counts from when it arrives."""
GLANCE_S = 3.0
"""A press ignores changes that are newer than this (seconds): the player may not have seen them yet."""


@dataclass(frozen=True, slots=True)
class PressFields:
    """A finger on a button. `at` is its time by the loop's clock, `doubt` how exact that is; both in seconds."""

    button: Annotated[str, text(1, 40)]
    what: Annotated[Stroke, one_of(*Stroke)]
    finger: Annotated[str, text(8, 64)]
    at: Annotated[float | None, number(-1e12, 1e12, "seconds")] = None
    doubt: Annotated[float, number(0, 1e6, "seconds")] = 0.0


async def _press(fields: PressFields, _: Facts, controls: Controls) -> Notice | None:
    """Pass on that a finger went down, is still there, or left."""
    came = controls.now()
    t = came if fields.at is None or fields.doubt > DOUBTFUL_S else fields.at
    return await controls.touch(Touch(fields.button, fields.what, fields.finger, t, came, fields.doubt))


def _parts_pressed(fields: PressFields) -> tuple[str, ...]:
    """Return the parts that a press is about; none if the finger is still there or leaves, which always counts."""
    if fields.what is not Stroke.DOWN:
        return ()
    return ("buttons",) if fields.button == PAUSE else ("match",)


def _patience(fields: PressFields) -> float:
    """Return the seconds during which changes are ignored.

    None are ignored for start, whose meaning changes with every press: of two people who press it to begin, the second
    would pause.
    """
    return 0.0 if fields.button == PAUSE else GLANCE_S


COMMANDS: Mapping[str, Command[Any]] = {"press": Command(PressFields, _press, _parts_pressed, _patience)}
