"""What is said of an enrolment, for somebody at a screen: it speaks of what can be tapped there, not of buttons."""

from __future__ import annotations

from referee.game.notice import Notice
from referee.i18n.notices import NOTICES

_AT_A_SCREEN = {
    f"box.{name}": f"setup.enrol_{name}"
    for name in ("begin", "pictured", "failed", "no_more_pictures", "not_whole", "must_be_named", "looks_like")
}


def at_a_screen(told: Notice) -> Notice:
    """The same as a screen says it."""
    key = _AT_A_SCREEN.get(told.key)
    if key is None:
        return told
    fields = NOTICES[key].fields
    return Notice(key, **{name: value for name, value in told.fields if name in fields})
