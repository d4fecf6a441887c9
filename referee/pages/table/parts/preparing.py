"""The set-up before a match: its progress, the camera's picture, the test of the panel, enrolment and calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.game.match.phases import Phase
from referee.game.notice import Notice
from referee.game.tiles import FACE_DOWN, Tile
from referee.i18n import Wording
from referee.i18n.notices import NOTICES
from referee.page.wording import face
from referee.table.output.follower import Facts
from referee.table.preparation.values import SetupStage
from referee.vision.sighting import Floats

CORNERS = ("top_left", "top_right", "bottom_right", "bottom_left")


def setup_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    told = facts.setup
    table = (
        told.run,
        told.stage,
        told.missing,
        told.decision,
        told.address,
        told.values.get("game.players"),
        told.until,
    )
    return table, _playing(facts), _phase(facts), facts.attended, facts.scene is None, _is_choosing(facts)


def setup(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return how far the set-up is, what is missing, and the address of the page for other machines, if it has one.

    `until`: until when that is waited for, by the clock of the stream, in seconds; None if nothing is waited for.
    `named`: whether players have been named; `playing`: who plays the match under way, None if there is no match.
    """
    told = facts.setup
    stage = SetupStage.BUILDING if told.stage is SetupStage.READY and facts.scene is None else told.stage
    return {
        "run": told.run,
        "stage": stage.value,
        "missing": None if told.missing is None else words(told.missing),
        "until": told.until,
        "decision": told.decision,
        "lobby": _phase(facts) is Phase.LOBBY,
        "choosing": _is_choosing(facts),
        "over": _phase(facts) is Phase.OVER and facts.attended,
        "address": told.address,
        "named": bool(told.values.get("game.players")),
        "playing": words(Notice("setup.match_players", players=_playing(facts))) if _playing(facts) else None,
    }


def _is_choosing(facts: Facts) -> bool:
    """Return whether it is being decided who begins: start has been pressed."""
    return facts.scene is not None and facts.scene.choosing is not None


def _playing(facts: Facts) -> tuple[str, ...]:
    """Return the names of the players of the match under way; none if there is no such match."""
    state = None if facts.scene is None else facts.scene.state
    return () if state is None or not state.phase.in_match else tuple(seat.name for seat in state.seats)


def _phase(facts: Facts) -> Phase | None:
    """Return the phase if it is lobby or over; None during a match and if there is no table."""
    phase = None if facts.scene is None else facts.scene.state.phase
    return phase if phase in (Phase.LOBBY, Phase.OVER) else None


def camera_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return None if facts.prepared.view is None else facts.prepared.view.number


def camera(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return what the camera sees now, and what is missing; outlines are fractions of the picture, 0 to 1."""
    view = facts.prepared.view
    if view is None:
        return None
    seen, picture = view.seen, view.seen.picture
    return {
        "view": view.number,
        "size": None if picture is None else [picture.shape[1], picture.shape[0]],
        "markers": [
            {
                "id": number,
                "outline": None if number not in seen.markers else _outline(seen.markers[number]),
                "text": _marker(number, seen.markers, words),
            }
            for number in range(len(CORNERS))
        ],
        "lamps": [{"outline": _outline(lamp), "text": words(Notice("setup.lamp_here"))} for lamp in seen.lamps],
        "remarks": [
            {"level": one.level, "found": words(one.found), "do": None if one.do is None else words(one.do)}
            for one in seen.remarks
        ],
    }


def _marker(number: int, seen: Mapping[int, Floats], words: Wording) -> str:
    corner = Notice(f"doctor.corner_{CORNERS[number]}")
    key = "setup.marker_seen" if number in seen else "setup.marker_hidden"
    return words(Notice(key, marker=number, corner=corner))


def _outline(corners: Floats) -> list[list[float]]:
    return [[round(float(x), 4), round(float(y), 4)] for x, y in corners]


def panel_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.prepared.panel


def panel(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return the parts of the panel to try, and the buttons that were pressed; None while it is not being tested."""
    tried = facts.prepared.panel
    if tried is None:
        return None
    return {
        "now": tried.now,
        "kind": tried.kind,
        "steps": [
            {
                "name": step.name,
                "button": step.contact is not None,
                "ask": words(step.ask),
                "if_not": words(step.if_not),
                "pressed": step.contact in tried.pressed,
            }
            for step in tried.steps
        ],
    }


def box_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    box = facts.prepared.box
    return None if box is None else (box.sheet, box.tiles, box.told, box.busy, box.under_way, box.left)


def box(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return how far an enrolment is, and every tile with what it was read as; None if none has begun."""
    shown = facts.prepared.box
    if shown is None:
        return None
    own = words.of_faces(shown.tileset.faces)
    seen = Counter(one.name for one in shown.tiles if not one.passed)
    return {
        "under_way": shown.under_way,
        "busy": shown.busy,
        "pictures": shown.pictures,
        "told": None if shown.told is None else own(at_a_screen(shown.told)),
        "well": shown.well,
        "left": None if shown.left is None else own(shown.left),
        "sheet": shown.sheet,
        "tiles": [
            {
                "batch": one.batch,
                "read": one.read,
                "doubtful": one.doubtful,
                "passed": one.passed,
                "outline": [[round(x, 4), round(y, 4)] for x, y in one.outline],
                "asked": [_face(name, own) for name in one.asked],
                **_face(one.name, own),
            }
            for one in shown.tiles
        ],
        "photos": [
            {
                "number": kept.number,
                "name": own(Notice("setup.photo", number=at)),
                "aspect": round(kept.size_px[0] / kept.size_px[1], 4),
            }
            for at, kept in enumerate(shown.kept, 1)
        ],
        "missing": [face(tile, own) for tile, count in shown.tileset.inventory().items() if seen[tile.name] < count],
        "every": [face(tile, own) for tile in shown.tileset.inventory()],
    }


def lens_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.prepared.lens


def lens(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return how far a calibration of the lens is, and what is missing; None if none has begun."""
    shown = facts.prepared.lens
    if shown is None:
        return None
    return {
        "under_way": shown.under_way,
        "busy": shown.busy,
        "pictures": shown.pictures,
        "told": None if shown.told is None else words(shown.told),
        "well": shown.well,
        "left": None if shown.left is None else words(shown.left),
        "grid": [list(row) for row in shown.grid],
    }


def _face(name: str, words: Wording) -> dict[str, Any]:
    return face(None if name == FACE_DOWN else Tile.from_name(name), words)


AT_A_SCREEN = {
    f"box.{name}": f"setup.enrol_{name}"
    for name in ("begin", "pictured", "failed", "no_more_pictures", "not_whole", "must_be_named", "looks_like")
}
"""Instructions of an enrolment and their wording for a screen, which names what can be tapped instead of buttons."""


def at_a_screen(told: Notice) -> Notice:
    """Return the instruction in the wording for a screen."""
    key = AT_A_SCREEN.get(told.key)
    if key is None:
        return told
    fields = NOTICES[key].fields
    return Notice(key, **{name: value for name, value in told.fields if name in fields})
