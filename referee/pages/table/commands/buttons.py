"""Buttons pressed on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.devices.wiring.pins import PAUSE
from referee.game.notice import Notice
from referee.page.command import Command, Controls, Field, one_of, seconds, text
from referee.table.input.touches import Stroke, Touch
from referee.table.output.follower import Facts

DOUBTFUL_S = 0.5
"""A screen that knows the time no better is not believed when it says when a finger came: it came now."""
GLANCE_S = 3.0
"""Whoever presses has looked at the screen within this time: until then it counts what was to be seen before."""


async def _press(values: Mapping[str, Any], _: Facts, controls: Controls) -> Notice | None:
    """A finger goes down, still is, or leaves."""
    came, at, doubt = controls.now(), values.get("at"), values.get("doubt", 0.0)
    t = came if at is None or doubt > DOUBTFUL_S else at
    return await controls.touch(Touch(values["button"], Stroke(values["what"]), values["finger"], t, came, doubt))


def _about(values: Mapping[str, Any]) -> tuple[str, ...]:
    """A press is about the match as it was to be seen; whether a finger still is there, or has left, holds always."""
    if values["what"] != Stroke.DOWN:
        return ()
    return ("buttons",) if values["button"] == PAUSE else ("match",)


def _patience(values: Mapping[str, Any]) -> float:
    """What start does changes with every press of it: whoever comes second would pause what the first has begun."""
    return 0.0 if values["button"] == PAUSE else GLANCE_S


AT = seconds(-1e12, 1e12)

COMMANDS = {
    "press": Command(
        _about,
        _press,
        {
            "button": text(1, 40),
            "what": one_of(*Stroke),
            "finger": text(8, 64),
            "at": Field(AT.schema, AT.value, needed=False),
            "doubt": Field((doubt := seconds(0, 1e6)).schema, doubt.value, needed=False),
        },
        patience_s=_patience,
    ),
}
