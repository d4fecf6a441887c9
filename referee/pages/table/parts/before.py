"""What was seen in the last seconds before a press: small pictures, and where each differs from the one before."""

from __future__ import annotations

from typing import Any

from referee.game.notice import Notice
from referee.i18n import Wording
from referee.table.looking.pictures_before import PictureBefore
from referee.table.output.follower import Facts


def source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return None if facts.before is None else facts.before.number


def render(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return the pictures from before the last press, the oldest first; None if there are none."""
    before = facts.before
    if before is None:
        return None
    pictures = [_picture(one, words, first=not number) for number, one in enumerate(before.pictures)]
    return {"look": before.number, "pictures": pictures}


def _picture(one: PictureBefore, words: Wording, *, first: bool) -> dict[str, Any]:
    """Return the texts and areas of a picture; the first one has none before it with which it could be compared."""
    seconds = max(1, round(one.seconds))
    changed = Notice("tap.before_changed", places=len(one.areas)) if one.areas else Notice("tap.before_same")
    return {
        "when": words(Notice("tap.before_press", seconds=seconds)),
        "changed": "" if first else words(changed),
        "areas": [[round(part, 4) for part in area] for area in one.areas],
    }
