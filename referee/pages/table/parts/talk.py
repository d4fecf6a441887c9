"""What the referee says: the verdict with its tiles, what must be put right, sentences, and its state in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from referee.game.match.phases import Phase
from referee.game.match.state import State
from referee.game.notice import Notice
from referee.game.table import Set, in_order
from referee.game.tiles import Tile
from referee.i18n import Wording
from referee.page.wording import faces
from referee.table.output.audience import Choosing, Way
from referee.table.output.follower import Complaint, Facts, Judged, Said
from referee.table.output.speech import levels_of, select_spoken
from referee.table.preparation.values import SetupStage

_LIVE = {
    Phase.LOBBY: "page.live_lobby",
    Phase.PAUSED: "page.live_paused",
    Phase.LOOKING: "page.live_looking",
    Phase.TIME_UP: "page.live_looking",
    Phase.CHECKING: "page.live_looking",
    Phase.COUNTING: "page.live_looking",
    Phase.BETWEEN: "page.live_between",
    Phase.OVER: "page.live_over",
}
_LIVE_OF_PLAYER = {
    Phase.TURN: "page.live_turn",
    Phase.ASKING: "page.live_asking",
    Phase.PUTTING_RIGHT: "page.live_putting_right",
    Phase.SHOWING: "page.live_showing",
}


def verdict_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    return (
        facts.judged,
        facts.complaint,
        facts.seen,
        facts.draws,
        None if scene is None else (scene.state.seats, scene.state.rules),
    )


def verdict(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return the last verdict: every fault with its sentence, its tiles and the indices of its sets; None if none yet.

    A refusal without a verdict, such as a hand that does not agree with the count, has the same form.
    """
    judged, scene = facts.judged, facts.scene
    if scene is not None and facts.complaint is not None:
        return _refused_without_verdict(facts.complaint, scene.state, words)
    if judged is None or scene is None:
        return None
    said = judged.verdict
    seats = scene.state.seats
    return {
        "accepted": said.accepted,
        "player": seats[judged.player].name if judged.player < len(seats) else "",
        "idle": _idle(facts, judged, scene.state, words),
        "look": judged.look,
        "points": said.points,
        "laid": faces(said.laid, words),
        "faults": [
            {
                "kind": fault.kind.value,
                "text": words.sentence(fault.notice),
                "tiles": faces(fault.tiles, words),
                "sets": list(fault.sets),
            }
            for fault in said.told_faults
        ],
        "explanation": [words(notice) for notice in said.explanation],
    }


def _refused_without_verdict(complaint: Complaint, state: State, words: Wording) -> dict[str, Any]:
    """Return a refusal without a verdict, in the form of a verdict; its faults have no kind and no sets."""
    player = complaint.player
    return {
        "accepted": False,
        "player": state.seats[player].name if player < len(state.seats) else "",
        "idle": "",
        "look": complaint.look,
        "points": 0,
        "laid": [],
        "faults": [
            {"kind": "", "text": words.sentence(reason), "tiles": [], "sets": []} for reason in complaint.reasons
        ],
        "explanation": [],
    }


def _idle(facts: Facts, judged: Judged, state: State, words: Wording) -> str:
    """Return what a player who laid nothing did; empty if tiles were laid, the turn was refused, or it is Gin."""
    laid = not judged.verdict.accepted or judged.verdict.laid or state.rules.knocking is not None
    if laid or judged.player >= len(state.seats):
        return ""
    drew = facts.draws is not None and facts.draws[0] == judged.player
    return words(Notice("page.draws" if drew else "page.lays_nothing", player=state.seats[judged.player].name))


def due_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    return facts.due, None if facts.seen is None else facts.seen.look


def rebuilding_task(facts: Facts, words: Wording) -> dict[str, Any] | None:
    """Return what must be put right: how the table must lie, and the steps to get there; None if nothing must."""
    found = facts.due
    if found is None:
        return None
    return {
        "steps": [{"text": words(step), "tiles": faces(_tiles(step), words)} for step in found.steps],
        "target": [
            {"tiles": faces(tiles, words), "lies": in_order(tiles) in _sets_on_table(facts)} for tiles in found.target
        ],
        "look": found.look,
    }


def _tiles(step: Notice) -> tuple[Tile, ...]:
    """Return the tiles that a step is about."""
    told = dict(step.fields)
    found = told.get("tiles", told.get("tile", ()))
    found = found if isinstance(found, tuple) else (found,)
    return tuple(tile for tile in found if isinstance(tile, Tile))


def _sets_on_table(facts: Facts) -> set[Set]:
    """Return the sets of the last look, each with its tiles in order."""
    sighting = None if facts.seen is None else facts.seen.look.sighting
    return set() if sighting is None else {in_order(tiles) for tiles in sighting.table}


def said_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    return facts.said, None if scene is None else scene.state.rules.name


def last_sentences(facts: Facts, words: Wording) -> list[dict[str, Any]]:
    """Return the last sentences, the newest last, each with what a voice says instead, and at which levels.

    A voice says nothing for a fault that was told together with another one before it: the first says how many follow.
    """
    book = "" if facts.scene is None else facts.scene.state.rules.name
    return [
        {
            "n": one.number,
            "text": words.sentence(one.told),
            "short": " ".join(map(words.short, spoken)),
            "levels": levels_of(one.told),
        }
        for _, together in groupby(facts.said, lambda said: said.first)
        for one, spoken in _with_spoken(tuple(together), book)
    ]


def _with_spoken(together: tuple[Said, ...], book: str) -> Iterator[tuple[Said, tuple[Notice, ...]]]:
    return zip(together, select_spoken([one.told for one in together], book), strict=True)


def live_source(facts: Facts) -> object:
    """Return the values that this part is made from."""
    scene = facts.scene
    state = None
    if scene is not None:
        state = scene.state.phase, scene.state.seats, scene.state.current, scene.cut, scene.choosing
    return state, facts.moves, facts.troubles, facts.setup.stage, facts.setup.missing, facts.setup.decision


def live(facts: Facts, words: Wording) -> dict[str, Any]:
    """Return the state in words: what is going on, whether something moves, and what is wrong with the equipment.

    `cut`: whether a match that was interrupted, by a power cut for instance, waits to be continued.
    """
    scene = facts.scene
    if scene is None:
        setup = facts.setup
        told = Notice("page.live_missing" if setup.stage is SetupStage.MISSING else "page.live_starting")
        told = Notice("page.live_cut") if setup.decision else told
        troubles = [] if setup.missing is None else [words(setup.missing)]
        return {"text": words(told), "moves": False, "cut": False, "troubles": troubles}
    state = scene.state
    if scene.cut:
        told = Notice("page.live_cut")
    elif scene.choosing is not None:
        told = _choice_notice(scene.choosing)
    elif state.phase in _LIVE_OF_PLAYER:
        told = Notice(_LIVE_OF_PLAYER[state.phase], player=state.seat.name)
    else:
        told = Notice(_LIVE[state.phase])
    if facts.moves and state.phase in (Phase.TURN, Phase.ASKING):
        told = Notice("page.live_moves", state=told)
    troubles = [words(trouble) for trouble in facts.troubles]
    return {"text": words(told), "moves": facts.moves, "cut": scene.cut, "troubles": troubles}


def _choice_notice(choosing: Choosing) -> Notice:
    """Return what players do while it is being decided who begins."""
    match choosing.way:
        case Way.LOT:
            return Notice("start.lot")
        case Way.PRESS:
            return Notice("page.live_who_begins")
        case Way.ASK:
            return Notice("start.is_it_held" if choosing.held else "start.is_it", player=choosing.about)
